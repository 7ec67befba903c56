#include "io/graphs.h"

enum { n_nodes = 5 };

/* A graph that has every part a native directory can hold. */
static hrr_graph *rich_graph(bool multilabel)
{
    static const char *const mark[] = {"private"};
    static const uint32_t source[] = {0, 0, 1, 3}, target[] = {1, 2, 2, 4};
    static const uint8_t marks[] = {0, 1, 1, 0};
    hrr_graph *graph;
    hrr_edge_list edges;
    assert_ok(hrr_graph_new(&graph, "rich", n_nodes, NULL));
    assert_ok(hrr_edge_list_init(&edges, 4, true, NULL));
    memcpy(edges.source, source, sizeof source);
    memcpy(edges.target, target, sizeof target);
    memcpy(edges.marks, marks, sizeof marks);
    assert_ok(hrr_graph_take_edges(graph, &edges, mark, 1, NULL, NULL));

    hrr_dense features, masked, labels;
    assert_ok(hrr_dense_init(&features, HRR_F32, n_nodes, 3, NULL));
    assert_ok(hrr_dense_init(&masked, HRR_F32, n_nodes, 3, NULL));
    for (int i = 0; i < 3 * n_nodes; i++) {
        ((float *)features.data)[i] = (float)i / 8;
        ((float *)masked.data)[i] = (float)i / 16;
    }
    assert_ok(hrr_graph_take_features(graph, &features, NULL));
    assert_ok(hrr_graph_take_masked_features(graph, &masked, NULL));
    if (multilabel) {
        assert_ok(hrr_dense_init(&labels, HRR_U8, n_nodes, 2, NULL));
        ((uint8_t *)labels.data)[3] = 1;
        assert_ok(hrr_graph_take_label_matrix(graph, &labels, NULL));
    } else {
        int32_t *classes = malloc(4 * n_nodes);
        for (int i = 0; i < n_nodes; i++)
            classes[i] = i % 3 - 1;
        assert_ok(hrr_graph_take_classes(graph, &classes, 2, NULL));
        const char *const names[] = {"caf\xc3\xa9", "tea"};
        assert_ok(hrr_graph_set_class_names(graph, names, NULL));
    }
    uint8_t *split = calloc(n_nodes, 1), *candidates = calloc(n_nodes, 1);
    split[1] = HRR_VALID;
    split[4] = HRR_TEST;
    candidates[2] = 1;
    assert_ok(hrr_graph_take_split(graph, &split, NULL));
    assert_ok(hrr_graph_take_candidates(graph, &candidates, NULL));
    uint32_t *graph_ids = calloc(n_nodes, 4);
    graph_ids[3] = graph_ids[4] = 1;
    assert_ok(hrr_graph_take_graph_ids(graph, &graph_ids, NULL));
    hrr_node_ids ids = {0};
    if (multilabel) {
        ids.integer = malloc(8 * n_nodes);
        for (int i = 0; i < n_nodes; i++)
            ids.integer[i] = 100 - i;
    } else {
        static const char text[] = "ann\0bob\0c,d\0\xe4\xb8\xad\0e";
        static const uint64_t start[] = {0, 4, 8, 12, 16, 18};
        ids.text = memcpy(malloc(sizeof text), text, sizeof text);
        ids.text_start = memcpy(malloc(sizeof start), start, sizeof start);
    }
    assert_ok(hrr_graph_take_node_ids(graph, &ids, NULL));
    assert_ok(hrr_graph_set_provenance(graph, "made by a test", NULL));
    return graph;
}

