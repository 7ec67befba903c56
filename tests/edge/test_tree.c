/* The dendrogram in motion against brute force: every move of random trees, and thousands of moves
 * one after another, in three families of edges with leaves that count and leaves that do not. */
#include "support/brutal.h"
#include "support/check.h"
#include "support/dendrograms.h"
#include "edge/tree.h"
#include "graph/adjacency.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 40 };

/* A tree with its families and their weights. */
typedef struct forest {
    uint32_t n;
    hrr_dendrogram start;
    hrr_csr matrix[HRR_MOST_FAMILIES];
    const hrr_csr *family[HRR_MOST_FAMILIES];
    uint8_t chosen[HRR_MOST_FAMILIES][MOST];
    const uint8_t *weight[HRR_MOST_FAMILIES];
    hrr_tree *tree;
} forest;

/* The first family counts every leaf, the others some. */
static void plant(forest *out, uint32_t n, uint64_t seed)
{
    uint32_t source[MOST * MOST], target[MOST * MOST];
    *out = (forest){.n = n};
    random_tree(&out->start, n, seed);
    assert_true(hrr_dendrogram_complete(&out->start));
    for (int f = 0; f < HRR_MOST_FAMILIES; f++) {
        const uint64_t m =
            random_edges(source, target, n, 2 + 2 * (uint64_t)f, seed * 10 + (uint64_t)f);
        assert_ok(hrr_adjacency_of_edges(&out->matrix[f], n, m, source, target, NULL));
        out->family[f] = &out->matrix[f];
        for (uint32_t v = 0; v < n; v++)
            out->chosen[f][v] = (v + (uint32_t)f) % 3 != 0;
        out->weight[f] = f == 0 ? NULL : out->chosen[f];
    }
    assert_ok(
        hrr_tree_thaw(&out->tree, &out->start, HRR_MOST_FAMILIES, out->family, out->weight, NULL));
}

static void fell(forest *what)
{
    hrr_tree_free(what->tree);
    hrr_dendrogram_clear(&what->start);
    for (int f = 0; f < HRR_MOST_FAMILIES; f++)
        hrr_csr_clear(&what->matrix[f]);
}

static bool counts(const forest *in, int f, uint32_t v)
{
    return !in->weight[f] || in->weight[f][v];
}

static bool has_edge(const forest *in, int f, uint32_t u, uint32_t v)
{
    const hrr_csr *a = &in->matrix[f];
    for (uint64_t k = a->row_start[u]; k < a->row_start[u + 1]; k++)
        if (a->col[k] == v) return true;
    return false;
}

/* Edges and counting leaves of two sets of leaves, given as bits. */
static uint64_t edges_between(const forest *in, int f, uint64_t a, uint64_t b)
{
    uint64_t n = 0;
    for (uint32_t u = 0; u < in->n; u++)
        for (uint32_t v = 0; v < in->n; v++)
            n += (a >> u & 1) && (b >> v & 1) && has_edge(in, f, u, v);
    return n;
}

static uint64_t counting(const forest *in, int f, uint64_t set)
{
    uint64_t n = 0;
    for (uint32_t v = 0; v < in->n; v++)
        n += (set >> v & 1) && counts(in, f, v);
    return n;
}

/* The leaves of positions begin..end-1. */
static uint64_t set_of(const hrr_dendrogram *tree, uint32_t begin, uint32_t end)
{
    uint64_t set = 0;
    for (uint32_t p = begin; p < end; p++)
        set |= UINT64_C(1) << tree->leaf[p];
    return set;
}

/* Does the tree have an internal node with exactly these two children? */
static bool has_split(const hrr_dendrogram *tree, uint64_t a, uint64_t b)
{
    for (uint32_t r = 0; r + 1 < tree->n_leaves; r++) {
        const uint64_t left = set_of(tree, tree->begin[r], tree->middle[r]);
        const uint64_t right = set_of(tree, tree->middle[r], tree->end[r]);
        if ((left == a && right == b) || (left == b && right == a)) return true;
    }
    return false;
}

