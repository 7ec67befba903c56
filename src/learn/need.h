/* need.h: which nodes need their private edges to be counted: those that have to be classified, and
 * of which a network that saw no private edge is not sure. */
#ifndef HRR_LEARN_NEED_H
#define HRR_LEARN_NEED_H

#include <heterorr/learn.h>

/* Fill need[0 .. n) with ranks, each number below n once.
 *
 * A node whose class is known (of the training or the validation part; classes NULL: none is) needs
 * less than any other, but for half of the validation part, chosen by a public hash: they are
 * treated as the nodes that are to be classified, so that what counts are worth can be measured on
 * them. Otherwise the node of which the network is less sure needs more; between equal ones the one
 * with the larger number.
 *
 * Guarantee: a function of its arguments alone, none of which may come from private edges.
 * Cost:      O(n log n + n classes). Errors: HRR_ENOMEM. */
hrr_status hrr_need(uint32_t *need, const hrr_dense *logits, const int32_t *classes,
                    const uint8_t *split, hrr_error *err) HRR_CHECKED;

#endif
