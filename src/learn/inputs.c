/* inputs.c: see inputs.h.
 *
 * Bags of words are nearly empty (Cora 1.3 %, Facebook .3 %): row sums over what there is take the
 * place of a dense product, in both directions. A product with W costs an entry about 10 ns where
 * a dense element costs 1, hence the tenth.
 *
 * The rows of I as features make W one row of weights a node, and X W = S^k W is k sparse products
 * as wide as the layer. S^k itself would fill up to n x n.
 *
 * Hops: with the rows of W in K + 1 groups, one a hop,
 *
 *     [X, S X, ..., S^K X] W = X W_0 + S (X W_1 + S (X W_2 + ...))
 *
 * is K sparse products as wide as the layer, and no propagated features are stored. */
#include "learn/inputs.h"
#include "learn/model.h"
#include "base/memory.h"
#include "matrix/csr.h"
#include "matrix/dense.h"
#include "matrix/products.h"

#include <assert.h>
#include <math.h>

enum { sparse_share = 10 };

/* ---- sparse -----------------------------------------------------------------------------------
 */

static float element(const hrr_dense *x, size_t at)
{
    switch (x->dtype) {
    case HRR_U8:
        return ((const uint8_t *)x->data)[at];
    case HRR_F32:
        return ((const float *)x->data)[at];
    case HRR_F64:
        break;
    }
    return (float)((const double *)x->data)[at];
}

/* How many elements are not 0, and whether they all are 1. */
static uint64_t count_entries(const hrr_dense *x, bool *all_ones, int threads)
{
    uint64_t entries = 0, ones = 0;
    threads = hrr_threads(threads);
#pragma omp parallel for schedule(static) num_threads(threads) reduction(+ : entries, ones)
    for (uint64_t i = 0; i < x->rows; i++)
        for (uint64_t j = 0; j < x->cols; j++) {
            const float value = element(x, i * x->cols + j);
            entries += value != 0;
            ones += value == 1;
        }
    *all_ones = entries == ones;
    return entries;
}

static hrr_status make_sparse(hrr_csr *out, const hrr_dense *x, uint64_t n_entries, bool all_ones,
                              hrr_error *err)
{
    hrr_status status = hrr_csr_init(out, x->rows, x->cols, n_entries, !all_ones, err);
    if (status) return status;
    uint64_t at = 0;
    for (uint64_t i = 0; i < x->rows; i++) {
        out->row_start[i] = at;
        for (uint64_t j = 0; j < x->cols; j++) {
            const float value = element(x, i * x->cols + j);
            if (value == 0) continue;
            out->col[at] = (uint32_t)j;
            if (!all_ones) out->value[at] = value;
            at++;
        }
    }
    return HRR_OK;
}

/* ---- deciding ---------------------------------------------------------------------------------
 */

static hrr_status aggregate_once(hrr_inputs *inputs, const hrr_dense *x,
                                 const hrr_aggregator *aggregator, int threads,
                                 hrr_progress *progress, hrr_error *err)
{
    float *space = hrr_alloc(hrr_spmm_rows_space(x->cols, threads), sizeof *space);
    if (!space) return hrr_no_memory(err);
    hrr_status status = hrr_dense_init(&inputs->dense, HRR_F32, x->rows, x->cols, err);
    if (!status) {
        hrr_aggregate(hrr_keep_rows, &inputs->dense, aggregator, false, x, space, threads,
                      progress);
        inputs->is_aggregated = true;
    }
    hrr_free(space);
    return status;
}

