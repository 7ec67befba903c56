#include "random/fast.h"
#include "support/check.h"
#include "support/graphs.h"

#include <heterorr/random.h>

#include <stdlib.h>
#include <sys/mman.h>

enum { MAX_NODES = 12, MAX_EDGES = 60 };

typedef struct input {
    uint64_t n_nodes, n_edges;
    uint32_t pairs[2 * MAX_EDGES];
    uint8_t marks[MAX_EDGES];
} input;

/* Sometimes dense with repeats, sometimes sparse. */
static input random_input(uint64_t seed, int n_marks)
{
    hrr_fast_random random;
    hrr_fast_init(&random, seed, 0);
    input in = {.n_nodes = 1 + hrr_fast_below(&random, MAX_NODES),
                .n_edges = hrr_fast_below(&random, MAX_EDGES + 1)};
    for (uint64_t k = 0; k < 2 * in.n_edges; k++)
        in.pairs[k] = (uint32_t)hrr_fast_below(&random, in.n_nodes);
    for (uint64_t e = 0; e < in.n_edges; e++)
        in.marks[e] = (uint8_t)hrr_fast_below(&random, 1u << n_marks);
    return in;
}

static void shuffle_and_reverse(input *in, uint64_t seed)
{
    hrr_fast_random random;
    hrr_fast_init(&random, seed, 1);
    for (uint64_t e = in->n_edges; e > 1; e--) {
        uint64_t other = hrr_fast_below(&random, e);
        for (int end = 0; end < 2; end++) {
            uint32_t kept = in->pairs[2 * (e - 1) + end];
            in->pairs[2 * (e - 1) + end] = in->pairs[2 * other + end];
            in->pairs[2 * other + end] = kept;
        }
        uint8_t mark = in->marks[e - 1];
        in->marks[e - 1] = in->marks[other];
        in->marks[other] = mark;
    }
    for (uint64_t e = 0; e < in->n_edges; e++)
        if (hrr_fast_below(&random, 2)) {
            uint32_t kept = in->pairs[2 * e];
            in->pairs[2 * e] = in->pairs[2 * e + 1];
            in->pairs[2 * e + 1] = kept;
        }
}

static const char *const three_names[] = {"a", "b", "c"};

static hrr_graph *take(const input *in)
{
    hrr_graph *graph = empty_graph(in->n_nodes);
    hrr_edge_list edges = edge_list(in->n_edges, in->pairs, in->marks);
    assert_ok(hrr_graph_take_edges(graph, &edges, three_names, 3, NULL, NULL));
    assert_null(edges.source);
    assert_int_equal(edges.n_edges, 0);
    return graph;
}

static void test_canonical__agrees_with_a_table_of_all_pairs(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 500; seed++) {
        input in = random_input(seed, 3);
        uint64_t times[MAX_NODES][MAX_NODES] = {0}, self_loops = 0, duplicates = 0;
        uint8_t marks[MAX_NODES][MAX_NODES] = {0};
        for (uint64_t e = 0; e < in.n_edges; e++) {
            uint32_t u = in.pairs[2 * e], v = in.pairs[2 * e + 1];
            if (u == v) self_loops++;
            times[u < v ? u : v][u < v ? v : u]++;
            marks[u < v ? u : v][u < v ? v : u] |= in.marks[e];
        }
        hrr_graph *graph = take(&in);
        uint64_t at = 0, n_private = 0, by_mark[3] = {0};
        for (uint32_t u = 0; u < in.n_nodes; u++)
            for (uint32_t v = u + 1; v < in.n_nodes; v++) {
                if (!times[u][v]) continue;
                duplicates += times[u][v] - 1;
                assert_true(at < hrr_graph_n_edges(graph));
                assert_int_equal(hrr_graph_sources(graph)[at], u);
                assert_int_equal(hrr_graph_targets(graph)[at], v);
                assert_int_equal(hrr_graph_is_private(graph)[at], marks[u][v] != 0);
                n_private += marks[u][v] != 0;
                for (int mark = 0; mark < 3; mark++)
                    by_mark[mark] += marks[u][v] >> mark & 1;
                at++;
            }
        assert_int_equal(hrr_graph_n_edges(graph), at);
        assert_int_equal(hrr_graph_n_private_edges(graph), n_private);
        for (int mark = 0; mark < 3; mark++)
            assert_int_equal(hrr_graph_mark_edges_count(graph, mark), by_mark[mark]);
        assert_int_equal(hrr_graph_removed(graph).self_loops, self_loops);
        assert_int_equal(hrr_graph_removed(graph).duplicates, duplicates);
        hrr_graph_free(graph);
    }
}

