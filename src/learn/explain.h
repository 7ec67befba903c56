/* explain.h: what the explainers share. Each works in two stages: a plan, made once for a call and
 * only read afterwards, and the values of one row, which any thread may compute with scratch of its
 * own. Rows do not know of each other, so the result does not depend on the number of threads. */
#ifndef HRR_LEARN_EXPLAIN_H
#define HRR_LEARN_EXPLAIN_H

#include "learn/head.h"

typedef struct hrr_explain_task {
    const hrr_head *head;
    uint64_t n_features;      /* d */
    uint64_t n_outputs;       /* C */
    const double *background; /* n_background x d */
    uint64_t n_background;    /* B, at least 1 */
    const hrr_explain_options *options;
} hrr_explain_task;

/* A kind of explainer. `plan` and `scratch` set *out to NULL on failure; both may leave it NULL on
 * success when there is nothing to keep. */
typedef struct hrr_explainer_kind {
    hrr_status (*plan)(void **out, const hrr_explain_task *task, hrr_error *err);
    void (*plan_free)(void *plan);
    hrr_status (*scratch)(void **out, const hrr_explain_task *task, const void *plan,
                          hrr_error *err);
    void (*scratch_free)(void *scratch);
    /* values (C x d) of x (d) */
    void (*explain)(double *values, const hrr_explain_task *task, const void *plan, void *scratch,
                    const double *x);
} hrr_explainer_kind;

extern const hrr_explainer_kind hrr_explainer_linear, hrr_explainer_exact, hrr_explainer_kernel,
    hrr_explainer_gradient;

#define HRR_EXPLAIN_EXACT_MAX 16

#endif
