/* dendrogram.h: a binary tree whose leaves are the nodes of a graph, at rest.
 *
 * The leaves stand in one array, so that every subtree is a block of it. The n - 1 internal nodes
 * are numbered in preorder: 0 is the root, the left child of r is r + 1 if it is internal, the
 * right child is r + (middle[r] - begin[r]). So the leaf order and `middle` say everything. Each
 * gap between two neighbouring leaves is split by exactly one internal node, and the lowest common
 * ancestor of two leaves is the smallest number among the gaps between them.
 *
 * tree.h is the same thing in motion. */
#ifndef HRR_EDGE_DENDROGRAM_H
#define HRR_EDGE_DENDROGRAM_H

#include <heterorr/edge.h>

typedef struct hrr_dendrogram {
    uint32_t n_leaves;  /* >= 1 */
    uint32_t *leaf;     /* n: which graph node stands at a position */
    uint32_t *position; /* n: the inverse */
    /* n - 1 each: internal node r covers positions [begin, end), its left child [begin, middle). */
    uint32_t *begin, *middle, *end;
} hrr_dendrogram;

/* Memory for n leaves; nothing is filled in. */
hrr_status hrr_dendrogram_init(hrr_dendrogram *out, uint32_t n_leaves, hrr_error *err);
void hrr_dendrogram_clear(hrr_dendrogram *tree);
hrr_status hrr_dendrogram_copy(hrr_dendrogram *out, const hrr_dendrogram *tree, hrr_error *err);

/* Fill begin, end and position from leaf and middle (an absolute position, in preorder).
 * False if they describe no tree. */
bool hrr_dendrogram_complete(hrr_dendrogram *tree);

/* counts[r] = how many of the edges have r as the lowest common ancestor of their ends: each edge
 * is counted exactly once. n - 1 counts. O(n log n + m) time, at most 16 bytes a leaf. */
hrr_status hrr_dendrogram_count(uint64_t *counts, const hrr_dendrogram *tree, uint64_t n_edges,
                                const uint32_t *source, const uint32_t *target, hrr_error *err);

/* The same for the edges of a symmetric adjacency without self-loops; repeated entries count. */
hrr_status hrr_dendrogram_count_rows(uint64_t *counts, const hrr_dendrogram *tree,
                                     const hrr_csr *adjacency, hrr_error *err);

/* *out: n + 1 numbers, the candidates among the leaves before each position; hrr_free(). */
hrr_status hrr_dendrogram_candidates_before(uint32_t **out, const hrr_dendrogram *tree,
                                            const hrr_edge_public *known, hrr_error *err);

/* pairs[r] = candidate pairs that r splits: pairs of candidates, one on each side, that are no
 * public edge. Public. */
hrr_status hrr_dendrogram_candidate_pairs(uint64_t *pairs, const hrr_dendrogram *tree,
                                          const hrr_edge_public *known, hrr_error *err);

#endif
