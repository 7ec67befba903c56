/* explain_gradient.c: expected gradients (Erion, Janizek, Sturmfels, Lundberg and Lee 2021):
 *
 *     value[c][i] = mean over b, t in (0, 1) of (x_i - b_i) df_c/dx_i (b + t (x - b))
 *
 * The mean over t is an integral along the line from b to x, so the values of one b add up to
 * f(x) - f(b). The published estimator draws b and t at random and pays one pass through the whole
 * network a draw. Two facts about a head save that:
 *
 * 1. Its first layer is linear, y = M^T x + m. So y moves along a line too, and the gradient is M
 *    times that in y: the d features enter once per background row, not once per draw,
 *
 *        value[c][i] = mean over b of (x_i - b_i) (M q_bc)_i,    q_bc = mean over t of df_c/dy
 *
 * 2. What bends the output along the line are the kinks of relu, at known places, and softmax or
 *    sigmoid, which are smooth. So the line is cut into equal steps; in each, a unit counts with
 * the part of the step on which it is active, exactly, and the smooth factor with its value in the
 *    middle. The error falls with the square of the number of steps. Logits have no smooth factor:
 *    one step is exact for them, and completeness holds to rounding.
 *
 * Nothing is drawn at random, so the seed does not matter.
 * Cost: O(B C d u + n u C) a row, u = h (linear head: C), n = steps of all background rows. */
#include "learn/explain.h"

#include "base/memory.h"
#include "matrix/products.h"

#include <math.h>
#include <string.h>

enum { default_steps = 32, block = 64 };

typedef struct gradient_plan {
    uint64_t n_units; /* u: what the first layer makes */
    uint64_t n_steps; /* on the line from each background row */
    double *first;    /* B x u: y of the background */
} gradient_plan;

typedef struct gradient_scratch {
    double *first;    /* u: y of the row */
    double *line;     /* steps x u: y in the middle of each step */
    double *active;   /* steps x u: the part of the step on which relu lets y through */
    double *output;   /* steps x C */
    double *pull;     /* steps x u: W times the probabilities */
    double *slope;    /* C x block x u: q */
    double *gradient; /* block x d: q M^T */
} gradient_scratch;

static void gradient_plan_free(void *opaque)
{
    gradient_plan *plan = opaque;
    if (plan) hrr_free(plan->first);
    hrr_free(plan);
}

static hrr_status gradient_plan_new(void **out, const hrr_explain_task *task, hrr_error *err)
{
    const uint64_t wanted = task->options->n_samples, n = task->n_background;
    *out = NULL;
    gradient_plan *plan = hrr_alloc_zero(1, sizeof *plan);
    if (!plan) return hrr_no_memory(err);
    plan->n_units =
        hrr_head_is_linear(task->head) ? task->n_outputs : hrr_head_n_hidden(task->head);
    plan->n_steps = wanted ? (wanted + n - 1) / n : default_steps;
    if (!task->options->probabilities) plan->n_steps = 1;
    if (!(plan->first = hrr_alloc(n * sizeof(double), plan->n_units))) {
        gradient_plan_free(plan);
        return hrr_no_memory(err);
    }
    hrr_head_first(plan->first, task->head, task->background, n);
    *out = plan;
    return HRR_OK;
}

static void gradient_scratch_free(void *opaque)
{
    gradient_scratch *scratch = opaque;
    if (!scratch) return;
    hrr_free(scratch->first);
    hrr_free(scratch->line);
    hrr_free(scratch->active);
    hrr_free(scratch->output);
    hrr_free(scratch->pull);
    hrr_free(scratch->slope);
    hrr_free(scratch->gradient);
    hrr_free(scratch);
}

static hrr_status gradient_scratch_new(void **out, const hrr_explain_task *task, const void *opaque,
                                       hrr_error *err)
{
    const gradient_plan *plan = opaque;
    const uint64_t u = plan->n_units;
    *out = NULL;
    gradient_scratch *scratch = hrr_alloc_zero(1, sizeof *scratch);
    if (!scratch) return hrr_no_memory(err);
    scratch->first = hrr_alloc(u, sizeof(double));
    scratch->line = hrr_alloc(plan->n_steps * sizeof(double), u);
    scratch->active = hrr_alloc(plan->n_steps * sizeof(double), u);
    scratch->output = hrr_alloc(plan->n_steps * sizeof(double), task->n_outputs);
    scratch->pull = hrr_alloc(plan->n_steps * sizeof(double), u);
    scratch->slope = hrr_alloc(task->n_outputs * block * sizeof(double), u);
    scratch->gradient = hrr_alloc(block * sizeof(double), task->n_features);
    if (!scratch->first || !scratch->line || !scratch->active || !scratch->output ||
        !scratch->pull || !scratch->slope || !scratch->gradient) {
        gradient_scratch_free(scratch);
        return hrr_no_memory(err);
    }
    *out = scratch;
    return HRR_OK;
}

/* The part of the way from y - reach to y + reach that lies above zero. */
static double active_part(double y, double reach)
{
    const double high = y + fabs(reach), low = y - fabs(reach);
    if (high <= 0) return 0;
    return low >= 0 ? 1 : high / (high - low);
}

/* Fill line and active for the way from one y to another. */
static void walk(gradient_scratch *scratch, const gradient_plan *plan, bool linear,
                 const double *from, const double *to)
{
    const uint64_t u = plan->n_units, n = plan->n_steps;
    for (uint64_t j = 0; j < n; j++) {
        const double t = ((double)j + .5) / (double)n;
        for (uint64_t k = 0; k < u; k++) {
            const double way = to[k] - from[k], y = from[k] + t * way;
            scratch->line[j * u + k] = y;
            scratch->active[j * u + k] = linear ? 1 : active_part(y, way / (double)(2 * n));
        }
    }
}

