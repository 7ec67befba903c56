/* Edges sorted in runs that are merged are those of the sort in memory, whatever the runs are. */
#include "support/brutal.h"
#include "support/check.h"
#include "support/files.h"
#include "support/graphs.h"

#include "base/memory.h"
#include "base/scratch.h"
#include "graph/canonical.h"
#include "graph/key_sort.h"
#include "graph/merge_runs.h"
#include "random/fast.h"

#include <stdlib.h>

/* Repetitions, self-loops and both directions; marks or none. */
static hrr_edge_list random_edges(uint64_t seed, uint64_t n_edges, uint32_t n_nodes,
                                  bool with_marks)
{
    hrr_fast_random random;
    hrr_edge_list edges;
    hrr_fast_init(&random, seed, 0);
    assert_ok(hrr_edge_list_init(&edges, n_edges, with_marks, NULL));
    for (uint64_t e = 0; e < n_edges; e++) {
        edges.source[e] = (uint32_t)hrr_fast_below(&random, n_nodes);
        edges.target[e] = (uint32_t)hrr_fast_below(&random, n_nodes);
        if (with_marks) edges.marks[e] = (uint8_t)hrr_fast_below(&random, 256);
    }
    return edges;
}

static void assert_same(const hrr_edge_list *a, const hrr_edge_list *b)
{
    assert_int_equal(a->n_edges, b->n_edges);
    assert_memory_equal(a->source, b->source, a->n_edges * sizeof *a->source);
    assert_memory_equal(a->target, b->target, a->n_edges * sizeof *a->target);
    assert_int_equal(a->marks == NULL, b->marks == NULL);
    if (a->marks) assert_memory_equal(a->marks, b->marks, a->n_edges);
}

static void check_runs(uint64_t seed, uint64_t n_edges, uint32_t n_nodes, uint64_t run_length)
{
    hrr_edge_list edges = random_edges(seed, n_edges, n_nodes, seed % 3 > 0), whole, merged;
    hrr_removed removed, removed_whole;
    assert_ok(hrr_edges_canonicalise(&whole, &removed_whole, &edges, n_nodes, "edges", NULL, NULL));
    assert_ok(
        hrr_edges_merge_runs(&merged, &removed, &edges, n_nodes, "edges", run_length, NULL, NULL));
    assert_same(&merged, &whole);
    assert_memory_equal(&removed, &removed_whole, sizeof removed);
    hrr_edge_list_clear(&edges);
    hrr_edge_list_clear(&whole);
    hrr_edge_list_clear(&merged);
}

static void test_merge_runs__any_runs_give_the_edges_of_the_sort_in_memory(void **state)
{
    (void)state;
    static const uint64_t lengths[] = {1, 2, 3, 7, 16, 99, 100, 101, 5000};
    for (uint64_t seed = 0; seed < 60; seed++)
        for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
            check_runs(seed, seed * 7, seed < 10 ? 1 + (uint32_t)seed : 40, lengths[i]);
    check_runs(1, 100000, 3000, 1000);
    check_runs(2, 100000, UINT32_C(1) << 20, 777);
}

/* The whole way: the graph takes edges that are too many for one run. */
static void test_merge_runs__a_graph_takes_many_edges_in_scratch_files(void **state)
{
    const uint64_t n_edges = 2 * HRR_RUN_EDGES + 12345;
    const uint32_t n_nodes = 5000;
    hrr_edge_list edges = random_edges(7, n_edges, n_nodes, true), whole;
    hrr_removed removed_whole;
    assert_ok(hrr_edges_canonicalise(&whole, &removed_whole, &edges, n_nodes, "edges", NULL, NULL));
    assert_ok(hrr_set_scratch(*state, NULL));
    hrr_edge_list sorted;
    hrr_removed removed;
    assert_ok(hrr_edges_canonicalise(&sorted, &removed, &edges, n_nodes, "edges", NULL, NULL));
    assert_true(hrr_scratch_size(sorted.source) > 0);
    assert_same(&sorted, &whole);
    assert_memory_equal(&removed, &removed_whole, sizeof removed);
    hrr_edge_list_clear(&sorted);
    assert_ok(hrr_set_scratch(NULL, NULL));
    hrr_edge_list_clear(&whole);
    hrr_edge_list_clear(&edges);
}

