/* need.h: what edgerr-node is told by scores of classes that saw no private edge: the block of each
 * node, and which nodes need their private edges to be counted: those that have to be classified,
 * and of which the scores are not sure. */
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

/* Whether two blocks of a node should share a count (hrr_edge_options.rivals), by how many there
 * are: from three up, because of two the sum of their counts tells how far their difference is to
 * be trusted; and not of more than HRR_MOST_RIVAL_BLOCKS, for the size of the tables that such
 * counts are read by. */
static inline bool hrr_rivals_help(uint32_t n_classes)
{
    return n_classes >= 3 && n_classes <= HRR_MOST_RIVAL_BLOCKS;
}

/* Fill rivals (n x 2): the two likeliest classes of a node, which it is most often asked to choose
 * between. Nodes whose class is known, as in hrr_need(), get the same class twice: they count
 * plainly, and the law of plain counts is learnt from them.
 *
 * Guarantee: as hrr_need(); the label of a node is not looked at if it is not known. */
void hrr_rivals(uint32_t *rivals, const hrr_dense *logits, const int32_t *classes,
                const uint8_t *split);

/* All of it: blocks (hrr_likely_classes()), need and, unless NULL, rivals, which stay as they are
 * if classes is NULL. */
hrr_status hrr_blocks_of_scores(uint32_t *blocks, uint32_t *need, uint32_t *rivals,
                                const hrr_dense *scores, const int32_t *classes,
                                const uint8_t *split, hrr_error *err) HRR_CHECKED;

#endif
