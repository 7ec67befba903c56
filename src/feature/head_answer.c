/* head_answer.c: see head_answer.h. */
#include "feature/head_answer.h"
#include "feature/projection.h"
#include "matrix/products.h"
#include "base/memory.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

void hrr_answerer_clear(hrr_answerer *answerer)
{
    hrr_dense_clear(&answerer->hidden);
    hrr_dense_clear(&answerer->output);
    hrr_free(answerer->bias);
    *answerer = (hrr_answerer){0};
}

enum { most_answers = 1 << 16 };

static bool is_finite_matrix(const hrr_dense *matrix, uint64_t rows, uint64_t cols)
{
    if (!matrix->data || matrix->dtype != HRR_F64 || matrix->rows != rows || matrix->cols != cols)
        return false;
    for (uint64_t i = 0; i < rows * cols; i++)
        if (!isfinite(((const double *)matrix->data)[i])) return false;
    return true;
}

/* Weights and bias of `inputs` numbers for each of so many units. */
static bool is_layer(const hrr_dense *weight, const hrr_dense *bias, uint64_t inputs,
                     uint64_t units)
{
    return is_finite_matrix(weight, inputs, units) && is_finite_matrix(bias, 1, units);
}

static bool are_shares(const hrr_dense *shares, uint64_t n_outputs)
{
    double total = 0;
    if (!is_finite_matrix(shares, 1, n_outputs)) return false;
    for (uint64_t c = 0; c < n_outputs; c++) {
        const double share = ((const double *)shares->data)[c];
        if (share < 0) return false;
        total += share;
    }
    return total > 0x1p-900 && total < 0x1p900;
}

static hrr_status check(const hrr_head *head, uint64_t n_features, hrr_error *err)
{
    const bool linear = !head->hidden_weight.data;
    const uint64_t takes = linear ? head->weight.rows : head->hidden_weight.rows;
    const uint64_t h = linear ? 0 : head->hidden_weight.cols, n_outputs = head->weight.cols;
    if (takes != n_features)
        return hrr_fail(err, HRR_EINVAL,
                        "the head (`features.head`) takes %" PRIu64
                        " %s, but the rows have %" PRIu64,
                        takes, hrr_plural(takes, "feature", "features"), n_features);
    if ((!linear && !is_layer(&head->hidden_weight, &head->hidden_bias, n_features, h)) ||
        !is_layer(&head->weight, &head->bias, linear ? n_features : h, n_outputs) ||
        n_outputs > most_answers || (unsigned)head->output > HRR_OUTPUT_SIGMOID)
        return hrr_fail(err, HRR_EINVAL,
                        "the head (`features.head`) contains numbers that are not finite, layers "
                        "whose sizes do not match, or more than %d answers",
                        most_answers);
    if (head->shares.data && !are_shares(&head->shares, n_outputs))
        return hrr_fail(err, HRR_EINVAL,
                        "each label of the head (`features.head`) needs a share that is a number "
                        ">= 0, and at least one share must be above 0");
    if (n_outputs < (head->output == HRR_OUTPUT_SOFTMAX ? 2 : 1))
        return hrr_fail(err, HRR_EINVAL,
                        "the head (`features.head`) has only one class, so its answer carries no "
                        "information; a head with one output must use a sigmoid");
    return HRR_OK;
}

hrr_status hrr_answerer_init(hrr_answerer *out, const hrr_head *head, uint64_t n_features,
                             hrr_error *err)
{
    *out = (hrr_answerer){0};
    hrr_status status = check(head, n_features, err);
    if (status) return status;
    const uint64_t h = head->hidden_weight.data ? head->hidden_weight.cols : 0;
    const uint64_t n_outputs = head->weight.cols;
    hrr_answerer made = {.bias = hrr_alloc(h + n_outputs, sizeof *made.bias)};
    status = made.bias ? HRR_OK : hrr_no_memory(err);
    if (!status && h) status = hrr_dense_transpose(&made.hidden, &head->hidden_weight, err);
    if (!status) status = hrr_dense_transpose(&made.output, &head->weight, err);
    if (status) {
        hrr_answerer_clear(&made);
        return status;
    }
    if (h) memcpy(made.bias, head->hidden_bias.data, h * sizeof *made.bias);
    memcpy(made.bias + h, head->bias.data, n_outputs * sizeof *made.bias);
    *out = made;
    return HRR_OK;
}

size_t hrr_answerer_scratch(const hrr_answerer *answerer)
{
    return answerer->hidden.rows;
}

/* y_c = b_c + sum over i of x_i W_ci */
static void layer(double *y, const hrr_dense *weight, const double *bias, const double *x)
{
    for (uint64_t c = 0; c < weight->rows; c++)
        y[c] = bias[c] + hrr_dot(x, (const double *)weight->data + c * weight->cols, weight->cols);
}

void hrr_answerer_scores(double *score, const hrr_answerer *answerer, const double *x,
                         double *scratch)
{
    const uint64_t h = answerer->hidden.rows;
    if (h) layer(scratch, &answerer->hidden, answerer->bias, x);
    for (uint64_t i = 0; i < h; i++)
        scratch[i] = scratch[i] > 0 ? scratch[i] : 0;
    layer(score, &answerer->output, answerer->bias + h, h ? scratch : x);
}
