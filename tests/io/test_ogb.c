#include "io/graphs.h"
#include "support/pack.h"

static void put_gz(const char *path, const char *text)
{
    write_gzip(path, text, strlen(text), 0);
}

/* Four nodes, compressed as published. */
static const char *put_ogb(void **state)
{
    const char *dir = fresh_dir(state, "ogbn");
    mkdir(in_dir(dir, "raw"), 0777);
    mkdir(in_dir(dir, "split"), 0777);
    mkdir(in_dir(dir, "split/time"), 0777);
    put_gz(in_dir(dir, "raw/edge.csv.gz"), "0,1\n2,1\n1,2\n");
    put_gz(in_dir(dir, "raw/num-node-list.csv.gz"), "4\n");
    put_gz(in_dir(dir, "raw/num-edge-list.csv.gz"), "3\n");
    put_gz(in_dir(dir, "raw/node-feat.csv.gz"), "0.5,-1\n1e-3,2\n3,4\n5,6\n");
    put_gz(in_dir(dir, "raw/node-label.csv.gz"), "4\n0\nnan\n2.0\n");
    put_gz(in_dir(dir, "split/time/train.csv.gz"), "0\n");
    put_gz(in_dir(dir, "split/time/valid.csv.gz"), "3\n");
    put_gz(in_dir(dir, "split/time/test.csv.gz"), "1\n");
    return dir;
}

static void assert_is_ogb(const char *path)
{
    hrr_graph *graph = read_graph(path, NULL);
    static const int32_t classes[] = {4, 0, -1, 2};
    static const uint8_t split[] = {HRR_TRAIN, HRR_TEST, HRR_TEST, HRR_VALID};
    assert_int_equal(hrr_graph_n_nodes(graph), 4);
    assert_string_equal(edges_text(graph), "0-1 1-2 ");
    assert_removed(graph, 0, 1);
    assert_int_equal(hrr_graph_features(graph)->dtype, HRR_F32);
    assert_true(hrr_dense_get(hrr_graph_features(graph), 1, 0) == (double)1e-3f);
    assert_int_equal(hrr_graph_n_classes(graph), 5);
    assert_memory_equal(hrr_graph_classes(graph), classes, sizeof classes);
    assert_memory_equal(hrr_graph_split(graph), split, sizeof split);
    assert_int_equal(hrr_graph_n_graphs(graph), 1);
    hrr_graph_free(graph);
}

static void test_ogb__the_folder_or_its_raw_folder_names_the_graph(void **state)
{
    const char *dir = put_ogb(state);
    assert_is_ogb(dir);
    assert_is_ogb(in_dir(dir, "raw"));
    assert_is_ogb(in_dir(dir, "raw/"));
    unlink(in_dir(dir, "raw/edge.csv.gz"));
    write_text(in_dir(dir, "raw/edge.csv"), "0,1\n2,1\n1,2\n");
    assert_is_ogb(dir);
}

static void test_ogb__several_label_columns_are_several_labels(void **state)
{
    const char *dir = put_ogb(state);
    put_gz(in_dir(dir, "raw/node-label.csv.gz"), "0,1\n1,1\n0,0\n1,0\n");
    hrr_graph *graph = read_graph(dir, NULL);
    static const uint8_t labels[] = {0, 1, 1, 1, 0, 0, 1, 0};
    assert_memory_equal(hrr_graph_label_matrix(graph)->data, labels, sizeof labels);
    hrr_graph_free(graph);
    put_gz(in_dir(dir, "raw/node-label.csv.gz"), "0,1\n1,nan\n0,0\n1,0\n");
    assert_refused(dir, NULL, HRR_EDATA, "node-label.csv.gz", "row 1, column 1");
}

static void test_ogb__several_counts_are_a_collection(void **state)
{
    const char *dir = put_ogb(state);
    put_gz(in_dir(dir, "raw/edge.csv.gz"), "0,1\n0,1\n1,2\n");
    put_gz(in_dir(dir, "raw/num-node-list.csv.gz"), "2\n0\n3\n");
    put_gz(in_dir(dir, "raw/num-edge-list.csv.gz"), "1\n0\n2\n");
    put_gz(in_dir(dir, "split/time/train.csv.gz"), "2\n");
    put_gz(in_dir(dir, "split/time/valid.csv.gz"), "1\n");
    put_gz(in_dir(dir, "split/time/test.csv.gz"), "0\n");
    unlink(in_dir(dir, "raw/node-feat.csv.gz"));
    unlink(in_dir(dir, "raw/node-label.csv.gz"));
    hrr_graph *graph = read_graph(dir, NULL);
    static const uint32_t graph_ids[] = {0, 0, 1, 1, 1};
    static const uint8_t split[] = {2, 2, 0, 0, 0};
    assert_string_equal(edges_text(graph), "0-1 2-3 3-4 ");
    assert_memory_equal(hrr_graph_graph_ids(graph), graph_ids, sizeof graph_ids);
    assert_memory_equal(hrr_graph_split(graph), split, sizeof split);
    hrr_graph_free(graph);
    put_gz(in_dir(dir, "raw/edge.csv.gz"), "0,2\n0,1\n1,2\n");
    assert_refused(dir, NULL, HRR_EDATA, "edge.csv.gz",
                   "edge 0 (counting from 0) names a node outside its graph");
}

