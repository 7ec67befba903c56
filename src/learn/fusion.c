/* fusion.c: see fusion.h.
 *
 * Weights by projected Newton (D. Bertsekas, SIAM J. Control Optim. 20, 1982): unknowns that stand
 * at 0 and want to go below are held there, the others take a Newton step, which is halved until it
 * leads up. Never below 0: evidence that speaks against what it shows is noise.
 *
 * More terms always fit the nodes they are fitted to better. So whether evidence helps is asked of
 * nodes that were left out: five fits, each scored on the fifth that it has not seen, against the
 * network alone under the same rules.
 *
 * Workload: a few thousand nodes, a handful of terms, some 60 passes over them. */
#include "learn/fusion_likelihood.h"
#include "learn/cholesky.h"
#include "learn/head.h"
#include "base/memory.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { n_folds = 5, newton_rounds = 60 };

static const hrr_fusion_rows all_rows = {.which = HRR_FOLDS_ALL};

void hrr_fusion_options_init(hrr_fusion_options *options)
{
    *options = (hrr_fusion_options){.prior = {1, 1}, .pull = 1};
}

/* ---- weights --------------------------------------------------------------------------------- */

/* What is made largest: the log-likelihood, less the pull of the prior. */
static void evaluate(hrr_fusion_sums *sums, const hrr_fusion_problem *problem, const double *weight,
                     hrr_fusion_rows rows)
{
    hrr_fusion_likelihood(sums, problem, weight, rows);
    for (uint32_t t = 0; t < problem->n_terms; t++) {
        const double off = weight[t] - problem->prior[t];
        sums->score -= problem->pull * off * off / 2;
        sums->gradient[t] -= problem->pull * off;
        sums->curvature[t][t] += problem->pull;
    }
}

/* The Newton step of the first `n_terms` unknowns that are free to move; 0 for the others. */
static void find_step(double *step, const hrr_fusion_sums *at, const double *weight,
                      uint32_t n_held, uint32_t n_terms)
{
    uint32_t moving[HRR_MOST_TERMS], n = 0;
    double matrix[HRR_MOST_TERMS * HRR_MOST_TERMS], solution[HRR_MOST_TERMS];
    memset(step, 0, HRR_MOST_TERMS * sizeof *step);
    for (uint32_t t = n_held; t < n_terms; t++)
        if (weight[t] > 0 || at->gradient[t] > 0) moving[n++] = t;
    for (uint32_t i = 0; i < n; i++) {
        solution[i] = at->gradient[moving[i]];
        for (uint32_t j = i; j < n; j++)
            matrix[i * n + j] = at->curvature[moving[i]][moving[j]];
    }
    if (hrr_cholesky_factor(matrix, n))
        hrr_cholesky_solve(solution, matrix, n);
    else /* too large for its own good: straight up, a little */
        for (uint32_t i = 0; i < n; i++)
            solution[i] /= 1 + at->curvature[moving[i]][moving[i]];
    for (uint32_t i = 0; i < n; i++)
        step[moving[i]] = solution[i];
}

/* The best weights of the first `n_terms` terms, the others being 0, from where `weight` is. */
static void maximise(double *weight, const hrr_fusion_problem *problem, uint32_t n_terms,
                     hrr_fusion_rows rows)
{
    hrr_fusion_sums at, tried;
    double step[HRR_MOST_TERMS], next[HRR_MOST_TERMS] = {0};
    evaluate(&at, problem, weight, rows);
    for (int round = 0; round < newton_rounds; round++) {
        bool higher = false;
        find_step(step, &at, weight, problem->n_held, n_terms);
        for (double length = 1; length > 1e-6 && !higher; length /= 2) {
            for (uint32_t t = 0; t < n_terms; t++)
                next[t] = fmax(weight[t] + length * step[t], 0);
            evaluate(&tried, problem, next, rows);
            higher = tried.score > at.score;
        }
        if (!higher) break;
        const double gained = tried.score - at.score;
        memcpy(weight, next, n_terms * sizeof *weight);
        at = tried;
        if (gained < 1e-11 * (1 + fabs(at.score))) break;
    }
}

/* ---- the guard ------------------------------------------------------------------------------- */

static double score_on(const hrr_fusion_problem *problem, const double *weight,
                       hrr_fusion_rows rows)
{
    hrr_fusion_sums sums;
    hrr_fusion_likelihood(&sums, problem, weight, rows);
    return sums.score;
}

/* The log-likelihood of all rows, each under weights that were found without its fold. */
static double score_left_out(const hrr_fusion_problem *problem, const double *start,
                             uint32_t n_terms)
{
    double score = 0;
    for (uint32_t fold = 0; fold < n_folds; fold++) {
        double weight[HRR_MOST_TERMS] = {0};
        memcpy(weight, start, n_terms * sizeof *weight);
        maximise(weight, problem, n_terms, (hrr_fusion_rows){HRR_FOLDS_BUT, fold});
        score += score_on(problem, weight, (hrr_fusion_rows){HRR_FOLDS_ONLY, fold});
    }
    return score;
}

