/* explain_kernel.c: Kernel SHAP: the head is a black box, the values a weighted regression on
 * coalitions (Lundberg and Lee 2017; the game theory is Charnes, Golany, Keane and Rousseau 1988):
 *
 *     minimise  sum over S of w(S) (v(S) - v(none) - sum of values in S)^2
 *     subject to  sum of all values = v(all) - v(none) = delta
 *
 * With A = sum w z z^T over membership vectors z and b = sum w z (v - v(none)), the solution is
 *
 *     values = A^-1 b - u (sum(A^-1 b) - delta) / sum(u),     u = A^-1 1
 *
 * which are the Shapley values if the sum is over all coalitions, an estimate if over a sample. We
 * look at the same coalitions for every row of a call, so that A is factored once.
 * Cost: O(n d^2 + d^3) once, n B evaluations of the head a row, for n coalitions. */
#include "learn/cholesky.h"
#include "learn/coalition.h"
#include "learn/kernel_coalitions.h"

#include "base/memory.h"
#include "matrix/products.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { enumerate_up_to = 12, default_extra = 2048, block = 256 };

typedef struct kernel_plan {
    hrr_coalition_set coalitions; /* empty for d = 1, where completeness says it all */
    double *factor;               /* d x d */
    double *u;                    /* d */
    double sum_u;
} kernel_plan;

typedef struct kernel_scratch {
    hrr_coalition_scratch *coalition;
    double *worth;         /* n x C */
    double *ends;          /* 2 x C: v(none) and v(all) */
    uint8_t *none_and_all; /* 2 x d */
} kernel_scratch;

static void kernel_plan_free(void *opaque)
{
    kernel_plan *plan = opaque;
    if (!plan) return;
    hrr_coalition_set_clear(&plan->coalitions);
    hrr_free(plan->factor);
    hrr_free(plan->u);
    hrr_free(plan);
}

/* a (d x d, zero) = sum w z z^T; rows: room for block x d. */
static void sum_products(double *a, const hrr_coalition_set *set, uint64_t d, double *rows)
{
    hrr_dense sum = hrr_f64_view(a, d, d);
    for (uint64_t first = 0; first < set->n; first += block) {
        const uint64_t n = set->n - first < block ? set->n - first : block;
        for (uint64_t j = 0; j < n; j++) {
            const double root = sqrt(set->weight[first + j]);
            const uint8_t *member = set->member + (first + j) * d;
            for (uint64_t i = 0; i < d; i++)
                rows[j * d + i] = member[i] ? root : 0;
        }
        const hrr_dense part = hrr_f64_view(rows, n, d);
        hrr_gemm(&sum, &part, true, &part, false, 1, 1);
    }
}

static uint64_t count_coalitions(const hrr_explain_task *task)
{
    const uint64_t d = task->n_features;
    if (task->options->n_samples) return task->options->n_samples;
    return d <= enumerate_up_to ? ((uint64_t)1 << d) - 2 : 2 * d + default_extra;
}

static hrr_status fill_plan(kernel_plan *plan, const hrr_explain_task *task, hrr_error *err)
{
    const uint64_t d = task->n_features, n = count_coalitions(task);
    hrr_status status = hrr_kernel_coalitions(&plan->coalitions, d, n, task->options->seed, err);
    if (status) return status;
    double *rows = hrr_alloc(block * sizeof *rows, d);
    plan->factor = hrr_alloc_zero(d * sizeof(double), d);
    plan->u = hrr_alloc(d, sizeof(double));
    if (!rows || !plan->factor || !plan->u) {
        hrr_free(rows);
        return hrr_no_memory(err);
    }
    sum_products(plan->factor, &plan->coalitions, d, rows);
    hrr_free(rows);
    bool definite = hrr_cholesky_factor(plan->factor, d);
    assert(definite); /* A holds every single feature: it is at least a multiple of 1 */
    (void)definite;
    for (uint64_t i = 0; i < d; i++)
        plan->u[i] = 1;
    hrr_cholesky_solve(plan->u, plan->factor, d);
    for (uint64_t i = 0; i < d; i++)
        plan->sum_u += plan->u[i];
    return HRR_OK;
}

