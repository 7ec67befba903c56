/* group_counts.c: see group_counts.h. */
#include "edge/group_counts.h"
#include "base/memory.h"
#include "graph/adjacency.h"

#include "structure/measures.h"

#include <math.h>

enum { fewest_groups = 2, most_groups = 1024, fewest_members = 2, public_seed = 1 };

uint32_t hrr_group_number(uint64_t n_candidates, uint64_t n_edges, double eps)
{
    double number = floor(sqrt((double)n_edges * eps));
    number = fmin(number, fmin((double)(n_candidates / fewest_members), most_groups));
    return number < fewest_groups ? 0 : (uint32_t)number;
}

/* order: nodes, by community; stable. Communities are numbered by their first nodes. */
static hrr_status order_nodes(uint32_t *order, const hrr_edge_public *known, hrr_progress *progress,
                              hrr_error *err)
{
    const uint64_t n = known->n_nodes;
    uint32_t n_communities = 0;
    hrr_csr graph = {0};
    uint32_t *community = hrr_alloc(n, sizeof *community);
    uint64_t *next = hrr_alloc_zero(n + 1, sizeof *next);
    hrr_status status = community && next ? HRR_OK : hrr_no_memory(err);
    if (!status)
        status =
            hrr_adjacency_of_edges(&graph, n, known->n_edges, known->source, known->target, err);
    if (!status)
        status =
            hrr_communities_find(community, &n_communities, &graph, public_seed, progress, err);
    if (status) goto done;
    for (uint64_t v = 0; v < n; v++)
        next[community[v] + 1]++;
    for (uint32_t c = 0; c < n_communities; c++)
        next[c + 1] += next[c];
    for (uint64_t v = 0; v < n; v++)
        order[next[community[v]]++] = (uint32_t)v;
done:
    hrr_csr_clear(&graph);
    hrr_free(community);
    hrr_free(next);
    return status;
}

hrr_status hrr_group_nodes(uint32_t *group, uint32_t *place, uint32_t n_groups,
                           uint64_t n_candidates, const hrr_edge_public *known,
                           hrr_progress *progress, hrr_error *err)
{
    uint32_t *order = hrr_alloc(known->n_nodes, sizeof *order);
    hrr_status status = order ? HRR_OK : hrr_no_memory(err);
    if (!status) status = order_nodes(order, known, progress, err);
    for (uint64_t k = 0, seen = 0; k < known->n_nodes && !status; k++) {
        const uint32_t v = order[k];
        const bool candidate = !known->candidates || known->candidates[v];
        group[v] = candidate ? (uint32_t)(seen * n_groups / n_candidates) : 0;
        place[v] = candidate ? (uint32_t)((seen++ << 32) / n_candidates) : 0;
    }
    hrr_free(order);
    return status;
}

void hrr_group_count(int64_t *count, const uint32_t *group, uint32_t n_groups,
                     const hrr_edge_secret *secret)
{
    for (uint64_t e = 0; e < secret->n_edges; e++) {
        const uint64_t i = group[secret->source[e]], j = group[secret->target[e]];
        count[i < j ? i * n_groups + j : j * n_groups + i]++;
    }
}
