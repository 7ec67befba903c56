#include "io/graphs.h"

/* The members of an archive under construction. */
typedef struct archive {
    const char *names[16];
    hrr_array arrays[16];
    size_t n;
} archive;

static void set(archive *in, const char *name, hrr_array_type type, size_t item_size,
                const void *data, uint64_t rows, uint64_t cols)
{
    size_t at = 0;
    while (at < in->n && strcmp(in->names[at], name) != 0)
        at++;
    in->arrays[at] = (hrr_array){.type = type,
                                 .item_size = item_size,
                                 .n_dims = cols ? 2 : 1,
                                 .shape = {rows, cols},
                                 .n_items = cols ? rows * cols : rows,
                                 .data = (void *)(uintptr_t)data};
    in->names[at] = name;
    if (at == in->n) in->n++;
}

static void drop(archive *in, const char *name)
{
    for (size_t i = 0; i < in->n; i++)
        if (strcmp(in->names[i], name) == 0) {
            in->names[i] = in->names[--in->n];
            in->arrays[i] = in->arrays[in->n];
        }
}

#define I32(...)                                                                                   \
    HRR_ARRAY_I32, 4, (const int32_t[])                                                            \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }
#define I64(...)                                                                                   \
    HRR_ARRAY_I64, 8, (const int64_t[])                                                            \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }
#define F32(...)                                                                                   \
    HRR_ARRAY_F32, 4, (const float[])                                                              \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }

static const char *put(void **state, archive *in)
{
    const char *path = in_dir(*state, "toy.npz");
    hrr_npz_item items[16];
    for (size_t i = 0; i < in->n; i++)
        items[i] = (hrr_npz_item){in->names[i], &in->arrays[i]};
    assert_ok(hrr_npz_write(path, items, in->n, NULL));
    return path;
}

/* Three nodes in the layout of gnn-benchmark. */
static archive toy(void)
{
    static const int32_t indices[] = {1, 2, 0, 2}, indptr[] = {0, 2, 3, 4};
    static const int32_t attr_indices[] = {0, 3, 1}, attr_indptr[] = {0, 2, 2, 3};
    static const float data[] = {1, 1, 1, 1};
    static const int64_t shape[] = {3, 3}, attr_shape[] = {3, 4};
    static const int8_t labels[] = {1, 0, 1};
    static const uint32_t node_names[3][2] = {{'n', '0'}, {'n', 0xE9}, {'n', '2'}};
    static const char class_names[2][4] = {"no", "yes"};
    archive in = {0};
    set(&in, "adj_data", HRR_ARRAY_F32, 4, data, 4, 0);
    set(&in, "adj_indices", HRR_ARRAY_I32, 4, indices, 4, 0);
    set(&in, "adj_indptr", HRR_ARRAY_I32, 4, indptr, 4, 0);
    set(&in, "adj_shape", HRR_ARRAY_I64, 8, shape, 2, 0);
    set(&in, "attr_data", HRR_ARRAY_F32, 4, data, 3, 0);
    set(&in, "attr_indices", HRR_ARRAY_I32, 4, attr_indices, 3, 0);
    set(&in, "attr_indptr", HRR_ARRAY_I32, 4, attr_indptr, 4, 0);
    set(&in, "attr_shape", HRR_ARRAY_I64, 8, attr_shape, 2, 0);
    set(&in, "labels", HRR_ARRAY_I8, 1, labels, 3, 0);
    set(&in, "node_names", HRR_ARRAY_UCS4, 8, node_names, 3, 0);
    set(&in, "class_names", HRR_ARRAY_BYTES, 4, class_names, 2, 0);
    return in;
}

static void test_npz_graph__the_published_layout_is_read(void **state)
{
    archive in = toy();
    hrr_graph *graph = read_graph(put(state, &in), NULL);
    static const uint8_t features[] = {1, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0};
    static const int32_t classes[] = {1, 0, 1};
    assert_string_equal(hrr_graph_name(graph), "toy");
    assert_string_equal(edges_text(graph), "0-1 0-2 ");
    assert_removed(graph, 1, 1);
    assert_int_equal(hrr_graph_features(graph)->dtype, HRR_U8);
    assert_memory_equal(hrr_graph_features(graph)->data, features, sizeof features);
    assert_memory_equal(hrr_graph_classes(graph), classes, sizeof classes);
    assert_string_equal(hrr_graph_class_name(graph, 1), "yes");
    const hrr_node_ids *ids = hrr_graph_node_ids(graph);
    assert_string_equal(ids->text + ids->text_start[1], "n\xc3\xa9");
    hrr_graph_free(graph);
}

