#include "support/check.h"

#include "generate/degree_law.h"
#include "generate/wiring.h"
#include "graph/canonical.h"

#include <heterorr/generate.h>

#include <math.h>
#include <stdlib.h>

static hrr_generate_options defaults(void)
{
    hrr_generate_options options;
    hrr_generate_options_init(&options);
    options.n_features = 0;
    return options;
}

static hrr_graph *generate(const hrr_generate_options *options)
{
    hrr_graph *graph;
    hrr_error err = {0};
    if (hrr_generate(&graph, NULL, options, NULL, &err)) fail_msg("%s", err.message);
    return graph;
}

static void assert_canonical(const hrr_graph *graph)
{
    const uint32_t *source = hrr_graph_sources(graph), *target = hrr_graph_targets(graph);
    bool canonical = true;
    for (uint64_t e = 0; e < hrr_graph_n_edges(graph); e++) {
        canonical &= source[e] < target[e] && target[e] < hrr_graph_n_nodes(graph);
        canonical &= e == 0 || source[e - 1] < source[e] ||
                     (source[e - 1] == source[e] && target[e - 1] < target[e]);
    }
    assert_true(canonical);
    /* Had the list not been canonical, the graph would have counted what it took away. */
    assert_int_equal(hrr_graph_removed(graph).self_loops, 0);
    assert_int_equal(hrr_graph_removed(graph).duplicates, 0);
}

static double homophily(const hrr_graph *graph)
{
    const int32_t *classes = hrr_graph_classes(graph);
    double inside = 0;
    for (uint64_t e = 0; e < hrr_graph_n_edges(graph); e++)
        inside += classes[hrr_graph_sources(graph)[e]] == classes[hrr_graph_targets(graph)[e]];
    return inside / (double)hrr_graph_n_edges(graph);
}

static double *degrees(const hrr_graph *graph)
{
    double *degree = calloc(hrr_graph_n_nodes(graph), sizeof *degree);
    for (uint64_t e = 0; e < hrr_graph_n_edges(graph); e++) {
        degree[hrr_graph_sources(graph)[e]]++;
        degree[hrr_graph_targets(graph)[e]]++;
    }
    return degree;
}

/* Not a statistical test: totals are right to a thousandth by construction, also near the densest
 * graphs that are accepted. */
static void test_edges__degree_and_homophily_are_those_asked_for(void **state)
{
    (void)state;
    const uint64_t sizes[] = {2000, 3001};
    const double homophilies[] = {0, 0.3, 0.8, 1}, exponents[] = {2.1, 3};
    const uint32_t classes[] = {1, 2, 7, 10};
    for (int i = 0; i < 2 * 3 * 4 * 4 * 2; i++) {
        hrr_generate_options options = defaults();
        options.n_nodes = sizes[i % 2];
        options.average_degree = (double[]){1.5, 10, (double)options.n_nodes / 20}[i / 2 % 3];
        options.homophily = homophilies[i / 6 % 4];
        options.n_classes = classes[i / 24 % 4];
        options.degree_exponent = exponents[i / 96];
        options.seed = (uint64_t)i;
        hrr_graph *graph = generate(&options);
        double n_edges = (double)options.n_nodes * options.average_degree / 2;
        assert_canonical(graph);
        assert_true(fabs((double)hrr_graph_n_edges(graph) / n_edges - 1) < 0.002);
        double expected = options.n_classes == 1 ? 1 : options.homophily;
        assert_true(fabs(homophily(graph) - expected) < 0.002);
        hrr_graph_free(graph);
    }
}

/* A graph would sort what is not, and nobody would notice but for the time. */
static void test_edges__are_drawn_in_canonical_order(void **state)
{
    (void)state;
    hrr_generate_options options = defaults();
    hrr_blocks blocks;
    hrr_edge_list edges;
    bool canonical;
    options.degree_exponent = 2.5;
    options.homophily = 0.5;
    assert_ok(hrr_blocks_init(&blocks, &options, NULL, NULL));
    assert_ok(hrr_wiring_draw(&edges, &blocks, &options, NULL, NULL));
    assert_ok(hrr_edges_are_canonical(&canonical, &edges, options.n_nodes, NULL, NULL));
    assert_true(canonical);
    hrr_edge_list_clear(&edges);
    hrr_blocks_clear(&blocks);
}