static void test_native__everything_comes_back(void **state)
{
    for (int multilabel = 0; multilabel < 2; multilabel++) {
        hrr_write_options options;
        hrr_write_options_init(&options);
        options.replace = true;
        const char *path = in_dir(*state, "graph");
        hrr_graph *before = rich_graph(multilabel);
        assert_ok(hrr_graph_write(before, path, &options, NULL, NULL));
        assert_string_equal(hrr_graph_recognise(path, NULL), "native");
        hrr_graph *after = read_graph(path, NULL);
        assert_string_equal(hrr_graph_name(after), "rich");
        assert_string_equal(hrr_graph_provenance(after), "made by a test");
        assert_same_edges(before, after);
        assert_same_bytes(hrr_graph_is_private(before), hrr_graph_is_private(after), 4);
        assert_int_equal(hrr_graph_n_private_edges(after), 2);
        assert_same_dense(hrr_graph_features(before), hrr_graph_features(after));
        assert_same_dense(hrr_graph_masked_features(before), hrr_graph_masked_features(after));
        assert_same_labels(before, after);
        assert_same_ids(before, after);
        assert_same_bytes(hrr_graph_split(before), hrr_graph_split(after), n_nodes);
        assert_same_bytes(hrr_graph_candidates(before), hrr_graph_candidates(after), n_nodes);
        assert_same_bytes(hrr_graph_graph_ids(before), hrr_graph_graph_ids(after), 4 * n_nodes);
        assert_removed(after, 0, 0);
        hrr_graph_free(before);
        hrr_graph_free(after);
    }
    assert_int_equal(count_entries(*state), 1);
}

/* The least there can be: three nodes, the edges 0-1 and 1-2. */
static const char *put_small(void **state)
{
    const char *path = fresh_dir(state, "small");
    static const int32_t edges[] = {0, 1, 1, 2};
    write_text(in_dir(path, "graph.json"), "{\"n_nodes\": 3}");
    put_i32(in_dir(path, "edges.npy"), edges, 2, 2);
    return path;
}

static void test_native__the_least_is_n_nodes_and_edges(void **state)
{
    const char *path = put_small(state);
    hrr_graph *graph = read_graph(path, NULL);
    assert_string_equal(hrr_graph_name(graph), "small");
    assert_string_equal(hrr_graph_provenance(graph), "native: small");
    assert_string_equal(edges_text(graph), "0-1 1-2 ");
    assert_int_equal(hrr_graph_n_private_edges(graph), 0);
    assert_null(hrr_graph_features(graph));
    assert_int_equal(hrr_graph_n_classes(graph), 0);
    hrr_graph_free(graph);
}

static void test_native__any_integers_are_read(void **state)
{
    const char *path = put_small(state), *edges = in_dir(path, "edges.npy");
    static const int64_t wide[] = {2, 1, 0, 1, 1, 2, 0, 0};
    static const uint16_t narrow[] = {2, 1, 0, 1, 1, 2, 0, 0};
    put_i64(edges, wide, 2, 4);
    hrr_graph *graph = read_graph(path, NULL);
    assert_string_equal(edges_text(graph), "0-1 1-2 ");
    assert_removed(graph, 1, 1);
    hrr_graph_free(graph);
    static const int64_t marks[] = {0, 1, 0, 0};
    static const int64_t labels[] = {2, -1, 0}, split[] = {0, 2, 1};
    put_array(edges, HRR_ARRAY_U16, 2, narrow, 2, 4);
    put_i64(in_dir(path, "private.npy"), marks, 4, 0);
    put_i64(in_dir(path, "labels.npy"), labels, 3, 0);
    put_i64(in_dir(path, "split.npy"), split, 3, 0);
    graph = read_graph(path, NULL);
    assert_string_equal(edges_text(graph), "0-1 1-2* ");
    assert_int_equal(hrr_graph_n_classes(graph), 3);
    assert_int_equal(hrr_graph_classes(graph)[1], -1);
    assert_int_equal(hrr_graph_split(graph)[2], HRR_VALID);
    hrr_graph_free(graph);
}

static void test_native__a_graph_without_edges_comes_back(void **state)
{
    const char *path = in_dir(*state, "none");
    hrr_graph *before;
    hrr_edge_list edges = {0};
    assert_ok(hrr_graph_new(&before, "none", 3, NULL));
    assert_ok(hrr_graph_take_edges(before, &edges, NULL, 0, NULL, NULL));
    assert_ok(hrr_graph_write(before, path, NULL, NULL, NULL));
    hrr_graph *after = read_graph(path, NULL);
    assert_int_equal(hrr_graph_n_nodes(after), 3);
    assert_int_equal(hrr_graph_n_edges(after), 0);
    hrr_graph_free(before);
    hrr_graph_free(after);
}

