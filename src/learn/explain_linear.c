/* explain_linear.c: the closed form for the logits of a linear head (Lundberg and Lee 2017,
 * corollary 1):
 *
 *     value[c][i] = W[i][c] (x_i - mean of background_i)
 *
 * Exact, because the logits are a sum of one term a feature and the mean goes through it.
 * Cost: O(d C) a row. */
#include "learn/explain.h"

#include "base/memory.h"

/* The plan is the mean of the background, d numbers. */
static hrr_status linear_plan(void **out, const hrr_explain_task *task, hrr_error *err)
{
    *out = NULL;
    if (!hrr_head_is_linear(task->head))
        return hrr_fail(err, HRR_EINVAL,
                        "the linear explainer needs a head without a hidden layer; use the "
                        "gradient explainer (`explainer`)");
    if (task->options->probabilities)
        return hrr_fail(err, HRR_EINVAL,
                        "the linear explainer explains logits, not probabilities; use the gradient "
                        "explainer for probabilities (`explainer`)");
    double *mean = hrr_alloc_zero(task->n_features, sizeof *mean);
    if (!mean) return hrr_no_memory(err);
    for (uint64_t b = 0; b < task->n_background; b++)
        for (uint64_t i = 0; i < task->n_features; i++)
            mean[i] += task->background[b * task->n_features + i];
    for (uint64_t i = 0; i < task->n_features; i++)
        mean[i] /= (double)task->n_background;
    *out = mean;
    return HRR_OK;
}

static hrr_status no_scratch(void **out, const hrr_explain_task *task, const void *plan,
                             hrr_error *err)
{
    (void)task, (void)plan, (void)err;
    *out = NULL;
    return HRR_OK;
}

static void linear_explain(double *values, const hrr_explain_task *task, const void *plan,
                           void *scratch, const double *x)
{
    (void)scratch;
    const double *mean = plan, *weight = task->head->weight.data;
    const uint64_t d = task->n_features, n_outputs = task->n_outputs;
    for (uint64_t c = 0; c < n_outputs; c++)
        for (uint64_t i = 0; i < d; i++)
            values[c * d + i] = weight[i * n_outputs + c] * (x[i] - mean[i]);
}

const hrr_explainer_kind hrr_explainer_linear = {
    .plan = linear_plan,
    .plan_free = hrr_free,
    .scratch = no_scratch,
    .scratch_free = hrr_free,
    .explain = linear_explain,
};
