/* f64_model.c: see f64_model.h.
 *
 *     Y = X W_0,   Z_0 = A P^k Y + b_0,   Z_l = A relu(Z_{l-1}) W_l + b_l
 *
 * The product with the first weights comes before all hops, which are linear: a change of one
 * node's features changes one row of Y. Standardised features are (X - 1 m) S, so that Y = X (S
 * W_0) - 1 (m S W_0): sparse features stay sparse. */
#include "attack/f64_model.h"
#include "base/memory.h"
#include "learn/head.h"
#include "matrix/dense.h"
#include "matrix/products.h"

#include <inttypes.h>
#include <string.h>

hrr_status hrr_attack_check_shapes(const hrr_model *model, const hrr_graph *graph,
                                   const hrr_dense *features, hrr_error *err)
{
    const hrr_model_shape *shape = hrr_model_get_shape(model);
    if (!features)
        return hrr_fail(err, HRR_EDATA, "the graph has no features, but the model takes %" PRIu64,
                        shape->n_features);
    if (features->cols != shape->n_features || features->rows != hrr_graph_n_nodes(graph))
        return hrr_fail(
            err, HRR_EDATA,
            "there are %" PRIu64 " features for %" PRIu64
            " nodes, but the model was trained on %" PRIu64 " features and the graph has %" PRIu64
            " nodes; use a graph like the one that the model was trained on",
            features->cols, features->rows, shape->n_features, hrr_graph_n_nodes(graph));
    return hrr_check_finite(features, "features", err);
}

void hrr_attack_nudge(double *out, const hrr_dense *features, uint32_t node)
{
    bool empty = true;
    hrr_row_as_f64(out, features, node);
    for (uint64_t k = 0; k < features->cols; k++)
        empty = empty && out[k] == 0;
    for (uint64_t k = 0; empty && k < features->cols; k++)
        out[k] = 1;
}

/* ---- the model ------------------------------------------------------------------------------- */

static void standardise_first(hrr_f64_model *f64, const hrr_dense *standards)
{
    const float *mean = standards->data, *factor = mean + standards->cols;
    const uint64_t n_out = f64->weights[0].cols;
    for (uint64_t k = 0; k < standards->cols; k++) {
        double *row = (double *)f64->weights[0].data + k * n_out;
        for (uint64_t j = 0; j < n_out; j++) {
            row[j] *= (double)factor[k];
            f64->centre[j] += (double)mean[k] * row[j];
        }
    }
}

hrr_status hrr_f64_model_init(hrr_f64_model *out, const hrr_model *model, hrr_error *err)
{
    hrr_f64_model made = {.shape = *hrr_model_get_shape(model)};
    const uint32_t n_layers = made.shape.n_layers;
    const hrr_dense standards = hrr_model_standards(model);
    hrr_status status = HRR_OK;
    *out = (hrr_f64_model){0};
    if (made.shape.arch == HRR_ARCH_SIGN)
        return hrr_fail(err, HRR_EINVAL,
                        "the model is a sign network, but this attack supports only gcn and mlp; "
                        "train one of these");
    made.weights = hrr_alloc_zero(n_layers, sizeof *made.weights);
    made.biases = hrr_alloc_zero(n_layers, sizeof *made.biases);
    if (!made.weights || !made.biases) {
        status = hrr_no_memory(err);
        goto done;
    }
    for (uint32_t l = 0; l < n_layers; l++) {
        const hrr_dense weight = hrr_model_weight(model, l), bias = hrr_model_bias(model, l);
        if ((status = hrr_dense_convert(&made.weights[l], &weight, HRR_F64, err))) goto done;
        status = bias.data ? hrr_dense_convert(&made.biases[l], &bias, HRR_F64, err)
                           : hrr_dense_init(&made.biases[l], HRR_F64, 1, weight.cols, err);
        if (status) goto done;
    }
    if (!(made.centre = hrr_alloc_zero(made.weights[0].cols, sizeof *made.centre))) {
        status = hrr_no_memory(err);
        goto done;
    }
    if (standards.data) standardise_first(&made, &standards);
    *out = made;
    made = (hrr_f64_model){0};
done:
    hrr_f64_model_clear(&made);
    return status;
}

void hrr_f64_model_clear(hrr_f64_model *f64)
{
    for (uint32_t l = 0; l < f64->shape.n_layers; l++) {
        if (f64->weights) hrr_dense_clear(&f64->weights[l]);
        if (f64->biases) hrr_dense_clear(&f64->biases[l]);
    }
    hrr_free(f64->weights);
    hrr_free(f64->biases);
    hrr_free(f64->centre);
    *f64 = (hrr_f64_model){0};
}

/* ---- the first product ----------------------------------------------------------------------- */

void hrr_f64_model_first(double *y, const hrr_f64_model *f64, const double *x)
{
    const hrr_dense *w = &f64->weights[0];
    memset(y, 0, w->cols * sizeof *y);
    for (uint64_t k = 0; k < w->rows; k++) {
        if (x[k] == 0) continue;
        const double *row = (const double *)w->data + k * w->cols;
        for (uint64_t j = 0; j < w->cols; j++)
            y[j] += x[k] * row[j];
    }
}

/* Rows in blocks, so that dense features become doubles a few at a time. A product of BLAS is some
 * ten times as fast for an element as the loop over those that are not 0. */
enum { block_rows = 512, sparse_share = 10 };

