#include "io/graphs.h"

static void put_split(const char *dir, const char *split, const char *graph, const double *feats,
                      const uint8_t *labels, const int64_t *graph_id, uint64_t n)
{
    char name[64];
    snprintf(name, sizeof name, "%s_graph.json", split);
    write_text(in_dir(dir, name), graph);
    snprintf(name, sizeof name, "%s_feats.npy", split);
    put_f64(in_dir(dir, name), feats, n, 2);
    snprintf(name, sizeof name, "%s_labels.npy", split);
    put_u8(in_dir(dir, name), labels, n, 3);
    snprintf(name, sizeof name, "%s_graph_id.npy", split);
    put_i64(in_dir(dir, name), graph_id, n, 0);
}

/* Two training graphs of two nodes each and a test graph of two. */
static const char *put_ppi(void **state)
{
    static const double feats[] = {0, 1, 2, 3, 4, 5, 6, 7}, more[] = {8, 9, 10, 11};
    static const uint8_t labels[] = {0, 1, 0, 1, 1, 0, 0, 0, 0, 1, 0, 0};
    static const int64_t train_ids[] = {1, 1, 2, 2}, test_ids[] = {23, 23};
    const char *dir = fresh_dir(state, "ppi");
    put_split(
        dir, "train",
        "{\"directed\": true, \"nodes\": [{\"id\": 0}, {\"id\": 1}, {\"id\": 2}, {\"id\": 3}],"
        "\"links\": [{\"source\": 0, \"target\": 1}, {\"source\": 1, \"target\": 0},"
        "{\"source\": 2, \"target\": 3}, {\"source\": 3, \"target\": 3}]}",
        feats, labels, train_ids, 4);
    put_split(
        dir, "test",
        "{\"nodes\": [{\"id\": 0}, {\"id\": 1}], \"links\": [{\"source\": 1, \"target\": 0}]}",
        more, labels, test_ids, 2);
    return dir;
}

static void test_ppi__the_splits_become_one_collection(void **state)
{
    hrr_graph *graph = read_graph(put_ppi(state), NULL);
    static const uint32_t graph_ids[] = {0, 0, 1, 1, 2, 2};
    static const uint8_t split[] = {0, 0, 0, 0, 2, 2};
    assert_int_equal(hrr_graph_n_nodes(graph), 6);
    assert_string_equal(edges_text(graph), "0-1 2-3 4-5 ");
    assert_removed(graph, 1, 1);
    assert_memory_equal(hrr_graph_graph_ids(graph), graph_ids, sizeof graph_ids);
    assert_memory_equal(hrr_graph_split(graph), split, sizeof split);
    assert_int_equal(hrr_graph_n_classes(graph), 3);
    assert_true(hrr_graph_is_multilabel(graph));
    assert_true(hrr_dense_get(hrr_graph_features(graph), 5, 1) == 11);
    assert_true(hrr_dense_get(hrr_graph_label_matrix(graph), 4, 1) == 1);
    hrr_graph_free(graph);
}

static void test_ppi__one_split_is_enough(void **state)
{
    const char *dir = put_ppi(state);
    unlink(in_dir(dir, "train_graph.json"));
    unlink(in_dir(dir, "test_graph_id.npy"));
    unlink(in_dir(dir, "test_labels.npy"));
    hrr_graph *graph = read_graph(dir, NULL);
    assert_int_equal(hrr_graph_n_nodes(graph), 2);
    assert_int_equal(hrr_graph_n_graphs(graph), 1);
    assert_int_equal(hrr_graph_n_classes(graph), 0);
    assert_int_equal(hrr_graph_split(graph)[0], HRR_TEST);
    hrr_graph_free(graph);
}

static void test_ppi__element_types_are_brought_together(void **state)
{
    const char *dir = put_ppi(state);
    static const float narrow[] = {8, 9, 10, 11.5f};
    put_array(in_dir(dir, "test_feats.npy"), HRR_ARRAY_F32, 4, narrow, 2, 2);
    hrr_graph *graph = read_graph(dir, NULL);
    assert_int_equal(hrr_graph_features(graph)->dtype, HRR_F64);
    assert_true(hrr_dense_get(hrr_graph_features(graph), 5, 1) == 11.5);
    hrr_graph_free(graph);
}