/* 99.9th percentile over mean: 1.9 for a Poisson law of mean 10; for tail exponent 2.5 the
 * quantile of the Pareto weights is 33. The maximum shows it too. */
static void test_edges__the_degree_tail_is_heavier_than_poisson(void **state)
{
    (void)state;
    hrr_generate_options options = defaults();
    options.n_nodes = 20000;
    options.degree_exponent = 2.5;
    hrr_graph *graph = generate(&options);
    double *degree = degrees(graph);
    uint64_t over_10_means = 0;
    double largest = 0, square = 0;
    for (uint64_t i = 0; i < options.n_nodes; i++) {
        over_10_means += degree[i] > 100;
        largest = fmax(largest, degree[i]);
        square += degree[i] * degree[i] / (double)options.n_nodes;
    }
    assert_true(over_10_means > 50 && over_10_means < 400);
    assert_true(largest > 500);
    assert_true(square - 100 > 5 * 10); /* variance over mean; 1 for Poisson */
    free(degree);
    hrr_graph_free(graph);

    options.degree_exponent = 1000; /* no tail: every weight is the same */
    graph = generate(&options);
    degree = degrees(graph);
    for (uint64_t i = 0; i < options.n_nodes; i++)
        assert_true(degree[i] < 40);
    free(degree);
    hrr_graph_free(graph);
}

/* Number the nodes backwards: the degree law must not care which end of an edge drew it. The
 * mean degree of the first half of the ids is that of the second: each is a sum of 10000
 * weights, capped by a light tail, with a standard error under 1 percent. */
static void test_edges__early_and_late_ids_have_the_same_degrees(void **state)
{
    (void)state;
    hrr_generate_options options = defaults();
    options.n_nodes = 20000;
    options.degree_exponent = 6;
    hrr_graph *graph = generate(&options);
    double *degree = degrees(graph), early = 0, late = 0, last = 0;
    for (uint64_t i = 0; i < 10000; i++) {
        early += degree[i];
        late += degree[10000 + i];
    }
    for (uint64_t i = 19000; i < 20000; i++)
        last += degree[i];
    assert_true(fabs(early / late - 1) < 0.02);
    assert_true(fabs(last / 10000 - 1) < 0.06);
    free(degree);
    hrr_graph_free(graph);
}

/* Weights within classes and across: in the last of k edges of a heavy node both kinds occur, and
 * other classes are met equally often. Chi-square with 2 degrees of freedom under 13.8 (0.001). */
static void test_edges__other_classes_are_met_equally_often(void **state)
{
    (void)state;
    hrr_generate_options options = defaults();
    options.n_nodes = 12000;
    options.homophily = 0;
    options.n_classes = 3;
    hrr_graph *graph = generate(&options);
    const int32_t *classes = hrr_graph_classes(graph);
    double met[6] = {0}, chi2 = 0, expected = (double)hrr_graph_n_edges(graph) / 3;
    for (uint64_t e = 0; e < hrr_graph_n_edges(graph); e++)
        met[classes[hrr_graph_sources(graph)[e]] + classes[hrr_graph_targets(graph)[e]]]++;
    for (int sum = 1; sum <= 3; sum++)
        chi2 += pow(met[sum] - expected, 2) / expected;
    assert_true(chi2 < 13.8);
    hrr_graph_free(graph);
}

static void test_edges__graphs_of_a_collection_are_even_runs_without_crossings(void **state)
{
    (void)state;
    hrr_generate_options options = defaults();
    options.n_nodes = 2003;
    options.n_graphs = 7;
    options.n_classes = 3;
    hrr_graph *graph = generate(&options);
    const uint32_t *ids = hrr_graph_graph_ids(graph);
    uint64_t sizes[7] = {0};
    assert_int_equal(hrr_graph_n_graphs(graph), 7);
    for (uint64_t i = 0; i < options.n_nodes; i++)
        sizes[ids[i]]++;
    for (int g = 0; g < 7; g++)
        assert_int_equal(sizes[g], g < 1 ? 287 : 286);
    for (uint64_t e = 0; e < hrr_graph_n_edges(graph); e++)
        assert_int_equal(ids[hrr_graph_sources(graph)[e]], ids[hrr_graph_targets(graph)[e]]);
    assert_true(fabs((double)hrr_graph_n_edges(graph) - 10015) <= 1);
    assert_true(fabs(homophily(graph) - options.homophily) < 0.002);
    assert_canonical(graph);
    hrr_graph_free(graph);
}

