/* count_model.c: what the noisy counts of a node's private neighbours in public blocks
 * (edgerr-node) say about its labels.
 *
 * The count of a node of class c in block b is negative binomial with mean
 *
 *     level * exposure * rate[c][b]
 *
 * and discrete Laplace noise is added to it. The level is the node's own: some have many edges,
 * some few. It is not known and shared by all its counts, so it is summed over a fixed grid with
 * shares that fit the labelled nodes (expectation maximisation). The shape of the negative
 * binomial, for neighbourhoods that differ within a class, is the likeliest of a few. The exposure
 * is less than 1 where a pair is counted at the end that needs it (count_exposure.h).
 *
 * Rates are means of noisy counts of labelled nodes: noise has mean 0. One class a node: wherever
 * they are looked at, the rates of a class are scaled so that all classes have the same sum. Into
 * which blocks edges lead tells classes apart; how many edges a class has is a matter of a few hubs
 * (docs/mechanisms/edgerr-node.md has what that is worth). Where labels went through randomised
 * response, a node counts for each class by how probable the class is, and rates are what then
 * explains the counts best.
 *
 * Several labels a node: two classes for each label, nodes that have it and nodes that have not.
 * Their levels and shape are those of all nodes together.
 *
 * All of it is post-processing of what was released. Workload: n nodes, C classes, B blocks, L
 * levels: n C B L table look-ups, in rows of L so that they run as vectors. */
#include "learn/count_model.h"
#include "learn/cholesky.h"
#include "learn/count_exposure.h"
#include "learn/count_tables.h"
#include "base/memory.h"
#include "base/size.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { n_levels = HRR_COUNT_LEVELS, share_rounds = 40 };
static const double least_rate = .01;
static const double least_belief = 1e-4; /* a class less probable than that is not looked at */

void hrr_count_model_clear(hrr_count_model *model)
{
    hrr_dense_clear(&model->rate);
    *model = (hrr_count_model){0};
}

const hrr_block_counts *hrr_counts_in_use(const hrr_model *model, const hrr_release *release,
                                          bool ignored)
{
    return hrr_model_counts(model) && !ignored ? hrr_release_counts(release) : NULL;
}

/* ---- who belongs to what --------------------------------------------------------------------- */

static bool is_counted(const hrr_block_counts *counts, uint64_t i)
{
    return !counts->counted || counts->counted[i];
}

/* A labelled node that the law is learnt from: counts that blocks share are not the mean of either.
 */
static bool is_known(const hrr_count_labels *labels, const hrr_block_counts *counts, uint64_t i)
{
    const hrr_targets *targets = &labels->targets;
    return is_counted(counts, i) && !hrr_has_rivals(counts, i) &&
           (hrr_target_counts(targets, i, HRR_TRAIN) ||
            (!labels->train_only && hrr_target_counts(targets, i, HRR_VALID)));
}

/* How far a labelled node belongs to the group whose rates are in a row of the model: a class, or
 * those that have a label (even rows) or have it not. */
static double belongs(const hrr_count_labels *labels, uint64_t i, uint64_t row)
{
    const hrr_targets *t = &labels->targets;
    if (t->labels) return t->labels[i * t->n_classes + row / 2] == (row % 2 == 0);
    if (!labels->belief) return t->classes[i] == (int64_t)row;
    const double belief = (double)((const float *)labels->belief->data)[i * t->n_classes + row];
    return belief > least_belief ? belief : 0;
}

/* ---- rates ----------------------------------------------------------------------------------- */

/* Sums of counts over the nodes of each group, and of what they were exposed to (rows x n_blocks,
 * zeros at first); in the last row of n_rows + 1, those over all labelled nodes. */
static uint64_t add_up(double *sums, double *seen, uint64_t n_rows, const hrr_block_counts *counts,
                       const hrr_exposure *exposure, const hrr_count_labels *labels)
{
    const uint32_t n_blocks = counts->n_blocks;
    uint64_t n_known = 0;
    for (uint64_t i = 0; i < counts->n_nodes; i++) {
        if (!is_known(labels, counts, i)) continue;
        const double *exposed = hrr_exposure_of(exposure, i);
        for (uint64_t row = 0; row <= n_rows; row++) {
            const double share = row < n_rows ? belongs(labels, i, row) : 1;
            if (share == 0) continue;
            for (uint32_t b = 0; b < n_blocks; b++) {
                sums[row * n_blocks + b] += share * (double)counts->count[i * n_blocks + b];
                seen[row * n_blocks + b] += share * (exposed ? exposed[b] : 1);
            }
        }
        n_known++;
    }
    return n_known;
}