static void refuse(void **state, const char *file, const char *text, const char *says)
{
    const char *dir = put_small(state);
    write_text(in_dir(dir, file), text);
    assert_refused(dir, NULL, HRR_EDATA, file, says);
}

static void test_native__a_wrong_graph_json_is_refused(void **state)
{
    static const bad_text bad[] = {
        {"{\"n_nodes\": 3", "is not JSON"},
        {"[3]", "is not a JSON object"},
        {"{\"n_nodes\": 3, \"n_nodes\": 4}", "duplicate"},
        {"{\"name\": \"x\"}", "does not state n_nodes"},
        {"{\"n_nodes\": \"3\"}", "n_nodes must be a whole"},
        {"{\"n_nodes\": -3}", "n_nodes must be a whole"},
        {"{\"n_nodes\": 0}", "has no nodes"},
        {"{\"n_nodes\": 3000000000}", "at most"},
        {"{\"n_nodes\": 3, \"name\": 7}", "name must be a text"},
        {"{\"n_nodes\": 3, \"format_version\": 9}",
         "format version 9, but this program reads version 1"},
        {"{\"n_nodes\": 3, \"n_edges\": 7}", "contains 2, but graph.json states n_edges = 7"},
        {"{\"n_nodes\": 3, \"n_features\": 4}", "is missing, but graph.json states n_features = 4"},
        {"{\"n_nodes\": 3, \"n_classes\": 4}", "is missing, but graph.json states n_classes = 4"},
        {0},
    };
    refuse_each(refuse, state, "graph.json", bad);
}

static void test_native__arrays_must_be_what_graph_json_states(void **state)
{
    const char *path = put_small(state);
    static const double features[] = {1, 2, 3, 4, 5, 6};
    static const int32_t labels[] = {0, 1, 2};
    static const uint8_t many[] = {0, 1, 1, 0, 0, 1};
    write_text(in_dir(path, "graph.json"),
               "{\"n_nodes\": 3, \"n_features\": 3, \"n_classes\": 2, \"multilabel\": false}");
    put_f64(in_dir(path, "features.npy"), features, 3, 2);
    assert_refused(path, NULL, HRR_EDATA, "features.npy",
                   "contains 2, but graph.json states n_features = 3");
    put_f64(in_dir(path, "features.npy"), features, 2, 3);
    assert_refused(path, NULL, HRR_EDATA, "features.npy", "2 rows");
    unlink(in_dir(path, "features.npy"));
    write_text(in_dir(path, "graph.json"),
               "{\"n_nodes\": 3, \"n_classes\": 2, \"multilabel\": false}");
    put_i32(in_dir(path, "labels.npy"), labels, 3, 0);
    assert_refused(path, NULL, HRR_EDATA, "labels.npy", "labels");
    put_u8(in_dir(path, "labels.npy"), many, 3, 2);
    assert_refused(path, NULL, HRR_EDATA, "labels.npy",
                   "dimensions, which contradicts multilabel in graph.json");
    write_text(in_dir(path, "graph.json"),
               "{\"n_nodes\": 3, \"n_classes\": 3, \"multilabel\": true}");
    assert_refused(path, NULL, HRR_EDATA, "labels.npy", "has 2 columns, but 3 classes are stated");
    write_text(in_dir(path, "graph.json"),
               "{\"n_nodes\": 3, \"n_classes\": 2, \"class_names\": [\"a\"]}");
    assert_refused(path, NULL, HRR_EDATA, "graph.json", "class_names must be a list of 2 texts");
}

