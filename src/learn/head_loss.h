/* head_loss.h: the loss of a head and its gradient. */
#ifndef HRR_LEARN_HEAD_LOSS_H
#define HRR_LEARN_HEAD_LOSS_H

#include "learn/head.h"

/* Room for one evaluation over n rows. */
typedef struct hrr_head_loss_scratch {
    double *hidden;       /* n x h */
    double *hidden_delta; /* n x h */
    double *delta;        /* n x C */
} hrr_head_loss_scratch;

hrr_status hrr_head_loss_scratch_init(hrr_head_loss_scratch *out, const hrr_head *head, uint64_t n,
                                      hrr_error *err) HRR_CHECKED;
void hrr_head_loss_scratch_clear(hrr_head_loss_scratch *scratch);

/* Mean cross-entropy of softmax against target (n x C, rows that sum to 1), or mean binary
 * cross-entropy of sigmoid over rows and outputs, plus weight_decay / 2 times the squared norm of
 * the weights (not the biases). gradient has the head's shape and receives the derivatives. Cost:
 * O(n (d h + h C)). */
double hrr_head_loss(hrr_head *gradient, const hrr_head *head, const double *x,
                     const double *target, uint64_t n, double weight_decay,
                     hrr_head_loss_scratch *scratch);

#endif