static void test_canonical__order_and_direction_of_the_input_do_not_matter(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 200; seed++) {
        input in = random_input(seed, 3);
        hrr_graph *first = take(&in);
        shuffle_and_reverse(&in, seed);
        hrr_graph *second = take(&in);
        uint64_t n_edges = hrr_graph_n_edges(first);
        assert_int_equal(n_edges, hrr_graph_n_edges(second));
        for (uint64_t e = 0; e < n_edges; e++) {
            assert_int_equal(hrr_graph_sources(first)[e], hrr_graph_sources(second)[e]);
            assert_int_equal(hrr_graph_targets(first)[e], hrr_graph_targets(second)[e]);
            assert_int_equal(hrr_graph_is_private(first)[e], hrr_graph_is_private(second)[e]);
        }
        assert_int_equal(hrr_graph_removed(first).duplicates, hrr_graph_removed(second).duplicates);
        hrr_graph_free(first);
        hrr_graph_free(second);
    }
}

static void test_canonical__one_edge_many_times_is_one_edge(void **state)
{
    (void)state;
    hrr_graph *graph = graph_of(5, 5, (uint32_t[]){3, 1, 1, 3, 3, 1, 3, 1, 1, 3}, NULL);
    assert_edges(graph, 1, (uint32_t[]){1, 3});
    assert_int_equal(hrr_graph_removed(graph).duplicates, 4);
    assert_null(hrr_graph_is_private(graph));
    hrr_graph_free(graph);
}

static void test_canonical__self_loops_alone_leave_no_edge(void **state)
{
    (void)state;
    hrr_graph *graph = graph_of(3, 3, (uint32_t[]){0, 0, 1, 1, 1, 1}, (uint8_t[]){1, 0, 1});
    assert_int_equal(hrr_graph_n_edges(graph), 0);
    assert_int_equal(hrr_graph_removed(graph).self_loops, 3);
    assert_int_equal(hrr_graph_n_private_edges(graph), 0);
    assert_int_equal(hrr_graph_mark_edges_count(graph, 0), 0);
    hrr_graph_free(graph);
}

static void test_canonical__no_edges_is_a_graph(void **state)
{
    (void)state;
    hrr_graph *graph = graph_of(1, 0, NULL, NULL);
    assert_int_equal(hrr_graph_n_edges(graph), 0);
    hrr_graph_free(graph);
}

static void test_canonical__canonical_edges_are_taken_without_a_copy(void **state)
{
    (void)state;
    hrr_graph *graph = empty_graph(6);
    hrr_edge_list edges =
        edge_list(4, (uint32_t[]){0, 1, 0, 5, 1, 2, 4, 5}, (uint8_t[]){1, 0, 0, 1});
    const uint32_t *source = edges.source, *target = edges.target;
    const uint8_t *marks = edges.marks;
    assert_ok(hrr_graph_take_edges(graph, &edges, (const char *const[]){"x"}, 1, NULL, NULL));
    assert_ptr_equal(hrr_graph_sources(graph), source);
    assert_ptr_equal(hrr_graph_targets(graph), target);
    assert_ptr_equal(hrr_graph_is_private(graph), marks);
    assert_null(edges.source);
    hrr_graph_free(graph);
}

static hrr_region read_only(const void *bytes, size_t size)
{
    void *page = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(page != MAP_FAILED);
    memcpy(page, bytes, size);
    assert_int_equal(mprotect(page, size, PROT_READ), 0);
    return (hrr_region){.start = page, .size = size, .kind = HRR_REGION_MAPPED};
}

static void test_canonical__mapped_edges_are_never_written(void **state)
{
    (void)state;
    hrr_edge_list edges = {.n_edges = 3,
                           .source_storage = read_only((uint32_t[]){0, 0, 1}, 12),
                           .target_storage = read_only((uint32_t[]){1, 2, 2}, 12),
                           .marks_storage = read_only((uint8_t[]){0, 2, 3}, 3)};
    edges.source = edges.source_storage.start;
    edges.target = edges.target_storage.start;
    edges.marks = edges.marks_storage.start;
    hrr_edge_list more = edge_list(2, (uint32_t[]){2, 0, 3, 0}, NULL);
    hrr_graph *graph = empty_graph(4);
    assert_ok(hrr_graph_take_edges(graph, &edges, three_names, 2, NULL, NULL));
    assert_memory_equal(hrr_graph_is_private(graph), ((uint8_t[]){0, 1, 1}), 3);
    assert_ok(hrr_graph_choose_mark(graph, "a", NULL));
    assert_memory_equal(hrr_graph_is_private(graph), ((uint8_t[]){0, 0, 1}), 3);
    assert_ok(hrr_graph_mark_fraction(graph, 1, 1, NULL));
    assert_ok(hrr_graph_mark_fraction(graph, 0, 1, NULL));
    assert_ok(hrr_graph_mark_edges(graph, &more, NULL));
    assert_memory_equal(hrr_graph_is_private(graph), ((uint8_t[]){0, 1, 1, 0}), 4);
    hrr_edge_list_clear(&more);
    hrr_graph_free(graph);
}

