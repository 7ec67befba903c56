#include "random/fast.h"
#include "support/check.h"
#include "support/graphs.h"

#include <heterorr/random.h>

#include <math.h>

static const char *const names[] = {"private_a", "private_b"};

static hrr_graph *two_columns(void)
{
    hrr_graph *graph = empty_graph(4);
    /* 1-0 comes twice: its marks are united. */
    hrr_edge_list edges =
        edge_list(4, (uint32_t[]){1, 0, 0, 1, 1, 2, 2, 3}, (uint8_t[]){1, 2, 2, 0});
    assert_ok(hrr_graph_take_edges(graph, &edges, names, 2, NULL, NULL));
    return graph;
}

static void assert_private(const hrr_graph *graph, uint64_t n_edges, const uint8_t *flags)
{
    uint64_t count = 0;
    assert_int_equal(hrr_graph_n_edges(graph), n_edges);
    for (uint64_t e = 0; e < n_edges; e++) {
        assert_int_equal(hrr_graph_is_private(graph)[e], flags[e]);
        count += flags[e];
    }
    assert_int_equal(hrr_graph_n_private_edges(graph), count);
}

static void test_marks__any_mark_makes_an_edge_private(void **state)
{
    (void)state;
    hrr_graph *graph = two_columns();
    assert_private(graph, 3, (uint8_t[]){1, 1, 0});
    assert_int_equal(hrr_graph_n_marks(graph), 2);
    assert_string_equal(hrr_graph_mark_name(graph, 1), "private_b");
    assert_int_equal(hrr_graph_mark_edges_count(graph, 0), 1);
    assert_int_equal(hrr_graph_mark_edges_count(graph, 1), 2);
    hrr_graph_free(graph);
}

static void test_marks__a_column_can_be_chosen_and_another_after_it(void **state)
{
    (void)state;
    hrr_graph *graph = two_columns();
    assert_ok(hrr_graph_choose_mark(graph, "private_a", NULL));
    assert_private(graph, 3, (uint8_t[]){1, 0, 0});
    assert_ok(hrr_graph_choose_mark(graph, "private_b", NULL));
    assert_private(graph, 3, (uint8_t[]){1, 1, 0});
    hrr_graph_free(graph);
}

static void test_marks__an_unknown_column_is_refused_with_those_there_are(void **state)
{
    (void)state;
    hrr_error err = {0};
    hrr_graph *graph = two_columns();
    assert_int_equal(hrr_graph_choose_mark(graph, "secret", &err), HRR_EINVAL);
    assert_says(err, "'secret'");
    assert_says(err, "private_a, private_b");
    assert_private(graph, 3, (uint8_t[]){1, 1, 0});
    hrr_graph_free(graph);

    graph = graph_of(2, 1, (uint32_t[]){0, 1}, NULL);
    assert_int_equal(hrr_graph_choose_mark(graph, "secret", &err), HRR_EINVAL);
    assert_says(err, "no column 'secret'");
    hrr_graph_free(graph);
}

static void test_marks__values_that_are_no_marks_are_refused(void **state)
{
    (void)state;
    hrr_error err = {0};
    hrr_graph *graph = empty_graph(3);
    hrr_edge_list edges = edge_list(2, (uint32_t[]){0, 1, 1, 2}, (uint8_t[]){1, 4});
    assert_int_equal(hrr_graph_take_edges(graph, &edges, names, 1, NULL, &err), HRR_EDATA);
    assert_says(err, "edge 1 (counting from 0) is neither 0 nor 1");
    assert_int_equal(hrr_graph_take_edges(graph, &edges, NULL, 0, NULL, &err), HRR_EDATA);
    assert_int_equal(hrr_graph_take_edges(graph, &edges, names, 2, NULL, &err), HRR_EDATA);
    assert_says(err, "(counting from 0) refer to a column without a name");
    assert_int_equal(hrr_graph_take_edges(graph, &edges, names, 9, NULL, &err), HRR_EDATA);
    assert_says(err, "at most 8");
    assert_int_equal(edges.marks[1], 4);
    hrr_edge_list_clear(&edges);
    hrr_graph_free(graph);
}

static hrr_graph *path(uint32_t n_nodes)
{
    hrr_edge_list edges;
    assert_ok(hrr_edge_list_init(&edges, n_nodes - 1, false, NULL));
    for (uint32_t e = 0; e + 1 < n_nodes; e++) {
        edges.source[e] = e;
        edges.target[e] = e + 1;
    }
    hrr_graph *graph = empty_graph(n_nodes);
    assert_ok(hrr_graph_take_edges(graph, &edges, NULL, 0, NULL, NULL));
    return graph;
}