/* Thaw numbers internal nodes as the tree at rest does, so the blocks of a fresh tree are known. */
static void test_tree__a_look_counts_what_brute_force_counts(void **state)
{
    (void)state;
    for (uint32_t n = 3; n <= 24; n += 3) {
        forest at;
        plant(&at, n, n);
        const hrr_dendrogram *start = &at.start;
        for (uint32_t y = 1; y + 1 < n; y++) {
            const uint32_t x = hrr_tree_parent(at.tree, y);
            const uint64_t left = set_of(start, start->begin[y], start->middle[y]);
            const uint64_t right = set_of(start, start->middle[y], start->end[y]);
            const uint64_t k = set_of(start, start->begin[x], start->end[x]) & ~(left | right);
            for (int swapped = 0; swapped < 2; swapped++) {
                const uint64_t i = swapped ? right : left, j = swapped ? left : right;
                hrr_tree_move move;
                hrr_tree_look(&move, at.tree, y, swapped);
                for (int f = 0; f < HRR_MOST_FAMILIES; f++) {
                    assert_int_equal(move.edges_ij[f], edges_between(&at, f, i, j));
                    assert_int_equal(move.edges_ik[f], edges_between(&at, f, i, k));
                    assert_int_equal(move.edges_jk[f], edges_between(&at, f, j, k));
                    assert_int_equal(move.leaves_i[f], counting(&at, f, i));
                    assert_int_equal(move.leaves_j[f], counting(&at, f, j));
                    assert_int_equal(move.leaves_k[f], counting(&at, f, k));
                }
                /* Apply it to a tree of its own: two splits change, the others stay. */
                hrr_tree *moved;
                hrr_dendrogram after;
                assert_ok(
                    hrr_tree_thaw(&moved, start, HRR_MOST_FAMILIES, at.family, at.weight, NULL));
                hrr_tree_apply(moved, &move);
                assert_ok(hrr_tree_freeze(&after, moved, NULL));
                assert_true(has_split(&after, i, k));
                assert_true(has_split(&after, i | k, j));
                for (uint32_t r = 0; r + 1 < n; r++)
                    if (r != x && r != y)
                        assert_true(has_split(&after,
                                              set_of(start, start->begin[r], start->middle[r]),
                                              set_of(start, start->middle[r], start->end[r])));
                hrr_dendrogram_clear(&after);
                hrr_tree_free(moved);
            }
        }
        fell(&at);
    }
}

/* Every count of the moving tree against a fresh count of the frozen one. The numbers of internal
 * nodes do not survive freezing, so the counts are compared as sorted pairs (edges, pairs). */
static int by_both(const void *a, const void *b)
{
    return memcmp(a, b, 2 * sizeof(uint64_t));
}

static void assert_recount(const forest *at)
{
    hrr_dendrogram rest;
    hrr_tree *fresh;
    assert_ok(hrr_tree_freeze(&rest, at->tree, NULL));
    assert_ok(hrr_tree_thaw(&fresh, &rest, HRR_MOST_FAMILIES, at->family, at->weight, NULL));
    for (int f = 0; f < HRR_MOST_FAMILIES; f++) {
        uint64_t moving[MOST][2], counted[MOST][2];
        for (uint32_t r = 0; r + 1 < at->n; r++) {
            moving[r][0] = hrr_tree_edges(at->tree, r, f);
            moving[r][1] = hrr_tree_pairs(at->tree, r, f);
            counted[r][0] = hrr_tree_edges(fresh, r, f);
            counted[r][1] = hrr_tree_pairs(fresh, r, f);
            assert_int_equal(counted[r][0],
                             edges_between(at, f, set_of(&rest, rest.begin[r], rest.middle[r]),
                                           set_of(&rest, rest.middle[r], rest.end[r])));
        }
        qsort(moving, at->n - 1, sizeof moving[0], by_both);
        qsort(counted, at->n - 1, sizeof counted[0], by_both);
        assert_memory_equal(moving, counted, (at->n - 1) * sizeof moving[0]);
    }
    hrr_tree_free(fresh);
    hrr_dendrogram_clear(&rest);
}

static void test_tree__counts_survive_thousands_of_moves(void **state)
{
    (void)state;
    for (uint32_t n = 3; n <= MOST; n += 9) {
        forest at;
        plant(&at, n, 50 + n);
        hrr_fast_random random;
        hrr_fast_init(&random, n, 2);
        for (int step = 1; step <= 4000; step++) {
            uint32_t y = (uint32_t)hrr_fast_below(&random, n - 2);
            if (y >= hrr_tree_root(at.tree)) y++;
            hrr_tree_move move;
            hrr_tree_look(&move, at.tree, y, hrr_fast_u64(&random) & 1);
            hrr_tree_apply(at.tree, &move);
            if (step < 20 || step % 1000 == 0) assert_recount(&at);
        }
        fell(&at);
    }
}

