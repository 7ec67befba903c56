/* head_answer.h: what a public head says to one row. Its own evaluation, and not a product of
 * matrices: sums run in a fixed order, so that an answer depends on the row alone, and not on the
 * rows beside it, the number of threads or the processor. */
#ifndef HRR_FEATURE_HEAD_ANSWER_H
#define HRR_FEATURE_HEAD_ANSWER_H

#include <heterorr/feature.h>

/* A head whose columns lie together, in memory of its own. */
typedef struct hrr_answerer {
    hrr_dense hidden; /* h x d: transposed; empty for a linear head */
    hrr_dense output; /* C x d (or h) */
    double *bias;     /* h hidden ones, then C */
} hrr_answerer;

/* Errors: HRR_EINVAL naming `features.head` for a head that is none, or takes another number of
 * features; HRR_ENOMEM. */
hrr_status hrr_answerer_init(hrr_answerer *out, const hrr_head *head, uint64_t n_features,
                             hrr_error *err);
void hrr_answerer_clear(hrr_answerer *answerer);

/* Doubles of scratch that hrr_answerer_scores() needs. */
size_t hrr_answerer_scratch(const hrr_answerer *answerer);

/* score: C doubles; x: d. */
void hrr_answerer_scores(double *score, const hrr_answerer *answerer, const double *x,
                         double *scratch);

/* The class with the largest score, the first of several. A score that is not a number is never
 * larger, so that every row has an answer. */
static inline uint32_t hrr_likeliest_answer(const double *score, uint32_t k)
{
    uint32_t best = 0;
    for (uint32_t j = 1; j < k; j++)
        if (score[j] > score[best]) best = j;
    return best;
}

#endif
