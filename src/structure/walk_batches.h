/* walk_batches.h: which rows of the walk matrices to compute together. */
#ifndef HRR_STRUCTURE_WALK_BATCHES_H
#define HRR_STRUCTURE_WALK_BATCHES_H

#include "structure/walk_pair.h"

/* The only neighbour of a node, if it is the same in both graphs; n otherwise. Such a node i
 * repeats the row of its neighbour k one hop later: row i of P^h is row k of P^(h-1) in both
 * graphs, and so is their distance. */
uint64_t hrr_only_neighbour(const hrr_walk_pair *pair, uint64_t node);

/* All nodes: first the others, *n_rows of them, those who walk over the same ground together, then
 * those that have such a neighbour. order: n. O(n + m). Errors: HRR_ENOMEM. */
hrr_status hrr_walk_order(uint32_t *order, uint64_t *n_rows, const hrr_walk_pair *pair,
                          hrr_error *err);

#endif
