/* Features and labels from files of their own, joined with a graph that has none. */
#include "io/graphs.h"

static const char *put(void **state, const char *name, const char *text)
{
    const char *path = in_dir(*state, name);
    write_text(path, text);
    return path;
}

static hrr_graph *joined(const char *edges, const char *features, const char *labels)
{
    hrr_graph *graph;
    hrr_read_options options;
    hrr_read_options_init(&options);
    options.features = features;
    options.labels = labels;
    assert_ok(hrr_graph_read(&graph, edges, &options, NULL, NULL));
    return graph;
}

static hrr_error refused(hrr_status status, const char *edges, const char *features,
                         const char *labels)
{
    hrr_graph *graph;
    hrr_error err = {0};
    hrr_read_options options;
    hrr_read_options_init(&options);
    options.features = features;
    options.labels = labels;
    assert_int_equal(hrr_graph_read(&graph, edges, &options, NULL, &err), status);
    assert_null(graph);
    return err;
}

static double feature(const hrr_graph *graph, uint64_t node, uint64_t column)
{
    return hrr_dense_get(hrr_graph_features(graph), node, column);
}

static void test_rows__say_which_nodes_there_are(void **state)
{
    const char *edges = put(state, "e.csv", "source,target,private\n2,1,1\n4,2,0\n");
    hrr_graph *graph =
        joined(edges, put(state, "f.csv", "0,10\n1,11\n2,12\n3,13\n4,14\n5,15\n"), NULL);
    assert_int_equal(hrr_graph_n_nodes(graph), 6); /* 0, 3 and 5 have no edge */
    assert_null(hrr_graph_node_ids(graph));
    assert_int_equal(hrr_graph_sources(graph)[0], 1);
    assert_int_equal(hrr_graph_targets(graph)[0], 2);
    assert_int_equal(hrr_graph_n_private_edges(graph), 1);
    assert_true(feature(graph, 4, 0) == 4 && feature(graph, 4, 1) == 14);
    assert_int_equal(hrr_graph_inferred(graph) & HRR_INFERRED_NODES, 0);
    hrr_graph_free(graph);
}

static void test_rows__are_found_by_their_ids(void **state)
{
    const char *edges = put(state, "e.csv", "source,target\n30,10\n20,30\n");
    hrr_graph *graph = joined(edges, put(state, "f.csv", "ID,x\n030,3\n10,1\n40,4\n20,2\n"),
                              put(state, "l.csv", "node\tclass\n10\t1\n20\t0\n30\t-1\n40\t1\n"));
    assert_int_equal(hrr_graph_n_nodes(graph), 4);
    const hrr_node_ids *ids = hrr_graph_node_ids(graph);
    for (uint32_t i = 0; i < 4; i++)
        assert_true(feature(graph, i, 0) * 10 == (double)ids->integer[i]);
    static const int32_t classes[] = {-1, 1, 1, 0}; /* of 30, 10, 40, 20 */
    assert_memory_equal(hrr_graph_classes(graph), classes, sizeof classes);
    assert_int_equal(hrr_graph_n_edges(graph), 2);
    hrr_graph_free(graph);
}

static void test_rows__texts_are_ids_too(void **state)
{
    hrr_graph *graph = joined(put(state, "e.csv", "source,target\nann,bob\n"),
                              put(state, "f.csv", "id,x\nbob,2\neve,3\nann,1\n"), NULL);
    assert_int_equal(hrr_graph_n_nodes(graph), 3);
    assert_int_equal(hrr_graph_sources(graph)[0], 0);
    assert_int_equal(hrr_graph_targets(graph)[0], 2);
    assert_true(feature(graph, 2, 0) == 1);
    hrr_graph_free(graph);
}

