/* walk_pair.c: see walk_pair.h. Rows are ascending, so they are merged. */
#include "structure/walk_pair.h"
#include "base/memory.h"
#include "matrix/csr.h"
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

static hrr_status alloc_pair(hrr_walk_pair *out, uint64_t n_nodes, uint64_t n_entries,
                             hrr_error *err)
{
    *out = (hrr_walk_pair){
        .n_nodes = n_nodes,
        .start = hrr_alloc(n_nodes + 1, sizeof *out->start),
        .entry = hrr_alloc(n_entries, sizeof *out->entry),
        .inverse_degree = {hrr_alloc(n_nodes, sizeof(double)), hrr_alloc(n_nodes, sizeof(double))},
    };
    if (out->start && out->entry && out->inverse_degree[0] && out->inverse_degree[1]) return HRR_OK;
    hrr_walk_pair_clear(out);
    return hrr_no_memory(err);
}

hrr_status hrr_walk_pair_init(hrr_walk_pair *out, const hrr_csr *original, const hrr_csr *released,
                              hrr_error *err)
{
    *out = (hrr_walk_pair){0};
    const uint64_t n = original->rows;
    if (n > (uint64_t)1 << 29)
        return hrr_fail(
            err, HRR_EINVAL,
            "a graph of %" PRIu64 " nodes is too large for exact walks (`walk`); use probing", n);
    const uint64_t most = hrr_csr_n_entries(original) + hrr_csr_n_entries(released);
    hrr_walk_pair pair;
    hrr_status status = alloc_pair(&pair, n, most, err);
    if (status) return status;
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

/* Nodes in their new order add themselves to the rows of their neighbours, which so ascend. */
hrr_status hrr_walk_pair_renumber(hrr_walk_pair *pair, const uint32_t *order, uint64_t n_first,
                                  hrr_error *err)
{
    const uint64_t n = pair->n_nodes;
    hrr_walk_pair to;
    hrr_status status = alloc_pair(&to, n, pair->start[n], err);
    if (status) return status;
    uint64_t *next = hrr_alloc(n, sizeof *next); /* of each node by its old number */
    to.ends = hrr_alloc(n, sizeof *to.ends);
    if (!next || !to.ends) {
        hrr_free(next);
        hrr_walk_pair_clear(&to);
        return hrr_no_memory(err);
    }
    to.start[0] = 0;
    for (uint64_t r = 0; r < n; r++) {
        const uint32_t node = order[r];
        next[node] = to.start[r];
        to.start[r + 1] = to.start[r] + pair->start[node + 1] - pair->start[node];
        to.inverse_degree[0][r] = pair->inverse_degree[0][node];
        to.inverse_degree[1][r] = pair->inverse_degree[1][node];
    }
    for (uint64_t r = 0; r < n; r++)
        for (uint64_t e = pair->start[order[r]]; e < pair->start[order[r] + 1]; e++)
            to.entry[next[pair->entry[e] >> 2]++] = (uint32_t)r << 2 | (pair->entry[e] & 3);
    for (uint64_t r = 0; r < n; r++) {
        to.ends[r] = to.start[r + 1];
        while (to.ends[r] > to.start[r] && to.entry[to.ends[r] - 1] >> 2 >= n_first)
            to.ends[r]--;
    }
    hrr_free(next);
    hrr_walk_pair_clear(pair);
    *pair = to;
    return HRR_OK;
}

void hrr_walk_pair_clear(hrr_walk_pair *pair)
{
    hrr_free(pair->start);
    hrr_free(pair->ends);
    hrr_free(pair->entry);
    hrr_free(pair->inverse_degree[0]);
    hrr_free(pair->inverse_degree[1]);
    *pair = (hrr_walk_pair){0};
}
