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

static hrr_graph *read_with(const char *path, const hrr_read_options *options)
{
    hrr_graph *graph;
    hrr_error err = {0};
    if (hrr_graph_read(&graph, path, options, NULL, &err)) fail_msg("%s", err.message);
    return graph;
}

static void test_musae__the_label_column_is_chosen_aloud(void **state)
{
    const char *dir = put_twitch(state);
    hrr_read_report report = {0};
    hrr_read_options options;
    hrr_read_options_init(&options);
    options.report = &report;
    hrr_graph_free(read_with(dir, &options));
    assert_int_equal(report.n_notes, 1);
    assert_non_null(strstr(report.notes[0],
                           "column mature was read as the labels; `label_column` selects "
                           "another of days, mature, views and partner."));
    hrr_read_report_clear(&report);
    options.label_column = "partner";
    hrr_graph *graph = read_with(dir, &options);
    static const int32_t partner[] = {1, 1, 0, 0};
    assert_memory_equal(hrr_graph_classes(graph), partner, sizeof partner);
    assert_int_equal(report.n_notes, 0);
    hrr_graph_free(graph);
    write_text(in_dir(dir, "XX_target.csv"), "id,kind\n0,3\n1,0\n2,3\n3,1\n");
    options.label_column = NULL;
    graph = read_with(dir, &options); /* the only one there is */
    assert_int_equal(hrr_graph_n_classes(graph), 4);
    assert_int_equal(report.n_notes, 0);
    hrr_graph_free(graph);
}

static void test_musae__labels_may_come_from_elsewhere(void **state)
{
    const char *dir = put_twitch(state);
    hrr_read_options options;
    hrr_read_options_init(&options);
    options.labels = in_dir(dir, "mine.csv");
    write_text(options.labels, "2\n1\n0\n1\n");
    write_text(in_dir(dir, "XX_target.csv"), "id,a,b\n0,,7\n1,x,8\n2,y,9\n3,z,\n");
    hrr_graph *graph = read_with(in_dir(dir, "XX"), &options);
    assert_int_equal(hrr_graph_n_classes(graph), 3);
    hrr_graph_free(graph);
}

static void test_musae__the_number_of_features_can_be_stated(void **state)
{
    const char *dir = put_twitch(state);
    hrr_read_options options;
    hrr_read_options_init(&options);
    options.n_features = 9;
    hrr_graph *graph = read_with(dir, &options);
    assert_int_equal(hrr_graph_features(graph)->cols, 9);
    assert_int_equal(hrr_graph_inferred(graph) & HRR_INFERRED_COLUMNS, 0);
    hrr_graph_free(graph);
    options.n_features = 0;
    graph = read_with(dir, &options);
    assert_int_equal(hrr_graph_inferred(graph) & HRR_INFERRED_COLUMNS, HRR_INFERRED_COLUMNS);
    hrr_graph_free(graph);
    options.n_features = 5; /* there is a feature 5 */
    hrr_error err = {0};
    assert_int_equal(hrr_graph_read(&graph, dir, &options, NULL, &err), HRR_EDATA);
    assert_says(
        err,
        "tv/XX_features.json:1: a feature id is not between 0 and 4, the range that `n_features`");
}

/* Where the publishers put the three files. */
static void test_musae__upstream_names_are_known(void **state)
{
    const char *dir = put_twitch(state);
    static const char *const folders[] = {"edges", "features", "target"};
    for (int i = 0; i < 3; i++)
        mkdir(in_dir(dir, folders[i]), 0777);
    rename(in_dir(dir, "XX_edges.csv"), in_dir(dir, "edges/XX_edges.csv"));
    rename(in_dir(dir, "XX_features.json"), in_dir(dir, "features/XX.json"));
    rename(in_dir(dir, "XX_target.csv"), in_dir(dir, "target/XX_target.csv"));
    assert_is_twitch(in_dir(dir, "XX"));
    assert_is_twitch(dir);
    assert_is_twitch(in_dir(dir, "edges/XX_edges.csv"));
    assert_is_twitch(in_dir(dir, "features/XX.json"));
    assert_is_twitch(in_dir(dir, "target/XX_target.csv"));
    rename(in_dir(dir, "edges/XX_edges.csv"), in_dir(dir, "musae_XX_edges.csv"));
    rename(in_dir(dir, "features/XX.json"), in_dir(dir, "musae_XX.json"));
    rename(in_dir(dir, "target/XX_target.csv"), in_dir(dir, "musae_XX_target.csv"));
    assert_is_twitch(in_dir(dir, "XX"));
    assert_is_twitch(in_dir(dir, "musae_XX"));
    assert_is_twitch(in_dir(dir, "musae_XX_target.csv"));
    assert_is_twitch(dir);
}

