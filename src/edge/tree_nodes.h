/* tree_nodes.h: what a dendrogram in motion is made of, and a look at a move of one family,
 * inlined: chains spend their time here.
 *
 * A node holds, for each of its two children, all that a look needs: a look touches two nodes, y
 * and its parent, each one cache line, and then the adjacency of one block. The left child's block
 * comes first; which child is left means nothing to the tree, so a move may exchange them. */
#ifndef HRR_EDGE_TREE_NODES_H
#define HRR_EDGE_TREE_NODES_H

#include "edge/tree.h"

#include <stdalign.h>

#define HRR_LEAF_BIT (UINT32_C(1) << 31) /* a child that is leaf v is written as bit | v */
#define HRR_NO_NODE UINT32_MAX

/* One child of a node. */
typedef struct hrr_tree_branch {
    uint32_t first;  /* the leaf where its block begins */
    uint32_t size;   /* leaves in it */
    uint32_t volume; /* what reading its adjacency costs: entries, over all families */
    uint32_t child;
} hrr_tree_branch;

typedef struct hrr_tree_node {
    alignas(64) hrr_tree_branch side[2];
    uint32_t parent;
    uint32_t unused;
    uint64_t edges; /* of the first family, split here */
    double score;   /* free for the chain: what it thinks of this node */
} hrr_tree_node;
_Static_assert(sizeof(hrr_tree_node) == 64, "one cache line");

struct hrr_tree {
    uint32_t n_leaves, root;
    hrr_tree_node *node;       /* n - 1 */
    uint32_t *leaf, *position; /* n each */
    int n_families;
    const hrr_csr *family[HRR_MOST_FAMILIES]; /* the caller's */
    uint64_t *edges[HRR_MOST_FAMILIES];       /* by node; NULL for the first: node[].edges */
    /* [2 r + side]: leaves that count below that child; NULL: all, the branch says it. */
    uint32_t *counting[HRR_MOST_FAMILIES];
    void *node_block; /* what node is an aligned part of */
};

/* What thaw takes, in full. */
typedef struct hrr_tree_parts {
    const hrr_dendrogram *shape;
    int n_families;
    const hrr_csr *family[HRR_MOST_FAMILIES];
    const uint8_t *chosen[HRR_MOST_FAMILIES];  /* leaves that count, or NULL */
    const uint32_t *weight[HRR_MOST_FAMILIES]; /* how much a leaf counts, or NULL */
    const uint64_t *counts;                    /* edges of the first family by node, if known */
} hrr_tree_parts;

hrr_status hrr_tree_build(hrr_tree **out, const hrr_tree_parts *parts, hrr_error *err);

/* Write the tree over a dendrogram of the same size, and the first family's edges by its nodes
 * (counts may be NULL). */
void hrr_tree_store(hrr_dendrogram *out, uint64_t *counts, const hrr_tree *tree);

/* How many entries of the rows of some leaves stand in the block of so many leaves from `to`. */
static inline uint64_t hrr_tree_count_rows(const hrr_tree *tree, const hrr_csr *family,
                                           const uint32_t *leaf, uint32_t n_leaves, uint32_t to,
                                           uint32_t to_size)
{
    const uint32_t *position = tree->position, *col = family->col, *end = leaf + n_leaves;
    const uint64_t *row_start = family->row_start;
    uint64_t n = 0;
    for (; leaf < end; leaf++)
        for (uint64_t k = row_start[*leaf]; k < row_start[*leaf + 1]; k++)
            n += position[col[k]] - to < to_size;
    return n;
}

/* Edges of a family between the leaves of two blocks, by reading the first one's adjacency. A block
 * of one leaf is known by name: nothing has to be looked up before its row is read. */
static inline uint64_t hrr_tree_count_between(const hrr_tree *tree, const hrr_csr *family,
                                              uint32_t from_first, uint32_t from_size,
                                              uint32_t to_first, uint32_t to_size)
{
    const uint32_t to = tree->position[to_first];
    if (from_size == 1) return hrr_tree_count_rows(tree, family, &from_first, 1, to, to_size);
    return hrr_tree_count_rows(tree, family, tree->leaf + tree->position[from_first], from_size, to,
                               to_size);
}

/* The three blocks of a move. */
typedef struct hrr_tree_place {
    const hrr_tree_node *y, *x;
    uint32_t x_name;
    int i, j, k; /* sides: i and j of y, k of x */
} hrr_tree_place;

static inline hrr_tree_place hrr_tree_at(const hrr_tree *tree, uint32_t y, bool swapped)
{
    hrr_tree_place at = {.y = tree->node + y, .i = swapped, .j = !swapped};
    at.x_name = at.y->parent;
    at.x = tree->node + at.x_name;
    at.k = at.x->side[0].child == y;
    return at;
}

/* Edges between i and k, of `edges_x` between y and k. */
static inline uint64_t hrr_tree_edges_ik(const hrr_tree *tree, const hrr_csr *family,
                                         const hrr_tree_place *at, uint64_t edges_x)
{
    if (edges_x == 0) return 0;
    const hrr_tree_branch i = at->y->side[at->i], j = at->y->side[at->j], k = at->x->side[at->k];
    if (j.volume < i.volume && j.volume < k.volume)
        return edges_x - hrr_tree_count_between(tree, family, j.first, j.size, k.first, k.size);
    if (i.volume < k.volume)
        return hrr_tree_count_between(tree, family, i.first, i.size, k.first, k.size);
    return hrr_tree_count_between(tree, family, k.first, k.size, i.first, i.size);
}

/* Rearrange; then y splits edges_ik of the first family and its parent the rest. Other families
 * are the caller's. */
void hrr_tree_rearrange(hrr_tree *tree, uint32_t y, bool swapped, uint64_t edges_ik);

#endif