static void test_merge_runs__a_node_that_does_not_exist_is_named_as_in_memory(void **state)
{
    (void)state;
    hrr_edge_list edges = random_edges(3, 100, 20, false), out;
    hrr_removed removed;
    hrr_error in_memory = {0}, in_runs = {0};
    edges.target[77] = 20;
    edges.source[91] = 25;
    assert_int_equal(
        hrr_edges_canonicalise(&out, &removed, &edges, 20, "the list", NULL, &in_memory),
        HRR_EDATA);
    assert_int_equal(
        hrr_edges_merge_runs(&out, &removed, &edges, 20, "the list", 10, NULL, &in_runs),
        HRR_EDATA);
    assert_null(out.source);
    assert_says(in_runs, "edge 77");
    assert_string_equal(in_runs.message, in_memory.message);
    hrr_edge_list_clear(&edges);
}

static void test_merge_runs__stops_when_cancelled(void **state)
{
    (void)state;
    hrr_progress *progress;
    hrr_edge_list edges = random_edges(3, 1000, 20, true), out;
    hrr_removed removed;
    assert_ok(hrr_progress_new(&progress, NULL, NULL, NULL));
    hrr_progress_cancel(progress);
    assert_int_equal(hrr_edges_merge_runs(&out, &removed, &edges, 20, "edges", 10, progress, NULL),
                     HRR_ECANCEL);
    assert_null(out.source);
    hrr_progress_free(progress);
    hrr_edge_list_clear(&edges);
}

static hrr_status merge_some(void *user)
{
    hrr_edge_list out;
    hrr_removed removed;
    hrr_status status = hrr_edges_merge_runs(&out, &removed, user, 20, "edges", 10, NULL, NULL);
    hrr_edge_list_clear(&out);
    return status;
}

static void test_merge_runs__survives_running_out_of_memory_anywhere(void **state)
{
    (void)state;
    hrr_edge_list edges = random_edges(3, 100, 20, true);
    assert_true(brutal(merge_some, &edges) >= 10);
    hrr_edge_list_clear(&edges);
}

static int by_key(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static void test_key_sort__keys_ascend_and_equal_ones_keep_their_order(void **state)
{
    (void)state;
    enum { count = 3000 };
    static uint64_t keys[count], spare[count], expected[count];
    static uint8_t marks[count], spare_marks[count];
    for (int shift = 0; shift <= 56; shift += 7) {
        hrr_fast_random random;
        hrr_fast_init(&random, (uint64_t)shift, 0);
        uint8_t times[256] = {0};
        for (int i = 0; i < count; i++) {
            const uint64_t number = hrr_fast_below(&random, 256);
            keys[i] = expected[i] = number << shift;
            marks[i] = times[number]++; /* the how-manieth of its key */
        }
        qsort(expected, count, sizeof *expected, by_key);
        const hrr_keys sorted =
            hrr_keys_sort((hrr_keys){keys, marks}, (hrr_keys){spare, spare_marks}, count);
        assert_memory_equal(sorted.key, expected, sizeof expected);
        for (int i = 1; i < count; i++)
            if (sorted.key[i] == sorted.key[i - 1])
                assert_int_equal(sorted.mark[i], sorted.mark[i - 1] + 1);
    }
    const hrr_keys none = hrr_keys_sort((hrr_keys){keys, NULL}, (hrr_keys){spare, NULL}, 0);
    assert_non_null(none.key);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_merge_runs__any_runs_give_the_edges_of_the_sort_in_memory),
        WITH_SCRATCH(test_merge_runs__a_graph_takes_many_edges_in_scratch_files),
        cmocka_unit_test(test_merge_runs__a_node_that_does_not_exist_is_named_as_in_memory),
        cmocka_unit_test(test_merge_runs__stops_when_cancelled),
        cmocka_unit_test(test_merge_runs__survives_running_out_of_memory_anywhere),
        cmocka_unit_test(test_key_sort__keys_ascend_and_equal_ones_keep_their_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