static void test_marks__a_fraction_is_exact_and_follows_its_seed(void **state)
{
    (void)state;
    hrr_graph *graph = path(1001);
    const double fractions[] = {0, 0.0004, 0.0006, 0.3, 0.9999, 1};
    const uint64_t counts[] = {0, 0, 1, 300, 1000, 1000};
    for (int i = 0; i < 6; i++) {
        assert_ok(hrr_graph_mark_fraction(graph, fractions[i], 7, NULL));
        uint64_t count = 0;
        for (uint64_t e = 0; e < 1000; e++)
            count += hrr_graph_is_private(graph)[e];
        assert_int_equal(count, counts[i]);
        assert_int_equal(hrr_graph_n_private_edges(graph), counts[i]);
    }
    uint8_t first[1000];
    assert_ok(hrr_graph_mark_fraction(graph, 0.5, 7, NULL));
    memcpy(first, hrr_graph_is_private(graph), sizeof first);
    assert_ok(hrr_graph_mark_fraction(graph, 0.5, 8, NULL));
    assert_memory_not_equal(first, hrr_graph_is_private(graph), sizeof first);
    assert_ok(hrr_graph_mark_fraction(graph, 0.5, 7, NULL));
    assert_memory_equal(first, hrr_graph_is_private(graph), sizeof first);
    hrr_graph_free(graph);
}

/* Chi-square over the 10 sets of 2 edges out of 5, 9 degrees of freedom, 20000 draws: exceeds
 * 27.88 with probability 0.001; the seeds are fixed. */
static void test_marks__every_set_of_edges_is_equally_likely(void **state)
{
    (void)state;
    hrr_graph *graph = path(6);
    double seen[32] = {0}, chi2 = 0;
    for (uint64_t seed = 0; seed < 20000; seed++) {
        int set = 0;
        assert_ok(hrr_graph_mark_fraction(graph, 0.4, seed, NULL));
        for (int e = 0; e < 5; e++)
            set |= hrr_graph_is_private(graph)[e] << e;
        seen[set]++;
    }
    for (int set = 0; set < 32; set++)
        if (__builtin_popcount((unsigned)set) == 2) chi2 += pow(seen[set] - 2000, 2) / 2000;
    assert_true(chi2 < 27.88);
    hrr_graph_free(graph);
}

static void test_marks__a_fraction_outside_0_to_1_is_refused(void **state)
{
    (void)state;
    hrr_error err = {0};
    hrr_graph *graph = path(3);
    const double bad[] = {-0.1, 1.1, NAN};
    for (int i = 0; i < 3; i++) {
        assert_int_equal(hrr_graph_mark_fraction(graph, bad[i], 1, &err), HRR_EINVAL);
        assert_says(err,
                    "the share of private edges (`private_fraction`) must lie between 0 and 1");
    }
    assert_null(hrr_graph_is_private(graph));
    hrr_graph_free(graph);
}

static void test_marks__listed_edges_become_private_and_absent_ones_are_added(void **state)
{
    (void)state;
    hrr_graph *graph = two_columns();
    hrr_edge_list list = edge_list(6, (uint32_t[]){3, 2, 3, 0, 0, 3, 1, 1, 0, 2, 3, 1}, NULL);
    assert_ok(hrr_graph_mark_edges(graph, &list, NULL));
    assert_int_equal(list.n_edges, 6);
    assert_edges(graph, 6, (uint32_t[]){0, 1, 0, 2, 0, 3, 1, 2, 1, 3, 2, 3});
    assert_private(graph, 6, (uint8_t[]){1, 1, 1, 1, 1, 1});
    assert_int_equal(hrr_graph_removed(graph).self_loops, 1);
    assert_int_equal(hrr_graph_removed(graph).duplicates, 2);
    /* The columns of the file say what they said. */
    assert_ok(hrr_graph_choose_mark(graph, "private_b", NULL));
    assert_private(graph, 6, (uint8_t[]){1, 0, 0, 1, 0, 0});
    hrr_edge_list_clear(&list);
    hrr_graph_free(graph);
}

static void test_marks__a_list_of_present_edges_keeps_the_arrays(void **state)
{
    (void)state;
    hrr_graph *graph = graph_of(4, 3, (uint32_t[]){0, 1, 1, 2, 2, 3}, (uint8_t[]){1, 0, 0});
    const uint32_t *source = hrr_graph_sources(graph);
    hrr_edge_list list = edge_list(1, (uint32_t[]){3, 2}, NULL);
    assert_ok(hrr_graph_mark_edges(graph, &list, NULL));
    assert_ptr_equal(hrr_graph_sources(graph), source);
    assert_private(graph, 3, (uint8_t[]){1, 0, 1});
    hrr_edge_list_clear(&list);
    hrr_graph_free(graph);
}

