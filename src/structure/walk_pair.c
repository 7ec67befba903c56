/* walk_pair.c: see walk_pair.h. Rows are ascending, so they are merged. */
#include "structure/walk_pair.h"
#include "base/memory.h"
#include "structure/shape.h"

#include <inttypes.h>

static double inverse(uint64_t degree)
{
    return degree ? 1.0 / (double)degree : 0.0;
}

/* Writes the merged row of one node, filled up; returns where the next begins. */
static uint32_t *merge(uint32_t *to, const hrr_csr *a, const hrr_csr *b, uint64_t node)
{
    const uint32_t *x = a->col + a->row_start[node], *x_end = a->col + a->row_start[node + 1];
    const uint32_t *y = b->col + b->row_start[node], *y_end = b->col + b->row_start[node + 1];
    uint32_t *begin = to;
    while (x < x_end || y < y_end) {
        uint32_t from_x = x < x_end ? *x : UINT32_MAX, from_y = y < y_end ? *y : UINT32_MAX;
        uint32_t next = from_x < from_y ? from_x : from_y;
        bool in_x = from_x == next, in_y = from_y == next;
        *to++ = next << 2 | (in_x ? HRR_WALK_IN_ORIGINAL : 0) | (in_y ? HRR_WALK_IN_RELEASED : 0);
        x += in_x;
        y += in_y;
    }
    while ((to - begin) % HRR_WALK_GROUP)
        *to++ = (uint32_t)a->rows << 2;
    return to;
}

hrr_status hrr_walk_pair_init(hrr_walk_pair *out, const hrr_csr *original, const hrr_csr *released,
                              hrr_error *err)
{
    *out = (hrr_walk_pair){0};
    const uint64_t n = original->rows;
    const uint64_t most =
        hrr_csr_n_entries(original) + hrr_csr_n_entries(released) + (HRR_WALK_GROUP - 1) * n;
    if (n > (uint64_t)1 << 29 || most / HRR_WALK_GROUP >= UINT32_MAX)
        return hrr_fail(err, HRR_EINVAL,
                        "%" PRIu64 " nodes are too many for exact walks; use probing", n);
    hrr_walk_pair pair = {
        .n_nodes = n,
        .group_start = hrr_alloc(n + 1, sizeof *pair.group_start),
        .entry = hrr_alloc(most, sizeof *pair.entry),
        .inverse_degree = hrr_alloc(n, sizeof *pair.inverse_degree),
    };
    if (!pair.group_start || !pair.entry || !pair.inverse_degree) {
        hrr_walk_pair_clear(&pair);
        return hrr_no_memory(err);
    }
    uint32_t *end = pair.entry;
    for (uint64_t i = 0; i < n; i++) {
        pair.group_start[i] = (uint32_t)((uint64_t)(end - pair.entry) / HRR_WALK_GROUP);
        pair.inverse_degree[i] =
            (hrr_two){inverse(hrr_degree(original, i)), inverse(hrr_degree(released, i))};
        end = merge(end, original, released, i);
    }
    pair.group_start[n] = (uint32_t)((uint64_t)(end - pair.entry) / HRR_WALK_GROUP);
    *out = pair;
    return HRR_OK;
}

void hrr_walk_pair_clear(hrr_walk_pair *pair)
{
    hrr_free(pair->group_start);
    hrr_free(pair->entry);
    hrr_free(pair->inverse_degree);
    *pair = (hrr_walk_pair){0};
}