static void weigh(hrr_fusion *out, const hrr_fusion_problem *problem, bool guarded)
{
    const double as_it_is[HRR_MOST_TERMS] = {1};
    const double alone = score_on(problem, as_it_is, all_rows);
    maximise(out->weight, problem, problem->n_terms, all_rows);
    const double together = score_left_out(problem, problem->prior, problem->n_terms);
    const double scaled = score_left_out(problem, as_it_is, 1);
    out->gain = (together - fmax(alone, scaled)) / (double)problem->n_rows;
    if (!guarded) return;
    if (out->gain > 0 && score_on(problem, out->weight, all_rows) >= alone) return;
    out->gain = fmin(out->gain, 0);
    memcpy(out->weight, as_it_is, sizeof out->weight);
}

/* ---- together -------------------------------------------------------------------------------- */

/* A number's own scatter: nodes in any order give folds of about the same size. */
static uint32_t fold_of(uint64_t node)
{
    return (uint32_t)((node + 1) * UINT64_C(0x9e3779b97f4a7c15) >> 32) % n_folds;
}

static uint64_t choose_rows(hrr_fusion_row *rows, const hrr_targets *targets, const uint8_t *chosen)
{
    uint64_t n = 0;
    for (uint64_t i = 0; i < targets->n; i++) {
        if (!hrr_target_counts(targets, i, HRR_VALID) || (chosen && !chosen[i])) continue;
        if (rows) rows[n] = (hrr_fusion_row){i, fold_of(i)};
        n++;
    }
    return n;
}

static hrr_status check_term(const hrr_dense *term, const hrr_targets *targets, const char *what,
                             hrr_error *err)
{
    if (term->dtype != HRR_F32 || term->rows != targets->n || term->cols != targets->n_classes)
        return hrr_fail(err, HRR_EINVAL,
                        "the %s are a %" PRIu64 " x %" PRIu64 " matrix, but the labels are %" PRIu64
                        " x %" PRIu32,
                        what, term->rows, term->cols, targets->n, targets->n_classes);
    return hrr_check_finite(term, what, err);
}

static hrr_status check(const hrr_dense *logits, const hrr_dense *evidence, uint32_t n_evidence,
                        const hrr_targets *targets, const hrr_fusion_options *options,
                        hrr_error *err)
{
    assert(n_evidence < HRR_MOST_TERMS && options->pull > 0 &&
           (!targets->classes != !targets->labels));
    if (!(options->label_eps >= 0))
        return hrr_fail(err, HRR_EINVAL, "the epsilon of the labels must be at least 0");
    for (uint32_t t = 0; t <= n_evidence; t++)
        assert(options->prior[t] >= 0);
    hrr_status status = check_term(logits, targets, "scores of the network", err);
    for (uint32_t t = 0; t < n_evidence && !status; t++)
        status = check_term(&evidence[t], targets, "scores of the evidence", err);
    return status;
}

hrr_status hrr_fusion_fit(hrr_fusion *out, const hrr_dense *logits, const hrr_dense *evidence,
                          uint32_t n_evidence, const hrr_targets *targets,
                          const hrr_fusion_options *options, hrr_error *err)
{
    *out = (hrr_fusion){.n_terms = n_evidence + 1, .gain = NAN};
    hrr_status status = check(logits, evidence, n_evidence, targets, options, err);
    if (status) return status;
    const double others = targets->classes ? (double)targets->n_classes - 1 : 1;
    const bool randomised = options->label_eps > 0;
    hrr_fusion_problem problem = {
        .term = {logits->data},
        .n_terms = n_evidence + 1,
        .targets = targets,
        .stay = randomised ? 1 / (1 + others * exp(-options->label_eps)) : 1,
        .stray = randomised ? 1 / (exp(options->label_eps) + others) : 0,
        .prior = options->prior,
        .pull = options->pull,
        .n_held = options->hold_network,
        .n_rows = choose_rows(NULL, targets, options->chosen),
        .threads = hrr_threads(options->threads),
    };
    for (uint32_t t = 0; t < n_evidence; t++)
        problem.term[t + 1] = evidence[t].data;
    memcpy(out->weight, options->prior, problem.n_terms * sizeof *out->weight);
    if (!problem.n_rows) return HRR_OK;
    problem.rows = hrr_alloc(problem.n_rows, sizeof *problem.rows);
    problem.space =
        hrr_alloc((size_t)HRR_FUSION_PIECES * targets->n_classes, sizeof *problem.space);
    if (problem.rows && problem.space) {
        choose_rows(problem.rows, targets, options->chosen);
        weigh(out, &problem, !options->unguarded);
    } else {
        status = hrr_no_memory(err);
    }
    hrr_free(problem.rows);
    hrr_free(problem.space);
    return status;
}

void hrr_fusion_apply(hrr_dense *logits, const hrr_fusion *fusion, const hrr_dense *evidence,
                      hrr_output_kind output, int threads)
{
    const uint64_t n_classes = logits->cols;
    threads = hrr_threads(threads);
#pragma omp parallel for schedule(static) num_threads(threads)
    for (uint64_t i = 0; i < logits->rows; i++) {
        float *row = (float *)logits->data + i * n_classes;
        for (uint64_t c = 0; c < n_classes; c++) {
            double sum = fusion->weight[0] * (double)row[c];
            for (uint32_t t = 1; t < fusion->n_terms; t++) {
                const float *says = (const float *)evidence[t - 1].data + i * n_classes;
                const float from = output == HRR_OUTPUT_SOFTMAX ? says[0] : 0;
                sum += fusion->weight[t] * (double)(says[c] - from);
            }
            row[c] = (float)sum;
        }
    }
}
