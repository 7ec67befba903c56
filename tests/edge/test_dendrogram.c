/* The dendrogram at rest: blocks, lowest common ancestors and candidate pairs, against brute force
 * over all pairs of leaves. */
#include "support/check.h"
#include "support/dendrograms.h"
#include "edge/dendrogram.h"
#include "base/memory.h"

#include <string.h>

/* The internal nodes that have the two leaves on different sides. */
static uint32_t splitting_nodes(const hrr_dendrogram *tree, uint32_t u, uint32_t v, uint32_t *last)
{
    const uint32_t p = tree->position[u], q = tree->position[v];
    const uint32_t first = p < q ? p : q, second = p < q ? q : p;
    uint32_t n = 0;
    for (uint32_t r = 0; r + 1 < tree->n_leaves; r++)
        if (tree->begin[r] <= first && first < tree->middle[r] && tree->middle[r] <= second &&
            second < tree->end[r])
            n++, *last = r;
    return n;
}

static void test_dendrogram__completes_blocks_from_leaves_and_middles(void **state)
{
    (void)state;
    for (uint32_t n = 1; n <= 40; n++) {
        hrr_dendrogram tree, again;
        random_tree(&tree, n, n);
        assert_ok(hrr_dendrogram_init(&again, n, NULL));
        memcpy(again.leaf, tree.leaf, n * sizeof *tree.leaf);
        memcpy(again.middle, tree.middle, (n - 1) * sizeof *tree.middle);
        assert_true(hrr_dendrogram_complete(&again));
        assert_memory_equal(again.begin, tree.begin, (n - 1) * sizeof *tree.begin);
        assert_memory_equal(again.end, tree.end, (n - 1) * sizeof *tree.end);
        for (uint32_t p = 0; p < n; p++)
            assert_int_equal(again.position[again.leaf[p]], p);
        hrr_dendrogram_clear(&tree);
        hrr_dendrogram_clear(&again);
    }
}

static void test_dendrogram__refuses_what_is_no_tree(void **state)
{
    (void)state;
    hrr_dendrogram tree;
    random_tree(&tree, 5, 1);
    const uint32_t middle = tree.middle[0], leaf = tree.leaf[0];
    tree.middle[0] = 0;
    assert_false(hrr_dendrogram_complete(&tree));
    tree.middle[0] = 5;
    assert_false(hrr_dendrogram_complete(&tree));
    tree.middle[0] = middle;
    tree.leaf[0] = tree.leaf[1];
    assert_false(hrr_dendrogram_complete(&tree));
    tree.leaf[0] = 5;
    assert_false(hrr_dendrogram_complete(&tree));
    tree.leaf[0] = leaf;
    assert_true(hrr_dendrogram_complete(&tree));
    hrr_dendrogram_clear(&tree);
}

static void test_dendrogram__counts_every_pair_once(void **state)
{
    (void)state;
    enum { most = 131 };
    for (uint32_t n = 2; n <= most;
         n += n < 35 ? 1 : 32) { /* up to four blocks of gaps, and a bit */
        hrr_dendrogram tree;
        random_tree(&tree, n, 100 + n);
        assert_true(hrr_dendrogram_complete(&tree));
        uint64_t counts[most];
        for (uint32_t u = 0; u < n; u++)
            for (uint32_t v = u + 1; v < n; v++) {
                uint32_t expected = 0;
                assert_int_equal(splitting_nodes(&tree, u, v, &expected), 1);
                assert_ok(hrr_dendrogram_count(counts, &tree, 1, &u, &v, NULL));
                for (uint32_t r = 0; r + 1 < n; r++)
                    assert_int_equal(counts[r], r == expected);
            }
        hrr_dendrogram_clear(&tree);
    }
}

static void test_dendrogram__candidate_pairs_match_brute_force(void **state)
{
    (void)state;
    enum { n = 17 };
    const uint32_t source[] = {0, 0, 2, 3, 9}, target[] = {1, 16, 4, 12, 10};
    uint8_t some[n];
    for (uint32_t i = 0; i < n; i++)
        some[i] = i % 3 != 1;
    for (int with = 0; with < 2; with++) {
        const hrr_edge_public known = {.n_nodes = n,
                                       .n_edges = 5,
                                       .source = source,
                                       .target = target,
                                       .candidates = with ? some : NULL};
        hrr_dendrogram tree;
        random_tree(&tree, n, 7);
        assert_true(hrr_dendrogram_complete(&tree));
        uint64_t pairs[n - 1], expected[n - 1] = {0};
        for (uint32_t u = 0; u < n; u++)
            for (uint32_t v = u + 1; v < n; v++) {
                bool counts = !with || (some[u] && some[v]);
                for (int e = 0; e < 5; e++)
                    counts &= !(source[e] == u && target[e] == v);
                uint32_t r = 0;
                splitting_nodes(&tree, u, v, &r);
                expected[r] += counts;
            }
        assert_ok(hrr_dendrogram_candidate_pairs(pairs, &tree, &known, NULL));
        assert_memory_equal(pairs, expected, sizeof pairs);
        hrr_dendrogram_clear(&tree);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_dendrogram__completes_blocks_from_leaves_and_middles),
        cmocka_unit_test(test_dendrogram__refuses_what_is_no_tree),
        cmocka_unit_test(test_dendrogram__counts_every_pair_once),
        cmocka_unit_test(test_dendrogram__candidate_pairs_match_brute_force),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