hrr_status hrr_inputs_init(hrr_inputs *out, const hrr_dense *features, uint64_t n_out,
                           const hrr_aggregator *aggregator, int threads, hrr_progress *progress,
                           hrr_error *err)
{
    hrr_inputs made = {.n = features->rows, .d = features->cols};
    hrr_dense floats = {0};
    hrr_status status = HRR_OK;
    bool all_ones;
    *out = (hrr_inputs){0};
    const uint64_t n_entries = count_entries(features, &all_ones, threads);
    if (n_entries <= made.n * made.d / sparse_share && made.d <= UINT32_MAX) {
        made.is_sparse = true;
        if ((status = make_sparse(&made.sparse, features, n_entries, all_ones, err))) goto done;
        if ((status = hrr_csr_transpose(&made.sparse_transposed, &made.sparse, err))) goto done;
    } else {
        if (features->dtype == HRR_F64 &&
            (status = hrr_dense_convert(&floats, features, HRR_F32, err)))
            goto done;
        const hrr_dense *x = floats.data ? &floats : features;
        if (aggregator && made.d <= n_out) {
            status = aggregate_once(&made, x, aggregator, threads, progress, err);
            if (status) goto done;
        } else if (floats.data) {
            made.dense = floats;
            floats = (hrr_dense){0};
        } else {
            made.dense = hrr_dense_view(features);
        }
    }
    if (made.dense.data != features->data) hrr_region_let_go(&features->storage);
    *out = made;
    made = (hrr_inputs){0};
done:
    hrr_dense_clear(&floats);
    hrr_inputs_clear(&made);
    return status;
}

hrr_status hrr_inputs_init_rows(hrr_inputs *out, const hrr_graph *graph, uint64_t n_out,
                                uint32_t steps, hrr_error *err)
{
    const uint64_t n = hrr_graph_n_nodes(graph);
    hrr_inputs made = {.n = n, .d = n, .is_rows = true, .steps = steps};
    *out = (hrr_inputs){0};
    hrr_status status = HRR_OK;
    if (steps)
        status = hrr_aggregator_init(&made.spread, graph, HRR_NORMALISE_SYMMETRIC,
                                     HRR_DIAGONAL_LONELY, err);
    for (uint32_t i = 0; i < 2 && i + 1 < steps && !status; i++)
        status = hrr_dense_init(&made.between[i], HRR_F32, n, n_out, err);
    if (status) hrr_inputs_clear(&made);
    *out = made;
    return status;
}

hrr_status hrr_inputs_init_hops(hrr_inputs *out, const hrr_dense *features, const hrr_graph *graph,
                                hrr_normalisation kind, uint64_t n_out, uint32_t steps, int threads,
                                hrr_progress *progress, hrr_error *err)
{
    hrr_inputs made;
    hrr_status status = hrr_inputs_init(&made, features, n_out, NULL, threads, progress, err);
    if (!status) status = hrr_aggregator_init(&made.spread, graph, kind, HRR_DIAGONAL_ALL, err);
    made.is_hops = true;
    made.steps = steps;
    for (int i = 0; i < 2 && !status; i++)
        status = hrr_dense_init(&made.between[i], HRR_F32, made.n, n_out, err);
    if (status) hrr_inputs_clear(&made);
    *out = made;
    return status;
}

void hrr_inputs_clear(hrr_inputs *inputs)
{
    hrr_aggregator_clear(&inputs->spread);
    hrr_dense_clear(&inputs->between[0]);
    hrr_dense_clear(&inputs->between[1]);
    hrr_dense_clear(&inputs->dense);
    hrr_csr_clear(&inputs->sparse);
    hrr_csr_clear(&inputs->sparse_transposed);
    *inputs = (hrr_inputs){0};
}

/* ---- products ---------------------------------------------------------------------------------
 */

/* I X, block by block. */
static void give_rows(hrr_take_rows *take, void *user, const hrr_dense *x, int threads)
{
    enum { rows_per_piece = 256 };
    const int64_t n_pieces = (int64_t)((x->rows + rows_per_piece - 1) / rows_per_piece);
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int64_t piece = 0; piece < n_pieces; piece++) {
        const uint64_t first = (uint64_t)piece * rows_per_piece;
        const uint64_t left = x->rows - first;
        take(user, (const float *)x->data + first * x->cols, x->cols, first,
             left < rows_per_piece ? left : rows_per_piece);
    }
}