/* Where classes are only probable, a class's mean count would be blurred by the other classes. So
 * rates solve the least squares of count = exposure (belief . rate), pulled to the mean of all by
 * as much as one node; where classes are certain, these are the means. matrix: room for C x C. */
static void unblur(double *rate, double *matrix, uint32_t block, const double *overall,
                   const double *sums, const hrr_block_counts *counts, const hrr_exposure *exposure,
                   const hrr_count_labels *labels)
{
    const uint64_t n_classes = labels->targets.n_classes, n_blocks = counts->n_blocks;
    memset(matrix, 0, n_classes * n_classes * sizeof *matrix);
    for (uint64_t i = 0; i < counts->n_nodes; i++) {
        if (!is_known(labels, counts, i)) continue;
        const double *exposed = hrr_exposure_of(exposure, i);
        for (uint64_t c = 0; c < n_classes; c++) {
            const double share = belongs(labels, i, c) * (exposed ? exposed[block] : 1);
            for (uint64_t d = c; d < n_classes && share > 0; d++)
                matrix[c * n_classes + d] += share * belongs(labels, i, d);
        }
    }
    for (uint64_t c = 0; c < n_classes; c++) {
        matrix[c * n_classes + c] += 1;
        rate[c] = sums[c * n_blocks + block] + overall[block];
    }
    if (hrr_cholesky_factor(matrix, n_classes)) /* always: it is at least 1 */
        hrr_cholesky_solve(rate, matrix, n_classes);
}

static hrr_status unblur_rates(hrr_dense *rate, const double *overall, const double *sums,
                               const hrr_block_counts *counts, const hrr_exposure *exposure,
                               const hrr_count_labels *labels, hrr_error *err)
{
    const uint64_t n_classes = rate->rows, n_blocks = rate->cols;
    const double most = fmin((double)counts->n_nodes, HRR_MOST_COUNTED);
    double *matrix = hrr_alloc(n_classes * sizeof *matrix, n_classes + 1);
    if (!matrix) return hrr_no_memory(err);
    double *found = matrix + n_classes * n_classes;
    for (uint32_t b = 0; b < n_blocks; b++) {
        unblur(found, matrix, b, overall, sums, counts, exposure, labels);
        for (uint64_t c = 0; c < n_classes; c++)
            ((double *)rate->data)[c * n_blocks + b] = fmin(fmax(found[c], least_rate), most);
    }
    hrr_free(matrix);
    return HRR_OK;
}

/* Means, pulled to the mean of all by as much as one node. */
static void estimate_rates(hrr_dense *rate, double *overall, const double *sums, const double *seen,
                           uint64_t n_nodes)
{
    const uint64_t n_rows = rate->rows, n_blocks = rate->cols;
    const double most = fmin((double)n_nodes, HRR_MOST_COUNTED);
    for (uint64_t b = 0; b < n_blocks; b++) {
        const uint64_t all = n_rows * n_blocks + b;
        overall[b] = fmin(fmax(sums[all] / fmax(seen[all], 1), 2 * least_rate), most);
        for (uint64_t k = b; k < all; k += n_blocks)
            ((double *)rate->data)[k] =
                fmin(fmax((sums[k] + overall[b]) / (seen[k] + 1), least_rate), most);
    }
}

/* overall: the rates of all labelled nodes, of which there are n_known. */
static hrr_status find_rates(hrr_dense *rate, double *overall, uint64_t *n_known,
                             const hrr_block_counts *counts, const hrr_exposure *exposure,
                             const hrr_count_labels *labels, hrr_error *err)
{
    size_t items;
    double *sums = NULL, *seen = NULL;
    hrr_status status = HRR_OK;
    if (hrr_mul_fits(rate->rows + 1, rate->cols, &items)) {
        sums = hrr_alloc_zero(items, sizeof *sums);
        seen = hrr_alloc_zero(items, sizeof *seen);
    }
    if (!sums || !seen) {
        status = hrr_no_memory(err);
        goto done;
    }
    *n_known = add_up(sums, seen, rate->rows, counts, exposure, labels);
    if (!*n_known) {
        status = hrr_fail(err, HRR_EDATA,
                          "no node with counts has a label, so nothing can be learned from counts");
        goto done;
    }
    estimate_rates(rate, overall, sums, seen, counts->n_nodes);
    if (labels->belief) status = unblur_rates(rate, overall, sums, counts, exposure, labels, err);
done:
    hrr_free(sums);
    hrr_free(seen);
    return status;
}

/* What the rates of a row are scaled by, so that rows have the same sum. */
static double scale_of(const hrr_count_model *model, uint64_t row)
{
    const uint64_t n_rows = model->rate.rows, n_blocks = model->rate.cols;
    const double *rate = model->rate.data;
    double all = 0, own = 0;
    if (model->output == HRR_OUTPUT_SIGMOID) return 1;
    for (uint64_t k = 0; k < n_rows * n_blocks; k++)
        all += rate[k];
    for (uint64_t b = 0; b < n_blocks; b++)
        own += rate[row * n_blocks + b];
    return all / (double)n_rows / own;
}