/* A file that calls its ids otherwise is joined by them, too, and not by the order of its rows. */
static void test_rows__ids_have_many_names(void **state)
{
    static const char *const names[] = {"user_id",    "CustomerId", "customerID", "Person ID",
                                        "first_name", "name",       "person",     "Vertex"};
    const char *edges = put(state, "e.csv", "source,target\n30,10\n20,30\n");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char text[128];
        snprintf(text, sizeof text, "%s,x\n30,3\n10,1\n20,2\n", names[i]);
        hrr_graph *graph = joined(edges, put(state, "f.csv", text), NULL);
        assert_int_equal(hrr_graph_features(graph)->cols, 1);
        for (uint32_t node = 0; node < 3; node++)
            assert_true(feature(graph, node, 0) * 10 ==
                        (double)hrr_graph_node_ids(graph)->integer[node]);
        hrr_graph_free(graph);
    }
    static const char *const values[] = {"paid", "u", "start", "VALID", "member"};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        char text[128];
        snprintf(text, sizeof text, "%s,x\n30,3\n10,1\n20,2\n", values[i]);
        hrr_graph *graph = joined(put(state, "rows.csv", "source,target\n0,1\n1,2\n"),
                                  put(state, "f.csv", text), NULL);
        assert_int_equal(hrr_graph_features(graph)->cols, 2);
        hrr_graph_free(graph);
    }
}

static void test_rows__labels_alone_or_many_a_node(void **state)
{
    const char *edges = put(state, "e.csv", "0,1\n");
    hrr_graph *graph = joined(edges, NULL, put(state, "l.csv", "0\n2\n1\n"));
    assert_int_equal(hrr_graph_n_nodes(graph), 3);
    assert_int_equal(hrr_graph_n_classes(graph), 3);
    hrr_graph_free(graph);
    graph = joined(edges, NULL, put(state, "m.csv", "a,b\n0,1\n1,1\n"));
    assert_int_equal(hrr_graph_label_matrix(graph)->cols, 2);
    hrr_graph_free(graph);
}

static void test_rows__a_graph_that_knows_its_nodes_keeps_them(void **state)
{
    const char *mtx =
        put(state, "g.mtx", "%%MatrixMarket matrix coordinate pattern symmetric\n3 3 1\n2 1\n");
    hrr_graph *graph = joined(mtx, put(state, "f.csv", "id,x\n2,2\n0,0\n1,1\n"), NULL);
    for (uint32_t i = 0; i < 3; i++)
        assert_true(feature(graph, i, 0) == i);
    hrr_graph_free(graph);
    hrr_error err = refused(HRR_EDATA, mtx, put(state, "two.csv", "1\n2\n"), NULL);
    assert_says(err, "two.csv: has 2 rows, but the graph has 3 nodes");
}