static void test_native__wrong_arrays_are_refused(void **state)
{
    const char *path = put_small(state);
    static const int32_t outside[] = {0, 1, 1, 3}, negative[] = {0, -1, 1, 2};
    static const int64_t wide[] = {0, 1, 1, (INT64_C(1) << 32) + 2};
    const double nan_at_1_0[] = {0, 0, NAN, 0, 0, 0}, real[] = {0, 1, 1, 2};
    static const uint8_t two[] = {0, 2}, long_marks[] = {0, 1, 1};
    put_i32(in_dir(path, "edges.npy"), outside, 2, 2);
    assert_refused(path, NULL, HRR_EDATA, "edges.npy", "edge 1 (counting from 0)");
    put_i32(in_dir(path, "edges.npy"), negative, 2, 2);
    assert_refused(path, NULL, HRR_EDATA, "edges.npy", "edge 1 (counting from 0)");
    put_i64(in_dir(path, "edges.npy"), wide, 2, 2);
    assert_refused(path, NULL, HRR_EDATA, "edges.npy", "edge 1 (counting from 0)");
    put_f64(in_dir(path, "edges.npy"), real, 2, 2);
    assert_refused(path, NULL, HRR_EDATA, "edges.npy", "must contain 2 x E integers,");
    put_i32(in_dir(path, "edges.npy"), outside, 1, 2);
    assert_refused(path, NULL, HRR_EDATA, "edges.npy", "transpose it");
    unlink(in_dir(path, "edges.npy"));
    assert_refused(path, NULL, HRR_EIO, "edges.npy", "is missing");

    put_small(state);
    put_u8(in_dir(path, "private.npy"), two, 2, 0);
    assert_refused(path, NULL, HRR_EDATA, "private.npy",
                   "entry 1 (counting from 0) is neither 0 nor 1");
    put_u8(in_dir(path, "private.npy"), long_marks, 3, 0);
    assert_refused(path, NULL, HRR_EDATA, "private.npy", "has 3 entries, but 2 are needed");
    unlink(in_dir(path, "private.npy"));

    put_f64(in_dir(path, "features.npy"), nan_at_1_0, 3, 2);
    assert_refused(path, NULL, HRR_EDATA, "features.npy", "row 1, column 0");
    unlink(in_dir(path, "features.npy"));
    put_i32(in_dir(path, "labels.npy"), outside, 2, 0);
    assert_refused(path, NULL, HRR_EDATA, "labels.npy", "has 2 entries, but 3 are needed");
    put_f64(in_dir(path, "labels.npy"), real, 3, 0);
    assert_refused(path, NULL, HRR_EDATA, "labels.npy", "integers are needed");
    put_u8(in_dir(path, "labels.npy"), (const uint8_t[]){0, 1, 2, 0, 1, 0}, 3, 2);
    assert_refused(path, NULL, HRR_EDATA, "labels.npy", "row 1, column 0 (counting from 0)");
    unlink(in_dir(path, "labels.npy"));
    put_i32(in_dir(path, "split.npy"), outside, 3, 0);
    hrr_graph_free(read_graph(path, NULL));
    put_i32(in_dir(path, "split.npy"), (const int32_t[]){0, 1, 3}, 3, 0);
    assert_refused(path, NULL, HRR_EDATA, "split.npy",
                   "entry 2 (counting from 0) is not between 0 and 2");
    unlink(in_dir(path, "split.npy"));
    put_i32(in_dir(path, "graph_ids.npy"), (const int32_t[]){0, 1, 1}, 3, 0);
    assert_refused(path, NULL, HRR_EDATA, "graph_ids.npy", "two different graphs");
    put_i32(in_dir(path, "graph_ids.npy"), (const int32_t[]){0, -1, 1}, 3, 0);
    assert_refused(path, NULL, HRR_EDATA, "graph_ids.npy", "entry 1");
    unlink(in_dir(path, "graph_ids.npy"));
    put_f64(in_dir(path, "node_ids.npy"), real, 3, 0);
    assert_refused(path, NULL, HRR_EDATA, "node_ids.npy", "ids must be integers or texts");
    put_i32(in_dir(path, "node_ids.npy"), outside, 2, 0);
    assert_refused(path, NULL, HRR_EDATA, "node_ids.npy", "needed for each of 3 nodes");
    unlink(in_dir(path, "node_ids.npy"));
    put_u8(in_dir(path, "candidates.npy"), two, 2, 0);
    assert_refused(path, NULL, HRR_EDATA, "candidates.npy", "has 2 entries, but 3 are needed");
}