/* ---- levels and shape ------------------------------------------------------------------------ */

/* The shares of levels that make the nodes likeliest; returns the logarithm of how likely. */
static double fit_shares(double *share, const double *by_level, uint64_t n)
{
    double likelihood = 0, part[n_levels];
    for (int l = 0; l < n_levels; l++)
        share[l] = 1. / n_levels;
    for (int round = 0; round < share_rounds; round++) {
        double sum[n_levels] = {0};
        likelihood = 0;
        for (uint64_t k = 0; k < n; k++) {
            likelihood += hrr_count_sum_levels(part, by_level + k * n_levels, share);
            for (int l = 0; l < n_levels; l++)
                sum[l] += part[l];
        }
        for (int l = 0; l < n_levels; l++) /* no level is ruled out by labelled nodes alone */
            share[l] = (sum[l] + 1e-3) / ((double)n + 1e-3 * n_levels);
    }
    return likelihood;
}

/* e^to += share e^more, level by level */
static void mix(double *to, const double *more, double share)
{
    for (int l = 0; l < n_levels; l++) {
        const double x = more[l] + log(share), top = fmax(to[l], x);
        to[l] = isinf(to[l]) ? x : top + log(exp(to[l] - top) + exp(x - top));
    }
}

/* by_level (n_known x levels): each labelled node's counts under its own group; several labels a
 * node: under the rates of all. */
static void look_at_known(double *by_level, hrr_count_tables *t, const hrr_count_model *model,
                          const double *overall, double shape, const hrr_block_counts *counts,
                          const hrr_exposure *exposure, const hrr_count_labels *labels)
{
    const uint64_t n_blocks = counts->n_blocks;
    const bool several = labels->targets.labels != NULL;
    double found[n_levels];
    for (uint64_t row = 0; row < (several ? 1 : model->rate.rows); row++) {
        const double *rate = several ? overall : (double *)model->rate.data + row * n_blocks;
        double *to = by_level;
        hrr_count_tables_fill(t, rate, scale_of(model, row), shape, counts->eps);
        for (uint64_t i = 0; i < counts->n_nodes; i++) {
            if (!is_known(labels, counts, i)) continue;
            const double share = several ? 1 : belongs(labels, i, row);
            for (int l = 0; l < n_levels && row == 0; l++)
                to[l] = -INFINITY;
            if (share > 0) {
                hrr_count_look_up(found, t, counts, i, hrr_exposure_of(exposure, i));
                mix(to, found, share);
            }
            to += n_levels;
        }
    }
}

static hrr_status fit_law(hrr_count_model *model, const double *overall,
                          const hrr_block_counts *counts, const hrr_exposure *exposure,
                          const hrr_count_labels *labels, uint64_t n_known, hrr_progress *progress,
                          hrr_error *err)
{
    static const double shapes[] = {.5, 1, 2, 4, 8, INFINITY};
    enum { n_shapes = sizeof shapes / sizeof *shapes };
    double share[n_levels], best = -INFINITY, *by_level = NULL;
    hrr_count_tables t;
    size_t items;
    hrr_status status = hrr_count_tables_init(&t, counts, false, err);
    if (!status && (!hrr_mul_fits(n_known, n_levels, &items) ||
                    !(by_level = hrr_alloc(items, sizeof *by_level))))
        status = hrr_no_memory(err);
    hrr_progress_begin(progress, "fitting the model of counts", n_shapes);
    for (int s = 0; s < n_shapes && !status; s++) {
        look_at_known(by_level, &t, model, overall, shapes[s], counts, exposure, labels);
        const double likelihood = fit_shares(share, by_level, n_known);
        if (likelihood > best) {
            best = likelihood;
            model->shape = shapes[s];
            memcpy(model->level_share, share, sizeof share);
        }
        status = hrr_progress_advance(progress, 1, err);
    }
    hrr_free(by_level);
    hrr_count_tables_clear(&t);
    return status;
}

