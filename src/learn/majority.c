/* majority.c: what a guess reaches that looks at no node: the floor of every table of accuracies.
 *
 * One class a node: the most frequent class of the training nodes, for everybody. Several labels a
 * node: the set of labels that, given to every training node, has the largest micro F1 there. With
 * f_c the share of training nodes that have label c, giving the k most frequent ones to all has
 *
 *     F1 = 2 (f_1 + ... + f_k) / (k + sum of all f),
 *
 * and a set that is not the k most frequent has a smaller numerator. */
#include "learn/targets.h"
#include "base/memory.h"

#include <stdlib.h>

typedef struct frequency {
    uint64_t count;
    uint32_t label;
} frequency;

/* The most frequent first; of equal ones the lowest, which is what makes the guess one. */
static int by_count(const void *a, const void *b)
{
    const frequency *x = a, *y = b;
    if (x->count != y->count) return x->count > y->count ? -1 : 1;
    return x->label < y->label ? -1 : 1;
}

static void count_labels(frequency *labels, const hrr_targets *targets)
{
    for (uint32_t c = 0; c < targets->n_classes; c++)
        labels[c] = (frequency){0, c};
    for (uint64_t i = 0; i < targets->n; i++) {
        if (!hrr_target_counts(targets, i, HRR_TRAIN)) continue;
        if (targets->classes) labels[targets->classes[i]].count++;
        for (uint32_t c = 0; targets->labels && c < targets->n_classes; c++)
            labels[c].count += targets->labels[i * targets->n_classes + c];
    }
    qsort(labels, targets->n_classes, sizeof *labels, by_count);
}

/* How many of the most frequent labels everybody gets. */
static uint32_t guess_size(const frequency *labels, const hrr_targets *targets)
{
    if (targets->classes) return 1;
    const double n = (double)hrr_count_targets(targets, HRR_TRAIN);
    double all = 0, hits = 0, best = 0;
    uint32_t size = 0;
    for (uint32_t c = 0; c < targets->n_classes; c++)
        all += (double)labels[c].count;
    for (uint32_t k = 1; k <= targets->n_classes; k++) {
        hits += (double)labels[k - 1].count;
        const double f1 = hits > 0 ? 2 * hits / (k * n + all) : 0;
        if (f1 > best) best = f1, size = k;
    }
    return size;
}

hrr_status hrr_measure_majority(hrr_metrics parts[3], const int32_t *classes,
                                const hrr_dense *label_matrix, uint32_t n_classes, uint64_t n,
                                const uint8_t *split, hrr_error *err)
{
    const hrr_targets targets = {.n = n,
                                 .n_classes = n_classes,
                                 .classes = classes,
                                 .labels = label_matrix ? label_matrix->data : NULL,
                                 .split = split};
    hrr_dense scores = {0};
    frequency *labels = hrr_alloc(n_classes, sizeof *labels);
    hrr_status status =
        labels ? hrr_dense_init(&scores, HRR_F32, n, n_classes, err) : hrr_no_memory(err);
    if (status) goto done;
    count_labels(labels, &targets);
    const uint32_t size = guess_size(labels, &targets);
    float *const score = scores.data;
    for (uint64_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < n_classes; k++)
            score[i * n_classes + labels[k].label] = k < size ? 1 : -1;
    for (int part = HRR_TRAIN; part <= HRR_TEST && !status; part++)
        status = hrr_measure(&parts[part], &scores, classes, label_matrix, 0, split,
                             (hrr_split)part, err);
done:
    hrr_dense_clear(&scores);
    hrr_free(labels);
    return status;
}