static void test_ppi__parts_must_fit(void **state)
{
    static const double feats[] = {0, 1, 2, 3, 4, 5};
    static const int64_t falling[] = {2, 1}, three[] = {1, 1, 1};
    const char *dir = put_ppi(state);
    put_f64(in_dir(dir, "test_feats.npy"), feats, 3, 2);
    assert_refused(dir, NULL, HRR_EDATA, "test_feats.npy", "has 3 rows, but the split has 2 nodes");
    put_f64(in_dir(dir, "test_feats.npy"), feats, 2, 3);
    assert_refused(dir, NULL, HRR_EDATA, "test_feats.npy",
                   "has 3 columns, but the files before it have 2");
    unlink(in_dir(dir, "test_feats.npy"));
    assert_refused(dir, NULL, HRR_EIO, "test_feats.npy",
                   ": is missing, but the other splits have this file");
    dir = put_ppi(state);
    put_i64(in_dir(dir, "test_graph_id.npy"), falling, 2, 0);
    assert_refused(dir, NULL, HRR_EDATA, "test_graph_id.npy", "entry 1 (counting from 0) is less");
    put_i64(in_dir(dir, "test_graph_id.npy"), three, 3, 0);
    assert_refused(dir, NULL, HRR_EDATA, "test_graph_id.npy", "has 3 entries, but 2 are needed");
    dir = put_ppi(state);
    put_u8(in_dir(dir, "test_labels.npy"), (const uint8_t[]){0, 1, 2, 0, 0, 0}, 2, 3);
    assert_refused(dir, NULL, HRR_EDATA, "labels.npy", "row 4, column 2 (counting from 0)");
    dir = put_ppi(state);
    write_text(in_dir(dir, "test_graph.json"), "{\"nodes\": [], \"links\": []}");
    assert_refused(dir, NULL, HRR_EDATA, "test_graph.json", "has no nodes");
    write_text(in_dir(dir, "test_graph.json"),
               "{\"nodes\": [{\"id\": 0}], \"links\": [{\"source\": \"0\", \"target\": 0}]}");
    assert_refused(dir, NULL, HRR_EDATA, "test_graph.json",
                   "positions in the list of nodes are needed");
    dir = put_ppi(state);
    put_i64(in_dir(dir, "train_graph_id.npy"), (const int64_t[]){1, 2, 2, 2}, 4, 0);
    assert_refused(dir, NULL, HRR_EDATA, "ppi", "two different graphs");
    assert_refused(*state, "ppi", HRR_EIO, *state, "train_graph.json, valid_graph.json and");
}

/* ---- one csv a graph ----------------------------------------------------------------------- */

static const char *put_csv(void **state)
{
    const char *dir = fresh_dir(state, "csv");
    write_text(in_dir(dir, "train_0.csv"),
               "src,dst,private_a,private_b\n0,0,1,1\n0,1,0,1\n1,2,0,0\n");
    write_text(in_dir(dir, "train_10.csv"), "src,dst,private_a,private_b\n0,1,0,0\n");
    write_text(in_dir(dir, "train_2.csv"), "src,dst,private_a,private_b\n0,1,0,0\n1,0,1,0\n");
    write_text(in_dir(dir, "test_0.csv"), "src,dst,private_a,private_b\n1,0,0,0\n");
    return dir;
}

static void test_ppi_csv__files_are_graphs_in_the_order_of_their_numbers(void **state)
{
    hrr_graph *graph = read_graph(put_csv(state), NULL);
    static const uint32_t graph_ids[] = {0, 0, 0, 1, 1, 2, 2, 3, 3};
    static const uint8_t split[] = {0, 0, 0, 0, 0, 0, 0, 2, 2};
    assert_int_equal(hrr_graph_n_nodes(graph), 9);
    assert_string_equal(edges_text(graph), "0-1* 1-2 3-4* 5-6 7-8 ");
    assert_removed(graph, 1, 1);
    assert_memory_equal(hrr_graph_graph_ids(graph), graph_ids, sizeof graph_ids);
    assert_memory_equal(hrr_graph_split(graph), split, sizeof split);
    assert_int_equal(hrr_graph_n_marks(graph), 2);
    assert_string_equal(hrr_graph_mark_name(graph, 1), "private_b");
    assert_int_equal(hrr_graph_mark_edges_count(graph, 0), 1);
    hrr_graph_free(graph);
}

