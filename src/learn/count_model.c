/* count_model.c: the class of a node from a model's opinion and the noisy counts of its private
 * neighbours in public blocks (edgerr-node).
 *
 * Bayes: ln P(class | all) = ln P(class | features, public edges) + ln P(noisy counts | class) +
 * ... The first is what a network trained on features and public edges says. For the second, the
 * count of a node of class c in block b is negative binomial with mean
 *
 *     level * rate[c][b]
 *
 * and discrete Laplace noise is added to it. The level is the node's own: some have many edges,
 * some few. It is not known and shared by all its counts, so it is summed over a fixed grid with
 * shares that fit the labelled nodes (expectation maximisation). The shape of the negative
 * binomial, for neighbourhoods that differ within a class, is the likeliest of a few.
 *
 * Where a pair is counted at the end that needs it, a node sees part of its edges
 * (count_exposure.h), and its mean is level * exposure * rate. On a grid of levels that is even in
 * the logarithm, an exposure is a shift: tables are looked up between their levels. The weights
 * below then come from those validation nodes that count pairs as test nodes do.
 *
 * Rates are means of noisy counts of labelled nodes: noise has mean 0. What is left of wrong
 * assumptions shows in validation nodes: the two terms get weights that make their labels likeliest
 * (fusion.h), pulled towards 1, and counts that do not help there weigh nothing.
 *
 * All of it is post-processing of what was released. Workload: n nodes, C classes, B blocks, L
 * levels: n C B L table look-ups, in rows of L so that they run as vectors. */
#include "learn/count_model.h"
#include "learn/count_exposure.h"
#include "learn/fusion.h"
#include "edge/count_law.h"
#include "base/memory.h"
#include "base/size.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum {
    n_levels = HRR_COUNT_LEVELS,
    most_counted = 4096, /* a count beyond that has said what it has to say */
    longest_law = 2 * most_counted,
    share_rounds = 40,
    below_levels = 9 /* levels below the first, for exposures down to .008 */
};
static const double least_rate = .01, first_level = -4, level_step = .54;

/* .018 to 12, evenly in the logarithm. */
static double level_of(int l)
{
    return exp(first_level + level_step * l);
}

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

/* ---- tables ---------------------------------------------------------------------------------- */

/* For one class: ln P(noisy count | level), levels side by side. Counts below 0 say the same about
 * classes and levels as 0 does; those beyond the last row the same as the last row. */
typedef struct tables {
    uint32_t n_blocks;
    size_t n_rows;  /* of a block: counts 0 .. n_rows-1 */
    int n_below;    /* how many levels there are below the first: none where exposures are 1 */
    double *value;  /* n_blocks x n_rows x (n_below + n_levels) */
    double *column; /* n_rows */
    double *law;    /* n_law */
    size_t n_law;
} tables;

static void clear_tables(tables *t)
{
    hrr_free(t->value);
    hrr_free(t->column);
    hrr_free(t->law);
}

static hrr_status init_tables(tables *t, const hrr_block_counts *counts, hrr_error *err)
{
    int64_t most = 0;
    size_t items;
    for (uint64_t k = 0; k < counts->n_nodes * counts->n_blocks; k++)
        if (counts->count[k] > most) most = counts->count[k];
    t->n_blocks = counts->n_blocks;
    t->n_below = counts->need ? below_levels : 0;
    t->n_rows = (size_t)(most < most_counted ? most : most_counted) + 1;
    t->n_law = (size_t)fmin((double)t->n_rows + 40 / counts->eps, longest_law);
    if (t->n_law < t->n_rows) t->n_law = t->n_rows;
    if (!hrr_mul_fits(t->n_blocks, t->n_rows * (size_t)(t->n_below + n_levels), &items))
        return hrr_no_memory(err);
    t->value = hrr_alloc(items, sizeof *t->value);
    t->column = hrr_alloc(t->n_rows, sizeof *t->column);
    t->law = hrr_alloc(t->n_law, sizeof *t->law);
    return t->value && t->column && t->law ? HRR_OK : hrr_no_memory(err);
}

static void fill_tables(tables *t, const double *rate, double shape, double eps)
{
    const int width = t->n_below + n_levels;
    for (uint32_t b = 0; b < t->n_blocks; b++)
        for (int l = 0; l < width; l++) {
            const double mean = fmin(level_of(l - t->n_below) * rate[b], most_counted);
            hrr_count_table(t->column, t->n_rows, t->law, t->n_law, mean, shape, eps);
            for (size_t x = 0; x < t->n_rows; x++)
                t->value[((size_t)b * t->n_rows + x) * (size_t)width + (size_t)l] = t->column[x];
        }
}

/* Levels side by side at an exposure: `row` is that of its table, shifted down by the exposure's
 * logarithm. Exposures below the table's say as little as its lowest level. */
