/* head_loss.c: cross-entropy of a head and its gradient by the chain rule.
 *
 * With P the probabilities and T the targets, both losses have the same derivative in the logits,
 *
 *     softmax:  -1/n   sum T ln P                          ->  (P - T) / n
 *     sigmoid:  -1/nC  sum T ln P + (1 - T) ln(1 - P)      ->  (P - T) / nC
 *
 * and the rest is three products. Values are computed from logits, where ln P cannot be ln 0. */
#include "learn/head_loss.h"

#include "base/memory.h"
#include "matrix/products.h"

#include <math.h>
#include <string.h>

hrr_status hrr_head_loss_scratch_init(hrr_head_loss_scratch *out, const hrr_head *head, uint64_t n,
                                      hrr_error *err)
{
    const uint64_t hidden = hrr_head_n_hidden(head);
    *out = (hrr_head_loss_scratch){
        .hidden = hrr_alloc(n * sizeof(double), hidden),
        .hidden_delta = hrr_alloc(n * sizeof(double), hidden),
        .delta = hrr_alloc(n * sizeof(double), hrr_head_n_outputs(head)),
    };
    if (out->hidden && out->hidden_delta && out->delta) return HRR_OK;
    hrr_head_loss_scratch_clear(out);
    return hrr_no_memory(err);
}

void hrr_head_loss_scratch_clear(hrr_head_loss_scratch *scratch)
{
    hrr_free(scratch->hidden);
    hrr_free(scratch->hidden_delta);
    hrr_free(scratch->delta);
    *scratch = (hrr_head_loss_scratch){0};
}

/* ln sum exp(z) - sum t z, which is -sum t ln softmax(z) for sum t = 1. */
static double softmax_loss(const double *z, const double *target, uint64_t n)
{
    double largest = z[0], sum = 0, dot = 0;
    for (uint64_t c = 1; c < n; c++)
        largest = fmax(largest, z[c]);
    for (uint64_t c = 0; c < n; c++) {
        sum += exp(z[c] - largest);
        dot += target[c] * z[c];
    }
    return largest + log(sum) - dot;
}

/* -t ln sigmoid(z) - (1 - t) ln sigmoid(-z), exp() of numbers <= 0 only. */
static double sigmoid_loss(double z, double target)
{
    return fmax(z, 0) - target * z + log1p(exp(-fabs(z)));
}

static double data_loss(const double *logits, const double *target, hrr_output_kind output,
                        uint64_t n, uint64_t n_outputs)
{
    double sum = 0;
    if (output == HRR_OUTPUT_SOFTMAX) {
        for (uint64_t i = 0; i < n; i++)
            sum += softmax_loss(logits + i * n_outputs, target + i * n_outputs, n_outputs);
        return sum / (double)n;
    }
    for (uint64_t i = 0; i < n * n_outputs; i++)
        sum += sigmoid_loss(logits[i], target[i]);
    return sum / (double)(n * n_outputs);
}

/* gradient (1 x cols) = sum over rows of delta (n x cols) */
static void sum_rows(hrr_dense *gradient, const double *delta, uint64_t n)
{
    double *sum = gradient->data;
    memset(sum, 0, gradient->cols * sizeof *sum);
    for (uint64_t i = 0; i < n; i++)
        for (uint64_t j = 0; j < gradient->cols; j++)
            sum[j] += delta[i * gradient->cols + j];
}

/* Add decay * weight to its gradient; returns decay / 2 |weight|^2. */
static double decay_weight(hrr_dense *gradient, const hrr_dense *weight, double decay)
{
    const double *w = weight->data;
    double *g = gradient->data, squares = 0;
    for (uint64_t i = 0; i < weight->rows * weight->cols; i++) {
        g[i] += decay * w[i];
        squares += w[i] * w[i];
    }
    return decay / 2 * squares;
}

double hrr_head_loss(hrr_head *gradient, const hrr_head *head, const double *x,
                     const double *target, uint64_t n, double weight_decay,
                     hrr_head_loss_scratch *scratch)
{
    const uint64_t n_outputs = hrr_head_n_outputs(head), n_hidden = hrr_head_n_hidden(head);
    const bool linear = hrr_head_is_linear(head);
    const hrr_dense inputs = hrr_f64_view(x, n, hrr_head_n_features(head));
    const hrr_dense hidden = hrr_f64_view(scratch->hidden, n, n_hidden);
    const hrr_dense delta = hrr_f64_view(scratch->delta, n, n_outputs);

    hrr_head_logits(scratch->delta, scratch->hidden, head, x, n);
    double loss = data_loss(scratch->delta, target, head->output, n, n_outputs);
    hrr_output_apply(scratch->delta, head->output, n, n_outputs);
    const double scale = 1 / (double)(head->output == HRR_OUTPUT_SOFTMAX ? n : n * n_outputs);
    for (uint64_t i = 0; i < n * n_outputs; i++)
        scratch->delta[i] = (scratch->delta[i] - target[i]) * scale;

    /* dL/dW = (inputs or hidden)^T delta */
    hrr_gemm(&gradient->weight, linear ? &inputs : &hidden, true, &delta, false, 1, 0);
    sum_rows(&gradient->bias, scratch->delta, n);
    loss += decay_weight(&gradient->weight, &head->weight, weight_decay);
    if (linear) return loss;

    /* dL/dhidden = delta W^T where the unit was active; dL/dW1 = inputs^T of that */
    hrr_dense hidden_delta = hrr_f64_view(scratch->hidden_delta, n, n_hidden);
    hrr_gemm(&hidden_delta, &delta, false, &head->weight, true, 1, 0);
    for (uint64_t i = 0; i < n * n_hidden; i++)
        if (scratch->hidden[i] <= 0) scratch->hidden_delta[i] = 0;
    hrr_gemm(&gradient->hidden_weight, &inputs, true, &hidden_delta, false, 1, 0);
    sum_rows(&gradient->hidden_bias, scratch->hidden_delta, n);
    return loss + decay_weight(&gradient->hidden_weight, &head->hidden_weight, weight_decay);
}
