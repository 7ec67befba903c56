/* Recognising, the options about privacy, and the text formats that are written. */
#include "io/graphs.h"
#include "support/pack.h"

static const char *put(void **state, const char *name, const char *text)
{
    const char *path = in_dir(*state, name);
    write_text(path, text);
    return path;
}

static hrr_status read_with(hrr_graph **graph, const char *path, const hrr_read_options *options,
                            hrr_error *err)
{
    return hrr_graph_read(graph, path, options, NULL, err);
}

/* ---- recognising --------------------------------------------------------------------------- */

static void test_recognise__files_by_ending_and_contents(void **state)
{
    assert_string_equal(hrr_graph_recognise(put(state, "a.csv", "0,1\n"), NULL), "edges");
    assert_string_equal(hrr_graph_recognise(put(state, "a.pairs", "0 1\n"), NULL), "edges");
    assert_string_equal(hrr_graph_recognise(put(state, "anything", "0 1\n"), NULL), "edges");
    assert_string_equal(hrr_graph_recognise(put(state, "a.mtx", "0 1\n"), NULL), "mtx");
    assert_string_equal(hrr_graph_recognise(put(state, "banner", "%%MatrixMarket matrix"), NULL),
                        "mtx");
    assert_string_equal(hrr_graph_recognise(put(state, "a.npz", ""), NULL), "npz");
    assert_string_equal(hrr_graph_recognise(put(state, "zip", "PK\3\4"), NULL), "npz");
    /* With its companions beside it edges.csv is a MUSAE graph; alone it is an edge list. */
    assert_string_equal(hrr_graph_recognise(put(state, "edges.csv", "0,1\n"), NULL), "edges");
    put(state, "features.json", "{}");
    put(state, "target.csv", "id,target\n");
    assert_string_equal(hrr_graph_recognise(in_dir(*state, "edges.csv"), NULL), "musae");
}

static void test_recognise__what_fits_nothing_is_explained(void **state)
{
    hrr_error err = {0};
    assert_null(hrr_graph_recognise(*state, &err));
    assert_says(err, "graph.json (native)");
    assert_says(err, "ppi-csv");
    assert_null(hrr_graph_recognise(in_dir(*state, "none"), &err));
    assert_int_equal(err.status, HRR_EIO);
    assert_says(err, "there is no such file or directory,");
    assert_null(hrr_graph_recognise(put(state, "a.json", "{\"a\": 1}"), &err));
    assert_int_equal(err.status, HRR_EDATA);
    assert_says(err, "is not a graph in a known format:");
    assert_null(hrr_graph_recognise(put(state, "a.pkl", "\x80\x04x"), &err));
    assert_says(err, "is a Python pickle, which is never read");
    assert_null(hrr_graph_recognise(put(state, "empty", ""), &err));
    assert_says(err, "is not a graph in a known format:");
    assert_refused(*state, NULL, HRR_EDATA, *state, "contains no graph in a known format");
    assert_refused(in_dir(*state, "none"), NULL, HRR_EIO, "none", "no such file");
    assert_refused(*state, "gml", HRR_EINVAL, "`format` gml", "ppi-csv");
}

static void test_recognise__an_unreadable_file_is_named(void **state)
{
    const char *path = put(state, "secret.csv", "0,1\n");
    if (geteuid() == 0) skip(); /* root reads everything */
    chmod(path, 0);
    assert_refused(path, NULL, HRR_EIO, "secret.csv", "Permission denied");
}

static void test_recognise__every_format_has_its_name(void **state)
{
    (void)state;
    int count = 0;
    for (const char *const *format = hrr_graph_formats(); *format; format++)
        count++;
    assert_int_equal(count, 12);
}

/* ---- edge lists and their private edges ---------------------------------------------------- */

static const char *put_marked(void **state)
{
    return put(state, "marked.csv",
               "source,target,private_a,private_b\n10,20,1,0\n20,30,0,1\n30,40,0,0\n40,10,0,0\n");
}

static void test_read__edge_lists_keep_their_ids(void **state)
{
    hrr_graph *graph = read_graph(put_marked(state), NULL);
    static const int64_t ids[] = {10, 20, 30, 40};
    assert_string_equal(edges_text(graph), "0-1* 0-3 1-2* 2-3 ");
    assert_memory_equal(hrr_graph_node_ids(graph)->integer, ids, sizeof ids);
    assert_string_equal(hrr_graph_provenance(graph), "edges: marked.csv");
    assert_string_equal(hrr_graph_name(graph), "marked");
    hrr_graph_free(graph);
}