static uint64_t fill_block(double *block, const hrr_dense *features, const uint32_t *nodes,
                           uint64_t count)
{
    uint64_t n_entries = 0;
    for (uint64_t i = 0; i < count; i++) {
        double *row = block + i * features->cols;
        hrr_row_as_f64(row, features, nodes[i]);
        for (uint64_t k = 0; k < features->cols; k++)
            n_entries += row[k] != 0;
    }
    return n_entries;
}

hrr_status hrr_f64_model_first_rows(hrr_dense *out, const hrr_f64_model *f64,
                                    const hrr_dense *features, const uint32_t *nodes,
                                    uint64_t n_nodes, int threads, hrr_progress *progress,
                                    hrr_error *err)
{
    const uint64_t d = features->cols, n_out = hrr_f64_model_width(f64, 0);
    hrr_status status = hrr_dense_init(out, HRR_F64, n_nodes, n_out, err);
    if (status) return status;
    double *block = hrr_alloc(block_rows * d, sizeof *block);
    if (!block) status = hrr_no_memory(err);
    threads = hrr_threads(threads);
    hrr_progress_begin(progress, "reading features", n_nodes);
    for (uint64_t at = 0; at < n_nodes && !status; at += block_rows) {
        const uint64_t count = n_nodes - at < block_rows ? n_nodes - at : block_rows;
        double *const to = (double *)out->data + at * n_out;
        const bool sparse =
            fill_block(block, features, nodes + at, count) <= count * d / sparse_share;
        if (sparse) {
#pragma omp parallel for schedule(static) num_threads(threads)
            for (uint64_t i = 0; i < count; i++)
                hrr_f64_model_first(to + i * n_out, f64, block + i * d);
        } else {
            const hrr_dense x = hrr_f64_view(block, count, d);
            hrr_dense y = hrr_f64_view(to, count, n_out);
            hrr_gemm(&y, &x, false, &f64->weights[0], false, 1, 0);
        }
        for (uint64_t i = 0; i < count * n_out; i++)
            to[i] -= f64->centre[i % n_out];
        status = hrr_progress_advance(progress, count, err);
    }
    hrr_free(block);
    if (status) hrr_dense_clear(out);
    return status;
}

/* ---- forward --------------------------------------------------------------------------------- */

/* out (a new matrix) = hop x + bias */
static hrr_status hop_rows(hrr_dense *out, const hrr_hop *hop, const hrr_dense *x,
                           const double *bias, int threads, hrr_error *err)
{
    const uint64_t d = x->cols;
    hrr_status status = hrr_dense_init(out, HRR_F64, hop->pattern.rows, d, err);
    if (status) return status;
#pragma omp parallel for schedule(dynamic, 64) num_threads(threads)
    for (uint64_t i = 0; i < hop->pattern.rows; i++) {
        double *to = (double *)out->data + i * d;
        for (uint64_t e = hop->pattern.row_start[i]; e < hop->pattern.row_start[i + 1]; e++) {
            const double *from = (const double *)x->data + hop->pattern.col[e] * d;
            const double weight = hop->weight[e];
            for (uint64_t k = 0; k < d; k++)
                to[k] += weight * from[k];
        }
        for (uint64_t k = 0; bias && k < d; k++)
            to[k] += bias[k];
    }
    return HRR_OK;
}

/* relu, and which units it leaves alone. */
static hrr_status activate(hrr_dense *z, uint8_t **active, hrr_error *err)
{
    const uint64_t count = z->rows * z->cols;
    double *const value = z->data;
    if (active && !(*active = hrr_alloc(count, 1))) return hrr_no_memory(err);
    for (uint64_t i = 0; i < count; i++) {
        if (active) (*active)[i] = value[i] > 0;
        if (!(value[i] > 0)) value[i] = 0;
    }
    return HRR_OK;
}

hrr_status hrr_f64_model_forward(hrr_dense *out, uint8_t **active, const hrr_f64_model *f64,
                                 const hrr_receptive_field *field, const hrr_dense *first,
                                 int threads, hrr_progress *progress, hrr_error *err)
{
    const uint32_t n_layers = f64->shape.n_layers, n_propagate = f64->shape.n_propagate;
    hrr_dense y = {0}, z = {0};
    hrr_status status = HRR_OK;
    *out = (hrr_dense){0};
    threads = hrr_threads(threads);
    for (uint32_t t = 0; t < field->n_hops; t++) {
        const bool in_layer = t >= n_propagate;
        const uint32_t layer = in_layer ? t - n_propagate : 0;
        const double *bias = in_layer ? f64->biases[layer].data : NULL;
        if ((status = hop_rows(&z, &field->hops[t], t ? &y : first, bias, threads, err))) goto done;
        if (hrr_progress_cancelled(progress)) {
            status = hrr_progress_advance(progress, 0, err);
            goto done;
        }
        hrr_dense_clear(&y);
        if (in_layer && layer + 1 < n_layers) {
            if ((status = activate(&z, active ? &active[layer] : NULL, err))) goto done;
            if ((status =
                     hrr_dense_init(&y, HRR_F64, z.rows, hrr_f64_model_width(f64, layer + 1), err)))
                goto done;
            hrr_gemm(&y, &z, false, &f64->weights[layer + 1], false, 1, 0);
            hrr_dense_clear(&z);
        } else {
            y = z;
            z = (hrr_dense){0};
        }
    }
    *out = y;
    y = (hrr_dense){0};
done:
    hrr_dense_clear(&y);
    hrr_dense_clear(&z);
    return status;
}