static void add_exposed(double *by_level, const double *row, int n_below, double exposure)
{
    const double shift = fmin(exposure > 0 ? -log(exposure) / level_step : n_below, n_below);
    const int whole = (int)shift < n_below ? (int)shift : n_below - 1;
    const double part = shift - whole;
    const double *at = row + n_below - whole;
    for (int l = 0; l < n_levels; l++)
        by_level[l] += (1 - part) * at[l] + part * at[l - 1];
}

/* by_level[l] = ln P(counts of a node | class of the tables, level l), a term apart that neither
 * depends on. exposure: of the node to each block; NULL: 1. */
static void look_up(double *by_level, const tables *t, const int64_t *count, const double *exposure)
{
    const int width = t->n_below + n_levels;
    memset(by_level, 0, n_levels * sizeof *by_level);
    for (uint32_t b = 0; b < t->n_blocks; b++) {
        const size_t x = count[b] < 0                      ? 0
                         : (uint64_t)count[b] >= t->n_rows ? t->n_rows - 1
                                                           : (size_t)count[b];
        const double *row = t->value + ((size_t)b * t->n_rows + x) * (size_t)width;
        if (exposure)
            add_exposed(by_level, row, t->n_below, exposure[b]);
        else
            for (int l = 0; l < n_levels; l++)
                by_level[l] += row[l];
    }
}

/* ln of the sum of share e^by_level; the terms' parts of the sum go to `part`, unless NULL. */
static double sum_levels(double *part, const double *by_level, const double *share)
{
    double top = by_level[0], sum = 0, term[n_levels];
    for (int l = 1; l < n_levels; l++)
        top = fmax(top, by_level[l]);
    for (int l = 0; l < n_levels; l++)
        sum += term[l] = share[l] * exp(by_level[l] - top);
    for (int l = 0; part && l < n_levels; l++)
        part[l] = term[l] / sum;
    return top + log(sum);
}

/* ---- fit ------------------------------------------------------------------------------------- */

/* A labelled node that a count model may learn from: training and validation. */
static bool is_known(const hrr_targets *targets, const hrr_block_counts *counts, uint64_t i)
{
    const bool part =
        hrr_target_counts(targets, i, HRR_TRAIN) || hrr_target_counts(targets, i, HRR_VALID);
    return part && (!counts->counted || counts->counted[i]);
}

/* Sums of counts over the labelled nodes of each class, and of what they were exposed to (both C x
 * n_blocks, zeros at first). Returns how many such nodes there are. */
static uint64_t add_up(double *sums, double *seen, const hrr_block_counts *counts,
                       const hrr_exposure *exposure, const hrr_targets *targets)
{
    const uint32_t n_blocks = counts->n_blocks;
    uint64_t n_known = 0;
    for (uint64_t i = 0; i < counts->n_nodes; i++) {
        if (!is_known(targets, counts, i)) continue;
        const uint64_t at = (uint64_t)targets->classes[i] * n_blocks;
        const double *exposed = hrr_exposure_of(exposure, i);
        for (uint32_t b = 0; b < n_blocks; b++) {
            sums[at + b] += (double)counts->count[i * n_blocks + b];
            seen[at + b] += exposed ? exposed[b] : 1;
        }
        n_known++;
    }
    return n_known;
}

/* Sums become means, pulled to the mean of all classes by as much as one node. */
static void estimate_rates(hrr_dense *rate, const double *seen, uint64_t n_nodes)
{
    const uint64_t n_classes = rate->rows, n_blocks = rate->cols;
    const double most = fmin((double)n_nodes, most_counted);
    double *sums = rate->data;
    for (uint64_t b = 0; b < n_blocks; b++) {
        double sum = 0, all = 0;
        for (uint64_t c = 0; c < n_classes; c++) {
            sum += sums[c * n_blocks + b];
            all += seen[c * n_blocks + b];
        }
        const double overall = fmax(sum / fmax(all, 1), 2 * least_rate);
        for (uint64_t c = 0; c < n_classes; c++) {
            double *r = &sums[c * n_blocks + b];
            *r = fmin(fmax((*r + overall) / (seen[c * n_blocks + b] + 1), least_rate), most);
        }
    }
}

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
            likelihood += sum_levels(part, by_level + k * n_levels, share);
            for (int l = 0; l < n_levels; l++)
                sum[l] += part[l];
        }
        for (int l = 0; l < n_levels; l++) /* no level is ruled out by labelled nodes alone */
            share[l] = (sum[l] + 1e-3) / ((double)n + 1e-3 * n_levels);
    }
    return likelihood;
}