hrr_status hrr_count_law_fit(hrr_count_model *out, const hrr_block_counts *counts,
                             const hrr_count_labels *labels, hrr_progress *progress, hrr_error *err)
{
    const bool several = labels->targets.labels != NULL;
    const uint64_t n_rows = (uint64_t)labels->targets.n_classes * (several ? 2 : 1);
    hrr_exposure exposure = {0};
    double *overall = NULL;
    uint64_t n_known;
    *out = (hrr_count_model){.output = several ? HRR_OUTPUT_SIGMOID : HRR_OUTPUT_SOFTMAX};
    hrr_status status = hrr_dense_init(&out->rate, HRR_F64, n_rows, counts->n_blocks, err);
    if (status) goto done;
    if ((status = hrr_exposure_init(&exposure, counts, labels->graph_ids, err))) goto done;
    if (!(overall = hrr_alloc(counts->n_blocks, sizeof *overall))) {
        status = hrr_no_memory(err);
        goto done;
    }
    if ((status = find_rates(&out->rate, overall, &n_known, counts, &exposure, labels, err)))
        goto done;
    status = fit_law(out, overall, counts, &exposure, labels, n_known, progress, err);
done:
    hrr_free(overall);
    hrr_exposure_clear(&exposure);
    if (status) hrr_count_model_clear(out);
    return status;
}

hrr_status hrr_count_rates_fit(hrr_count_model *model, const hrr_block_counts *counts,
                               const hrr_count_labels *labels, hrr_error *err)
{
    hrr_exposure exposure = {0};
    uint64_t n_known;
    double *overall = hrr_alloc(counts->n_blocks, sizeof *overall);
    hrr_status status =
        overall ? hrr_exposure_init(&exposure, counts, labels->graph_ids, err) : hrr_no_memory(err);
    if (!status)
        status = find_rates(&model->rate, overall, &n_known, counts, &exposure, labels, err);
    hrr_free(overall);
    hrr_exposure_clear(&exposure);
    return status;
}

/* ---- likelihood ------------------------------------------------------------------------------ */

hrr_status hrr_counts_check(const hrr_block_counts *counts, uint64_t n_nodes, hrr_error *err)
{
    if (counts->n_nodes != n_nodes)
        return hrr_fail(err, HRR_EDATA,
                        "there are counts for %" PRIu64 " nodes, but the graph has %" PRIu64,
                        counts->n_nodes, n_nodes);
    if (!counts->n_blocks) return hrr_fail(err, HRR_EDATA, "the counts have no blocks");
    if (!(counts->eps > 0) || isinf(counts->eps))
        return hrr_fail(err, HRR_EINVAL, "the epsilon of the noise of the counts must be above 0");
    return HRR_OK;
}

/* Adds sign ln P(counts | group) to a column. Nothing was counted: nothing is said. */
static void add_group(hrr_dense *out, uint64_t column, float sign, const hrr_count_tables *t,
                      const hrr_count_model *model, const hrr_block_counts *counts,
                      const hrr_exposure *exposure, int threads)
{
#pragma omp parallel for schedule(static) num_threads(threads)
    for (uint64_t i = 0; i < counts->n_nodes; i++) {
        double by_level[n_levels];
        if (!is_counted(counts, i)) continue;
        hrr_count_look_up(by_level, t, counts, i, hrr_exposure_of(exposure, i));
        ((float *)out->data)[i * out->cols + column] +=
            sign * (float)hrr_count_sum_levels(NULL, by_level, model->level_share);
    }
}

hrr_status hrr_count_log_likelihood(hrr_dense *out, const hrr_count_model *model,
                                    const hrr_block_counts *counts, const uint32_t *graph_ids,
                                    int threads, hrr_error *err)
{
    const uint32_t n_blocks = counts->n_blocks;
    const bool several = model->output == HRR_OUTPUT_SIGMOID;
    const uint64_t n = counts->n_nodes, n_rows = model->rate.rows;
    hrr_count_tables t = {0};
    hrr_exposure exposure = {0};
    *out = (hrr_dense){0};
    hrr_status status = hrr_counts_check(counts, n, err);
    if (!status && model->rate.cols != n_blocks)
        status =
            hrr_fail(err, HRR_EDATA,
                     "there are counts in %" PRIu32 " blocks, but the model was fitted to %" PRIu64
                     "; use a release like the one that the model was trained on",
                     n_blocks, model->rate.cols);
    if (!status) status = hrr_dense_init(out, HRR_F32, n, several ? n_rows / 2 : n_rows, err);
    if (!status) status = hrr_count_tables_init(&t, counts, true, err);
    if (!status) status = hrr_exposure_init(&exposure, counts, graph_ids, err);
    threads = hrr_threads(threads);
    for (uint64_t row = 0; row < n_rows && !status; row++) {
        hrr_count_tables_fill(&t, (const double *)model->rate.data + row * n_blocks,
                              scale_of(model, row), model->shape, counts->eps);
        add_group(out, several ? row / 2 : row, several && row % 2 ? -1 : 1, &t, model, counts,
                  &exposure, threads);
    }
    hrr_count_tables_clear(&t);
    hrr_exposure_clear(&exposure);
    if (status) hrr_dense_clear(out);
    return status;
}