/* Add the df_c/dy of one step to q (row c at q + c * stride, u numbers). With p the probabilities,
 * output c moves with logit c' by
 *     logits  [c = c'],     softmax  p_c ([c = c'] - p_c'),     sigmoid  p_c (1 - p_c) [c = c']
 * and logit c' with unit k by W[k][c'] where the unit is active, or, in a linear head, by [k = c'].
 * pull = W p (u), for softmax. */
static void add_slope(double *q, uint64_t stride, const hrr_explain_task *task,
                      const double *active, const double *p, const double *pull, uint64_t u)
{
    const double *weight = task->head->weight.data;
    const bool linear = hrr_head_is_linear(task->head);
    const bool probabilities = task->options->probabilities;
    const bool softmax = probabilities && task->head->output == HRR_OUTPUT_SOFTMAX;
    for (uint64_t c = 0; c < task->n_outputs; c++) {
        const double scale = softmax ? p[c] : probabilities ? p[c] * (1 - p[c]) : 1;
        for (uint64_t k = 0; k < u; k++) {
            const double own = linear ? (double)(k == c) : weight[k * task->n_outputs + c];
            q[c * stride + k] += scale * active[k] * (softmax ? own - pull[k] : own);
        }
    }
}

/* The smooth factors in the middle of each step: output = p and pull = W p. */
static void find_probabilities(gradient_scratch *scratch, const gradient_plan *plan,
                               const hrr_explain_task *task)
{
    const hrr_head *head = task->head;
    const uint64_t u = plan->n_units, n = plan->n_steps, n_outputs = task->n_outputs;
    hrr_head_logits_from_first(scratch->output, scratch->line, head, n);
    hrr_output_apply(scratch->output, head->output, n, n_outputs);
    if (hrr_head_is_linear(head)) { /* the second layer is the identity, and u = C */
        memcpy(scratch->pull, scratch->output, n * u * sizeof(double));
        return;
    }
    hrr_dense product = hrr_f64_view(scratch->pull, n, u);
    const hrr_dense output = hrr_f64_view(scratch->output, n, n_outputs);
    hrr_gemm(&product, &output, false, &head->weight, true, 1, 0);
}

/* q (row c at q + c * stride): the mean of df_c/dy on the way from one y to another. */
static void mean_slope(double *q, uint64_t stride, const hrr_explain_task *task,
                       const gradient_plan *plan, gradient_scratch *scratch, const double *from,
                       const double *to)
{
    const uint64_t u = plan->n_units, n = plan->n_steps;
    walk(scratch, plan, hrr_head_is_linear(task->head), from, to);
    if (task->options->probabilities) find_probabilities(scratch, plan, task);
    for (uint64_t c = 0; c < task->n_outputs; c++)
        memset(q + c * stride, 0, u * sizeof *q);
    for (uint64_t j = 0; j < n; j++)
        add_slope(q, stride, task, scratch->active + j * u, scratch->output + j * task->n_outputs,
                  scratch->pull + j * u, u);
    for (uint64_t c = 0; c < task->n_outputs; c++)
        for (uint64_t k = 0; k < u; k++)
            q[c * stride + k] /= (double)n;
}

/* values (C x d) += sum over n background rows b (n x d) of (x - b) (q M^T) */
static void add_values(double *values, const hrr_explain_task *task, const double *x,
                       const double *background, uint64_t n, gradient_scratch *scratch, uint64_t u)
{
    const hrr_head *head = task->head;
    const hrr_dense *layer = hrr_head_is_linear(head) ? &head->weight : &head->hidden_weight;
    const uint64_t d = task->n_features;
    hrr_dense gradient = hrr_f64_view(scratch->gradient, n, d);
    for (uint64_t c = 0; c < task->n_outputs; c++) {
        const hrr_dense slope = hrr_f64_view(scratch->slope + c * block * u, n, u);
        hrr_gemm(&gradient, &slope, false, layer, true, 1, 0);
        for (uint64_t b = 0; b < n; b++)
            for (uint64_t i = 0; i < d; i++)
                values[c * d + i] += (x[i] - background[b * d + i]) * scratch->gradient[b * d + i];
    }
}

static void gradient_explain(double *values, const hrr_explain_task *task, const void *opaque,
                             void *scratch_opaque, const double *x)
{
    const gradient_plan *plan = opaque;
    gradient_scratch *scratch = scratch_opaque;
    const uint64_t u = plan->n_units, size = task->n_outputs * task->n_features;
    hrr_head_first(scratch->first, task->head, x, 1);
    memset(values, 0, size * sizeof *values);
    for (uint64_t first = 0; first < task->n_background; first += block) {
        const uint64_t left = task->n_background - first, n = left < block ? left : block;
        for (uint64_t b = 0; b < n; b++)
            mean_slope(scratch->slope + b * u, block * u, task, plan, scratch,
                       plan->first + (first + b) * u, scratch->first);
        add_values(values, task, x, task->background + first * task->n_features, n, scratch, u);
    }
    for (uint64_t i = 0; i < size; i++)
        values[i] /= (double)task->n_background;
}

const hrr_explainer_kind hrr_explainer_gradient = {
    .plan = gradient_plan_new,
    .plan_free = gradient_plan_free,
    .scratch = gradient_scratch_new,
    .scratch_free = gradient_scratch_free,
    .explain = gradient_explain,
};