static void put_csv_features(const char *dir)
{
    static const double feats[] = {0, 1, 2, 3, 4, 5, 6, 7, 8};
    static const int64_t train_ids[] = {1, 1, 1, 2, 2, 3, 3, 3}, test_ids[] = {9, 9};
    put_f64(in_dir(dir, "train_feats.npy"), feats, 8, 1);
    put_i64(in_dir(dir, "train_graph_id.npy"), train_ids, 8, 0);
    put_f64(in_dir(dir, "test_feats.npy"), feats, 2, 1);
    put_i64(in_dir(dir, "test_graph_id.npy"), test_ids, 2, 0);
}

static void test_ppi_csv__features_count_when_every_split_has_them(void **state)
{
    const char *dir = put_csv(state);
    put_csv_features(dir);
    hrr_graph *graph = read_graph(dir, NULL);
    assert_int_equal(hrr_graph_n_nodes(graph), 10); /* node 7 has no edge */
    assert_string_equal(edges_text(graph), "0-1* 1-2 3-4* 5-6 8-9 ");
    assert_int_equal(hrr_graph_features(graph)->rows, 10);
    hrr_graph_free(graph);
    unlink(in_dir(dir, "test_graph_id.npy"));
    graph = read_graph(dir, NULL);
    assert_int_equal(hrr_graph_n_nodes(graph), 9);
    assert_null(hrr_graph_features(graph));
    hrr_graph_free(graph);
}

static void test_ppi_csv__parts_must_fit(void **state)
{
    const char *dir = put_csv(state);
    put_csv_features(dir);
    put_i64(in_dir(dir, "test_graph_id.npy"), (const int64_t[]){9, 10}, 2, 0);
    assert_refused(dir, NULL, HRR_EDATA, "test_graph_id.npy",
                   "has 2 graphs, but there is 1 file of");
    put_i64(in_dir(dir, "test_graph_id.npy"), (const int64_t[]){9}, 1, 0);
    assert_refused(dir, NULL, HRR_EDATA, "test_0.csv", ":2");
    put_csv_features(dir);
    put_f64(in_dir(dir, "test_feats.npy"), (const double[]){1, 2, 3}, 3, 1);
    assert_refused(dir, NULL, HRR_EDATA, "test_feats.npy", "has 3 rows");
    unlink(in_dir(dir, "test_feats.npy"));
    write_text(in_dir(dir, "train_2.csv"), "src,dst,private_a\n0,1,0\n");
    assert_refused(dir, NULL, HRR_EDATA, "train_2.csv",
                   "does not have the same private columns as");
    assert_refused(*state, "ppi-csv", HRR_EIO, *state, "train_NUMBER.csv");
    assert_refused(in_dir(*state, "none"), "ppi-csv", HRR_EIO, "none", "cannot be read");
}

static void test_ppi_csv__one_wild_id_does_not_make_a_million_nodes(void **state)
{
    const char *dir = in_dir(*state, "wild");
    assert_int_equal(mkdir(dir, 0777), 0);
    write_text(in_dir(dir, "train_0.csv"), "0,1\n1,1055\n"); /* 1024 + 16 a row */
    hrr_graph *graph = read_graph(dir, NULL);
    assert_int_equal(hrr_graph_n_nodes(graph), 1056);
    hrr_graph_free(graph);
    write_text(in_dir(dir, "train_0.csv"), "0,1\n1,1056\n");
    assert_refused(dir, NULL, HRR_EDATA, "train_0.csv", "must be the row numbers");
}

static void test_ppi__survives_running_out_of_memory_anywhere(void **state)
{
    assert_survives_no_memory(put_ppi(state), NULL);
    const char *dir = put_csv(state);
    put_csv_features(dir);
    assert_survives_no_memory(dir, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_SCRATCH(test_ppi__the_splits_become_one_collection),
        WITH_SCRATCH(test_ppi__one_split_is_enough),
        WITH_SCRATCH(test_ppi__element_types_are_brought_together),
        WITH_SCRATCH(test_ppi__parts_must_fit),
        WITH_SCRATCH(test_ppi_csv__files_are_graphs_in_the_order_of_their_numbers),
        WITH_SCRATCH(test_ppi_csv__features_count_when_every_split_has_them),
        WITH_SCRATCH(test_ppi_csv__parts_must_fit),
        WITH_SCRATCH(test_ppi_csv__one_wild_id_does_not_make_a_million_nodes),
        WITH_SCRATCH(test_ppi__survives_running_out_of_memory_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