static void refuse(void **state, const char *file, const char *text, const char *says)
{
    const char *dir = put_ogb(state);
    put_gz(in_dir(dir, file), text);
    char *name = strdup(strrchr(file, '/') + 1);
    name[strlen(name) - strlen(".csv.gz")] = '\0';
    assert_refused(dir, NULL, HRR_EDATA, name, says);
    free(name);
}

static void test_ogb__wrong_files_are_refused(void **state)
{
    static const bad_text bad_counts[] = {
        {"four\n", "exactly one count"},
        {"-4\n", "exactly one count"},
        {"", "lists the nodes of 0 graphs"},
        {"2\n2\n", "lists the nodes of 2 graphs, but num-edge-list.csv lists the edges of 1"},
        {0},
    };
    refuse_each(refuse, state, "raw/num-node-list.csv.gz", bad_counts);
    refuse(state, "raw/num-edge-list.csv.gz", "4\n", "num-edge-list.csv states 4");
    refuse(state, "raw/edge.csv.gz", "0,1\n2,1\n1,4\n", ":3");
    static const bad_text bad_features[] = {
        {"1\n2\n3\n", "has 3 rows, but the graph has 4 nodes"},
        {"1\n2\n3\n4\n5\n", "more rows than the 4 nodes"},
        {"1,2\n3\n", "gz:2: has 1 column, but the first row has 2"},
        {"1,2\n3,nan\n", "gz:2: column 2 is not a finite number"},
        {"1,2\n3,x\n", "gz:2: column 2 is not a finite number"},
        {"1,2\n3,inf\n", "gz:2: column 2 is not a finite number"},
        {0},
    };
    refuse_each(refuse, state, "raw/node-feat.csv.gz", bad_features);
    refuse(state, "raw/node-label.csv.gz", "0\n1\n2\n0.5\n",
           "row 3 (counting from 0) is not a class");
    refuse(state, "raw/node-label.csv.gz", "nan\nnan\nnan\nnan\n", "no node has a known class");
    refuse(state, "split/time/train.csv.gz", "4\n", "is not a node number below 4,");
    refuse(state, "split/time/test.csv.gz", "3\n",
           "is not a node number below 4, or is a node of another set");
}

static void test_ogb__splits_and_files_that_are_missing_are_named(void **state)
{
    const char *dir = put_ogb(state);
    mkdir(in_dir(dir, "split/random"), 0777);
    assert_refused(dir, NULL, HRR_EDATA, "split", "contains 2 splits");
    rmdir(in_dir(dir, "split/random"));
    unlink(in_dir(dir, "split/time/valid.csv.gz"));
    assert_refused(dir, NULL, HRR_EIO, "valid.csv", "cannot be read");
    unlink(in_dir(dir, "raw/edge.csv.gz"));
    assert_refused(dir, "ogb", HRR_EIO, dir, "raw/edge.csv.gz");
}

static void test_ogb__a_graph_without_edges_is_read(void **state)
{
    const char *dir = put_ogb(state);
    put_gz(in_dir(dir, "raw/edge.csv.gz"), "");
    put_gz(in_dir(dir, "raw/num-edge-list.csv.gz"), "0\n");
    hrr_graph *graph = read_graph(dir, NULL);
    assert_int_equal(hrr_graph_n_edges(graph), 0);
    hrr_graph_free(graph);
}

static void test_ogb__survives_running_out_of_memory_anywhere(void **state)
{
    assert_survives_no_memory(put_ogb(state), NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_SCRATCH(test_ogb__the_folder_or_its_raw_folder_names_the_graph),
        WITH_SCRATCH(test_ogb__several_label_columns_are_several_labels),
        WITH_SCRATCH(test_ogb__several_counts_are_a_collection),
        WITH_SCRATCH(test_ogb__wrong_files_are_refused),
        WITH_SCRATCH(test_ogb__splits_and_files_that_are_missing_are_named),
        WITH_SCRATCH(test_ogb__a_graph_without_edges_is_read),
        WITH_SCRATCH(test_ogb__survives_running_out_of_memory_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
