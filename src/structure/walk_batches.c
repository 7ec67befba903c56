/* walk_batches.c: see walk_batches.h.
 *
 * Nodes around the same hub reach much the same nodes. A node's hub is the one with most neighbours
 * among itself and its neighbours; nodes are sorted by the hub of their hub, then by their hub. On
 * Cora eight rows in this order reach 2.4 times what one does, in the order of the file 4.7 times;
 * a reverse Cuthill-McKee order comes to 2.4 as well. */
#include "structure/walk_batches.h"
#include "base/memory.h"

#include <string.h>

uint64_t hrr_only_neighbour(const hrr_walk_pair *pair, uint64_t node)
{
    const uint64_t first = pair->start[node];
    if (pair->start[node + 1] != first + 1) return pair->n_nodes;
    const uint32_t entry = pair->entry[first];
    return (entry & 3) == HRR_IN_BOTH ? entry >> 2 : pair->n_nodes;
}

static uint64_t n_neighbours(const hrr_walk_pair *pair, uint64_t node)
{
    return pair->start[node + 1] - pair->start[node];
}

static void find_hubs(uint32_t *hub, const hrr_walk_pair *pair)
{
    for (uint64_t i = 0; i < pair->n_nodes; i++) {
        hub[i] = (uint32_t)i;
        for (uint64_t e = pair->start[i]; e < pair->start[i + 1]; e++) {
            const uint32_t j = pair->entry[e] >> 2;
            if (n_neighbours(pair, j) > n_neighbours(pair, hub[i])) hub[i] = j;
        }
    }
}

/* to = from, sorted by hub, or by the hub of the hub; equal ones keep their order. place: n + 1. */
static void sort_by_hub(uint32_t *to, const uint32_t *from, uint64_t n_rows, const uint32_t *hub,
                        bool of_hub, uint64_t *place, uint64_t n)
{
    memset(place, 0, (n + 1) * sizeof *place);
    for (uint64_t r = 0; r < n_rows; r++)
        place[1 + hub[of_hub ? hub[from[r]] : from[r]]]++;
    for (uint64_t i = 0; i < n; i++)
        place[i + 1] += place[i];
    for (uint64_t r = 0; r < n_rows; r++)
        to[place[hub[of_hub ? hub[from[r]] : from[r]]]++] = from[r];
}

hrr_status hrr_walk_order(uint32_t *order, uint64_t *n_rows, const hrr_walk_pair *pair,
                          hrr_error *err)
{
    hrr_status status = HRR_OK;
    const uint64_t n = pair->n_nodes;
    uint32_t *hub = hrr_alloc(n, sizeof *hub), *half_sorted = hrr_alloc(n, sizeof *half_sorted);
    uint64_t *place = hrr_alloc(n + 1, sizeof *place);
    if (!hub || !half_sorted || !place) {
        status = hrr_no_memory(err);
        goto done;
    }
    uint64_t last = n;
    *n_rows = 0;
    for (uint64_t i = 0; i < n; i++)
        order[hrr_only_neighbour(pair, i) == n ? (*n_rows)++ : --last] = (uint32_t)i;
    find_hubs(hub, pair);
    sort_by_hub(half_sorted, order, *n_rows, hub, false, place, n);
    sort_by_hub(order, half_sorted, *n_rows, hub, true, place, n);
done:
    hrr_free(hub);
    hrr_free(half_sorted);
    hrr_free(place);
    return status;
}