static void test_canonical__an_endpoint_out_of_range_is_named_by_its_edge(void **state)
{
    (void)state;
    /* The last two are in canonical order but for the range. */
    const uint32_t bad[][6] = {
        {1, 0, 2, 1, 777, 0}, {2, 1, 1, 0, 0, 777}, {0, 1, 0, 2, 1, 777}, {0, 1, 0, 2, 1, 3}};
    for (int i = 0; i < 4; i++) {
        hrr_error err = {0};
        hrr_graph *graph = empty_graph(3);
        hrr_edge_list edges = edge_list(3, bad[i], NULL);
        const uint32_t *source = edges.source;
        assert_int_equal(hrr_graph_take_edges(graph, &edges, NULL, 0, NULL, &err), HRR_EDATA);
        assert_says(err, "edge 2 (counting from 0)");
        assert_says(err, "3 nodes");
        assert_null(strstr(err.message, "777"));
        assert_ptr_equal(edges.source, source);
        assert_int_equal(edges.n_edges, 3);
        assert_int_equal(hrr_graph_n_edges(graph), 0);
        hrr_edge_list_clear(&edges);
        hrr_graph_free(graph);
    }
}

static void test_canonical__edges_are_taken_once(void **state)
{
    (void)state;
    hrr_error err = {0};
    hrr_graph *graph = graph_of(3, 0, NULL, NULL);
    hrr_edge_list edges = edge_list(1, (uint32_t[]){0, 1}, NULL);
    assert_int_equal(hrr_graph_take_edges(graph, &edges, NULL, 0, NULL, &err), HRR_EINVAL);
    assert_says(err, "already has edges");
    assert_non_null(edges.source);
    hrr_edge_list_clear(&edges);
    hrr_graph_free(graph);
}

/* Both the scan of sorted edges and the sorting of others look at the progress. */
static void test_canonical__a_cancelled_task_leaves_the_edges_alone(void **state)
{
    (void)state;
    hrr_progress *progress;
    assert_ok(hrr_progress_new(&progress, NULL, NULL, NULL));
    hrr_progress_cancel(progress);
    for (int reversed = 0; reversed < 2; reversed++) {
        hrr_graph *graph = empty_graph(3);
        hrr_edge_list edges =
            edge_list(2, reversed ? (uint32_t[]){1, 0, 2, 1} : (uint32_t[]){0, 1, 1, 2}, NULL);
        assert_int_equal(hrr_graph_take_edges(graph, &edges, NULL, 0, progress, NULL), HRR_ECANCEL);
        assert_int_equal(edges.source[1], reversed ? 2 : 1);
        assert_int_equal(hrr_graph_n_edges(graph), 0);
        hrr_edge_list_clear(&edges);
        hrr_graph_free(graph);
    }
    hrr_progress_free(progress);
}

/* More edges than one step between two looks at the progress, and a hub with all of them. */
static void test_canonical__a_large_star_given_backwards(void **state)
{
    (void)state;
    enum { N = 200000 };
    hrr_edge_list edges;
    assert_ok(hrr_edge_list_init(&edges, 2 * (N - 1), false, NULL));
    for (uint32_t i = 1; i < N; i++) {
        edges.source[2 * (N - 1 - i)] = edges.target[2 * (N - 1 - i) + 1] = i;
        edges.target[2 * (N - 1 - i)] = edges.source[2 * (N - 1 - i) + 1] = N / 2 == i ? 0 : N / 2;
    }
    hrr_progress *progress;
    assert_ok(hrr_progress_new(&progress, NULL, NULL, NULL));
    hrr_graph *graph = empty_graph(N);
    assert_ok(hrr_graph_take_edges(graph, &edges, NULL, 0, progress, NULL));
    assert_int_equal(hrr_graph_n_edges(graph), N - 1);
    assert_int_equal(hrr_graph_removed(graph).duplicates, N - 1);
    for (uint64_t e = 0; e < N - 1; e++) {
        assert_int_equal(hrr_graph_sources(graph)[e], e < N / 2 ? e : N / 2);
        assert_int_equal(hrr_graph_targets(graph)[e], e < N / 2 ? N / 2 : e + 1);
    }
    hrr_progress_free(progress);
    hrr_graph_free(graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_canonical__agrees_with_a_table_of_all_pairs),
        cmocka_unit_test(test_canonical__order_and_direction_of_the_input_do_not_matter),
        cmocka_unit_test(test_canonical__one_edge_many_times_is_one_edge),
        cmocka_unit_test(test_canonical__self_loops_alone_leave_no_edge),
        cmocka_unit_test(test_canonical__no_edges_is_a_graph),
        cmocka_unit_test(test_canonical__canonical_edges_are_taken_without_a_copy),
        cmocka_unit_test(test_canonical__mapped_edges_are_never_written),
        cmocka_unit_test(test_canonical__an_endpoint_out_of_range_is_named_by_its_edge),
        cmocka_unit_test(test_canonical__edges_are_taken_once),
        cmocka_unit_test(test_canonical__a_cancelled_task_leaves_the_edges_alone),
        cmocka_unit_test(test_canonical__a_large_star_given_backwards),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