static void test_read__a_private_column_is_chosen(void **state)
{
    hrr_read_options options;
    hrr_graph *graph;
    hrr_error err = {0};
    hrr_read_options_init(&options);
    options.private_column = "private_b";
    assert_ok(read_with(&graph, put_marked(state), &options, NULL));
    assert_string_equal(edges_text(graph), "0-1 0-3 1-2* 2-3 ");
    hrr_graph_free(graph);
    options.private_column = "secret";
    assert_int_equal(read_with(&graph, put_marked(state), &options, &err), HRR_EINVAL);
    assert_null(graph);
    assert_says(err, "private_a, private_b");
}

static void test_read__private_edges_are_given_in_the_graphs_own_ids(void **state)
{
    hrr_read_options options;
    hrr_graph *graph;
    hrr_error err = {0};
    hrr_read_options_init(&options);
    options.private_edges = put(state, "list.csv", "source,target\n40,30\n20,40\n");
    assert_ok(read_with(&graph, put(state, "plain.csv", "10,20\n20,30\n30,40\n"), &options, NULL));
    assert_string_equal(edges_text(graph), "0-1 1-2 1-3* 2-3* ");
    hrr_graph_free(graph);
    options.private_column = "private_a";
    assert_ok(read_with(&graph, put_marked(state), &options, NULL));
    assert_string_equal(edges_text(graph), "0-1* 0-3 1-2 1-3* 2-3* ");
    hrr_graph_free(graph);
    options.private_column = NULL;
    put(state, "list.csv", "source,target\n40,30\n20,50\n");
    assert_int_equal(read_with(&graph, put_marked(state), &options, &err), HRR_EDATA);
    assert_says(err, "list.csv:3: names a node that the graph does not have");
    options.private_edges = in_dir(*state, "none.csv");
    assert_int_equal(read_with(&graph, put_marked(state), &options, &err), HRR_EIO);
    assert_says(err, "none.csv");
}

/* How many there are is private; none is one of the answers. */
static void test_read__private_edges_may_be_none(void **state)
{
    static const char *const lists[] = {"", "# none\n", "source,target\n", "one,other\n",
                                        "20,20\n"};
    hrr_read_options options;
    hrr_graph *graph;
    hrr_read_options_init(&options);
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        options.private_edges = put(state, "list.csv", lists[i]);
        assert_ok(read_with(&graph, put(state, "plain.csv", "10,20\n20,30\n"), &options, NULL));
        assert_string_equal(edges_text(graph), "0-1 1-2 ");
        assert_non_null(hrr_graph_is_private(graph)); /* it is known which edges are */
        hrr_graph_free(graph);
    }
    /* Where nodes have names, one row of two names is an edge, and must name nodes. */
    hrr_error err = {0};
    put(state, "list.csv", "one,other\n");
    assert_int_equal(
        read_with(&graph, put(state, "names.csv", "ann,bob\nbob,carol\n"), &options, &err),
        HRR_EDATA);
}

static void test_read__private_edges_may_be_texts_or_rows(void **state)
{
    hrr_read_options options;
    hrr_graph *graph;
    hrr_read_options_init(&options);
    options.private_edges = put(state, "list.csv", "carol,bob\n");
    assert_ok(read_with(&graph, put(state, "names.csv", "ann,bob\nbob,carol\n"), &options, NULL));
    assert_string_equal(edges_text(graph), "0-1 1-2* ");
    hrr_graph_free(graph);
    put(state, "list.csv", "2,1\n");
    assert_ok(read_with(&graph, put(state, "rows.csv", "0,1\n1,2\n"), &options, NULL));
    assert_string_equal(edges_text(graph), "0-1 1-2* ");
    hrr_graph_free(graph);
    hrr_error err = {0};
    put(state, "list.csv", "ann,bob\ncarol,dave\n");
    assert_int_equal(read_with(&graph, in_dir(*state, "names.csv"), &options, &err), HRR_EDATA);
    assert_says(err, "list.csv:2");
}