/* n rows with the label i % n_labels, after what it begins with. */
static const char *put_labels(void **state, int n, int n_labels, const char *begins)
{
    const char *dir = put_twitch(state);
    FILE *to = fopen(in_dir(dir, "XX_target.csv"), "w");
    fprintf(to, "id,target\n");
    for (int i = 0; i < n; i++)
        fprintf(to, "%d,%s%d\n", i, begins, i % n_labels);
    fclose(to);
    return dir;
}

static void test_musae__counts_are_no_classes(void **state)
{
    assert_refused(put_labels(state, 100, 100, ""), NULL, HRR_EDATA, "XX_target.csv",
                   "column 2 (target) looks like a count");
    assert_refused(put_labels(state, 100, 100, "page "), NULL, HRR_EDATA, "XX_target.csv",
                   "`labels`");
    assert_refused(put_labels(state, 100, 2, "200"), NULL, HRR_EDATA, "XX_target.csv",
                   "looks like a count"); /* years: 2002 classes for two values */
    hrr_graph_free(read_graph(put_labels(state, 100, 64, ""), NULL));
    hrr_graph_free(read_graph(put_labels(state, 1000, 100, ""), NULL));
}

static void refuse(void **state, const char *file, const char *text, const char *says)
{
    const char *dir = put_twitch(state);
    write_text(in_dir(dir, file), text);
    assert_refused(dir, NULL, HRR_EDATA, file, says);
}

static void test_musae__a_wrong_target_table_is_refused(void **state)
{
    const char *file = "XX_target.csv";
    static const bad_text bad[] = {
        {"", "is empty"},
        {"a,b\n0,1\n", "the header has no column"},
        {"id\n0\n", "tv/XX_target.csv:1: has no column of labels, only ids;"},
        {"id,name,kind\n0,x,3\n", "csv:1: has several columns that may be the labels; "
                                  "choose one of its columns with `label_column` "
                                  "(name and kind)"},
        {"id,mature,target\n0,1,3\n", "csv:1: has several columns that may be"},
        {"id,target\n0,1\n1,\n", "csv:3: column 2 (target), read as labels, is blank"},
        {"id,target\n0,1\n1,\xe9\n", "csv:3: column 2 (target), read as labels, is not"},
        {"id,target\n0,1\n1\n", "csv:3: the row is shorter"},
        {"id,target\n0,1\nx,1\n", "tv/XX_target.csv:3: the id is not one"},
        {"id,target\n0,1\n-1,1\n", "tv/XX_target.csv:3: the id is not one"},
        {"id,target\n0,1\n1,1\n7,0\n", "csv:4: the id is not below"},
        {"id,target\n0,1\n2,1\n2,1\n", "node 1 has no row"},
        {"id,target\n0,1\n1,0\n0,0\n", "lines 2 and 4 give the same node"},
        {"id,target\n", "no nodes"},
        {0},
    };
    refuse_each(refuse, state, file, bad);
}

static void test_musae__wrong_features_are_refused(void **state)
{
    const char *file = "XX_features.json";
    static const bad_text bad[] = {
        {"{\"0\": [1, 2", "json:1: the file ends in the middle"},
        {"[]", "expected an object that maps nodes to features, found a list"},
        {"{\"0\": 1}", "expected a list of feature ids, found a number"},
        {"{\"0\": [\"1\"]}", "expected a feature id, found a string"},
        {"{\"0\": [1.5]}", "a feature id is not between 0 and"},
        {"{\"0\": [-1]}", "a feature id is not between 0 and"},
        {"{\"0\": [2000000]}", "a feature id is not between 0 and"},
        {"{\"0\": [1],\n\"4\": [1]}",
         "tv/XX_features.json:2: a key is not a node number between 0"},
        {"{\"x\": [1]}", "a key is not a node number between 0 and"},
        {"{\"0\": [1], \"0\": [2]}", "a node occurs twice"},
        {"{\"0\": [1]} x", "there is more text after the JSON value"},
        {"{\"0\": [[[[]]]]}", "expected a feature id, found a list"},
        {0},
    };
    refuse_each(refuse, state, file, bad);
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
        WITH_SCRATCH(test_musae__a_prefix_or_any_of_its_files_names_the_graph),
        WITH_SCRATCH(test_musae__text_classes_are_sorted),
        WITH_SCRATCH(test_musae__the_label_column_is_chosen_aloud),
        WITH_SCRATCH(test_musae__labels_may_come_from_elsewhere),
        WITH_SCRATCH(test_musae__the_number_of_features_can_be_stated),
        WITH_SCRATCH(test_musae__upstream_names_are_known),
        WITH_SCRATCH(test_musae__counts_are_no_classes),
        WITH_SCRATCH(test_musae__a_wrong_target_table_is_refused),
        WITH_SCRATCH(test_musae__wrong_features_are_refused),
        WITH_SCRATCH(test_musae__edges_must_name_nodes),
        WITH_SCRATCH(test_musae__missing_files_are_named),
        WITH_SCRATCH(test_musae__survives_running_out_of_memory_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
