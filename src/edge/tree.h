/* tree.h: a dendrogram in motion, for chains that rearrange it by local moves.
 *
 * A move takes an internal node y that is not the root, with children i and j, and the other child
 * k of its parent x: ((i, j), k) becomes ((i, k), j) or ((j, k), i). Edges between blocks of leaves
 * are counted in up to three families (public edges, those of them between candidates, private
 * edges), each an adjacency matrix.
 *
 * Workload: a hundred to a thousand moves are looked at for each node, most of them near the
 * leaves; a look reads the adjacency of the smallest of the three blocks, the other counts follow
 * by subtraction. A subtree is known by its first leaf and its size, so that moving a block of
 * leaves changes nothing below it. tree_nodes.h opens it up for the chain of one family. */
#ifndef HRR_EDGE_TREE_H
#define HRR_EDGE_TREE_H

#include "edge/dendrogram.h"
#include <heterorr/matrix.h>

enum { HRR_FAMILY_FIRST = 0, HRR_FAMILY_SECOND, HRR_FAMILY_THIRD, HRR_MOST_FAMILIES };

typedef struct hrr_tree hrr_tree;

/* From a tree at rest. families[f]: symmetric n x n adjacency without values, entries may repeat;
 * they stay the caller's and outlive the tree. weights[f]: n bytes of 0 and 1, which leaves count
 * for family f; NULL: all; weights itself NULL: all for every family. O(n log n + m). */
hrr_status hrr_tree_thaw(hrr_tree **out, const hrr_dendrogram *start, int n_families,
                         const hrr_csr *const families[], const uint8_t *const weights[],
                         hrr_error *err);
hrr_status hrr_tree_freeze(hrr_dendrogram *out, const hrr_tree *tree, hrr_error *err);
void hrr_tree_free(hrr_tree *tree);

/* One move, looked at. Subscripts of the comment above: edges between blocks and leaves that count,
 * by family. After the move y' = (i, k) and x' = ((i, k), j). */
typedef struct hrr_tree_move {
    uint32_t y;   /* internal node, not the root */
    bool swapped; /* i is the right child of y, j the left one */
    uint64_t edges_ij[HRR_MOST_FAMILIES], edges_ik[HRR_MOST_FAMILIES], edges_jk[HRR_MOST_FAMILIES];
    uint64_t leaves_i[HRR_MOST_FAMILIES], leaves_j[HRR_MOST_FAMILIES], leaves_k[HRR_MOST_FAMILIES];
} hrr_tree_move;

/* Internal nodes are 0..n-2; their numbers survive moves (y stays the lower of the two that a move
 * changes) and do not survive freezing. */
uint32_t hrr_tree_root(const hrr_tree *tree);
uint32_t hrr_tree_parent(const hrr_tree *tree, uint32_t internal); /* not of the root */
void hrr_tree_look(hrr_tree_move *out, const hrr_tree *tree, uint32_t y, bool swapped);
void hrr_tree_apply(hrr_tree *tree, const hrr_tree_move *move);

/* Edges and pairs of leaves that count, split at an internal node. */
uint64_t hrr_tree_edges(const hrr_tree *tree, uint32_t internal, int family);
uint64_t hrr_tree_pairs(const hrr_tree *tree, uint32_t internal, int family);

#endif
