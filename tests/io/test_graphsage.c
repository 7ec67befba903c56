#include "io/graphs.h"

/* Three nodes; `nodes` is not in row order, so that positions, ids and rows all differ. */
static const char *put_toy(void **state)
{
    static const double feats[] = {0, .5, 1, 1.5, 2, 2.5};
    const char *dir = fresh_dir(state, "sage");
    write_text(
        in_dir(dir, "toy-G.json"),
        "{\"directed\": false, \"graph\": {\"name\": \"toy\"},\n"
        "\"nodes\": [{\"id\": \"b\", \"val\": false, \"test\": true, \"feature\": [1, 2]},\n"
        "  {\"test\": false, \"id\": \"c\", \"val\": true}, {\"id\": \"a\", \"val\": false}],\n"
        "\"links\": [{\"source\": 0, \"target\": 1, \"train_removed\": true},\n"
        "  {\"test_removed\": false, \"target\": 0, \"source\": 2}, {\"source\": 1, \"target\": "
        "1}],\n"
        "\"multigraph\": false}");
    write_text(in_dir(dir, "toy-id_map.json"), "{\"a\": 0, \"b\": 1, \"c\": 2}");
    write_text(in_dir(dir, "toy-class_map.json"), "{\"a\": 4, \"c\": 0}");
    put_f64(in_dir(dir, "toy-feats.npy"), feats, 3, 2);
    return dir;
}

static void assert_is_toy(const char *path)
{
    hrr_graph *graph = read_graph(path, NULL);
    assert_int_equal(hrr_graph_n_nodes(graph), 3);
    assert_string_equal(hrr_graph_name(graph), "toy");
    assert_string_equal(edges_text(graph), "0-1 1-2 "); /* rows: a 0, b 1, c 2 */
    assert_removed(graph, 1, 0);
    static const uint8_t split[] = {HRR_TRAIN, HRR_TEST, HRR_VALID};
    static const int32_t classes[] = {4, -1, 0};
    assert_memory_equal(hrr_graph_split(graph), split, 3);
    assert_int_equal(hrr_graph_n_classes(graph), 5);
    assert_memory_equal(hrr_graph_classes(graph), classes, sizeof classes);
    assert_true(hrr_dense_get(hrr_graph_features(graph), 1, 1) == 1.5);
    const hrr_node_ids *ids = hrr_graph_node_ids(graph);
    assert_string_equal(ids->text + ids->text_start[2], "c");
    hrr_graph_free(graph);
}

static void test_graphsage__a_prefix_a_file_or_the_folder_names_the_graph(void **state)
{
    const char *dir = put_toy(state);
    assert_is_toy(in_dir(dir, "toy"));
    assert_is_toy(in_dir(dir, "toy-G.json"));
    assert_is_toy(in_dir(dir, "toy-class_map.json"));
    assert_is_toy(dir);
}

static void test_graphsage__links_may_name_ids_and_come_first(void **state)
{
    const char *dir = put_toy(state);
    write_text(in_dir(dir, "toy-G.json"), "{\"edges\": [{\"source\": \"b\", \"target\": \"c\"}, "
                                          "{\"source\": \"a\", \"target\": \"b\"},"
                                          "{\"source\": \"c\", \"target\": \"c\"}],"
                                          "\"nodes\": [{\"id\": \"b\", \"test\": true}, {\"id\": "
                                          "\"c\", \"val\": true}, {\"id\": \"a\"}]}");
    assert_is_toy(dir);
}

