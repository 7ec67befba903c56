/* walk_pair.c: see walk_pair.h. Rows are ascending, so they are merged. */
#include "structure/walk_pair.h"
#include "base/memory.h"
#include "structure/shape.h"

#include <inttypes.h>

static double inverse(uint64_t degree)
{
    return degree ? 1.0 / (double)degree : 0.0;
}

/* Writes the merged row of one node; returns where the next begins. */
static uint32_t *merge(uint32_t *to, const hrr_csr *a, const hrr_csr *b, uint64_t node)
{
    const uint32_t *x = a->col + a->row_start[node], *x_end = a->col + a->row_start[node + 1];
    const uint32_t *y = b->col + b->row_start[node], *y_end = b->col + b->row_start[node + 1];
    while (x < x_end || y < y_end) {
        uint32_t from_x = x < x_end ? *x : UINT32_MAX, from_y = y < y_end ? *y : UINT32_MAX;
        uint32_t next = from_x < from_y ? from_x : from_y;
        bool in_x = from_x == next, in_y = from_y == next;
        *to++ = next << 2 | (in_x ? HRR_IN_ORIGINAL : 0) | (in_y ? HRR_IN_RELEASED : 0);
        x += in_x;
        y += in_y;
    }
    return to;
}

hrr_status hrr_walk_pair_init(hrr_walk_pair *out, const hrr_csr *original, const hrr_csr *released,
                              hrr_error *err)
{
    *out = (hrr_walk_pair){0};
    const uint64_t n = original->rows;
    if (n > (uint64_t)1 << 29)
        return hrr_fail(err, HRR_EINVAL,
                        "%" PRIu64 " nodes are too many for exact walks; use probing", n);
    const uint64_t most = hrr_csr_n_entries(original) + hrr_csr_n_entries(released);
    hrr_walk_pair pair = {
        .n_nodes = n,
        .start = hrr_alloc(n + 1, sizeof *pair.start),
        .entry = hrr_alloc(most, sizeof *pair.entry),
        .inverse_degree = {hrr_alloc(n, sizeof(double)), hrr_alloc(n, sizeof(double))},
    };
    if (!pair.start || !pair.entry || !pair.inverse_degree[0] || !pair.inverse_degree[1]) {
        hrr_walk_pair_clear(&pair);
        return hrr_no_memory(err);
    }
    uint32_t *end = pair.entry;
    for (uint64_t i = 0; i < n; i++) {
        pair.start[i] = (uint64_t)(end - pair.entry);
        pair.inverse_degree[0][i] = inverse(hrr_degree(original, i));
        pair.inverse_degree[1][i] = inverse(hrr_degree(released, i));
        end = merge(end, original, released, i);
    }
    pair.start[n] = (uint64_t)(end - pair.entry);
    *out = pair;
    return HRR_OK;
}

void hrr_walk_pair_clear(hrr_walk_pair *pair)
{
    hrr_free(pair->start);
    hrr_free(pair->entry);
    hrr_free(pair->inverse_degree[0]);
    hrr_free(pair->inverse_degree[1]);
    *pair = (hrr_walk_pair){0};
}