/* Shape and shares of levels, from what the labelled nodes' own classes say. */
static hrr_status fit_law(hrr_count_model *model, const hrr_block_counts *counts,
                          const hrr_exposure *exposure, const hrr_targets *targets,
                          uint64_t n_known, hrr_progress *progress, hrr_error *err)
{
    static const double shapes[] = {.5, 1, 2, 4, 8, INFINITY};
    enum { n_shapes = sizeof shapes / sizeof *shapes };
    const uint32_t n_blocks = counts->n_blocks;
    double share[n_levels], best = -INFINITY, *by_level = NULL;
    tables t = {0};
    size_t items;
    hrr_status status = init_tables(&t, counts, err);
    if (!status && (!hrr_mul_fits(n_known, n_levels, &items) ||
                    !(by_level = hrr_alloc(items, sizeof *by_level))))
        status = hrr_no_memory(err);
    hrr_progress_begin(progress, "fitting the law of counts", n_shapes);
    for (int s = 0; s < n_shapes && !status; s++) {
        uint64_t k = 0;
        for (uint32_t c = 0; c < targets->n_classes; c++) {
            fill_tables(&t, (const double *)model->rate.data + (uint64_t)c * n_blocks, shapes[s],
                        counts->eps);
            for (uint64_t i = 0; i < counts->n_nodes; i++)
                if (targets->classes[i] == (int32_t)c && is_known(targets, counts, i))
                    look_up(by_level + k++ * n_levels, &t, counts->count + i * n_blocks,
                            hrr_exposure_of(exposure, i));
        }
        const double likelihood = fit_shares(share, by_level, n_known);
        if (likelihood > best) {
            best = likelihood;
            model->shape = shapes[s];
            memcpy(model->level_share, share, sizeof share);
        }
        status = hrr_progress_advance(progress, 1, err);
    }
    hrr_free(by_level);
    clear_tables(&t);
    return status;
}

/* ---- likelihood ------------------------------------------------------------------------------ */

static hrr_status check_counts(const hrr_block_counts *counts, uint64_t n_nodes, hrr_error *err)
{
    if (counts->n_nodes != n_nodes)
        return hrr_fail(err, HRR_EDATA,
                        "there are counts of %" PRIu64 " nodes, but %" PRIu64 " nodes",
                        counts->n_nodes, n_nodes);
    if (!counts->n_blocks) return hrr_fail(err, HRR_EDATA, "counts into no blocks say nothing");
    if (!(counts->eps > 0) || isinf(counts->eps))
        return hrr_fail(err, HRR_EINVAL, "the epsilon of the counts' noise must be above 0");
    return HRR_OK;
}

hrr_status hrr_count_log_likelihood(hrr_dense *out, const hrr_count_model *model,
                                    const hrr_block_counts *counts, int threads, hrr_error *err)
{
    const uint32_t n_blocks = counts->n_blocks;
    const uint64_t n = counts->n_nodes, n_classes = model->rate.rows;
    tables t = {0};
    hrr_exposure exposure = {0};
    *out = (hrr_dense){0};
    hrr_status status = check_counts(counts, n, err);
    if (!status && model->rate.cols != n_blocks)
        status =
            hrr_fail(err, HRR_EDATA,
                     "there are counts into %" PRIu32 " blocks, the model was fitted to %" PRIu64
                     "; use a release like the one it was trained on",
                     n_blocks, model->rate.cols);
    if (!status) status = hrr_dense_init(out, HRR_F32, n, n_classes, err);
    if (!status) status = init_tables(&t, counts, err);
    if (!status) status = hrr_exposure_init(&exposure, counts, err);
    threads = hrr_threads(threads);
    for (uint64_t c = 0; c < n_classes && !status; c++) {
        fill_tables(&t, (const double *)model->rate.data + c * n_blocks, model->shape, counts->eps);
#pragma omp parallel for schedule(static) num_threads(threads)
        for (uint64_t i = 0; i < n; i++) {
            double by_level[n_levels], value = 0; /* nothing was counted: says nothing */
            if (!counts->counted || counts->counted[i]) {
                look_up(by_level, &t, counts->count + i * n_blocks, hrr_exposure_of(&exposure, i));
                value = sum_levels(NULL, by_level, model->level_share);
            }
            ((float *)out->data)[i * n_classes + c] = (float)value;
        }
    }
    clear_tables(&t);
    hrr_exposure_clear(&exposure);
    if (status) hrr_dense_clear(out);
    return status;
}

/* ---- weights --------------------------------------------------------------------------------- */

/* chosen[i]: node i sees as much of its edges as a test node may, which is to say its need is not
 * below that of every test node. */
static void choose_owners(uint8_t *chosen, const hrr_block_counts *counts,
                          const hrr_targets *targets)
{
    uint32_t least = UINT32_MAX;
    bool some = false;
    for (uint64_t i = 0; i < targets->n; i++)
        if (targets->split[i] == HRR_TEST) {
            least = counts->need[i] < least ? counts->need[i] : least;
            some = true;
        }
    for (uint64_t i = 0; i < targets->n; i++)
        chosen[i] = !some || counts->need[i] >= least;
}

