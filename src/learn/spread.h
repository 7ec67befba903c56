/* spread.h: evidence about a node is evidence about its neighbours, too, where edges join like
 * nodes. */
#ifndef HRR_LEARN_SPREAD_H
#define HRR_LEARN_SPREAD_H

#include <heterorr/learn.h>

enum { HRR_SPREAD_STEPS = 2, HRR_SPREAD_TERMS = 1 + HRR_SPREAD_STEPS };

/* terms[0], evidence e (n x C, F32), is given; terms[1] becomes S e and terms[2] S S e, new
 * matrices. S e of a node is the sum over its neighbours in the graph (all its edges), divided by 3
 * more than there are: one neighbour says less than many. A node without edges has zeros. How much
 * each term weighs is for fusion.h to find; 0 is usual for what does not help.
 *
 * Cost: O(m C) time. Memory: two more matrices, a third for a while.
 * Ownership: terms[1] and terms[2] belong to the caller; empty on failure.
 * Errors: HRR_ENOMEM, HRR_ECANCEL. */
hrr_status hrr_spread(hrr_dense terms[HRR_SPREAD_TERMS], const hrr_graph *graph, int threads,
                      hrr_progress *progress, hrr_error *err) HRR_CHECKED;
/* All terms, the given one included. */
void hrr_spread_clear(hrr_dense terms[HRR_SPREAD_TERMS]);

#endif
