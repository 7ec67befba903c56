#include "io/graphs.h"
#include "support/pack.h"

/* Four nodes in the layout of the Twitch sets. */
static const char *put_twitch(void **state)
{
    const char *dir = fresh_dir(state, "tv");
    write_text(in_dir(dir, "XX_edges.csv"), "from,to\n0,1\n1,2\n2,0\n3,3\n");
    write_text(in_dir(dir, "XX_features.json"), "{\"2\": [5, 1, 5], \"0\": [0],\n \"3\": []}");
    write_text(in_dir(dir, "XX_target.csv"), "id,days,mature,views,partner,new_id\n"
                                             "68458707,1522,False,4405,False,2\n"
                                             "133928858,768,True,164810,True,0\n"
                                             "1,1,True,1,True,1\n"
                                             "2,2,False,2,False,3\n"
                                             "133928858,768,True,164810,True,0\n");
    return dir;
}

static void assert_is_twitch(const char *path)
{
    hrr_graph *graph = read_graph(path, NULL);
    assert_int_equal(hrr_graph_n_nodes(graph), 4);
    assert_string_equal(edges_text(graph), "0-1 0-2 1-2 ");
    assert_removed(graph, 1, 0);
    const hrr_dense *features = hrr_graph_features(graph);
    static const uint8_t expected[4][6] = {{1}, {0}, {0, 1, 0, 0, 0, 1}, {0}};
    assert_int_equal(features->dtype, HRR_U8);
    assert_int_equal(features->cols, 6);
    assert_memory_equal(features->data, expected, sizeof expected);
    static const int32_t mature[] = {1, 1, 0, 0};
    assert_int_equal(hrr_graph_n_classes(graph), 2);
    assert_memory_equal(hrr_graph_classes(graph), mature, sizeof mature);
    hrr_graph_free(graph);
}

static void test_musae__a_prefix_or_any_of_its_files_names_the_graph(void **state)
{
    const char *dir = put_twitch(state);
    assert_is_twitch(in_dir(dir, "XX"));
    assert_is_twitch(in_dir(dir, "XX_edges.csv"));
    assert_is_twitch(in_dir(dir, "XX_features.json"));
    assert_is_twitch(in_dir(dir, "XX_target.csv"));
    assert_is_twitch(dir);
    rename(in_dir(dir, "XX_edges.csv"), in_dir(dir, "edges.csv"));
    rename(in_dir(dir, "XX_features.json"), in_dir(dir, "features.json"));
    rename(in_dir(dir, "XX_target.csv"), in_dir(dir, "target.csv"));
    assert_is_twitch(dir);
    assert_is_twitch(in_dir(dir, "target.csv"));
    char *json = read_file(in_dir(dir, "features.json"), NULL);
    write_gzip(in_dir(dir, "features.json.gz"), json, strlen(json), 0);
    free(json);
    unlink(in_dir(dir, "features.json"));
    assert_is_twitch(dir);
}

static void test_musae__text_classes_are_sorted(void **state)
{
    const char *dir = put_twitch(state);
    write_text(in_dir(dir, "XX_target.csv"), "id,facebook_id,page_name,page_type\n"
                                             "0,1,\"A, b\",tvshow\n1,2,c,company\n"
                                             "2,3,d,politician\n3,4,e,company\n");
    hrr_graph *graph = read_graph(dir, NULL);
    static const int32_t classes[] = {2, 0, 1, 0};
    assert_int_equal(hrr_graph_n_classes(graph), 3);
    assert_memory_equal(hrr_graph_classes(graph), classes, sizeof classes);
    assert_string_equal(hrr_graph_class_name(graph, 1), "politician");
    hrr_graph_free(graph);
}

