/* The public start: always a tree, the same for any number of threads, and a good one. */
#include "support/brutal.h"
#include "support/dendrograms.h"
#include "support/files.h"
#include "edge/start_match.h"
#include "edge/trees.h"

#include <heterorr/io.h>
#include <math.h>
#include <stdlib.h>

static void assert_tree(hrr_dendrogram *tree, uint32_t n)
{
    assert_int_equal(tree->n_leaves, n);
    assert_true(hrr_dendrogram_complete(tree));
}

static double likelihood(const hrr_dendrogram *tree, const hrr_edge_public *known)
{
    double out;
    assert_ok(
        hrr_dendrogram_likelihood(&out, tree, known->n_edges, known->source, known->target, NULL));
    return out;
}

static void test_start__tiny_and_empty_graphs(void **state)
{
    (void)state;
    static const uint32_t source[] = {0, 0, 1}, target[] = {1, 2, 2};
    for (uint32_t n = 1; n <= 9; n++)
        for (uint64_t m = 0; m <= (n < 2 ? 0 : n == 2 ? 1 : 3); m++) {
            const hrr_edge_public known = {
                .n_nodes = n, .n_edges = m, .source = source, .target = target};
            hrr_dendrogram tree;
            assert_ok(hrr_start_public(&tree, &known, 1, 2, NULL, NULL));
            assert_tree(&tree, n);
            hrr_dendrogram_clear(&tree);
        }
}

/* The leaves of a star see the same neighbour: together first, the centre last, likelihood 0. */
static void test_start__star_is_explained_in_full(void **state)
{
    (void)state;
    enum { n = 200 };
    uint32_t source[n], target[n];
    for (uint32_t v = 1; v < n; v++)
        source[v - 1] = 0, target[v - 1] = v;
    const hrr_edge_public known = {
        .n_nodes = n, .n_edges = n - 1, .source = source, .target = target};
    hrr_dendrogram tree;
    assert_ok(hrr_start_public(&tree, &known, 1, 1, NULL, NULL));
    assert_tree(&tree, n);
    assert_true(likelihood(&tree, &known) == 0);
    hrr_dendrogram_clear(&tree);
}

static void test_start__cliques_are_explained_in_full(void **state)
{
    (void)state;
    enum { n = 60, size = 6 };
    uint32_t source[n * size], target[n * size];
    uint64_t m = 0;
    for (uint32_t u = 0; u < n; u++)
        for (uint32_t v = u + 1; v < n; v++)
            if (u % (n / size) == v % (n / size)) source[m] = u, target[m++] = v;
    const hrr_edge_public known = {.n_nodes = n, .n_edges = m, .source = source, .target = target};
    hrr_dendrogram tree;
    assert_ok(hrr_start_public(&tree, &known, 1, 1, NULL, NULL));
    assert_tree(&tree, n);
    assert_true(likelihood(&tree, &known) == 0);
    hrr_dendrogram_clear(&tree);
}

static void test_start__threads_change_nothing_and_seeds_do(void **state)
{
    (void)state;
    enum { n = 700 };
    uint32_t *source = malloc(n * n * 2), *target = malloc(n * n * 2);
    const hrr_edge_public known = {.n_nodes = n,
                                   .n_edges = random_edges(source, target, n, 60, 5),
                                   .source = source,
                                   .target = target};
    hrr_dendrogram one, two, other;
    assert_ok(hrr_start_public(&one, &known, 3, 1, NULL, NULL));
    assert_ok(hrr_start_public(&two, &known, 3, 4, NULL, NULL));
    assert_ok(hrr_start_public(&other, &known, 4, 1, NULL, NULL));
    assert_tree(&one, n);
    assert_memory_equal(one.leaf, two.leaf, n * sizeof *one.leaf);
    assert_memory_equal(one.middle, two.middle, (n - 1) * sizeof *one.middle);
    assert_memory_not_equal(one.leaf, other.leaf, n * sizeof *one.leaf);
    hrr_dendrogram_clear(&one);
    hrr_dendrogram_clear(&two);
    hrr_dendrogram_clear(&other);
    free(source), free(target);
}

static uint64_t add_to_digest(uint64_t digest, const uint32_t *value, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        digest = (digest ^ value[i]) * UINT64_C(0x100000001b3); /* FNV-1a, a number at a time */
    return digest;
}

/* Rows of two hundred entries, of which a sample is compared, and of a few. The trees are those of
 * the first version that had them: whoever makes them faster does not change releases. */