static void test_graphsage__integer_ids_that_are_rows_need_no_names(void **state)
{
    const char *dir = put_toy(state);
    write_text(in_dir(dir, "toy-G.json"), "{\"nodes\": [{\"id\": 0}, {\"id\": 1}, {\"id\": 2}],"
                                          "\"links\": [{\"source\": 0, \"target\": 2}]}");
    write_text(in_dir(dir, "toy-id_map.json"), "{\"0\": 0, \"2\": 2, \"1\": 1}");
    write_text(in_dir(dir, "toy-class_map.json"),
               "{\"0\": [0, 1, 1], \"1\": [1.0, 0.0, 0.0], \"2\": [false, false, true]}");
    hrr_graph *graph = read_graph(dir, NULL);
    static const uint8_t labels[] = {0, 1, 1, 1, 0, 0, 0, 0, 1};
    assert_string_equal(edges_text(graph), "0-2 ");
    assert_null(hrr_graph_node_ids(graph));
    assert_null(hrr_graph_split(graph));
    assert_true(hrr_graph_is_multilabel(graph));
    assert_memory_equal(hrr_graph_label_matrix(graph)->data, labels, sizeof labels);
    hrr_graph_free(graph);
    write_text(in_dir(dir, "toy-G.json"), "{\"nodes\": [{\"id\": 10}, {\"id\": 7}, {\"id\": 8}],"
                                          "\"links\": [{\"source\": 0, \"target\": 2}]}");
    write_text(in_dir(dir, "toy-id_map.json"), "{\"7\": 0, \"8\": 2, \"10\": 1}");
    unlink(in_dir(dir, "toy-class_map.json"));
    unlink(in_dir(dir, "toy-feats.npy"));
    graph = read_graph(dir, NULL);
    static const int64_t ids[] = {7, 10, 8};
    assert_string_equal(edges_text(graph), "1-2 ");
    assert_memory_equal(hrr_graph_node_ids(graph)->integer, ids, sizeof ids);
    hrr_graph_free(graph);
}

static void refuse(void **state, const char *file, const char *text, const char *says)
{
    const char *dir = put_toy(state);
    write_text(in_dir(dir, file), text);
    assert_refused(dir, NULL, HRR_EDATA, file, says);
}

static void test_graphsage__a_wrong_graph_is_refused(void **state)
{
    const char *file = "toy-G.json";
    static const bad_text bad[] = {
        {"{\"nodes\": [", "the file ends in the middle"},
        {"[]", "expected an object with nodes and links, found a list"},
        {"{\"links\": []}", "has no list of nodes"},
        {"{\"nodes\": []}", "has no list of links"},
        {"{\"nodes\": {}, \"links\": []}", "expected a list of nodes or links"},
        {"{\"nodes\": [3], \"links\": []}",
         "expected an object in the list of nodes, found a number"},
        {"{\"nodes\": [], \"nodes\": [], \"links\": []}", "nodes occurs twice"},
        {"{\"nodes\": [{}], \"links\": []}", "a node has no id"},
        {"{\"nodes\": [{\"id\": \"a\", \"id\": \"a\"}], \"links\": []}", "a node has two ids"},
        {"{\"nodes\": [{\"id\": \"zz\"}], \"links\": []}",
         "(counting from 0) has an id that is not in the id map"},
        {"{\"nodes\": [{\"id\": null}], \"links\": []}", "neither an integer nor a text"},
        {"{\"nodes\": [{\"id\": \"a\\u0000\"}], \"links\": []}", "neither an integer nor a text"},
        {"{\"nodes\": [{\"id\": \"a\", \"val\": 1}], \"links\": []}", "expected true or false"},
        {"{\"nodes\": [{\"id\": \"a\", \"val\": true, \"test\": true}], \"links\": []}",
         "both val and test"},
        {"{\"nodes\": [{\"id\": \"a\"}, {\"id\": \"b\"}], \"links\": []}",
         "has 2 nodes, but the id map has 3 ids"},
        {"{\"nodes\": [{\"id\": \"a\"}, {\"id\": \"b\"}, {\"id\": \"a\"}], \"links\": []}",
         "repeats the id of another node"},
#define NODES "{\"nodes\": [{\"id\": \"a\"}, {\"id\": \"b\"}, {\"id\": \"c\"}],\n\"links\": ["
        {NODES "{\"source\": 0}]}", "json:2: a link has no source or no target"},
        {NODES "{\"source\": 0, \"source\": 1}]}", "two sources or two targets"},
        {NODES "{\"source\": 0, \"target\": 3}]}",
         "link 0 (counting from 0) names a position outside"},
        {NODES "{\"source\": 0, \"target\": -1}]}",
         "the end of a link is neither a position in the list of nodes nor a node id"},
        {NODES "{\"source\": 0, \"target\": [1]}]}",
         "the end of a link is neither a position in the list of nodes nor a node id"},
        {NODES "{\"source\": 0, \"target\": \"b\"}]}", "in two different ways"},
        {NODES "{\"source\": \"a\", \"target\": \"x\"}]}",
         "a link names a node that is not in the id map"},
        {0},
    };
    refuse_each(refuse, state, file, bad);
}