static hrr_status kernel_plan_new(void **out, const hrr_explain_task *task, hrr_error *err)
{
    const uint64_t d = task->n_features, n = task->options->n_samples;
    *out = NULL;
    if (n && n < 2 * d && !(d < 63 && n >= ((uint64_t)1 << d) - 2))
        return hrr_fail(
            err, HRR_EINVAL,
            "the kernel explainer needs at least two coalitions per feature, that is %" PRIu64
            ", but `n_samples` is %" PRIu64,
            2 * d, n);
    kernel_plan *plan = hrr_alloc_zero(1, sizeof *plan);
    if (!plan) return hrr_no_memory(err);
    hrr_status status = d > 1 ? fill_plan(plan, task, err) : HRR_OK;
    if (status) {
        kernel_plan_free(plan);
        return status;
    }
    *out = plan;
    return HRR_OK;
}

static void kernel_scratch_free(void *opaque)
{
    kernel_scratch *scratch = opaque;
    if (!scratch) return;
    hrr_coalition_scratch_free(scratch->coalition);
    hrr_free(scratch->worth);
    hrr_free(scratch->ends);
    hrr_free(scratch->none_and_all);
    hrr_free(scratch);
}

static hrr_status kernel_scratch_new(void **out, const hrr_explain_task *task, const void *opaque,
                                     hrr_error *err)
{
    const kernel_plan *plan = opaque;
    *out = NULL;
    kernel_scratch *scratch = hrr_alloc_zero(1, sizeof *scratch);
    if (!scratch) return hrr_no_memory(err);
    hrr_status status = hrr_coalition_scratch_new(&scratch->coalition, task, err);
    if (status) goto done;
    scratch->worth = hrr_alloc(plan->coalitions.n * sizeof(double), task->n_outputs);
    scratch->ends = hrr_alloc(2 * sizeof(double), task->n_outputs);
    scratch->none_and_all = hrr_alloc_zero(2, task->n_features);
    if (!scratch->worth || !scratch->ends || !scratch->none_and_all) {
        status = hrr_no_memory(err);
        goto done;
    }
    memset(scratch->none_and_all + task->n_features, 1, task->n_features);
    *out = scratch;
    scratch = NULL;
done:
    kernel_scratch_free(scratch);
    return status;
}

/* b (d) = sum w z (v - v(none)) for output c */
static void project(double *b, const hrr_coalition_set *set, uint64_t d, const double *worth,
                    double none, uint64_t n_outputs, uint64_t c)
{
    memset(b, 0, d * sizeof *b);
    for (uint64_t j = 0; j < set->n; j++) {
        const double gain = set->weight[j] * (worth[j * n_outputs + c] - none);
        const uint8_t *member = set->member + j * d;
        for (uint64_t i = 0; i < d; i++)
            b[i] += member[i] ? gain : 0;
    }
}

static void kernel_explain(double *values, const hrr_explain_task *task, const void *opaque,
                           void *scratch_opaque, const double *x)
{
    const kernel_plan *plan = opaque;
    kernel_scratch *scratch = scratch_opaque;
    const uint64_t d = task->n_features, n_outputs = task->n_outputs;
    hrr_coalition_worth(scratch->ends, task, x, scratch->none_and_all, 2, scratch->coalition);
    hrr_coalition_worth(scratch->worth, task, x, plan->coalitions.member, plan->coalitions.n,
                        scratch->coalition);
    for (uint64_t c = 0; c < n_outputs; c++) {
        const double none = scratch->ends[c], delta = scratch->ends[n_outputs + c] - none;
        double *value = values + c * d, sum = 0;
        if (d == 1) {
            value[0] = delta;
            continue;
        }
        project(value, &plan->coalitions, d, scratch->worth, none, n_outputs, c);
        hrr_cholesky_solve(value, plan->factor, d);
        for (uint64_t i = 0; i < d; i++)
            sum += value[i];
        for (uint64_t i = 0; i < d; i++)
            value[i] -= plan->u[i] * (sum - delta) / plan->sum_u;
    }
}

const hrr_explainer_kind hrr_explainer_kernel = {
    .plan = kernel_plan_new,
    .plan_free = kernel_plan_free,
    .scratch = kernel_scratch_new,
    .scratch_free = kernel_scratch_free,
    .explain = kernel_explain,
};