static void test_native__ucs4_ids_become_utf8(void **state)
{
    const char *path = put_small(state);
    static const uint32_t ids[3][3] = {{'a', 'b', 0}, {0xE9, 0x4E2D, 0x1F600}, {0, 0, 0}};
    put_array(in_dir(path, "node_ids.npy"), HRR_ARRAY_UCS4, 12, ids, 3, 0);
    hrr_graph *graph = read_graph(path, NULL);
    const hrr_node_ids *found = hrr_graph_node_ids(graph);
    assert_string_equal(found->text + found->text_start[0], "ab");
    assert_string_equal(found->text + found->text_start[1], "\xc3\xa9\xe4\xb8\xad\xf0\x9f\x98\x80");
    assert_string_equal(found->text + found->text_start[2], "");
    hrr_graph_free(graph);
    static const uint32_t wrong[3][1] = {{'a'}, {0xD800}, {'c'}};
    put_array(in_dir(path, "node_ids.npy"), HRR_ARRAY_UCS4, 4, wrong, 3, 0);
    assert_refused(path, NULL, HRR_EDATA, "node_ids.npy",
                   "entry 1 (counting from 0) is not Unicode");
}

static void test_native__an_unreadable_part_is_named(void **state)
{
    const char *path = put_small(state);
    write_text(in_dir(path, "edges.npy"), "not an array");
    assert_refused(path, NULL, HRR_EDATA, "edges.npy", "npy");
}

static void test_native__replaces_only_when_asked(void **state)
{
    const char *path = in_dir(*state, "graph");
    hrr_error err = {0};
    hrr_graph *graph = rich_graph(false);
    assert_ok(hrr_graph_write(graph, path, NULL, NULL, NULL));
    assert_int_equal(hrr_graph_write(graph, path, NULL, NULL, &err), HRR_EINVAL);
    assert_says(err, "exists already");
    hrr_graph_free(graph);
}

static hrr_status write_once(void *user)
{
    hrr_write_options options;
    hrr_write_options_init(&options);
    options.replace = true;
    void **arguments = user;
    return hrr_graph_write(arguments[0], arguments[1], &options, NULL, NULL);
}

static void test_native__survives_running_out_of_memory_anywhere(void **state)
{
    /* The graph is read, not built: its memory must come from one allocator. */
    const char *path = in_dir(*state, "graph"), *copy = in_dir(*state, "copy");
    hrr_graph *graph = rich_graph(false);
    assert_ok(hrr_graph_write(graph, path, NULL, NULL, NULL));
    void *arguments[] = {graph, (void *)(uintptr_t)copy};
    assert_true(brutal(write_once, arguments) > 5);
    hrr_graph_free(graph);
    assert_survives_no_memory(path, NULL);
    assert_int_equal(count_entries(*state), 2);
}

static void test_native__writing_stops_when_cancelled_and_leaves_nothing(void **state)
{
    hrr_graph *graph = rich_graph(false);
    hrr_progress *progress;
    hrr_error err = {0};
    assert_ok(hrr_progress_new(&progress, NULL, NULL, NULL));
    hrr_progress_cancel(progress);
    assert_int_equal(hrr_graph_write(graph, in_dir(*state, "graph"), NULL, progress, &err),
                     HRR_ECANCEL);
    assert_says(err, "interrupted");
    assert_int_equal(count_entries(*state), 0);
    hrr_progress_free(progress);
    hrr_graph_free(graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_SCRATCH(test_native__everything_comes_back),
        WITH_SCRATCH(test_native__the_least_is_n_nodes_and_edges),
        WITH_SCRATCH(test_native__any_integers_are_read),
        WITH_SCRATCH(test_native__a_graph_without_edges_comes_back),
        WITH_SCRATCH(test_native__a_wrong_graph_json_is_refused),
        WITH_SCRATCH(test_native__arrays_must_be_what_graph_json_states),
        WITH_SCRATCH(test_native__wrong_arrays_are_refused),
        WITH_SCRATCH(test_native__ucs4_ids_become_utf8),
        WITH_SCRATCH(test_native__an_unreadable_part_is_named),
        WITH_SCRATCH(test_native__replaces_only_when_asked),
        WITH_SCRATCH(test_native__writing_stops_when_cancelled_and_leaves_nothing),
        WITH_SCRATCH(test_native__survives_running_out_of_memory_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
