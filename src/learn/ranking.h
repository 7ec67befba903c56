/* ranking.h: how well scores rank the positives. */
#ifndef HRR_LEARN_RANKING_H
#define HRR_LEARN_RANKING_H

#include <heterorr/base.h>

/* The probability that a positive scores higher than a negative, ties counted half, and the mean
 * precision over the positives in the order of falling scores, ties taken together. NAN if all are
 * of one kind. positive: n bytes of 0 and 1. Errors: HRR_ENOMEM. Cost: O(n log n). */
HRR_STATUS hrr_rank_quality(double *auc, double *average_precision, const float *scores,
                            const uint8_t *positive, uint64_t n, hrr_error *err);

#endif
