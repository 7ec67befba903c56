/* pass.c: see pass.h.
 *
 *     H_0 = X,   Z_l = A H_l W_l + b_l,   H_{l+1} = dropout(relu(Z_l)),   logits = Z_last
 *
 * A (H W) sums rows as wide as the layer's output, (A H) W as its input: the narrower is chosen.
 * With D_l = dL/dZ_l the way back is
 *
 *     dL/db_l = sum of rows of D_l
 *     dL/dW_l = H_l^T (A^T D_l)            or  (A H_l)^T D_l
 *     D_{l-1} = mask ((A^T D_l) W_l^T)     or  mask (A^T (D_l W_l^T))
 *
 * D_{l-1} is written over H_l, which is its own mask (activation.h), once dL/dW_l is done with it:
 * an activation and its derivative never exist side by side, and no mask is stored. */
#include "learn/pass.h"
#include "base/memory.h"

#include <string.h>

static hrr_layer_order order_of(const hrr_model *model, const hrr_inputs *inputs, uint32_t layer,
                                bool with_edges)
{
    const hrr_layer *l = &model->layers[layer];
    if (!with_edges) return HRR_NO_EDGES;
    if (layer == 0) return inputs->is_aggregated ? HRR_NO_EDGES : HRR_EDGES_LAST;
    return l->n_in < l->n_out ? HRR_EDGES_FIRST : HRR_EDGES_LAST;
}

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* The most that any kernel of the pass asks for. */
static size_t space_for(const hrr_model *model, const hrr_inputs *inputs, int threads)
{
    size_t most = hrr_inputs_space(inputs, model->layers[0].n_out, threads);
    for (uint32_t i = 0; i < model->shape.n_layers; i++) {
        const hrr_layer *l = &model->layers[i];
        most = larger(most, hrr_spmm_rows_space(l->n_out, threads));
        if (i == 0) continue;
        most = larger(most, hrr_spmm_rows_space(l->n_in, threads));
        most = larger(most, hrr_sgemm_rows_space(l->n_in, l->n_out, threads));
        most = larger(most, hrr_sgemm_rows_space(l->n_out, l->n_in, threads));
        most = larger(most, hrr_sgemm_inner_space(l->n_in, l->n_out, threads));
    }
    return most;
}

hrr_status hrr_pass_init(hrr_pass *out, const hrr_model *model, const hrr_inputs *inputs,
                         const hrr_aggregator *aggregator, int threads,
                         const hrr_progress *progress, hrr_error *err)
{
    hrr_pass made = {.model = model,
                     .inputs = inputs,
                     .aggregator = aggregator,
                     .threads = hrr_threads(threads),
                     .progress = progress,
                     .kept_scale = 1};
    hrr_status status = HRR_OK;
    uint64_t widest_between = 0;
    *out = (hrr_pass){0};
    for (uint32_t i = 0; i < model->shape.n_layers; i++) {
        const hrr_layer *l = &model->layers[i];
        made.order[i] = order_of(model, inputs, i, aggregator != NULL);
        if ((status = hrr_dense_init(&made.outputs[i], HRR_F32, inputs->n, l->n_out, err)))
            goto done;
        if (made.order[i] == HRR_EDGES_FIRST &&
            (status = hrr_dense_init(&made.gathered[i], HRR_F32, inputs->n, l->n_in, err)))
            goto done;
        if (made.order[i] == HRR_EDGES_LAST) widest_between = larger(widest_between, l->n_out);
    }
    if ((status = hrr_dense_init(&made.between, HRR_F32, inputs->n, widest_between, err)))
        goto done;
    if (!(made.space = hrr_alloc(space_for(model, inputs, made.threads), sizeof *made.space))) {
        status = hrr_no_memory(err);
        goto done;
    }
    *out = made;
    made = (hrr_pass){0};
done:
    hrr_pass_clear(&made);
    return status;
}

void hrr_pass_clear(hrr_pass *pass)
{
    for (int i = 0; i < HRR_MOST_LAYERS; i++) {
        hrr_dense_clear(&pass->outputs[i]);
        hrr_dense_clear(&pass->gathered[i]);
    }
    hrr_dense_clear(&pass->between);
    hrr_free(pass->space);
    *pass = (hrr_pass){0};
}

void hrr_pass_cut(hrr_pass *pass, uint64_t n)
{
    for (uint32_t i = 0; i < pass->model->shape.n_layers; i++)
        pass->outputs[i].rows = n;
}

static void aggregate(hrr_take_rows *take, void *user, hrr_pass *pass, bool transposed,
                      const hrr_dense *x)
{
    if (pass->halo)
        hrr_halo_aggregate(take, user, pass->halo, transposed, x, pass->space, pass->threads,
                           pass->progress);
    else
        hrr_aggregate(take, user, pass->aggregator, transposed, x, pass->space, pass->threads,
                      pass->progress);
}

/* ---- forward ----------------------------------------------------------------------------------
 */

/* (what enters layer i) W, in blocks */
static void times_weight(hrr_take_rows *take, void *user, hrr_pass *pass, uint32_t i,
                         const hrr_dense *input, const float *weight)
{
    const uint64_t n_out = pass->model->layers[i].n_out;
    if (i == 0)
        hrr_inputs_times(take, user, pass->inputs, weight, n_out, pass->space, pass->threads,
                         pass->progress);
    else
        hrr_sgemm_rows(take, user, input, weight, false, n_out, pass->space, pass->threads,
                       pass->progress);
}