static void test_start__trees_are_what_they_always_were(void **state)
{
    (void)state;
    enum { n = 700 };
    static const uint64_t expected[] = {0x76480c023ee9d57b, 0xfc1d0132509cef8f};
    uint32_t *source = malloc(n * n * 2), *target = malloc(n * n * 2);
    for (int dense = 0; dense < 2; dense++) {
        const hrr_edge_public known = {.n_nodes = n,
                                       .n_edges =
                                           random_edges(source, target, n, dense ? 3 : 90, 8),
                                       .source = source,
                                       .target = target};
        hrr_dendrogram tree;
        assert_ok(hrr_start_public(&tree, &known, 3, 1, NULL, NULL));
        uint64_t digest = add_to_digest(UINT64_C(0xcbf29ce484222325), tree.leaf, n);
        digest = add_to_digest(digest, tree.middle, n - 1);
        assert_int_equal(digest, expected[dense]);
        hrr_dendrogram_clear(&tree);
    }
    free(source), free(target);
}

/* Every round leaves at most five sixths of the clusters that have an edge. */
static void test_start__matching_is_symmetric_and_large(void **state)
{
    (void)state;
    enum { n = 300 };
    uint32_t *source = malloc(n * n * 2), *target = malloc(n * n * 2), mate[n];
    for (uint64_t one_in = 2; one_in <= 512; one_in *= 4) {
        const hrr_edge_public known = {.n_nodes = n,
                                       .n_edges = random_edges(source, target, n, one_in, one_in),
                                       .source = source,
                                       .target = target};
        hrr_coarse graph;
        assert_ok(hrr_coarse_init(&graph, &known, NULL));
        assert_ok(hrr_coarse_match(mate, &graph, 1, 2, NULL, NULL));
        uint32_t with_edge = 0, matched = 0;
        for (uint32_t c = 0; c < n; c++) {
            with_edge += graph.row[c].length > 0;
            if (mate[c] == HRR_NO_CLUSTER) continue;
            matched++;
            assert_int_equal(mate[mate[c]], c);
            assert_true(mate[c] != c && graph.row[c].length > 0);
        }
        assert_true(3 * matched >= with_edge);
        hrr_coarse_clear(&graph);
    }
    free(source), free(target);
}

static hrr_status start_once(void *user)
{
    hrr_dendrogram tree;
    hrr_status status = hrr_start_public(&tree, user, 1, 1, NULL, NULL);
    if (!status) hrr_dendrogram_clear(&tree);
    return status;
}

static void test_start__survives_lack_of_memory(void **state)
{
    (void)state;
    uint32_t source[400], target[400];
    hrr_edge_public known = {.n_nodes = 24,
                             .n_edges = random_edges(source, target, 24, 4, 1),
                             .source = source,
                             .target = target};
    assert_true(brutal(start_once, &known) > 10);
    /* rows long enough to be sampled */
    enum { n = 150 };
    uint32_t *many = malloc(n * n * sizeof *many), *others = malloc(n * n * sizeof *others);
    known = (hrr_edge_public){.n_nodes = n,
                              .n_edges = random_edges(many, others, n, 2, 1),
                              .source = many,
                              .target = others};
    assert_true(brutal(start_once, &known) > 10);
    free(many), free(others);
}

static void test_start__can_be_cancelled(void **state)
{
    (void)state;
    uint32_t source[400], target[400];
    const hrr_edge_public known = {.n_nodes = 24,
                                   .n_edges = random_edges(source, target, 24, 4, 1),
                                   .source = source,
                                   .target = target};
    hrr_progress *progress;
    assert_ok(hrr_progress_new(&progress, NULL, NULL, NULL));
    hrr_progress_cancel(progress);
    hrr_dendrogram tree;
    assert_int_equal(hrr_start_public(&tree, &known, 1, 1, progress, NULL), HRR_ECANCEL);
    hrr_progress_free(progress);
}

/* A chain from a random tree needs about 1000 steps a node to reach -761,100 here. */
static void test_start__passes_a_long_chain_on_real_data(void **state)
{
    (void)state;
    hrr_graph *graph;
    hrr_read_options options;
    hrr_read_options_init(&options);
    assert_ok(hrr_graph_read(&graph, real_data("structure/CA-HepPh.pairs"), &options, NULL, NULL));
    const hrr_edge_public known = {.n_nodes = hrr_graph_n_nodes(graph),
                                   .n_edges = hrr_graph_n_edges(graph),
                                   .source = hrr_graph_sources(graph),
                                   .target = hrr_graph_targets(graph)};
    hrr_dendrogram tree;
    assert_ok(hrr_start_public(&tree, &known, 1, 1, NULL, NULL));
    assert_true(likelihood(&tree, &known) > -330000);
    hrr_dendrogram_clear(&tree);
    hrr_graph_free(graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_start__tiny_and_empty_graphs),
        cmocka_unit_test(test_start__star_is_explained_in_full),
        cmocka_unit_test(test_start__cliques_are_explained_in_full),
        cmocka_unit_test(test_start__threads_change_nothing_and_seeds_do),
        cmocka_unit_test(test_start__trees_are_what_they_always_were),
        cmocka_unit_test(test_start__matching_is_symmetric_and_large),
        cmocka_unit_test(test_start__survives_lack_of_memory),
        cmocka_unit_test(test_start__can_be_cancelled),
        cmocka_unit_test(test_start__passes_a_long_chain_on_real_data),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