static void test_read__a_private_fraction_is_for_unmarked_data(void **state)
{
    hrr_read_options options;
    hrr_graph *graph, *again;
    hrr_error err = {0};
    const char *plain = put(state, "plain.csv", "0,1\n1,2\n2,3\n3,4\n");
    hrr_read_options_init(&options);
    options.private_fraction = .5;
    options.mark_seed = 7;
    assert_ok(read_with(&graph, plain, &options, NULL));
    assert_int_equal(hrr_graph_n_private_edges(graph), 2);
    assert_ok(read_with(&again, plain, &options, NULL));
    assert_same_bytes(hrr_graph_is_private(graph), hrr_graph_is_private(again), 4);
    hrr_graph_free(graph);
    hrr_graph_free(again);
    assert_int_equal(read_with(&graph, put_marked(state), &options, &err), HRR_EINVAL);
    assert_says(err, "`private_fraction` would replace the private marks in the data;");
    options.private_edges = plain;
    assert_int_equal(read_with(&graph, plain, &options, &err), HRR_EINVAL);
    assert_says(
        err,
        "`private_fraction` marks edges at random, so it cannot be combined with `private_edges`");
    options.private_edges = NULL;
    options.private_column = "private";
    assert_int_equal(read_with(&graph, plain, &options, &err), HRR_EINVAL);
    assert_says(
        err,
        "`private_fraction` marks edges at random, so it cannot be combined with `private_column`");
    options.all_private = true;
    assert_int_equal(read_with(&graph, "nowhere", &options, &err), HRR_EINVAL);
    assert_says(err, "`all_private` makes every edge private, so it cannot be combined with "
                     "`private_column`");
    assert_string_equal(err.field, "all_private");
    options.private_column = NULL;
    assert_int_equal(read_with(&graph, plain, &options, &err), HRR_EINVAL);
    assert_says(err, "cannot be combined with `private_fraction`");
    options.all_private = false;
    options.private_fraction = 1.5;
    assert_int_equal(read_with(&graph, plain, &options, &err), HRR_EINVAL);
    assert_says(err, "between 0 and 1");
}

static void test_read__candidates_are_ids(void **state)
{
    hrr_read_options options;
    hrr_graph *graph;
    hrr_error err = {0};
    static const uint8_t expected[] = {1, 0, 0, 1};
    hrr_read_options_init(&options);
    options.candidates = put(state, "nodes.txt", "40\n10\n\n40\n");
    assert_ok(read_with(&graph, put_marked(state), &options, NULL));
    assert_memory_equal(hrr_graph_candidates(graph), expected, 4);
    hrr_graph_free(graph);
    put(state, "nodes.txt", "40\n11\n");
    assert_int_equal(read_with(&graph, put_marked(state), &options, &err), HRR_EDATA);
    assert_says(err, "nodes.txt:2: is not a node id of the graph;");
    put(state, "nodes.txt", "40,10\n");
    assert_int_equal(read_with(&graph, put_marked(state), &options, &err), HRR_EDATA);
    assert_says(err, "nodes.txt:1");
}

/* ---- writing text -------------------------------------------------------------------------- */

static void assert_holds(const char *path, const char *text)
{
    char *found = read_file(path, NULL);
    assert_non_null(found);
    assert_string_equal(found, text);
    free(found);
}

static void test_write__csv_and_tsv_have_the_graphs_ids(void **state)
{
    hrr_graph *graph = read_graph(put_marked(state), NULL);
    assert_ok(hrr_graph_write(graph, in_dir(*state, "out.csv"), NULL, NULL, NULL));
    assert_holds(in_dir(*state, "out.csv"),
                 "source,target,private\n10,20,1\n10,40,0\n20,30,1\n30,40,0\n");
    assert_ok(hrr_graph_write(graph, in_dir(*state, "out.tsv"), NULL, NULL, NULL));
    assert_holds(in_dir(*state, "out.tsv"),
                 "source\ttarget\tprivate\n10\t20\t1\n10\t40\t0\n20\t30\t1\n30\t40\t0\n");
    hrr_graph_free(graph);
    graph = read_graph(put(state, "plain.csv", "0,1\n1,2\n"), NULL);
    assert_ok(hrr_graph_write(graph, in_dir(*state, "plain2.csv"), NULL, NULL, NULL));
    assert_holds(in_dir(*state, "plain2.csv"), "source,target\n0,1\n1,2\n");
    hrr_graph_free(graph);
}