/* What follows the products of layer i. */
static hrr_activation activation_of(hrr_pass *pass, uint32_t i, const float *parameters,
                                    double dropout, uint64_t seed, uint32_t epoch)
{
    const hrr_model *model = pass->model;
    const hrr_layer *l = &model->layers[i];
    hrr_activation finish = {.to = pass->outputs[i].data,
                             .n_out = l->n_out,
                             .bias = model->shape.bias ? parameters + l->bias_at : NULL,
                             .relu = i + 1 < model->shape.n_layers,
                             .first_row = pass->first_row};
    if (finish.relu && dropout > 0) {
        finish.dropout = hrr_dropout_for(dropout, seed, epoch, i);
        pass->kept_scale = finish.dropout.scale;
    }
    return finish;
}

static void forward_layer(hrr_pass *pass, uint32_t i, const float *parameters,
                          hrr_activation *finish)
{
    const hrr_layer *l = &pass->model->layers[i];
    const hrr_dense *input = i ? &pass->outputs[i - 1] : NULL;
    hrr_dense between = hrr_f32_view(pass->between.data, pass->inputs->n, l->n_out);
    switch (pass->order[i]) {
    case HRR_NO_EDGES:
        times_weight(hrr_activate_rows, finish, pass, i, input, parameters + l->weight_at);
        break;
    case HRR_EDGES_LAST:
        times_weight(hrr_keep_rows, &between, pass, i, input, parameters + l->weight_at);
        aggregate(hrr_activate_rows, finish, pass, false, &between);
        break;
    case HRR_EDGES_FIRST:
        aggregate(hrr_keep_rows, &pass->gathered[i], pass, false, input);
        times_weight(hrr_activate_rows, finish, pass, i, &pass->gathered[i],
                     parameters + l->weight_at);
        break;
    }
}

void hrr_pass_forward(hrr_pass *pass, const float *parameters, double dropout, uint64_t seed,
                      uint32_t epoch)
{
    pass->kept_scale = 1;
    for (uint32_t i = 0; i < pass->model->shape.n_layers; i++) {
        hrr_activation finish = activation_of(pass, i, parameters, dropout, seed, epoch);
        forward_layer(pass, i, parameters, &finish);
    }
}

/* Outputs of the first layer that were kept whole lose units: relu of them is themselves. */
static void drop_first_units(hrr_pass *pass, hrr_activation *finish)
{
    enum { rows_per_piece = 256 };
    const uint64_t n = pass->inputs->n, n_out = finish->n_out;
    const int64_t n_pieces = (int64_t)((n + rows_per_piece - 1) / rows_per_piece);
    finish->bias = NULL;
#pragma omp parallel for schedule(static) num_threads(pass->threads)
    for (int64_t piece = 0; piece < n_pieces; piece++) {
        const uint64_t first = (uint64_t)piece * rows_per_piece;
        const uint64_t count = n - first < rows_per_piece ? n - first : rows_per_piece;
        hrr_activate_rows(finish, finish->to + first * n_out, n_out, first, count);
    }
}

void hrr_pass_forward_again(hrr_pass *pass, const float *parameters, double dropout, uint64_t seed,
                            uint32_t epoch)
{
    if (pass->model->shape.n_layers < 2) { /* the first layer's outputs are the logits */
        hrr_pass_forward(pass, parameters, dropout, seed, epoch);
        return;
    }
    pass->kept_scale = 1;
    for (uint32_t i = 0; i < pass->model->shape.n_layers; i++) {
        hrr_activation finish = activation_of(pass, i, parameters, dropout, seed, epoch);
        if (i == 0)
            drop_first_units(pass, &finish);
        else
            forward_layer(pass, i, parameters, &finish);
    }
}

/* ---- backward ---------------------------------------------------------------------------------
 */

/* gradient of W_i = (what entered the product)^T delta */
static void weight_gradient(float *gradient, hrr_pass *pass, uint32_t i, const hrr_dense *input,
                            const hrr_dense *delta)
{
    if (i == 0)
        hrr_inputs_gradient(gradient, pass->inputs, delta->data, delta->cols, pass->space,
                            pass->threads, pass->progress);
    else
        hrr_sgemm_inner(gradient, input, delta->data, delta->cols, pass->space, pass->threads,
                        pass->progress);
}

void hrr_pass_backward(hrr_pass *pass, const float *parameters, float *gradient)
{
    const hrr_model *model = pass->model;
    for (uint32_t i = model->shape.n_layers; i-- > 0;) {
        const hrr_layer *l = &model->layers[i];
        const hrr_dense *input = i ? &pass->outputs[i - 1] : NULL;
        const hrr_dense *delta = &pass->outputs[i];
        hrr_dense between = hrr_f32_view(pass->between.data, pass->inputs->n, l->n_out);
        hrr_deactivation back = {
            .outputs = i ? input->data : NULL, .n_out = l->n_in, .scale = pass->kept_scale};
        if (model->shape.bias)
            hrr_column_sums(gradient + l->bias_at, delta->data, pass->inputs->n, l->n_out,
                            pass->threads);
        if (pass->order[i] == HRR_EDGES_LAST) {
            aggregate(hrr_keep_rows, &between, pass, true, delta);
            delta = &between;
        }
        weight_gradient(gradient + l->weight_at, pass, i,
                        pass->order[i] == HRR_EDGES_FIRST ? &pass->gathered[i] : input, delta);
        if (i == 0) return; /* nobody asks for the derivatives in the features */
        const float *weight = parameters + l->weight_at;
        if (pass->order[i] != HRR_EDGES_FIRST) {
            hrr_sgemm_rows(hrr_deactivate_rows, &back, delta, weight, true, l->n_in, pass->space,
                           pass->threads, pass->progress);
        } else {
            hrr_sgemm_rows(hrr_keep_rows, &pass->gathered[i], delta, weight, true, l->n_in,
                           pass->space, pass->threads, pass->progress);
            aggregate(hrr_deactivate_rows, &back, pass, true, &pass->gathered[i]);
        }
    }
}
