/* all_trees.h: every dendrogram with a few leaves, and every graph on them.
 *
 * A tree is known by its clades: the set of leaves below each internal node, as bits. */
#ifndef TESTS_SUPPORT_ALL_TREES_H
#define TESTS_SUPPORT_ALL_TREES_H

#include "support/check.h"
#include "edge/dendrogram.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_SMALL_LEAVES = 6, MOST_SMALL_TREES = 945, MOST_SMALL_PAIRS = 15 };

typedef struct small_tree {
    int n_leaves, n_internal;
    uint32_t left[MOST_SMALL_LEAVES - 1], right[MOST_SMALL_LEAVES - 1]; /* leaves as bits */
} small_tree;

typedef struct small_trees {
    int n;
    small_tree tree[MOST_SMALL_TREES];
} small_trees;

/* Every way to split a set: `first` stays left, so that left and right are not exchanged. Pending
 * sets wait in `todo`. */
static inline void split_all(small_trees *out, small_tree so_far, uint32_t *todo, int n_todo)
{
    while (n_todo > 0 && (todo[n_todo - 1] & (todo[n_todo - 1] - 1)) == 0)
        n_todo--; /* a single leaf */
    if (n_todo == 0) {
        out->tree[out->n++] = so_far;
        return;
    }
    const uint32_t set = todo[n_todo - 1], first = set & -set, rest = set ^ first;
    for (uint32_t with = rest;; with = (with - 1) & rest) { /* subsets of rest that go left */
        const uint32_t left = first | with, right = set ^ left;
        if (right) {
            small_tree next = so_far;
            uint32_t waiting[2 * MOST_SMALL_LEAVES];
            memcpy(waiting, todo, sizeof *todo * (size_t)(n_todo - 1));
            waiting[n_todo - 1] = left;
            waiting[n_todo] = right;
            next.left[next.n_internal] = left;
            next.right[next.n_internal++] = right;
            split_all(out, next, waiting, n_todo + 1);
        }
        if (with == 0) break;
    }
}

static inline small_trees *all_trees(int n_leaves)
{
    small_trees *out = calloc(1, sizeof *out);
    uint32_t todo[2 * MOST_SMALL_LEAVES] = {(1U << n_leaves) - 1};
    split_all(out, (small_tree){.n_leaves = n_leaves}, todo, 1);
    return out;
}

/* ---- graphs: bit p is set if pair p is an edge ---------------------------------------------- */

typedef struct small_pairs {
    int n;
    uint32_t source[MOST_SMALL_PAIRS], target[MOST_SMALL_PAIRS];
} small_pairs;

static inline small_pairs all_pairs(int n_leaves)
{
    small_pairs out = {0};
    for (uint32_t u = 0; u < (uint32_t)n_leaves; u++)
        for (uint32_t v = u + 1; v < (uint32_t)n_leaves; v++) {
            out.source[out.n] = u;
            out.target[out.n++] = v;
        }
    return out;
}

/* Edges of `graph` that internal node r splits. */
static inline uint64_t small_edges(const small_tree *tree, int r, const small_pairs *pairs,
                                   uint32_t graph)
{
    uint64_t n = 0;
    for (int p = 0; p < pairs->n; p++) {
        const uint32_t u = 1U << pairs->source[p], v = 1U << pairs->target[p];
        if (!(graph >> p & 1)) continue;
        n += ((tree->left[r] & u) && (tree->right[r] & v)) ||
             ((tree->left[r] & v) && (tree->right[r] & u));
    }
    return n;
}

static inline uint64_t small_node_pairs(const small_tree *tree, int r)
{
    return (uint64_t)(__builtin_popcount(tree->left[r]) * __builtin_popcount(tree->right[r]));
}

static inline void fill_small(hrr_dendrogram *out, const small_tree *tree, uint32_t set,
                              uint32_t begin, uint32_t *number)
{
    if ((set & (set - 1)) == 0) {
        out->leaf[begin] = (uint32_t)__builtin_ctz(set);
        return;
    }
    for (int r = 0; r < tree->n_internal; r++) {
        if ((tree->left[r] | tree->right[r]) != set) continue;
        const uint32_t middle = begin + (uint32_t)__builtin_popcount(tree->left[r]);
        out->middle[(*number)++] = middle;
        fill_small(out, tree, tree->left[r], begin, number);
        fill_small(out, tree, tree->right[r], middle, number);
        return;
    }
}

/* The same tree as the library has it; clear it. */
static inline hrr_dendrogram small_dendrogram(const small_tree *tree)
{
    hrr_dendrogram out;
    uint32_t number = 0;
    assert_ok(hrr_dendrogram_init(&out, (uint32_t)tree->n_leaves, NULL));
    fill_small(&out, tree, (1U << tree->n_leaves) - 1, 0, &number);
    assert_true(hrr_dendrogram_complete(&out));
    return out;
}

static inline uint32_t clade(const hrr_dendrogram *tree, uint32_t r)
{
    uint32_t set = 0;
    for (uint32_t p = tree->begin[r]; p < tree->end[r]; p++)
        set |= 1U << tree->leaf[p];
    return set;
}

/* Which of all trees it is. */
static inline int small_index(const small_trees *all, const hrr_dendrogram *tree)
{
    for (int t = 0; t < all->n; t++) {
        int n_same = 0;
        for (uint32_t r = 0; r + 1 < tree->n_leaves; r++)
            for (int q = 0; q < all->tree[t].n_internal; q++)
                n_same += (all->tree[t].left[q] | all->tree[t].right[q]) == clade(tree, r);
        if (n_same == all->tree[t].n_internal) return t;
    }
    return -1;
}

/* ---- realised epsilon ------------------------------------------------------------------------ */

/* law[graph * n_outcomes + outcome] over all graphs of n_pairs pairs: the largest log-ratio between
 * two graphs that differ in one pair. Infinite where only one of two probabilities is 0. */
static inline double exact_epsilon(const double *law, int n_pairs, int n_outcomes)
{
    double worst = 0;
    for (uint32_t graph = 0; graph < 1U << n_pairs; graph++)
        for (int p = 0; p < n_pairs; p++)
            for (int o = 0; o < n_outcomes; o++) {
                const double a = law[(size_t)graph * (size_t)n_outcomes + (size_t)o];
                const double b = law[(size_t)(graph ^ 1U << p) * (size_t)n_outcomes + (size_t)o];
                if (a == 0) continue;
                const double ratio = b == 0 ? INFINITY : log(a / b);
                if (ratio > worst) worst = ratio;
            }
    return worst;
}

#endif