static void test_graphsage__a_wrong_id_map_is_refused(void **state)
{
    const char *file = "toy-id_map.json";
    static const bad_text bad[] = {
        {"[1]", "expected an object that maps ids to rows,"},
        {"{\"a\": 0, \"a\": 1}", "an id occurs twice"},
        {"{\"a\": \"0\"}", "expected a row number, found a string"},
        {"{\"a\": -1}", "a row number is not between 0 and"},
        {"{\"a\": 0, \"b\": 0}", "id 1 (counting from 0) has a row number that another id has"},
        {"{\"a\": 0, \"b\": 2}", "not below 2"},
        {"{\"a\\u0000\": 0}", "zero byte"},
        {0},
    };
    refuse_each(refuse, state, file, bad);
}

static void test_graphsage__a_wrong_class_map_is_refused(void **state)
{
    const char *file = "toy-class_map.json";
    static const bad_text bad[] = {
        {"{\"a\": 0", "the file ends in the middle"},
        {"{\"x\": 0}", "an id is not in the id map"},
        {"{\"a\": 0, \"a\": 0}", "an id occurs twice"},
        {"{\"a\": -2}", "a class is neither a number"},
        {"{\"a\": 9999999}", "a class is neither a number"},
        {"{\"a\": 0, \"b\": [1]}", "some nodes have one class and others a list of labels"},
        {"{\"a\": [1], \"b\": 0}", "some nodes have one class and others a list of labels"},
        {"{\"a\": []}", "a list of labels is empty"},
        {"{\"a\": [0, 2]}", "neither 0 nor 1"},
        {"{\"a\": [0, 1], \"b\": [0]}", "does not have 2 entries"},
        {"{\"a\": [0, 1], \"b\": [0, 1, 1]}", "does not have 2 entries"},
        {"{\"a\": [0, 1], \"b\": [0, 1]}", "the node at row 2 (counting from 0) has no labels"},
        {0},
    };
    refuse_each(refuse, state, file, bad);
}

static void test_graphsage__features_must_fit(void **state)
{
    const char *dir = put_toy(state);
    static const double feats[] = {0, .5, 1, 1.5};
    put_f64(in_dir(dir, "toy-feats.npy"), feats, 2, 2);
    assert_refused(dir, NULL, HRR_EDATA, "toy-feats.npy", "2 rows");
    const double bad[] = {0, 0, 0, INFINITY, 0, 0};
    put_f64(in_dir(dir, "toy-feats.npy"), bad, 3, 2);
    assert_refused(dir, NULL, HRR_EDATA, "toy-feats.npy", "row 1, column 1");
}

static void test_graphsage__missing_files_are_named(void **state)
{
    const char *dir = put_toy(state);
    unlink(in_dir(dir, "toy-id_map.json"));
    assert_refused(dir, NULL, HRR_EIO, "toy-id_map.json", "cannot be read");
    unlink(in_dir(dir, "toy-G.json"));
    assert_refused(in_dir(dir, "toy"), "graphsage", HRR_EIO, "toy", "P-G.json");
}

static void test_graphsage__survives_running_out_of_memory_anywhere(void **state)
{
    assert_survives_no_memory(put_toy(state), NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_SCRATCH(test_graphsage__a_prefix_a_file_or_the_folder_names_the_graph),
        WITH_SCRATCH(test_graphsage__links_may_name_ids_and_come_first),
        WITH_SCRATCH(test_graphsage__integer_ids_that_are_rows_need_no_names),
        WITH_SCRATCH(test_graphsage__a_wrong_graph_is_refused),
        WITH_SCRATCH(test_graphsage__a_wrong_id_map_is_refused),
        WITH_SCRATCH(test_graphsage__a_wrong_class_map_is_refused),
        WITH_SCRATCH(test_graphsage__features_must_fit),
        WITH_SCRATCH(test_graphsage__missing_files_are_named),
        WITH_SCRATCH(test_graphsage__survives_running_out_of_memory_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