static void test_npz_graph__real_features_and_zero_entries(void **state)
{
    archive in = toy();
    set(&in, "attr_data", F32(.5f, 2, 1), 3, 0);
    set(&in, "adj_data", F32(1, 0, 1, 0), 4, 0);
    hrr_graph *graph = read_graph(put(state, &in), NULL);
    assert_string_equal(edges_text(graph), "0-1 ");
    assert_int_equal(hrr_graph_features(graph)->dtype, HRR_F32);
    assert_true(hrr_dense_get(hrr_graph_features(graph), 0, 3) == 2);
    hrr_graph_free(graph);
    drop(&in, "attr_indptr");
    drop(&in, "adj_data");
    set(&in, "attr_matrix", F32(1, 2, 3, 4, 5, 6), 3, 2);
    graph = read_graph(put(state, &in), NULL);
    assert_string_equal(edges_text(graph), "0-1 0-2 ");
    assert_int_equal(hrr_graph_features(graph)->cols, 2);
    hrr_graph_free(graph);
}

static void test_npz_graph__splits_are_lists_or_one_array(void **state)
{
    archive in = toy();
    set(&in, "idx_train", I64(2), 1, 0);
    set(&in, "idx_val", I64(0), 1, 0);
    hrr_graph *graph = read_graph(put(state, &in), NULL);
    static const uint8_t split[] = {HRR_VALID, HRR_TEST, HRR_TRAIN};
    assert_memory_equal(hrr_graph_split(graph), split, 3);
    hrr_graph_free(graph);
    set(&in, "idx_test", I64(0), 1, 0);
    assert_refused(put(state, &in), NULL, HRR_EDATA, "idx_test",
                   "entry 0 (counting from 0) is not a node, or is a node of another set");
    set(&in, "idx_test", I64(3), 1, 0);
    assert_refused(put(state, &in), NULL, HRR_EDATA, "idx_test", "entry 0");
    set(&in, "split", I64(0, 1, 2), 3, 0);
    graph = read_graph(put(state, &in), NULL);
    assert_int_equal(hrr_graph_split(graph)[1], HRR_VALID);
    hrr_graph_free(graph);
}

/* Everything the format holds comes back when it is written and read again. */
static void assert_comes_back(void **state, hrr_graph *before)
{
    hrr_write_options options;
    hrr_write_options_init(&options);
    options.replace = true;
    const char *path = in_dir(*state, "again.npz");
    assert_ok(hrr_graph_write(before, path, &options, NULL, NULL));
    hrr_graph *after = read_graph(path, NULL);
    assert_same_edges(before, after);
    assert_same_bytes(hrr_graph_is_private(before), hrr_graph_is_private(after),
                      hrr_graph_n_edges(before));
    assert_same_dense(hrr_graph_features(before), hrr_graph_features(after));
    assert_same_labels(before, after);
    assert_same_ids(before, after);
    assert_same_bytes(hrr_graph_split(before), hrr_graph_split(after), hrr_graph_n_nodes(before));
    assert_removed(after, 0, 0);
    hrr_graph_free(before);
    hrr_graph_free(after);
}

static void test_npz_graph__what_is_written_comes_back(void **state)
{
    archive in = toy();
    assert_comes_back(state, read_graph(put(state, &in), NULL));
    static const uint8_t many[] = {0, 1, 1, 0, 0, 1};
    set(&in, "labels", HRR_ARRAY_U8, 1, many, 3, 2);
    set(&in, "edge_private", I64(0, 1, 0, 0), 4, 0);
    set(&in, "node_names", I64(70, -5, 3), 3, 0);
    set(&in, "split", I64(0, 1, 2), 3, 0);
    drop(&in, "attr_indptr");
    set(&in, "attr_matrix", F32(1, 2, 3, 4, 5, 6), 3, 2);
    hrr_graph *graph = read_graph(put(state, &in), NULL);
    assert_string_equal(edges_text(graph), "0-1 0-2* ");
    assert_comes_back(state, graph);
}

static void refuse(void **state, const char *name, hrr_array_type type, size_t item_size,
                   const void *data, uint64_t rows, uint64_t cols, const char *message)
{
    archive in = toy();
    set(&in, name, type, item_size, data, rows, cols);
    assert_refused(put(state, &in), NULL, HRR_EDATA, name, message);
}