static void test_musae__other_columns_fall_back_to_the_last(void **state)
{
    const char *dir = put_twitch(state);
    write_text(in_dir(dir, "XX_target.csv"), "id,name,kind\n0,x,3\n1,y,0\n2,z,3\n3,z,1\n");
    hrr_graph *graph = read_graph(dir, NULL);
    assert_int_equal(hrr_graph_n_classes(graph), 4);
    assert_int_equal(hrr_graph_classes(graph)[2], 3);
    hrr_graph_free(graph);
}

static void refuse(void **state, const char *file, const char *text, const char *message)
{
    const char *dir = put_twitch(state);
    write_text(in_dir(dir, file), text);
    assert_refused(dir, NULL, HRR_EDATA, file, message);
}

static void test_musae__a_wrong_target_table_is_refused(void **state)
{
    const char *file = "XX_target.csv";
    refuse(state, file, "", "is empty");
    refuse(state, file, "a,b\n0,1\n", "csv:1: the header names no column");
    refuse(state, file, "id\n0\n", "csv:1: the header names no column");
    refuse(state, file, "id,target\n0,1\n1\n", "csv:3: the row is shorter");
    refuse(state, file, "id,target\n0,1\nx,1\n", "csv:3: the id is not a number");
    refuse(state, file, "id,target\n0,1\n-1,1\n", "csv:3: the id is not a number");
    refuse(state, file, "id,target\n0,1\n1,1\n7,0\n", "csv:4: the id is not below");
    refuse(state, file, "id,target\n0,1\n2,1\n2,1\n", "node 1 has no row");
    refuse(state, file, "id,target\n0,1\n1,0\n0,0\n", "lines 2 and 4 give the same node");
    refuse(state, file, "id,target\n", "no nodes");
}

static void test_musae__wrong_features_are_refused(void **state)
{
    const char *file = "XX_features.json";
    refuse(state, file, "{\"0\": [1, 2", "json:1: the file ends in the middle");
    refuse(state, file, "[]", "expected an object from node to features, found a list");
    refuse(state, file, "{\"0\": 1}", "expected a list of feature ids, found a number");
    refuse(state, file, "{\"0\": [\"1\"]}", "expected a feature id, found a string");
    refuse(state, file, "{\"0\": [1.5]}", "a feature id is not a number of 0..");
    refuse(state, file, "{\"0\": [-1]}", "a feature id is not a number of 0..");
    refuse(state, file, "{\"0\": [2000000]}", "a feature id is not a number of 0..");
    refuse(state, file, "{\"0\": [1],\n\"4\": [1]}",
           "json:2: a key is not the number of a node, 0..3");
    refuse(state, file, "{\"x\": [1]}", "a key is not the number of a node");
    refuse(state, file, "{\"0\": [1], \"0\": [2]}", "a node is there twice");
    refuse(state, file, "{\"0\": [1]} x", "something follows");
    refuse(state, file, "{\"0\": [[[[]]]]}", "expected a feature id, found a list");
}

static void test_musae__edges_must_name_nodes(void **state)
{
    refuse(state, "XX_edges.csv", "from,to\n0,1\n1,4\n", "csv:3");
}

static void test_musae__missing_files_are_named(void **state)
{
    const char *dir = put_twitch(state);
    unlink(in_dir(dir, "XX_target.csv"));
    assert_refused(in_dir(dir, "XX"), "musae", HRR_EIO, "XX", "P_target.csv");
}

static void test_musae__survives_running_out_of_memory_anywhere(void **state)
{
    assert_survives_no_memory(put_twitch(state), NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        with_scratch(test_musae__a_prefix_or_any_of_its_files_names_the_graph),
        with_scratch(test_musae__text_classes_are_sorted),
        with_scratch(test_musae__other_columns_fall_back_to_the_last),
        with_scratch(test_musae__a_wrong_target_table_is_refused),
        with_scratch(test_musae__wrong_features_are_refused),
        with_scratch(test_musae__edges_must_name_nodes),
        with_scratch(test_musae__missing_files_are_named),
        with_scratch(test_musae__survives_running_out_of_memory_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
