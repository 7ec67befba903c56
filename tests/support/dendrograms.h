/* dendrograms.h: random trees and random edges for the tests of the edge room. */
#ifndef TESTS_SUPPORT_DENDROGRAMS_H
#define TESTS_SUPPORT_DENDROGRAMS_H

#include "support/check.h"
#include "edge/dendrogram.h"
#include "random/fast.h"

/* A random tree: leaves shuffled, blocks cut at random places. */
static inline void random_tree(hrr_dendrogram *tree, uint32_t n, uint64_t seed)
{
    hrr_fast_random random;
    hrr_fast_init(&random, seed, 0);
    assert_ok(hrr_dendrogram_init(tree, n, NULL));
    for (uint32_t p = 0; p < n; p++) {
        const uint32_t q = (uint32_t)hrr_fast_below(&random, p + 1);
        tree->leaf[p] = tree->leaf[q];
        tree->leaf[q] = p;
    }
    if (n > 1) tree->begin[0] = 0, tree->end[0] = n;
    for (uint32_t r = 0; r + 1 < n; r++) {
        const uint32_t begin = tree->begin[r], end = tree->end[r];
        const uint32_t middle = begin + 1 + (uint32_t)hrr_fast_below(&random, end - begin - 1);
        tree->middle[r] = middle;
        if (middle - begin > 1) tree->begin[r + 1] = begin, tree->end[r + 1] = middle;
        const uint32_t right = r + (middle - begin);
        if (end - middle > 1) tree->begin[right] = middle, tree->end[right] = end;
    }
}

/* The nodes in their order, halved again and again; complete. */
static inline void halving_tree(hrr_dendrogram *tree, uint32_t n)
{
    assert_ok(hrr_dendrogram_init(tree, n, NULL));
    for (uint32_t p = 0; p < n; p++)
        tree->leaf[p] = p;
    if (n > 1) tree->begin[0] = 0, tree->end[0] = n;
    for (uint32_t r = 0; r + 1 < n; r++) {
        const uint32_t begin = tree->begin[r], end = tree->end[r], middle = (begin + end) / 2;
        tree->middle[r] = middle;
        if (middle - begin > 1) tree->begin[r + 1] = begin, tree->end[r + 1] = middle;
        const uint32_t right = r + (middle - begin);
        if (end - middle > 1) tree->begin[right] = middle, tree->end[right] = end;
    }
    assert_true(hrr_dendrogram_complete(tree));
}

/* Canonical edges, each pair with probability 1 / one_in; the arrays hold n (n - 1) / 2. Returns
 * how many. */
static inline uint64_t random_edges(uint32_t *source, uint32_t *target, uint32_t n, uint64_t one_in,
                                    uint64_t seed)
{
    hrr_fast_random random;
    hrr_fast_init(&random, seed, 1);
    uint64_t m = 0;
    for (uint32_t u = 0; u < n; u++)
        for (uint32_t v = u + 1; v < n; v++)
            if (hrr_fast_below(&random, one_in) == 0) source[m] = u, target[m++] = v;
    return m;
}

#endif