/* S^steps X; S is its own transpose, so this is the way back as well. */
static void spread_rows(hrr_take_rows *take, void *user, const hrr_inputs *inputs, const float *x,
                        uint64_t n_out, float *space, int threads, const hrr_progress *progress)
{
    hrr_dense from = hrr_f32_view(x, inputs->n, n_out);
    for (uint32_t step = 0; step + 1 < inputs->steps; step++) {
        hrr_dense to = inputs->between[step % 2];
        hrr_aggregate(hrr_keep_rows, &to, &inputs->spread, false, &from, space, threads, progress);
        from = to;
    }
    if (inputs->steps)
        hrr_aggregate(take, user, &inputs->spread, false, &from, space, threads, progress);
    else
        give_rows(take, user, &from, threads);
}

size_t hrr_inputs_space(const hrr_inputs *inputs, uint64_t n_out, int threads)
{
    const size_t sums = hrr_spmm_rows_space(n_out, threads);
    if (inputs->is_sparse || inputs->is_rows) return sums;
    const size_t forward = hrr_sgemm_rows_space(inputs->d, n_out, threads);
    const size_t back = inputs->is_hops ? sums : hrr_sgemm_inner_space(inputs->d, n_out, threads);
    return forward > back ? forward : back;
}

/* An hrr_take_rows: rows are added to those of the matrix. */
static void add_rows(void *user, const float *block, size_t stride, uint64_t first, uint64_t count)
{
    const hrr_dense *to = user;
    float *row = (float *)to->data + first * to->cols;
    for (uint64_t i = 0; i < count; i++, row += to->cols, block += stride)
        for (uint64_t j = 0; j < to->cols; j++)
            row[j] += block[j];
}

static void times_features(hrr_take_rows *take, void *user, const hrr_inputs *inputs,
                           const float *w, uint64_t n_out, float *space, int threads,
                           const hrr_progress *progress)
{
    if (!inputs->is_sparse) {
        hrr_sgemm_rows(take, user, &inputs->dense, w, false, n_out, space, threads, progress);
        return;
    }
    const hrr_dense weights = hrr_f32_view(w, inputs->d, n_out);
    hrr_spmm_rows(take, user, &inputs->sparse, NULL, NULL, &weights, space, threads, progress);
}

static void times_hops(hrr_take_rows *take, void *user, const hrr_inputs *inputs, const float *w,
                       uint64_t n_out, float *space, int threads, const hrr_progress *progress)
{
    const size_t group = inputs->d * n_out;
    hrr_dense sum = inputs->between[0], next = inputs->between[1];
    times_features(hrr_keep_rows, &sum, inputs, w + inputs->steps * group, n_out, space, threads,
                   progress);
    for (uint32_t k = inputs->steps; k-- > 0;) {
        hrr_aggregate(hrr_keep_rows, &next, &inputs->spread, false, &sum, space, threads, progress);
        times_features(add_rows, &next, inputs, w + k * group, n_out, space, threads, progress);
        const hrr_dense swapped = sum;
        sum = next;
        next = swapped;
    }
    give_rows(take, user, &sum, threads);
}

void hrr_inputs_times(hrr_take_rows *take, void *user, const hrr_inputs *inputs, const float *w,
                      uint64_t n_out, float *space, int threads, const hrr_progress *progress)
{
    if (inputs->is_rows) {
        spread_rows(take, user, inputs, w, n_out, space, threads, progress);
        return;
    }
    if (inputs->is_hops)
        times_hops(take, user, inputs, w, n_out, space, threads, progress);
    else
        times_features(take, user, inputs, w, n_out, space, threads, progress);
}

void hrr_inputs_gradient(float *gradient, const hrr_inputs *inputs, const float *delta,
                         uint64_t n_out, float *space, int threads, const hrr_progress *progress)
{
    const hrr_dense deltas = hrr_f32_view(delta, inputs->n, n_out);
    hrr_dense to = hrr_f32_view(gradient, inputs->d, n_out);
    assert(!inputs->is_hops);
    if (inputs->is_rows) {
        spread_rows(hrr_keep_rows, &to, inputs, delta, n_out, space, threads, progress);
        return;
    }
    if (!inputs->is_sparse) {
        hrr_sgemm_inner(gradient, &inputs->dense, delta, n_out, space, threads, progress);
        return;
    }
    hrr_spmm_rows(hrr_keep_rows, &to, &inputs->sparse_transposed, NULL, NULL, &deltas, space,
                  threads, progress);
}