static void test_edges__the_private_share_is_exact(void **state)
{
    (void)state;
    const double fractions[] = {0, 0.1, 0.37, 1};
    for (int i = 0; i < 4; i++) {
        hrr_generate_options options = defaults();
        options.private_fraction = fractions[i];
        hrr_graph *graph = generate(&options);
        double n_edges = (double)hrr_graph_n_edges(graph);
        assert_int_equal(hrr_graph_n_private_edges(graph), llround(fractions[i] * n_edges));
        hrr_graph_free(graph);
    }
}

/* Every small size, up to the densest graph it admits. */
static void test_edges__small_graphs_come_out_as_well(void **state)
{
    (void)state;
    for (uint64_t n = 1; n <= 40; n++)
        for (uint32_t n_classes = 1; n_classes <= 3 && n_classes <= n; n_classes++)
            for (int i = 0; i < 9; i++) {
                hrr_generate_options options = defaults();
                hrr_error err = {0};
                hrr_graph *graph;
                options.n_nodes = n;
                options.n_classes = n_classes;
                options.homophily = i % 3 / 2.0;
                options.degree_exponent = 2.2;
                options.average_degree = 1e6;
                assert_int_equal(hrr_generate(&graph, NULL, &options, NULL, &err), HRR_EINVAL);
                assert_null(graph);
                assert_says(err, "`average_degree` must be at most ");
                double most = atof(strstr(err.message, "most ") + 5);
                options.average_degree = most * 0.999 * (i / 3) / 2;
                graph = generate(&options);
                assert_canonical(graph);
                double n_edges = (double)n * options.average_degree / 2;
                assert_true((double)hrr_graph_n_edges(graph) <= n_edges + 1);
                assert_true((double)hrr_graph_n_edges(graph) >= 0.8 * n_edges - 2);
                hrr_graph_free(graph);
            }
}

static void test_degree_law__shares_are_a_distribution_and_draws_follow_it(void **state)
{
    (void)state;
    enum { SIZE = 40, DRAWS = 200000 };
    /* 39 degrees of freedom: over 72.1 with probability 0.001; the seed is fixed. */
    const double exponents[] = {2.1, 3, 3, 100}, tops[] = {1, 1, 0.05, 1};
    for (int i = 0; i < 4; i++) {
        hrr_degree_law law;
        hrr_fast_random random;
        double seen[SIZE] = {0}, sum = 0, squares = 0, chi2 = 0;
        hrr_degree_law_init(&law, exponents[i], SIZE, tops[i]);
        hrr_fast_init(&random, 5, (uint64_t)i);
        for (int k = 0; k < DRAWS; k++)
            seen[hrr_degree_law_draw(&law, &random)]++;
        for (uint64_t rank = 0; rank < SIZE; rank++) {
            double share = hrr_degree_law_share(&law, rank);
            if (rank > 0) assert_true(share < hrr_degree_law_share(&law, rank - 1));
            sum += share;
            squares += share * share;
            chi2 += pow(seen[rank] - DRAWS * share, 2) / (DRAWS * share);
        }
        assert_true(hrr_degree_law_share(&law, 0) <= tops[i]);
        assert_true(fabs(sum - 1) < 1e-12);
        assert_true(fabs(squares - law.sum_squares) < 1e-12);
        assert_true(chi2 < 72.1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_edges__degree_and_homophily_are_those_asked_for),
        cmocka_unit_test(test_edges__are_drawn_in_canonical_order),
        cmocka_unit_test(test_edges__the_degree_tail_is_heavier_than_poisson),
        cmocka_unit_test(test_edges__early_and_late_ids_have_the_same_degrees),
        cmocka_unit_test(test_edges__other_classes_are_met_equally_often),
        cmocka_unit_test(test_edges__graphs_of_a_collection_are_even_runs_without_crossings),
        cmocka_unit_test(test_edges__the_private_share_is_exact),
        cmocka_unit_test(test_edges__small_graphs_come_out_as_well),
        cmocka_unit_test(test_degree_law__shares_are_a_distribution_and_draws_follow_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
