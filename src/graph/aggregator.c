/* aggregator.c: see aggregator.h.
 *
 *     symmetric   D^-1/2 (A + I) D^-1/2        its own transpose
 *     mean        D^-1 (A + I)                 transposed: (A + I) D^-1
 *     first order I + D^-1/2 A D^-1/2          its own transpose
 *
 * The pattern is symmetric, so both directions are sums over the same rows, and only the side that
 * is scaled changes. Nothing is stored for an entry but its column, except in the first order,
 * which is no pattern between two diagonals. */
#include "graph/aggregator.h"
#include "base/memory.h"
#include "matrix/csr.h"
#include "matrix/dense.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static hrr_status add_isolated(hrr_csr *pattern, hrr_error *err)
{
    hrr_csr made;
    uint64_t n_isolated = 0;
    for (uint64_t i = 0; i < pattern->rows; i++)
        n_isolated += pattern->row_start[i] == pattern->row_start[i + 1];
    hrr_status status = hrr_csr_init(&made, pattern->rows, pattern->cols,
                                     hrr_csr_n_entries(pattern) + n_isolated, false, err);
    if (status) return status;
    uint64_t at = 0;
    for (uint64_t i = 0; i < pattern->rows; i++) {
        const uint64_t start = pattern->row_start[i], count = pattern->row_start[i + 1] - start;
        made.row_start[i] = at;
        memcpy(made.col + at, pattern->col + start, count * sizeof *made.col);
        if (count == 0) made.col[at] = (uint32_t)i;
        at += count ? count : 1;
    }
    hrr_csr_clear(pattern);
    *pattern = made;
    return HRR_OK;
}

hrr_status hrr_aggregator_init(hrr_aggregator *out, const hrr_graph *graph, hrr_normalisation kind,
                               hrr_diagonal diagonal, hrr_error *err)
{
    const bool with_values = kind == HRR_NORMALISE_FIRST_ORDER;
    hrr_adjacency_options how;
    hrr_adjacency_options_init(&how);
    how.edges = HRR_EDGES_ALL;
    how.self_loops = diagonal == HRR_DIAGONAL_ALL;
    how.normalisation = with_values ? kind : HRR_NORMALISE_NONE;
    assert(!with_values || diagonal == HRR_DIAGONAL_ALL);
    hrr_aggregator made = {.kind = kind};
    *out = made;
    hrr_status status = hrr_graph_adjacency(&made.pattern, graph, &how, err);
    if (status) goto done;
    if (diagonal == HRR_DIAGONAL_LONELY && (status = add_isolated(&made.pattern, err))) goto done;
    if (with_values) {
        *out = made;
        return HRR_OK;
    }
    if (!(made.scale = hrr_alloc(made.pattern.rows, sizeof *made.scale))) {
        status = hrr_no_memory(err);
        goto done;
    }
    for (uint64_t i = 0; i < made.pattern.rows; i++) {
        /* never 0: every row has an entry, its own or a neighbour's */
        const double degree = (double)(made.pattern.row_start[i + 1] - made.pattern.row_start[i]);
        made.scale[i] = (float)(kind == HRR_NORMALISE_SYMMETRIC ? 1 / sqrt(degree) : 1 / degree);
    }
    *out = made;
    made = (hrr_aggregator){0};
done:
    hrr_aggregator_clear(&made);
    return status;
}

void hrr_aggregator_clear(hrr_aggregator *aggregator)
{
    hrr_csr_clear(&aggregator->pattern);
    hrr_free(aggregator->scale);
    *aggregator = (hrr_aggregator){0};
}

void hrr_aggregate(hrr_take_rows *take, void *user, const hrr_aggregator *aggregator,
                   bool transposed, const hrr_dense *x, float *space, int threads,
                   const hrr_progress *progress)
{
    const bool both = aggregator->kind == HRR_NORMALISE_SYMMETRIC;
    hrr_spmm_rows(take, user, &aggregator->pattern, both || !transposed ? aggregator->scale : NULL,
                  both || transposed ? aggregator->scale : NULL, x, space, threads, progress);
}

void hrr_keep_rows(void *user, const float *block, size_t stride, uint64_t first, uint64_t count)
{
    const hrr_dense *to = user;
    float *row = (float *)to->data + first * to->cols;
    for (uint64_t i = 0; i < count; i++, row += to->cols, block += stride)
        memcpy(row, block, to->cols * sizeof *row);
}

hrr_status hrr_aggregate_steps(hrr_dense *x, const hrr_aggregator *aggregator, uint32_t steps,
                               int threads, hrr_progress *progress, hrr_error *err)
{
    hrr_dense next = {0};
    float *space = hrr_alloc(hrr_spmm_rows_space(x->cols, threads), sizeof *space);
    if (!space) return hrr_no_memory(err);
    hrr_status status = HRR_OK;
    if (steps) status = hrr_dense_init(&next, HRR_F32, x->rows, x->cols, err);
    for (uint32_t step = 0; step < steps && !status; step++) {
        hrr_aggregate(hrr_keep_rows, &next, aggregator, false, x, space, threads, progress);
        hrr_dense swapped = *x;
        *x = next;
        next = swapped;
        status = hrr_progress_advance(progress, 1, err);
    }
    hrr_dense_clear(&next);
    hrr_free(space);
    return status;
}

hrr_status hrr_graph_propagate(hrr_dense *out, const hrr_graph *graph, const hrr_dense *features,
                               uint32_t steps, int threads, hrr_progress *progress, hrr_error *err)
{
    hrr_aggregator aggregator = {0};
    hrr_dense x = {0};
    *out = x;
    hrr_status status =
        hrr_aggregator_init(&aggregator, graph, HRR_NORMALISE_SYMMETRIC, HRR_DIAGONAL_LONELY, err);
    if (!status) status = hrr_dense_convert(&x, features, HRR_F32, err);
    hrr_progress_begin(progress, "propagating features", steps);
    if (!status) status = hrr_aggregate_steps(&x, &aggregator, steps, threads, progress, err);
    if (status) hrr_dense_clear(&x);
    *out = x;
    hrr_aggregator_clear(&aggregator);
    return status;
}