static void test_write__an_empty_id_is_quoted(void **state)
{
    static const int32_t edges[] = {0, 1, 1, 2};
    const char *dir = fresh_dir(state, "ids");
    write_text(in_dir(dir, "graph.json"), "{\"n_nodes\": 3}");
    put_i32(in_dir(dir, "edges.npy"), edges, 2, 2);
    put_array(in_dir(dir, "node_ids.npy"), HRR_ARRAY_BYTES, 1, "a\0c", 3, 0);
    hrr_graph *graph = read_graph(dir, NULL);
    assert_ok(hrr_graph_write(graph, in_dir(*state, "out.csv"), NULL, NULL, NULL));
    assert_holds(in_dir(*state, "out.csv"), "source,target\na,\"\"\n\"\",c\n");
    hrr_graph_free(graph);
}

static void test_write__an_id_that_looks_like_a_comment_is_quoted(void **state)
{
    /* At the start of a line, where a reader would pass over the edge. */
    const char *text = "source,target\n\"#c\",x\n\"% d\",x\n";
    hrr_graph *graph = read_graph(put(state, "hash.csv", text), NULL);
    assert_int_equal(hrr_graph_n_edges(graph), 2);
    assert_ok(hrr_graph_write(graph, in_dir(*state, "out.csv"), NULL, NULL, NULL));
    hrr_graph *after = read_graph(in_dir(*state, "out.csv"), NULL);
    assert_int_equal(hrr_graph_n_edges(after), 2);
    char *found = read_file(in_dir(*state, "out.csv"), NULL);
    assert_non_null(strstr(found, "\n\"#c\","));
    free(found);
    hrr_graph_free(graph);
    hrr_graph_free(after);
}

static void assert_comes_back(hrr_graph *before, const char *path)
{
    hrr_write_options options;
    hrr_write_options_init(&options);
    options.replace = true;
    assert_ok(hrr_graph_write(before, path, &options, NULL, NULL));
    hrr_graph *after = read_graph(path, NULL);
    assert_same_edges(before, after);
    assert_same_ids(before, after);
    assert_same_bytes(hrr_graph_is_private(before), hrr_graph_is_private(after),
                      hrr_graph_n_edges(before));
    hrr_graph_free(after);
}

static void test_write__text_comes_back_also_compressed(void **state)
{
    static const char *const names[] = {"o.csv",     "o.tsv",     "o.csv.gz",
                                        "o.tsv.zst", "o.csv.zst", "o.tsv.gz"};
    hrr_graph *marked = read_graph(put_marked(state), NULL);
    hrr_graph *odd = read_graph(
        put(state, "odd.csv",
            "\"a,b\",\"say \"\"hi\"\"\"\n\"a,b\",\"#c\"\n\"a,b\",\"% d\"\n\"a,b\",\"semi;colon\"\n"
            "\"a,b\",caf\xc3\xa9\n"),
        NULL);
    assert_int_equal(hrr_graph_n_nodes(odd), 6);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        assert_comes_back(marked, in_dir(*state, names[i]));
        assert_comes_back(odd, in_dir(*state, names[i]));
    }
    hrr_graph_free(marked);
    hrr_graph_free(odd);
}

static void test_write__long_lists_survive_compression(void **state)
{
    /* More text than the sink's block, so that blocks follow each other. */
    char *text = malloc(1 << 20);
    size_t used = 0;
    for (int i = 0; i < 60000; i++)
        used += (size_t)sprintf(text + used, "%d,%d\n", i, i + 1);
    write_file(in_dir(*state, "long.csv"), text, used);
    free(text);
    hrr_graph *graph = read_graph(in_dir(*state, "long.csv"), NULL);
    assert_comes_back(graph, in_dir(*state, "o.csv.gz"));
    assert_comes_back(graph, in_dir(*state, "o.csv.zst"));
    assert_comes_back(graph, in_dir(*state, "o.mtx.gz"));
    hrr_graph_free(graph);
}

static void test_write__mtx_is_the_lower_triangle(void **state)
{
    hrr_graph *graph = read_graph(put(state, "plain.csv", "0,1\n1,2\n0,2\n"), NULL);
    const char *path = in_dir(*state, "out.mtx");
    assert_ok(hrr_graph_write(graph, path, NULL, NULL, NULL));
    assert_holds(path,
                 "%%MatrixMarket matrix coordinate pattern symmetric\n3 3 3\n2 1\n3 1\n3 2\n");
    assert_comes_back(graph, path);
    hrr_graph_free(graph);
}