static void test_marks__merging_agrees_with_a_table_of_all_pairs(void **state)
{
    (void)state;
    enum { N = 9 };
    for (uint64_t seed = 0; seed < 300; seed++) {
        hrr_fast_random random;
        hrr_fast_init(&random, seed, 0);
        uint32_t pairs[2][2 * 40];
        uint64_t counts[2];
        int have[N][N] = {0}, is_private[N][N] = {0};
        for (int list = 0; list < 2; list++) {
            counts[list] = hrr_fast_below(&random, 41);
            for (uint64_t e = 0; e < counts[list]; e++) {
                uint32_t u = (uint32_t)hrr_fast_below(&random, N);
                uint32_t v = (uint32_t)hrr_fast_below(&random, N);
                pairs[list][2 * e] = u;
                pairs[list][2 * e + 1] = v;
                if (u == v) continue;
                have[u < v ? u : v][u < v ? v : u] = 1;
                if (list == 1) is_private[u < v ? u : v][u < v ? v : u] = 1;
            }
        }
        hrr_graph *graph = graph_of(N, counts[0], pairs[0], NULL);
        hrr_edge_list list = edge_list(counts[1], pairs[1], NULL);
        assert_ok(hrr_graph_mark_edges(graph, &list, NULL));
        uint64_t at = 0;
        for (uint32_t u = 0; u < N; u++)
            for (uint32_t v = u + 1; v < N; v++) {
                if (!have[u][v]) continue;
                assert_true(at < hrr_graph_n_edges(graph));
                assert_int_equal(hrr_graph_sources(graph)[at], u);
                assert_int_equal(hrr_graph_targets(graph)[at], v);
                assert_int_equal(hrr_graph_is_private(graph)[at], is_private[u][v]);
                at++;
            }
        assert_int_equal(hrr_graph_n_edges(graph), at);
        hrr_edge_list_clear(&list);
        hrr_graph_free(graph);
    }
}

static void test_marks__a_list_that_names_no_node_is_refused(void **state)
{
    (void)state;
    hrr_error err = {0};
    hrr_graph *graph = path(3);
    hrr_edge_list list = edge_list(2, (uint32_t[]){0, 1, 555, 1}, NULL);
    assert_int_equal(hrr_graph_mark_edges(graph, &list, &err), HRR_EDATA);
    assert_says(err, "private edges: edge 1 (counting from 0)");
    assert_null(strstr(err.message, "555"));
    assert_int_equal(hrr_graph_n_private_edges(graph), 0);
    hrr_edge_list_clear(&list);
    hrr_graph_free(graph);
}

static void test_marks__edges_are_undecided_until_somebody_says(void **state)
{
    (void)state;
    const uint32_t pairs[] = {0, 1, 1, 2};
    hrr_graph *graph = graph_of(3, 2, pairs, NULL);
    assert_int_equal(hrr_graph_marking(graph), HRR_UNDECIDED);
    hrr_edge_list none = edge_list(0, NULL, NULL);
    assert_ok(hrr_graph_mark_edges(graph, &none, NULL)); /* a list, though it is empty */
    assert_int_equal(hrr_graph_marking(graph), HRR_MARKED);
    hrr_graph_mark_none(graph);
    assert_int_equal(hrr_graph_marking(graph), HRR_ALL_PUBLIC);
    assert_null(hrr_graph_is_private(graph));
    assert_ok(hrr_graph_mark_all(graph, NULL));
    assert_int_equal(hrr_graph_marking(graph), HRR_MARKED);
    assert_private(graph, 2, (uint8_t[]){1, 1});
    assert_int_equal(hrr_graph_n_private_edges(graph), 2);
    hrr_edge_list_clear(&none);
    hrr_graph_free(graph);

    graph = graph_of(3, 2, pairs, (uint8_t[]){0, 0}); /* marks, though none is set */
    assert_int_equal(hrr_graph_marking(graph), HRR_MARKED);
    hrr_graph_mark_none(graph);
    assert_int_equal(hrr_graph_n_private_edges(graph), 0);
    hrr_graph_free(graph);
    graph = graph_of(3, 0, NULL, (uint8_t[]){0}); /* marks, though there is no edge */
    assert_int_equal(hrr_graph_marking(graph), HRR_MARKED);
    hrr_graph_free(graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_marks__any_mark_makes_an_edge_private),
        cmocka_unit_test(test_marks__a_column_can_be_chosen_and_another_after_it),
        cmocka_unit_test(test_marks__an_unknown_column_is_refused_with_those_there_are),
        cmocka_unit_test(test_marks__values_that_are_no_marks_are_refused),
        cmocka_unit_test(test_marks__a_fraction_is_exact_and_follows_its_seed),
        cmocka_unit_test(test_marks__every_set_of_edges_is_equally_likely),
        cmocka_unit_test(test_marks__a_fraction_outside_0_to_1_is_refused),
        cmocka_unit_test(test_marks__listed_edges_become_private_and_absent_ones_are_added),
        cmocka_unit_test(test_marks__a_list_of_present_edges_keeps_the_arrays),
        cmocka_unit_test(test_marks__merging_agrees_with_a_table_of_all_pairs),
        cmocka_unit_test(test_marks__a_list_that_names_no_node_is_refused),
        cmocka_unit_test(test_marks__edges_are_undecided_until_somebody_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
