/* pieces.h: a dendrogram cut into pieces that can be rearranged independently of each other.
 *
 * A piece is a connected set of internal nodes. What hangs below it is, for its moves, a leaf: a
 * weight (how many leaves of the graph) and edges to the other leaves of the piece. An edge matters
 * to the one piece that holds the lowest common ancestor of its ends. So pieces share nothing, and
 * each fits a cache.
 *
 * Which pieces there are is decided by freezing internal nodes at random: a frozen node keeps its
 * children for this round, and the pieces are what remains connected. A move inside a piece leaves
 * the frozen nodes and the pieces' nodes what they are, and the freezing looks at nothing but the
 * number of nodes: a move and the move back meet the same cut equally often. That is what makes a
 * chain that works on pieces exact. */
#ifndef HRR_EDGE_PIECES_H
#define HRR_EDGE_PIECES_H

#include "edge/tree_nodes.h"

typedef struct hrr_piece {
    uint32_t root;        /* preorder number in the tree that was cut */
    uint32_t n_internal;  /* nodes in the piece */
    uint32_t n_holes;     /* subtrees of other classes below it */
    uint32_t more_than;   /* leaves that every node of this class has more than */
    uint64_t steps;       /* what the chain is to do here; 0: the piece stays as it is */
    hrr_dendrogram shape; /* of its own leaves 0, 1, ...; n_leaves 0: as it was */
    uint64_t *counts;     /* edges by internal node of shape */
    /* With holes: where leaf l of the piece began in the tree (and one past the last), and which
     * piece it stands for (HRR_NO_NODE: a leaf of the tree). NULL: leaf l was at root's begin + l.
     */
    uint32_t *start, *stands_for;
} hrr_piece;

typedef struct hrr_pieces {
    uint32_t n_pieces;
    hrr_piece *piece;   /* by root, ascending: a piece comes before those that hang below it */
    uint32_t *piece_of; /* by internal node */
} hrr_pieces;

/* Freeze each node with probability 1 / one_in; 0: none, the tree is one piece. */
hrr_status hrr_pieces_cut(hrr_pieces *out, const hrr_dendrogram *tree, uint64_t one_in,
                          hrr_fast_random *random, hrr_error *err);
void hrr_pieces_clear(hrr_pieces *pieces);

/* A tree in motion of one piece, with the adjacency that it reads. */
typedef struct hrr_piece_tree {
    hrr_tree *tree;
    hrr_csr adjacency;
    uint32_t *weight;
} hrr_piece_tree;

/* Fill piece->shape and its likes, and thaw it. Reads the tree, writes the piece alone. */
hrr_status hrr_piece_thaw(hrr_piece_tree *out, hrr_piece *piece, const hrr_pieces *pieces,
                          const hrr_dendrogram *tree, const uint64_t *counts,
                          const hrr_csr *adjacency, hrr_error *err);
/* Store what became of it in the piece. */
void hrr_piece_freeze(hrr_piece *piece, const hrr_piece_tree *from);
void hrr_piece_tree_clear(hrr_piece_tree *what);

/* The tree put together again, from pieces that all were frozen or never thawed. */
hrr_status hrr_pieces_join(hrr_dendrogram *tree, uint64_t *counts, const hrr_pieces *pieces,
                           hrr_error *err);

#endif