/* Applied twice with the roles turned, a move is undone. */
static void test_tree__a_move_has_a_way_back(void **state)
{
    (void)state;
    forest at;
    plant(&at, 20, 5);
    for (uint32_t y = 1; y < 19; y++) {
        const uint32_t x = hrr_tree_parent(at.tree, y);
        const uint64_t edges_y = hrr_tree_edges(at.tree, y, 0),
                       pairs_y = hrr_tree_pairs(at.tree, y, 0);
        hrr_dendrogram before, after;
        hrr_tree_move move, back;
        assert_ok(hrr_tree_freeze(&before, at.tree, NULL));
        hrr_tree_look(&move, at.tree, y, false);
        hrr_tree_apply(at.tree, &move);
        bool found = false;
        for (int swapped = 0; swapped < 2 && !found; swapped++) {
            hrr_tree_look(&back, at.tree, y, swapped);
            found = back.edges_ik[0] == move.edges_ij[0] && back.edges_ij[0] == move.edges_ik[0] &&
                    back.leaves_i[0] == move.leaves_i[0] && back.leaves_k[0] == move.leaves_j[0];
        }
        assert_true(found);
        hrr_tree_apply(at.tree, &back);
        assert_int_equal(hrr_tree_parent(at.tree, y), x);
        assert_int_equal(hrr_tree_edges(at.tree, y, 0), edges_y);
        assert_int_equal(hrr_tree_pairs(at.tree, y, 0), pairs_y);
        assert_ok(hrr_tree_freeze(&after, at.tree, NULL));
        for (uint32_t r = 0; r < 19; r++)
            assert_true(has_split(&after, set_of(&before, before.begin[r], before.middle[r]),
                                  set_of(&before, before.middle[r], before.end[r])));
        hrr_dendrogram_clear(&before);
        hrr_dendrogram_clear(&after);
    }
    fell(&at);
}

static void test_tree__one_and_two_leaves_thaw_and_freeze(void **state)
{
    (void)state;
    for (uint32_t n = 1; n <= 2; n++) {
        const uint32_t source = 0, target = 1;
        hrr_dendrogram start, after;
        hrr_csr matrix;
        hrr_tree *tree;
        random_tree(&start, n, 1);
        assert_true(hrr_dendrogram_complete(&start));
        assert_ok(hrr_adjacency_of_edges(&matrix, n, n - 1, &source, &target, NULL));
        const hrr_csr *family[] = {&matrix};
        assert_ok(hrr_tree_thaw(&tree, &start, 1, family, NULL, NULL));
        if (n == 2) {
            assert_int_equal(hrr_tree_edges(tree, 0, 0), 1);
            assert_int_equal(hrr_tree_pairs(tree, 0, 0), 1);
        }
        assert_ok(hrr_tree_freeze(&after, tree, NULL));
        assert_memory_equal(after.leaf, start.leaf, n * sizeof *start.leaf);
        hrr_dendrogram_clear(&after);
        hrr_tree_free(tree);
        hrr_csr_clear(&matrix);
        hrr_dendrogram_clear(&start);
    }
}

static hrr_status thaw_and_freeze(void *user)
{
    const forest *at = user;
    hrr_tree *tree;
    hrr_dendrogram rest;
    hrr_status status =
        hrr_tree_thaw(&tree, &at->start, HRR_MOST_FAMILIES, at->family, at->weight, NULL);
    if (status) return status;
    status = hrr_tree_freeze(&rest, tree, NULL);
    hrr_tree_free(tree);
    if (!status) hrr_dendrogram_clear(&rest);
    return status;
}

static void test_tree__every_allocation_may_fail(void **state)
{
    (void)state;
    forest at;
    plant(&at, 9, 3);
    assert_true(brutal(thaw_and_freeze, &at) > 10);
    fell(&at);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tree__a_look_counts_what_brute_force_counts),
        cmocka_unit_test(test_tree__counts_survive_thousands_of_moves),
        cmocka_unit_test(test_tree__a_move_has_a_way_back),
        cmocka_unit_test(test_tree__one_and_two_leaves_thaw_and_freeze),
        cmocka_unit_test(test_tree__every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
