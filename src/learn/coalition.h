/* coalition.h: the worth of a coalition of features, v(S) = mean over b of f(x_S, b_rest), for many
 * coalitions at once. Sees the head as a black box. */
#ifndef HRR_LEARN_COALITION_H
#define HRR_LEARN_COALITION_H

#include "learn/explain.h"

typedef struct hrr_coalition_scratch hrr_coalition_scratch;

hrr_status hrr_coalition_scratch_new(hrr_coalition_scratch **out, const hrr_explain_task *task,
                                     hrr_error *err) HRR_CHECKED;
void hrr_coalition_scratch_free(hrr_coalition_scratch *scratch);

/* worth (n x C); member (n x d) is 1 where the feature belongs to the coalition, else 0.
 * Cost: n B evaluations of the head. */
void hrr_coalition_worth(double *worth, const hrr_explain_task *task, const double *x,
                         const uint8_t *member, uint64_t n, hrr_coalition_scratch *scratch);

#endif
