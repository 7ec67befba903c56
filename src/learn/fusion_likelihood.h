/* fusion_likelihood.h: how likely labels are under weighted terms, with derivatives in the weights.
 */
#ifndef HRR_LEARN_FUSION_LIKELIHOOD_H
#define HRR_LEARN_FUSION_LIKELIHOOD_H

#include "learn/fusion.h"

enum { HRR_FUSION_PIECES = 64 }; /* fixed, and added in their order */

/* A node to learn from. */
typedef struct hrr_fusion_row {
    uint64_t node;
    uint32_t fold;
} hrr_fusion_row;

typedef struct hrr_fusion_problem {
    const float *term[HRR_MOST_TERMS]; /* n x C each */
    uint32_t n_terms;
    const hrr_targets *targets;
    double stay, stray; /* P(released as it is), P(released as a given other) of a label */
    const double *prior;
    double pull;     /* of the prior: minus the second derivative of what it takes off the score */
    uint32_t n_held; /* the first terms whose weights are not looked for */
    hrr_fusion_row *rows;
    uint64_t n_rows;
    double *space; /* HRR_FUSION_PIECES x C */
    int threads;
} hrr_fusion_problem;

/* Rows of all folds; of all but one; of one. */
typedef struct hrr_fusion_rows {
    enum { HRR_FOLDS_ALL, HRR_FOLDS_BUT, HRR_FOLDS_ONLY } which;
    uint32_t fold;
} hrr_fusion_rows;

typedef struct hrr_fusion_sums {
    double score;
    double gradient[HRR_MOST_TERMS];
    double curvature[HRR_MOST_TERMS][HRR_MOST_TERMS]; /* expected minus second derivatives */
} hrr_fusion_sums;

/* The log-likelihood of the released labels, summed over rows in order. */
void hrr_fusion_likelihood(hrr_fusion_sums *out, const hrr_fusion_problem *problem,
                           const double *weight, hrr_fusion_rows rows);

#endif
