/* metrics.c: accuracy, F1 and ranks of predictions, defined as scikit-learn does.
 *
 * F1 of a class is 2 TP / (2 TP + FP + FN), 0 if it has no true positive. Macro is the mean over
 * classes, with one class a node only over those that occur or are predicted; micro adds up the
 * counts first, which with one class a node is the accuracy. */
#include "learn/ranking.h"
#include "learn/targets.h"
#include "base/memory.h"

#include <inttypes.h>
#include <math.h>

typedef struct tally {
    uint64_t hits, false_alarms, misses;
} tally;

static uint32_t largest_of(const float *row, uint32_t n)
{
    uint32_t best = 0;
    for (uint32_t c = 1; c < n; c++)
        if (row[c] > row[best]) best = c;
    return best;
}

/* Returns whether all labels of node i are right. */
static bool count_node(tally *tallies, const float *row, const hrr_targets *targets, uint64_t i,
                       double threshold)
{
    const uint32_t n = targets->n_classes;
    bool right = true;
    if (targets->classes) {
        const uint32_t truth = (uint32_t)targets->classes[i], found = largest_of(row, n);
        if (truth == found) {
            tallies[truth].hits++;
            return true;
        }
        tallies[truth].misses++;
        tallies[found].false_alarms++;
        return false;
    }
    for (uint32_t c = 0; c < n; c++) {
        const bool truth = targets->labels[i * n + c], found = (double)row[c] > threshold;
        tallies[c].hits += truth && found;
        tallies[c].misses += truth && !found;
        tallies[c].false_alarms += !truth && found;
        right = right && truth == found;
    }
    return right;
}

static double f1(tally t)
{
    return t.hits ? 2 * (double)t.hits / (double)(2 * t.hits + t.false_alarms + t.misses) : 0;
}

static void find_f1(hrr_metrics *out, const tally *tallies, const hrr_targets *targets)
{
    tally all = {0};
    double sum = 0;
    uint32_t n_counted = 0;
    for (uint32_t c = 0; c < targets->n_classes; c++) {
        const tally t = tallies[c];
        all.hits += t.hits;
        all.misses += t.misses;
        all.false_alarms += t.false_alarms;
        if (targets->classes && !(t.hits + t.misses + t.false_alarms)) continue;
        sum += f1(t);
        n_counted++;
    }
    out->f1_micro = f1(all);
    out->f1_macro = n_counted ? sum / n_counted : NAN;
}

/* Means over classes that some nodes have and some have not. */
static hrr_status find_ranks(hrr_metrics *out, const float *scores, const hrr_targets *targets,
                             hrr_split part, hrr_error *err)
{
    const uint32_t n_classes = targets->n_classes;
    float *column = hrr_alloc(out->n, sizeof *column);
    uint8_t *positive = hrr_alloc(out->n, sizeof *positive);
    hrr_status status = column && positive ? HRR_OK : hrr_no_memory(err);
    double auc_sum = 0, precision_sum = 0;
    for (uint32_t c = 0; c < n_classes && !status; c++) {
        uint64_t at = 0;
        for (uint64_t i = 0; i < targets->n; i++) {
            if (!hrr_target_counts(targets, i, part)) continue;
            column[at] = scores[i * n_classes + c];
            positive[at++] = targets->classes ? (uint32_t)targets->classes[i] == c
                                              : targets->labels[i * n_classes + c];
        }
        double auc, precision;
        status = hrr_rank_quality(&auc, &precision, column, positive, out->n, err);
        if (isnan(auc))
            out->n_one_sided++;
        else
            auc_sum += auc, precision_sum += precision;
    }
    const uint32_t n_defined = n_classes - out->n_one_sided;
    if (n_defined) {
        out->auc = auc_sum / n_defined;
        out->average_precision = precision_sum / n_defined;
    }
    hrr_free(column);
    hrr_free(positive);
    return status;
}

hrr_status hrr_measure(hrr_metrics *out, const hrr_dense *scores, const int32_t *classes,
                       const hrr_dense *label_matrix, double threshold, const uint8_t *split,
                       hrr_split part, hrr_error *err)
{
    const hrr_targets targets = {.n = scores->rows,
                                 .n_classes = (uint32_t)scores->cols,
                                 .classes = classes,
                                 .labels = label_matrix ? label_matrix->data : NULL,
                                 .split = split};
    const float *const score = scores->data;
    *out = (hrr_metrics){
        .accuracy = NAN, .f1_micro = NAN, .f1_macro = NAN, .auc = NAN, .average_precision = NAN};
    tally *tallies = hrr_alloc_zero(targets.n_classes, sizeof *tallies);
    if (!tallies) return hrr_no_memory(err);
    hrr_status status = HRR_OK;
    uint64_t n_right = 0;
    for (uint64_t i = 0; i < targets.n && !status; i++) {
        if (!hrr_target_counts(&targets, i, part)) continue;
        for (uint32_t c = 0; c < targets.n_classes && !status; c++)
            if (!isfinite(score[i * targets.n_classes + c]))
                status = hrr_fail(err, HRR_EDATA,
                                  "predictions: row %" PRIu64 ", column %" PRIu32
                                  " is not a finite number",
                                  i + 1, c + 1);
        if (status) break;
        n_right += count_node(tallies, score + i * targets.n_classes, &targets, i, threshold);
        out->n++;
    }
    if (!status && out->n) {
        out->accuracy = (double)n_right / (double)out->n;
        find_f1(out, tallies, &targets);
        status = find_ranks(out, score, &targets, part, err);
    }
    hrr_free(tallies);
    return status;
}
