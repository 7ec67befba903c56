/* pair_numbers.h: what the numbers of one release tell about one pair to somebody who knows every
 * other edge: those that the pair moves, less what the other edges put into them. */
#ifndef HRR_AUDIT_PAIR_NUMBERS_H
#define HRR_AUDIT_PAIR_NUMBERS_H

#include "audit/trials.h"
#include <heterorr/edge.h>

typedef enum hrr_numbers_kind {
    HRR_NUMBERS_NONE,
    HRR_NUMBERS_TREE,       /* the count at the lowest common ancestor of the ends */
    HRR_NUMBERS_TREE_DRAWN, /* the same, and how many pairs of nodes that ancestor splits: the tree
                               is drawn from private edges, and those that have an edge stand nearer
                               to each other */
    HRR_NUMBERS_NODES,      /* the counts at both ends */
    HRR_NUMBERS_NODES_APART /* the same, each less another count of the same node */
} hrr_numbers_kind;

/* By what the release has; the plan that it was drawn with says how its tree was made. */
hrr_numbers_kind hrr_pair_numbers_kind(const hrr_edge_release *release, const hrr_edge_plan *plan);
/* How many numbers a kind has; HRR_TRIAL_WIDTH at most. */
uint32_t hrr_pair_numbers_width(hrr_numbers_kind kind);

/* rest: the private edges without the pair. Counts less the rest are noise, and noise plus one if
 * the pair has an edge: small where the two are hard to tell apart, so that a float holds them.
 * Errors: HRR_ENOMEM. */
hrr_status hrr_pair_numbers(float *out, hrr_numbers_kind kind, const hrr_edge_release *release,
                            const hrr_edge_secret *rest, const uint32_t pair[2], hrr_error *err);

#endif
