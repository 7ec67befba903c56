/* head.c: the model behind importance scores: class scores from one feature vector.
 *
 *     logits = x W + b                         linear
 *     logits = relu(x W1 + b1) W + b           one hidden layer
 *
 * and softmax or sigmoid on top. Both have a first layer that is linear in x and a small rest; the
 * explainers use that. Doubles throughout, because explanations are differences of outputs.
 *
 * Workload: d up to a few thousand, h and C up to a few hundred, rows in blocks. */
#include "learn/head.h"

#include "base/memory.h"
#include "matrix/products.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

void hrr_head_clear(hrr_head *head)
{
    hrr_dense_clear(&head->hidden_weight);
    hrr_dense_clear(&head->hidden_bias);
    hrr_dense_clear(&head->weight);
    hrr_dense_clear(&head->bias);
    hrr_dense_clear(&head->shares);
    *head = (hrr_head){0};
}

hrr_status hrr_head_init(hrr_head *out, uint64_t n_features, uint64_t hidden, uint64_t n_outputs,
                         hrr_output_kind output, hrr_error *err)
{
    hrr_head made = {.output = output};
    hrr_status status = HRR_OK;
    *out = (hrr_head){0};
    if (hidden) {
        if ((status = hrr_dense_init(&made.hidden_weight, HRR_F64, n_features, hidden, err)))
            goto done;
        if ((status = hrr_dense_init(&made.hidden_bias, HRR_F64, 1, hidden, err))) goto done;
    }
    if ((status =
             hrr_dense_init(&made.weight, HRR_F64, hidden ? hidden : n_features, n_outputs, err)))
        goto done;
    if ((status = hrr_dense_init(&made.bias, HRR_F64, 1, n_outputs, err))) goto done;
    *out = made;
    made = (hrr_head){0};
done:
    hrr_head_clear(&made);
    return status;
}

/* y (n x cols) = x (n x rows) weight + bias */
static void affine(double *y, const double *x, uint64_t n, const hrr_dense *weight,
                   const hrr_dense *bias)
{
    for (uint64_t i = 0; i < n; i++)
        memcpy(y + i * weight->cols, bias->data, weight->cols * sizeof *y);
    hrr_dense to = hrr_f64_view(y, n, weight->cols), from = hrr_f64_view(x, n, weight->rows);
    hrr_gemm(&to, &from, false, weight, false, 1, 1);
}

void hrr_head_first(double *y, const hrr_head *head, const double *x, uint64_t n)
{
    if (hrr_head_is_linear(head))
        affine(y, x, n, &head->weight, &head->bias);
    else
        affine(y, x, n, &head->hidden_weight, &head->hidden_bias);
}

void hrr_head_logits_from_first(double *out, double *y, const hrr_head *head, uint64_t n)
{
    if (hrr_head_is_linear(head)) {
        memcpy(out, y, n * hrr_head_n_outputs(head) * sizeof *out);
        return;
    }
    const uint64_t count = n * hrr_head_n_hidden(head);
    for (uint64_t i = 0; i < count; i++)
        y[i] = y[i] > 0 ? y[i] : 0;
    affine(out, y, n, &head->weight, &head->bias);
}

void hrr_head_logits(double *logits, double *hidden, const hrr_head *head, const double *x,
                     uint64_t n)
{
    if (hrr_head_is_linear(head)) {
        hrr_head_first(logits, head, x, n);
        return;
    }
    hrr_head_first(hidden, head, x, n);
    hrr_head_logits_from_first(logits, hidden, head, n);
}

/* exp() of numbers <= 0 only: it can vanish but not overflow. */
static void softmax_row(double *z, uint64_t n)
{
    double largest = z[0], sum = 0;
    for (uint64_t c = 1; c < n; c++)
        largest = fmax(largest, z[c]);
    for (uint64_t c = 0; c < n; c++)
        sum += z[c] = exp(z[c] - largest);
    for (uint64_t c = 0; c < n; c++)
        z[c] /= sum;
}

static double sigmoid(double z)
{
    double small = exp(-fabs(z));
    return z < 0 ? small / (1 + small) : 1 / (1 + small);
}

void hrr_output_apply(double *logits, hrr_output_kind output, uint64_t n, uint64_t n_outputs)
{
    if (output == HRR_OUTPUT_SOFTMAX)
        for (uint64_t i = 0; i < n; i++)
            softmax_row(logits + i * n_outputs, n_outputs);
    else
        for (uint64_t i = 0; i < n * n_outputs; i++)
            logits[i] = sigmoid(logits[i]);
}

hrr_status hrr_check_finite(const hrr_dense *matrix, const char *what, hrr_error *err)
{
    if (matrix->dtype == HRR_U8) return HRR_OK;
    for (uint64_t i = 0; i < matrix->rows; i++)
        for (uint64_t j = 0; j < matrix->cols; j++)
            if (!isfinite(hrr_dense_get(matrix, i, j)))
                return hrr_fail(err, HRR_EDATA,
                                "%s: row %" PRIu64 ", column %" PRIu64
                                " is not a finite number; replace the value or remove the row",
                                what, i + 1, j + 1);
    return HRR_OK;
}

hrr_status hrr_head_check_features(const hrr_head *head, const hrr_dense *features,
                                   const char *what, hrr_error *err)
{
    if (features->cols != hrr_head_n_features(head))
        return hrr_fail(err, HRR_EINVAL,
                        "%s: there are %" PRIu64 " %s, but the head takes %" PRIu64
                        " %s; use the head that was trained on these features",
                        what, features->cols, hrr_plural(features->cols, "column", "columns"),
                        hrr_head_n_features(head),
                        hrr_plural(hrr_head_n_features(head), "feature", "features"));
    return hrr_check_finite(features, what, err);
}

hrr_status hrr_head_predict(hrr_dense *out, const hrr_head *head, const hrr_dense *features,
                            bool probabilities, hrr_error *err)
{
    enum {
        block = 256
    }; /* rows that are doubles at the same time; features may be a mapped file */
    const uint64_t d = hrr_head_n_features(head), n_outputs = hrr_head_n_outputs(head);
    double *x = NULL, *hidden = NULL;
    hrr_dense made = {0};
    *out = (hrr_dense){0};
    hrr_status status = hrr_head_check_features(head, features, "features", err);
    if (status) goto done;
    x = hrr_alloc(block * sizeof *x, d);
    hidden = hrr_alloc(block * sizeof *hidden, hrr_head_n_hidden(head));
    if (!x || !hidden) {
        status = hrr_no_memory(err);
        goto done;
    }
    if ((status = hrr_dense_init(&made, HRR_F64, features->rows, n_outputs, err))) goto done;
    for (uint64_t first = 0; first < features->rows; first += block) {
        uint64_t n = features->rows - first < block ? features->rows - first : block;
        for (uint64_t i = 0; i < n; i++)
            hrr_row_as_f64(x + i * d, features, first + i);
        hrr_head_logits((double *)made.data + first * n_outputs, hidden, head, x, n);
    }
    if (probabilities) hrr_output_apply(made.data, head->output, made.rows, n_outputs);
    *out = made;
done:
    hrr_free(hidden);
    hrr_free(x);
    return status;
}