static void test_rows__that_do_not_fit_are_named(void **state)
{
    const char edge_rows[] = "0,1\n1,2\n";
    const struct {
        const char *rows, *says;
    } bad[] = {
        {"1\n2\n", "has 2 rows, so the nodes are 0 to 1;"},
        {"x\n1\nnan\n2\n", "f.csv: features: row 1, column 0 (counting from 0) is not finite"},
        {"nan\n1\n2\n", "f.csv: features: row 0, column 0 (counting from 0) is not finite"},
        {"NA,NA\n1,2\n3,4\n", "f.csv:1: column 1 is not a number"},
        {"1,2\n3\n4,5\n", "f.csv:2: has 1 value, but 2 are expected"},
        {"1,2\n3,\n4,5\n", "f.csv:2: column 2 is blank; features must be numbers"},
        {"1,2\n3,x\n", "f.csv:2: column 2 is not a number; features must be numbers"},
        {"age,pay\n3,x\n",
         "f.csv:2: column 2 (pay) is not a number; features must be numbers"
         ". Remove the column, or select it with `label_column` if it contains the labels"},
        {"ann,1\nbob,2\n",
         "f.csv:1: column 1 is not a number; features must be numbers. If the column "
         "identifies the nodes, name it id in a header"},
        {",x\n0,1\n1,2\n2,3\n", "f.csv:1: the first column has no name"},
        {"x,y\n1,2,3\n", "f.csv:2: has 3 values, but 2 are expected"},
        {"id,x\n,1\n", "f.csv:2: the id in column 1 is blank"},
        {"id,x\n\xe9,1\n", "f.csv:2: the id in column 1 is not UTF-8"},
        {"id,x\n0,1\n1,2\n0,3\n", "f.csv:4: refers to a node that already has a row"},
        {"id,x\n0,1\n1,2\n", "the nodes are those that"},
        {"id\n0\n1\n", "f.csv:2: has 0 values"},
        {"id,x\n", "f.csv: has no rows"},
        {"", "f.csv: has no rows"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        hrr_error err = refused(HRR_EDATA, put(state, "e.csv", edge_rows),
                                put(state, "f.csv", bad[i].rows), NULL);
        assert_says(err, bad[i].says);
    }
    const char *edges = put(state, "e.csv", edge_rows),
               *names = put(state, "n.csv", "source,target\nann,bob\n");
    hrr_error err = refused(HRR_EDATA, names, put(state, "f.csv", "1\n2\n"), NULL);
    assert_says(err, "add a first column named id)");
    err = refused(HRR_EDATA, edges, NULL, put(state, "l.csv", "0\n0.5\n1\n"));
    assert_says(err, "l.csv:2: column 1 is not a whole number; labels are classes 0, 1, 2, ...,");
    err = refused(HRR_EDATA, edges, NULL, put(state, "l.csv", "id,name\n0,1\n1,\n2,0\n"));
    assert_says(err, "l.csv:3: column 2 (name) is blank; labels are");
    err = refused(HRR_EIO, edges, in_dir(*state, "none.npy"), NULL);
    assert_says(err, "none.npy");
}

static void test_rows__a_graph_with_features_has_no_room_for_others(void **state)
{
    hrr_graph *graph = joined(put(state, "e.csv", "0,1\n"), put(state, "f.csv", "1\n2\n"),
                              put(state, "l.csv", "1\n0\n"));
    const char *native = in_dir(*state, "native");
    assert_ok(hrr_graph_write(graph, native, NULL, NULL, NULL));
    hrr_graph_free(graph);
    hrr_error err = refused(HRR_EINVAL, native, in_dir(*state, "f.csv"), NULL);
    assert_says(err, "already has features");
}

static void test_rows__labels_take_the_place_of_others(void **state)
{
    hrr_graph *graph = joined(put(state, "e.csv", "0,1\n"), NULL, put(state, "l.csv", "1\n0\n"));
    const char *native = in_dir(*state, "native");
    assert_ok(hrr_graph_write(graph, native, NULL, NULL, NULL));
    hrr_graph_free(graph);
    graph = joined(native, NULL, put(state, "m.csv", "2\n1\n"));
    assert_int_equal(hrr_graph_n_classes(graph), 3);
    assert_int_equal(hrr_graph_classes(graph)[0], 2);
    hrr_graph_free(graph);
}

static hrr_status read_column(hrr_graph **graph, const char *edges, const char *labels,
                              const char *column, const char *header, hrr_error *err)
{
    hrr_read_options options;
    hrr_read_options_init(&options);
    options.labels = labels;
    options.label_column = column;
    options.header = header;
    return hrr_graph_read(graph, edges, &options, NULL, err);
}

static void test_rows__one_column_of_a_table_can_be_the_labels(void **state)
{
    const char *edges = put(state, "e.csv", "0,1\n"),
               *table = put(state, "t.csv", "id,name,kind,pay\n1,ann,2,7.5\n0,bob,0,1e3\n");
    hrr_graph *graph;
    hrr_error err = {0};
    assert_ok(read_column(&graph, edges, table, "kind", NULL, NULL));
    assert_int_equal(hrr_graph_n_classes(graph), 3);
    hrr_graph_free(graph);
    assert_int_equal(read_column(&graph, edges, table, "sort", NULL, &err), HRR_EDATA);
    assert_says(err, "t.csv: has no column of that name");
    assert_int_equal(read_column(&graph, edges, table, "name", NULL, &err), HRR_EDATA);
    assert_says(
        err, "t.csv:2: column 2 (name) is not a whole number; labels are classes 0, 1, 2, ..., or "
             "-1 where unknown. Replace class names by numbers");
    put(state, "u.csv", "0\n1\n");
    assert_int_equal(read_column(&graph, edges, in_dir(*state, "u.csv"), "kind", NULL, &err),
                     HRR_EDATA);
    assert_says(err, "u.csv: has no header");
}

/* One table of people: their labels are not a feature of theirs. */
static void test_rows__the_column_of_labels_is_no_feature(void **state)
{
    const char *edges = put(state, "e.csv", "source,target\n0,1\n");
    static const char *const tables[] = {"id,age,kind,pay\n1,30,2,7.5\n0,50,0,9\n",
                                         "kind,age,pay\n0,50,9\n2,30,7.5\n",
                                         "id,age,pay,kind\n0,50,9,0\n1,30,7.5,2\n"};
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        hrr_graph *graph;
        hrr_read_options options;
        hrr_read_options_init(&options);
        options.features = options.labels = put(state, "t.csv", tables[i]);
        options.label_column = "kind";
        assert_ok(hrr_graph_read(&graph, edges, &options, NULL, NULL));
        assert_int_equal(hrr_graph_n_classes(graph), 3);
        assert_int_equal(hrr_graph_features(graph)->cols, 2);
        const uint64_t old = feature(graph, 1, 0) == 50;
        assert_true(feature(graph, old, 0) == 50 && feature(graph, old, 1) == 9);
        assert_int_equal(hrr_graph_classes(graph)[old], 0);
        hrr_graph_free(graph);
    }
}