static hrr_status fit_weights(hrr_count_model *model, const hrr_dense *logits,
                              const hrr_dense *likelihood, const hrr_block_counts *counts,
                              const hrr_targets *targets, int threads, hrr_error *err)
{
    hrr_fusion_options how;
    hrr_fusion found = {0};
    uint8_t *chosen = NULL;
    if (counts->need && !(chosen = hrr_alloc(targets->n, 1))) return hrr_no_memory(err);
    if (chosen) choose_owners(chosen, counts, targets);
    hrr_fusion_options_init(&how);
    how.chosen = chosen;
    how.threads = threads;
    hrr_status status = hrr_fusion_fit(&found, logits, likelihood, 1, targets, &how, err);
    model->weight_model = found.weight[0];
    model->weight_counts = found.weight[1];
    hrr_free(chosen);
    return status;
}

/* ---- together -------------------------------------------------------------------------------- */

static hrr_status check_fit(const hrr_dense *logits, const hrr_block_counts *counts,
                            const int32_t *classes, uint32_t n_classes, const uint8_t *split,
                            hrr_error *err)
{
    if (!classes || !split)
        return hrr_fail(err, HRR_EDATA,
                        "the law of the counts is learnt from labelled nodes: one class a node and "
                        "a split are needed");
    if (logits->dtype != HRR_F32 || logits->cols != n_classes || n_classes < 2)
        return hrr_fail(err, HRR_EINVAL, "the model has %" PRIu64 " classes, the labels %" PRIu32,
                        logits->cols, n_classes);
    for (uint64_t i = 0; i < logits->rows; i++)
        if (classes[i] >= (int32_t)n_classes)
            return hrr_fail(err, HRR_EDATA, "node %" PRIu64 " is of class %d, beyond the last", i,
                            classes[i]);
    return check_counts(counts, logits->rows, err);
}

hrr_status hrr_count_model_fit(hrr_count_model *out, const hrr_dense *logits,
                               const hrr_block_counts *counts, const int32_t *classes,
                               uint32_t n_classes, const uint8_t *split, int threads,
                               hrr_progress *progress, hrr_error *err)
{
    hrr_dense likelihood = {0};
    hrr_exposure exposure = {0};
    double *seen = NULL;
    uint64_t n_known;
    *out = (hrr_count_model){0};
    hrr_status status = check_fit(logits, counts, classes, n_classes, split, err);
    if (status) return status;
    const hrr_targets targets = {
        .n = logits->rows, .n_classes = n_classes, .classes = classes, .split = split};
    if ((status = hrr_dense_init(&out->rate, HRR_F64, n_classes, counts->n_blocks, err))) goto done;
    if ((status = hrr_exposure_init(&exposure, counts, err))) goto done;
    seen = hrr_alloc_zero((size_t)counts->n_blocks * n_classes, sizeof *seen);
    if (!seen) {
        status = hrr_no_memory(err);
        goto done;
    }
    n_known = add_up(out->rate.data, seen, counts, &exposure, &targets);
    estimate_rates(&out->rate, seen, counts->n_nodes);
    if (!n_known) {
        status = hrr_fail(err, HRR_EDATA, "no counted node has a label to learn from");
        goto done;
    }
    if ((status = fit_law(out, counts, &exposure, &targets, n_known, progress, err))) goto done;
    if ((status = hrr_count_log_likelihood(&likelihood, out, counts, threads, err))) goto done;
    status = fit_weights(out, logits, &likelihood, counts, &targets, threads, err);
done:
    hrr_free(seen);
    hrr_exposure_clear(&exposure);
    hrr_dense_clear(&likelihood);
    if (status) hrr_count_model_clear(out);
    return status;
}

hrr_status hrr_count_model_apply(hrr_dense *logits, const hrr_count_model *model,
                                 const hrr_block_counts *counts, int threads, hrr_error *err)
{
    hrr_dense likelihood;
    hrr_status status = check_counts(counts, logits->rows, err);
    if (!status && logits->cols != model->rate.rows)
        status =
            hrr_fail(err, HRR_EDATA, "the counts were fitted to %" PRIu64 " classes, not %" PRIu64,
                     model->rate.rows, logits->cols);
    if (!status) status = hrr_count_log_likelihood(&likelihood, model, counts, threads, err);
    if (status) return status;
    const hrr_fusion fusion = {.n_terms = 2, .weight = {model->weight_model, model->weight_counts}};
    hrr_fusion_apply(logits, &fusion, &likelihood, HRR_OUTPUT_SOFTMAX, threads);
    hrr_dense_clear(&likelihood);
    return HRR_OK;
}
