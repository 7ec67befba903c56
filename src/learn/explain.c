/* explain.c: SHAP values: how much each feature of a row moves the head's output (Lundberg and Lee
 * 2017), the paper's SHAP(z_i).
 *
 * The game that all explainers play or approximate is the interventional one: the features S of a
 * row x are known, the others are those of a background row b,
 *
 *     v(S) = mean over b of f(x_S, b_rest),     sum over i of values = v(all) - v(none)
 *
 * the last being completeness. explain_exact.c enumerates, explain_linear.c has the closed form,
 * explain_kernel.c solves a least-squares problem over coalitions, explain_gradient.c integrates
 * gradients between b and x, which is another solution of the same axioms (Aumann and Shapley 1974)
 * and the one that scales to thousands of features. */
#include "learn/explain.h"

#include "base/memory.h"
#include "base/options.h"
#include "matrix/dense.h"

#include <inttypes.h>

void hrr_explain_options_init_sized(hrr_explain_options *options, size_t size)
{
    const hrr_explain_options own = {.explainer = HRR_EXPLAIN_GRADIENT, .seed = 1};
    hrr_options_init(options, size, &own, sizeof own);
}

static const hrr_explainer_kind *find_kind(hrr_explainer explainer)
{
    switch (explainer) {
    case HRR_EXPLAIN_GRADIENT:
        return &hrr_explainer_gradient;
    case HRR_EXPLAIN_LINEAR:
        return &hrr_explainer_linear;
    case HRR_EXPLAIN_KERNEL:
        return &hrr_explainer_kernel;
    case HRR_EXPLAIN_EXACT:
        return &hrr_explainer_exact;
    }
    return NULL;
}

/* The rows of one thread, taken from *next; a thread that fails leaves none for the others. */
static hrr_status explain_rows(hrr_dense *out, const hrr_explainer_kind *kind,
                               const hrr_explain_task *task, const void *plan,
                               const hrr_dense *rows, uint64_t *next, hrr_progress *progress,
                               hrr_error *err)
{
    const uint64_t size = task->n_outputs * task->n_features;
    void *scratch = NULL;
    hrr_status status = HRR_OK;
    double *x = hrr_alloc(task->n_features, sizeof *x);
    if (!x) {
        status = hrr_no_memory(err);
        goto done;
    }
    if ((status = kind->scratch(&scratch, task, plan, err))) goto done;
    for (;;) {
        uint64_t row;
#pragma omp atomic capture
        row = (*next)++;
        if (row >= rows->rows) break;
        hrr_row_as_f64(x, rows, row);
        kind->explain((double *)out->data + row * size, task, plan, scratch, x);
        if ((status = hrr_progress_advance(progress, 1, err))) break;
    }
done:
    if (status) {
#pragma omp atomic write
        *next = rows->rows;
    }
    kind->scratch_free(scratch);
    hrr_free(x);
    return status;
}

static hrr_status explain_all(hrr_dense *out, const hrr_explainer_kind *kind,
                              const hrr_explain_task *task, const void *plan, const hrr_dense *rows,
                              hrr_progress *progress, hrr_error *err)
{
    hrr_status status = HRR_OK;
    uint64_t next = 0;
    hrr_progress_begin(progress, "explaining", rows->rows);
#pragma omp parallel num_threads(hrr_threads(task->options->threads))
    {
        hrr_error mine = {0};
        hrr_status ended = explain_rows(out, kind, task, plan, rows, &next, progress, &mine);
#pragma omp critical(hrr_explain_status)
        if (ended && !status) {
            status = ended;
            if (err) *err = mine;
        }
    }
    return status;
}

hrr_status hrr_explain(hrr_dense *out, const hrr_head *head, const hrr_dense *rows,
                       const hrr_dense *background, const hrr_explain_options *options,
                       hrr_progress *progress, hrr_error *err)
{
    hrr_dense base = {0}, made = {0};
    void *plan = NULL;
    *out = (hrr_dense){0};
    hrr_explain_options own;
    hrr_status status = HRR_ADOPT(hrr_explain_options, &own, options, err);
    if (status) return status;
    options = &own;
    const hrr_explainer_kind *kind = find_kind(options->explainer);
    if (!kind)
        return hrr_fail(err, HRR_EINVAL, "there is no explainer number %d (`explainer`)",
                        options->explainer);
    if ((status = hrr_head_check_features(head, rows, "rows to explain", err))) return status;
    if ((status = hrr_head_check_features(head, background, "background rows", err))) return status;
    if (background->rows == 0)
        return hrr_fail(err, HRR_EINVAL,
                        "the background set is empty; give public rows that replace missing "
                        "features (100 rows are enough)");

    if ((status = hrr_dense_convert(&base, background, HRR_F64, err))) goto done;
    const hrr_explain_task task = {
        .head = head,
        .n_features = hrr_head_n_features(head),
        .n_outputs = hrr_head_n_outputs(head),
        .background = base.data,
        .n_background = base.rows,
        .options = options,
    };
    if ((status = kind->plan(&plan, &task, err))) goto done;
    if ((status =
             hrr_dense_init(&made, HRR_F64, rows->rows * task.n_outputs, task.n_features, err)))
        goto done;
    if ((status = explain_all(&made, kind, &task, plan, rows, progress, err))) goto done;
    *out = made;
    made = (hrr_dense){0};
done:
    kind->plan_free(plan);
    hrr_dense_clear(&made);
    hrr_dense_clear(&base);
    return status;
}