/* Years as names of columns are numbers: only the owner knows. */
static void test_rows__the_owner_says_what_a_row_of_numbers_is(void **state)
{
    const char *edges = put(state, "e.csv", "source,target\n0,1\n"),
               *years = put(state, "l.csv", "2019\n1\n0\n");
    hrr_graph *graph;
    assert_ok(read_column(&graph, edges, years, NULL, "yes", NULL));
    assert_int_equal(hrr_graph_n_nodes(graph), 2);
    hrr_graph_free(graph);
    assert_ok(read_column(&graph, edges, years, NULL, NULL, NULL));
    assert_int_equal(hrr_graph_n_nodes(graph), 3);
    hrr_graph_free(graph);
}

static hrr_status read_both(void *user)
{
    const char *const *paths = user;
    hrr_graph *graph;
    hrr_read_options options;
    hrr_read_options_init(&options);
    options.threads = 1;
    options.features = paths[1];
    options.labels = paths[2];
    hrr_status status = hrr_graph_read(&graph, paths[0], &options, NULL, NULL);
    hrr_graph_free(graph);
    return status;
}

static void test_rows__survive_running_out_of_memory_anywhere(void **state)
{
    const char *paths[] = {put(state, "e.csv", "source,target\n30,10\n"),
                           put(state, "f.csv", "id,x\n30,3\n10,1\n20,2\n"),
                           put(state, "l.csv", "id,y\n10,1\n20,0\n30,1\n")};
    assert_true(brutal(read_both, paths) > 10);
    paths[1] = put(state, "plain.csv", "1\n2\n");
    paths[2] = NULL;
    paths[0] = put(state, "rows.csv", "0,1\n");
    assert_true(brutal(read_both, paths) > 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_SCRATCH(test_rows__say_which_nodes_there_are),
        WITH_SCRATCH(test_rows__are_found_by_their_ids),
        WITH_SCRATCH(test_rows__texts_are_ids_too),
        WITH_SCRATCH(test_rows__ids_have_many_names),
        WITH_SCRATCH(test_rows__labels_alone_or_many_a_node),
        WITH_SCRATCH(test_rows__a_graph_that_knows_its_nodes_keeps_them),
        WITH_SCRATCH(test_rows__that_do_not_fit_are_named),
        WITH_SCRATCH(test_rows__a_graph_with_features_has_no_room_for_others),
        WITH_SCRATCH(test_rows__labels_take_the_place_of_others),
        WITH_SCRATCH(test_rows__one_column_of_a_table_can_be_the_labels),
        WITH_SCRATCH(test_rows__the_column_of_labels_is_no_feature),
        WITH_SCRATCH(test_rows__the_owner_says_what_a_row_of_numbers_is),
        WITH_SCRATCH(test_rows__survive_running_out_of_memory_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
