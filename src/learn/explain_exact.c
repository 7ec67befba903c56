/* explain_exact.c: Shapley values by their definition (Shapley 1953), the yardstick of the others:
 *
 *     value_i = sum over S without i of |S|! (d - |S| - 1)! / d! (v(S + i) - v(S))
 *
 * Read coalition by coalition, v(T) counts for its members with the weight of |T| - 1 and against
 * the others with that of |T|, so one pass over all 2^d worths serves all features.
 * Cost: 2^d B evaluations of the head a row; 2^d (C + d) memory. */
#include "learn/coalition.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

typedef struct exact_plan {
    uint8_t *member; /* 2^d x d: coalition T has feature i if bit i of T is set */
    double weight[HRR_EXPLAIN_EXACT_MAX]; /* of a coalition of so many others */
} exact_plan;

typedef struct exact_scratch {
    hrr_coalition_scratch *coalition;
    double *worth; /* 2^d x C */
} exact_scratch;

static uint64_t n_coalitions(const hrr_explain_task *task)
{
    return (uint64_t)1 << task->n_features;
}

static void exact_plan_free(void *opaque)
{
    exact_plan *plan = opaque;
    if (plan) hrr_free(plan->member);
    hrr_free(plan);
}

static hrr_status exact_plan_new(void **out, const hrr_explain_task *task, hrr_error *err)
{
    const uint64_t d = task->n_features;
    *out = NULL;
    if (d > HRR_EXPLAIN_EXACT_MAX)
        return hrr_fail(err, HRR_EINVAL,
                        "the exact explainer evaluates all 2^d coalitions and supports at most %d "
                        "features; use the kernel or gradient explainer (`explainer`)",
                        HRR_EXPLAIN_EXACT_MAX);
    exact_plan *plan = hrr_alloc_zero(1, sizeof *plan);
    if (!plan) return hrr_no_memory(err);
    if (!(plan->member = hrr_alloc(n_coalitions(task), d))) {
        exact_plan_free(plan);
        return hrr_no_memory(err);
    }
    for (uint64_t t = 0; t < n_coalitions(task); t++)
        for (uint64_t i = 0; i < d; i++)
            plan->member[t * d + i] = t >> i & 1;
    /* s! (d - s - 1)! / d! = 1 / (d binomial(d - 1, s)) */
    double binomial = 1;
    for (uint64_t s = 0; s < d; s++) {
        plan->weight[s] = 1 / ((double)d * binomial);
        binomial = binomial * (double)(d - 1 - s) / (double)(s + 1);
    }
    *out = plan;
    return HRR_OK;
}

static void exact_scratch_free(void *opaque)
{
    exact_scratch *scratch = opaque;
    if (!scratch) return;
    hrr_coalition_scratch_free(scratch->coalition);
    hrr_free(scratch->worth);
    hrr_free(scratch);
}

static hrr_status exact_scratch_new(void **out, const hrr_explain_task *task, const void *plan,
                                    hrr_error *err)
{
    (void)plan;
    *out = NULL;
    exact_scratch *scratch = hrr_alloc_zero(1, sizeof *scratch);
    if (!scratch) return hrr_no_memory(err);
    hrr_status status = hrr_coalition_scratch_new(&scratch->coalition, task, err);
    if (status) goto done;
    if (!(scratch->worth = hrr_alloc(n_coalitions(task) * sizeof(double), task->n_outputs))) {
        status = hrr_no_memory(err);
        goto done;
    }
    *out = scratch;
    scratch = NULL;
done:
    exact_scratch_free(scratch);
    return status;
}

static void exact_explain(double *values, const hrr_explain_task *task, const void *opaque,
                          void *scratch_opaque, const double *x)
{
    const exact_plan *plan = opaque;
    exact_scratch *scratch = scratch_opaque;
    const uint64_t d = task->n_features, n_outputs = task->n_outputs;
    hrr_coalition_worth(scratch->worth, task, x, plan->member, n_coalitions(task),
                        scratch->coalition);
    memset(values, 0, n_outputs * d * sizeof *values);
    for (uint64_t t = 0; t < n_coalitions(task); t++) {
        const uint64_t size = (uint64_t)__builtin_popcountll(t);
        const double *worth = scratch->worth + t * n_outputs;
        for (uint64_t i = 0; i < d; i++) {
            double weight = t >> i & 1 ? plan->weight[size - 1] : -plan->weight[size];
            for (uint64_t c = 0; c < n_outputs; c++)
                values[c * d + i] += weight * worth[c];
        }
    }
}

const hrr_explainer_kind hrr_explainer_exact = {
    .plan = exact_plan_new,
    .plan_free = exact_plan_free,
    .scratch = exact_scratch_new,
    .scratch_free = exact_scratch_free,
    .explain = exact_explain,
};