static void test_write__existing_files_are_kept_unless_asked(void **state)
{
    hrr_write_options options;
    hrr_write_options_init(&options);
    options.replace = true;
    hrr_error err = {0};
    hrr_graph *graph = read_graph(put(state, "plain.csv", "0,1\n"), NULL);
    assert_int_equal(hrr_graph_write(graph, put(state, "mine.csv", "mine"), NULL, NULL, &err),
                     HRR_EINVAL);
    assert_says(err, "mine.csv: exists already");
    assert_holds(in_dir(*state, "mine.csv"), "mine");
    assert_ok(hrr_graph_write(graph, in_dir(*state, "mine.csv"), &options, NULL, NULL));
    options.format = "musae";
    assert_int_equal(hrr_graph_write(graph, in_dir(*state, "x"), &options, NULL, &err), HRR_EINVAL);
    assert_says(err, "`format` musae: cannot be written;");
    options.format = "edges";
    assert_ok(hrr_graph_write(graph, in_dir(*state, "y"), &options, NULL, NULL));
    assert_holds(in_dir(*state, "y"), "source,target\n0,1\n");
    hrr_graph_free(graph);
}

static void test_write__a_cancelled_write_leaves_nothing(void **state)
{
    hrr_progress *progress;
    hrr_graph *graph = read_graph(put(state, "plain.csv", "0,1\n"), NULL);
    assert_ok(hrr_progress_new(&progress, NULL, NULL, NULL));
    hrr_progress_cancel(progress);
    assert_int_equal(hrr_graph_write(graph, in_dir(*state, "o.csv"), NULL, progress, NULL),
                     HRR_ECANCEL);
    assert_int_equal(hrr_graph_write(graph, in_dir(*state, "o.mtx"), NULL, progress, NULL),
                     HRR_ECANCEL);
    assert_int_equal(count_entries(*state), 1);
    hrr_progress_free(progress);
    hrr_graph_free(graph);
}

/* ---- memory -------------------------------------------------------------------------------- */

static hrr_status write_once(void *user)
{
    hrr_write_options options;
    hrr_write_options_init(&options);
    options.replace = true;
    void **arguments = user;
    return hrr_graph_write(arguments[0], arguments[1], &options, NULL, NULL);
}

static void test_read__survives_running_out_of_memory_anywhere(void **state)
{
    read_call call = {.path = put_marked(state)};
    hrr_read_options_init(&call.options);
    call.options.threads = 1;
    call.options.private_edges = put(state, "list.csv", "40,30\n20,40\n");
    call.options.candidates = put(state, "nodes.txt", "40\n");
    call.options.private_column = "private_a";
    assert_true(brutal(read_once, &call) > 5);
    hrr_graph *graph = read_graph(call.path, NULL);
    static const char *const names[] = {"o.csv", "o.csv.gz", "o.csv.zst", "o.mtx"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        void *arguments[] = {graph, (void *)(uintptr_t)in_dir(*state, names[i])};
        assert_true(brutal(write_once, arguments) > 2);
    }
    hrr_graph_free(graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_SCRATCH(test_recognise__files_by_ending_and_contents),
        WITH_SCRATCH(test_recognise__what_fits_nothing_is_explained),
        WITH_SCRATCH(test_recognise__an_unreadable_file_is_named),
        WITH_SCRATCH(test_recognise__every_format_has_its_name),
        WITH_SCRATCH(test_read__edge_lists_keep_their_ids),
        WITH_SCRATCH(test_read__a_private_column_is_chosen),
        WITH_SCRATCH(test_read__private_edges_are_given_in_the_graphs_own_ids),
        WITH_SCRATCH(test_read__private_edges_may_be_none),
        WITH_SCRATCH(test_read__private_edges_may_be_texts_or_rows),
        WITH_SCRATCH(test_read__a_private_fraction_is_for_unmarked_data),
        WITH_SCRATCH(test_read__candidates_are_ids),
        WITH_SCRATCH(test_write__csv_and_tsv_have_the_graphs_ids),
        WITH_SCRATCH(test_write__an_empty_id_is_quoted),
        WITH_SCRATCH(test_write__an_id_that_looks_like_a_comment_is_quoted),
        WITH_SCRATCH(test_write__text_comes_back_also_compressed),
        WITH_SCRATCH(test_write__long_lists_survive_compression),
        WITH_SCRATCH(test_write__mtx_is_the_lower_triangle),
        WITH_SCRATCH(test_write__existing_files_are_kept_unless_asked),
        WITH_SCRATCH(test_write__a_cancelled_write_leaves_nothing),
        WITH_SCRATCH(test_read__survives_running_out_of_memory_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