static void test_npz_graph__a_wrong_matrix_is_refused(void **state)
{
    refuse(state, "adj_indptr", I32(0, 2, 1, 4), 4, 0, "entry 2 (counting from 0) is wrong");
    refuse(state, "adj_indptr", I32(1, 2, 3, 4), 4, 0, "entry 0 (counting from 0) is wrong");
    refuse(state, "adj_indptr", I32(0, 2, 3, 5), 4, 0, "entry 3 (counting from 0) is wrong");
    refuse(state, "adj_indptr", I32(0, 2, 4), 3, 0, "has 3 entries, but 4 are needed");
    refuse(state, "adj_indptr", F32(0, 2, 3, 4), 4, 0, "integers are needed");
    refuse(state, "adj_indices", I32(1, 2, 0, 3), 4, 0,
           "entry 3 (counting from 0) is not a column between 0 and 2");
    refuse(state, "adj_indices", I32(1, -2, 0, 2), 4, 0,
           "entry 1 (counting from 0) is not a column between 0 and 2");
    refuse(state, "adj_data", F32(1, 1), 2, 0, "has 2 values for 4 entries");
    refuse(state, "adj_shape", I64(3, 4), 2, 0, "an adjacency matrix must be square");
    refuse(state, "adj_shape", I64(-3, 3), 2, 0, "a dimension is not between 0 and");
    refuse(state, "adj_shape", I64(3), 1, 0, "has 1 entry, but 2 are needed");
    refuse(state, "attr_shape", I64(3, 1 << 30), 2, 0, "and 1 to 1048576 columns");
    refuse(state, "attr_indices", I32(0, 4, 1), 3, 0,
           "entry 1 (counting from 0) is not a column between 0 and 3");
    refuse(state, "edge_private", I32(0, 1, 2, 0), 4, 0,
           "entry 2 (counting from 0) is not between 0 and 1");
    refuse(state, "edge_private", I32(0, 1), 2, 0, "has 2 entries, but 4 are needed");
    refuse(state, "labels", I32(0, 1), 2, 0, "has 2 entries, but 3 are needed");
    refuse(state, "labels", I32(0, 1, 70000), 3, 0, "row 2 (counting from 0) is not a class");
    refuse(state, "labels", I32(0, 1, 1, 0), 2, 2, "has 2 rows, but the graph has 3 nodes");
    refuse(state, "node_names", I32(0, 1), 2, 0, "needed for each of 3 nodes");
    refuse(state, "class_names", I32(0, 1), 2, 0, "one text is needed for each of 2 classes");
}

static void test_npz_graph__nan_features_are_named(void **state)
{
    archive in = toy();
    set(&in, "attr_data", F32(.5f, NAN, 1), 3, 0);
    assert_refused(put(state, &in), NULL, HRR_EDATA, "toy.npz", "row 0, column 3");
}

static void test_npz_graph__missing_members_and_files_are_named(void **state)
{
    archive in = toy();
    drop(&in, "adj_indices");
    assert_refused(put(state, &in), NULL, HRR_EDATA, "toy.npz: adj_indices", "is missing");
    assert_refused(in_dir(*state, "none.npz"), "npz", HRR_EIO, "none.npz", "");
    write_text(in_dir(*state, "text.npz"), "not an archive");
    assert_refused(in_dir(*state, "text.npz"), NULL, HRR_EDATA, "text.npz", "");
}

static hrr_status write_once(void *user)
{
    hrr_write_options options;
    hrr_write_options_init(&options);
    options.replace = true;
    void **arguments = user;
    return hrr_graph_write(arguments[0], arguments[1], &options, NULL, NULL);
}

static void test_npz_graph__survives_running_out_of_memory_anywhere(void **state)
{
    archive in = toy();
    set(&in, "idx_train", I64(2), 1, 0);
    const char *path = put(state, &in);
    assert_survives_no_memory(path, NULL);
    hrr_graph *graph = read_graph(path, NULL);
    void *arguments[] = {graph, (void *)(uintptr_t)in_dir(*state, "copy.npz")};
    assert_true(brutal(write_once, arguments) > 5);
    hrr_graph_free(graph);
    assert_int_equal(count_entries(*state), 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_SCRATCH(test_npz_graph__the_published_layout_is_read),
        WITH_SCRATCH(test_npz_graph__real_features_and_zero_entries),
        WITH_SCRATCH(test_npz_graph__splits_are_lists_or_one_array),
        WITH_SCRATCH(test_npz_graph__what_is_written_comes_back),
        WITH_SCRATCH(test_npz_graph__a_wrong_matrix_is_refused),
        WITH_SCRATCH(test_npz_graph__nan_features_are_named),
        WITH_SCRATCH(test_npz_graph__missing_members_and_files_are_named),
        WITH_SCRATCH(test_npz_graph__survives_running_out_of_memory_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
