/* public_tree.h: the tree that public edges give, for methods that go on from it. */
#ifndef HRR_EDGE_PUBLIC_TREE_H
#define HRR_EDGE_PUBLIC_TREE_H

#include "edge/trees.h"

/* hrr_start_public() and options->steps_per_node (0: the default) steps of the public chain for
 * each node. number tells several trees of one plan apart. */
hrr_status hrr_public_tree(hrr_dendrogram *out, uint64_t *steps, const hrr_edge_public *known,
                           const hrr_edge_options *options, uint64_t number, hrr_progress *progress,
                           hrr_error *err);

/* Candidates, and the most pairs that a node of any tree can split: floor(n^2 / 4). */
uint64_t hrr_count_candidates(const hrr_edge_public *known);

#endif
