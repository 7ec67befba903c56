/* ranking.c: how well scores order positives before negatives. */
#include <heterorr/learn.h>

#include "base/memory.h"
#include "learn/ranking.h"

#include <math.h>
#include <stdlib.h>

typedef struct ranked {
    float score;
    uint8_t positive;
} ranked;

static int by_falling_score(const void *a, const void *b)
{
    const float x = ((const ranked *)a)->score, y = ((const ranked *)b)->score;
    return (x < y) - (x > y);
}

/* Walk down the scores, all of one value at a time: the order among equals means nothing. */
hrr_status hrr_rank_quality(double *auc, double *average_precision, const float *scores,
                            const uint8_t *positive, uint64_t n, hrr_error *err)
{
    *auc = *average_precision = NAN;
    ranked *order = hrr_alloc(n, sizeof *order);
    if (!order) return hrr_no_memory(err);
    uint64_t n_positive = 0;
    for (uint64_t i = 0; i < n; i++) {
        order[i] = (ranked){scores[i], positive[i]};
        n_positive += positive[i];
    }
    const uint64_t n_negative = n - n_positive;
    if (n_positive && n_negative) {
        double pairs = 0, precision = 0;
        uint64_t above = 0, seen = 0; /* positives, and all, so far */
        qsort(order, n, sizeof *order, by_falling_score);
        for (uint64_t i = 0, end; i < n; i = end) {
            uint64_t here = 0;
            for (end = i; end < n && !(order[end].score < order[i].score); end++)
                here += order[end].positive;
            const uint64_t negatives = end - i - here;
            pairs += ((double)above + 0.5 * (double)here) * (double)negatives;
            above += here;
            seen = end;
            precision += (double)here * (double)above / (double)seen;
        }
        *auc = pairs / ((double)n_positive * (double)n_negative);
        *average_precision = precision / (double)n_positive;
    }
    hrr_free(order);
    return HRR_OK;
}
