/* Whether a first row is a header: the decision, and what it does to edge lists. */
#include "io/graphs.h"

#include "io/header.h"
#include "io/table.h"

static hrr_header_verdict decide(hrr_header_signs signs)
{
    return hrr_header_decide(&signs);
}

static void test_header__the_owner_has_the_last_word(void **state)
{
    (void)state;
    hrr_header_signs all = {.reserved = true, .words = true, .over_numbers = true};
    all.told = HRR_HEADER_NO;
    assert_int_equal(decide(all), HRR_FIRST_IS_DATA);
    assert_int_equal(decide((hrr_header_signs){.told = HRR_HEADER_YES, .numbers = true}),
                     HRR_FIRST_IS_HEADER);
}

static void test_header__signs_that_disagree_are_doubt(void **state)
{
    (void)state;
    /* like a header, and its ids are elsewhere: both, one, none */
    for (int words = 0; words < 2; words++)
        for (int over = 0; over < 2; over++)
            for (int again = 0; again < 2; again++) {
                const bool like = words || over;
                assert_int_equal(decide((hrr_header_signs){
                                     .words = words, .over_numbers = over, .ids_again = again}),
                                 like != again ? (like ? HRR_FIRST_IS_HEADER : HRR_FIRST_IS_DATA)
                                               : HRR_FIRST_IN_DOUBT);
            }
    assert_int_equal(decide((hrr_header_signs){.numbers = true, .over_numbers = true}),
                     HRR_FIRST_IS_DATA);
    assert_int_equal(decide((hrr_header_signs){.numbers = true, .words = true}),
                     HRR_FIRST_IS_HEADER);
    assert_int_equal(decide((hrr_header_signs){.numbers_only = true}), HRR_FIRST_IS_HEADER);
    assert_int_equal(decide((hrr_header_signs){.numbers_only = true, .numbers = true}),
                     HRR_FIRST_IS_DATA);
}

static void test_header__words_of_columns_are_known(void **state)
{
    (void)state;
    assert_true(hrr_header_has_words("follower", "followee"));
    assert_true(hrr_header_has_words("person", "friend"));
    assert_true(hrr_header_has_words("account_from", "account_to"));
    assert_true(hrr_header_has_words("FromNodeId", "ToNodeId"));
    assert_true(hrr_header_has_words("user1", "user2"));
    assert_true(hrr_header_has_words("Source ID", "Target ID"));
    assert_false(hrr_header_has_words("ann", "bob"));
    assert_false(hrr_header_has_words("source", "source"));
    assert_false(hrr_header_has_words("source", "bob"));
    assert_false(hrr_header_has_words("a", "b"));
    assert_false(hrr_header_has_words("1", "2"));
    assert_false(hrr_header_has_words("", "target"));
    assert_false(hrr_header_has_words("caf\xc3\xa9", "target"));
}

/* ---- edge lists */

static hrr_graph *graph_of(void **state, const char *text, const char *header,
                           hrr_read_report *report, hrr_error *err)
{
    hrr_graph *graph;
    hrr_read_options options;
    hrr_read_options_init(&options);
    options.header = header;
    options.report = report;
    write_text(in_dir(*state, "e.csv"), text);
    hrr_status status = hrr_graph_read(&graph, in_dir(*state, "e.csv"), &options, NULL, err);
    assert_true((status == HRR_OK) == (graph != NULL));
    return graph;
}

static void assert_graph(void **state, const char *text, const char *header, uint64_t n_nodes,
                         uint64_t n_edges, const char *note)
{
    hrr_error err = {0};
    hrr_read_report report = {0};
    hrr_graph *graph = graph_of(state, text, header, &report, &err);
    if (!graph) fail_msg("%s: %s", text, err.message);
    assert_int_equal(hrr_graph_n_nodes(graph), n_nodes);
    assert_int_equal(hrr_graph_n_edges(graph), n_edges);
    assert_int_equal(report.n_notes, note != NULL);
    if (note && !strstr(report.notes[0], note)) fail_msg("%s", report.notes[0]);
    hrr_read_report_clear(&report);
    hrr_graph_free(graph);
}

static void assert_refusal(void **state, const char *text, const char *header, const char *message)
{
    hrr_error err = {0};
    hrr_graph *graph = graph_of(state, text, header, NULL, &err);
    if (graph) fail_msg("was read: %s", text);
    assert_int_equal(err.status, HRR_EDATA);
    assert_says(err, "e.csv");
    assert_says(err, message);
}

static void test_header__words_above_names_are_no_edge(void **state)
{
    static const char read[] = "e.csv:1: was read as column names";
    assert_graph(state, "follower,followee\nann,bob\nbob,eve\n", NULL, 3, 2, read);
    assert_graph(state, "person,friend\nann,bob\n", NULL, 2, 1, read);
    assert_graph(state, "account_from,account_to,amount\nann,bob,12.5\n", NULL, 2, 1, read);
    assert_graph(state, "giver,taker,amount\nann,bob,12.5\neve,dan,\n", NULL, 4, 2, read);
    assert_graph(state, "zed,yak\n1,2\n2,3\n", NULL, 3, 2, read);
    assert_graph(state, "user1,user2\nann,bob\n", NULL, 2, 1, read);
    assert_graph(state, "src,dst\nann,bob\n", NULL, 2, 1, NULL); /* everybody's words */
    assert_graph(state, "a,b,private\nann,bob,1\n", NULL, 2, 1, NULL);
}

static void test_header__names_that_occur_again_are_nodes(void **state)
{
    static const char read[] = "e.csv:1: was read as an edge";
    assert_graph(state, "ann,bob\nbob,eve\n", NULL, 3, 2, read);
    assert_graph(state, "a b\nc d\nd a\n", NULL, 4, 3, read);
    assert_graph(state, "ann,bob,3\neve,dan,4\n", NULL, 4, 2, NULL); /* a number names nothing */
    assert_graph(state, "7,bob\nann,dan\n", NULL, 4, 2, NULL);
    assert_graph(state, "ann,ann\nbob,eve\n", NULL, 2, 1, NULL); /* two columns, one name */
    assert_graph(state, "user1,user2\nuser3,user14\n", NULL, 4, 2, NULL);
    assert_graph(state, "user-1 user-2\nuser-1 user-3\n", NULL, 3, 2, NULL);
    assert_graph(state, "ann,bob,2024-01-02\neve,dan,\nzoe,mia,2023-12-31\n", NULL, 6, 3, NULL);
    assert_graph(state, "# src,dst,private\nann,bob,no\ndan,eve,yes\n", NULL, 4, 2, NULL);
}

static void test_header__doubt_is_refused_until_the_owner_speaks(void **state)
{
    static const char *const doubtful[] = {
        "ann,bob\neve,dan\n",
        "ann,bob\n",
        "u,v\nv,w\n",                           /* a small graph, or a header */
        "ann,bob,NA\nbob,eve,4\n",              /* a missing weight, or the name of a column */
        "person,friend\nann,bob\nbob,friend\n", /* a network of words */
        "ann,bob\n1,2\n2,3\nbob,1\n",           /* names among numbers */
    };
    for (size_t i = 0; i < sizeof doubtful / sizeof *doubtful; i++) {
        assert_refusal(state, doubtful[i], NULL, "e.csv:1: ");
        assert_refusal(state, doubtful[i], NULL,
                       "set `header` to yes if this row names the columns,");
    }
    assert_graph(state, doubtful[0], "no", 4, 2, NULL);
    assert_graph(state, doubtful[0], "yes", 2, 1, NULL);
    assert_graph(state, doubtful[1], "no", 2, 1, NULL);
    assert_graph(state, doubtful[2], "no", 3, 2, NULL);
    assert_graph(state, doubtful[2], "yes", 2, 1, NULL);
    assert_graph(state, "source,target\n1,2\n", "no", 4, 2, NULL);
    assert_graph(state, "1,2\n3,4\n", "yes", 2, 1, NULL);
    hrr_error err = {0};
    assert_null(graph_of(state, "1,2\n", "maybe", NULL, &err));
    assert_int_equal(err.status, HRR_EINVAL);
}

static void test_header__numbers_are_never_dropped(void **state)
{
    assert_refusal(state, "1.5,2.5\n1,2\n", NULL, "e.csv:1: an id is a number but not an");
    assert_refusal(state, "1.0,2.0\n2.0,3.0\n", NULL, "e.csv:1: an id is a number");
    assert_refusal(state, "ann,bob\nbob,2.5\n", NULL, "e.csv:2: an id is a number");
}

static void test_header__columns_that_cannot_be_ids_are_refused(void **state)
{
    assert_refusal(state, ",src,dst\n0,1,2\n", NULL, "e.csv:1: a column of ids has no name");
    assert_refusal(state, "Unnamed: 0,src,dst\n0,1,2\n", NULL, "has no name");
    assert_refusal(state, "\"\",src,dst\nann,bob,eve\n", NULL, "has no name");
    assert_refusal(state, "weight,src,dst\n7,1,2\n", NULL,
                   "columns 2 and 3 have names of edge ends");
    assert_refusal(state, "src dst\n\"1\" 4 5\n", NULL, "e.csv:2: the row has 3 columns, but");
    assert_graph(state, "src,dst\n1,2,\n", NULL, 2, 1, NULL); /* a delimiter at the end */
}

static void test_header__a_repeated_header_makes_no_people(void **state)
{
    assert_refusal(state, "source,target\n1,2\nsource,target\n2,3\n", NULL,
                   "but the same names occur as ids (or the header occurs twice in the file)");
    assert_refusal(state, "source,target\n1,2\nsource,target\n2,3\n", "yes",
                   "e.csv:3: the header is repeated");
    assert_refusal(state, "a,b,private\n1,2,0\na,b,private\n2,3,1\n", NULL,
                   "e.csv:3: the header is repeated");
}

/* The ids of the graph decide about a list of private edges, never its other rows. */
static void test_header__a_private_list_is_judged_by_the_nodes(void **state)
{
    static const struct {
        const char *list;
        int64_t n_private; /* -1: refused */
    } lists[] = {
        {"", 0},
        {"ann,bob\n", 1},
        {"ann,eve\n", 1},
        {"follower,followee\n", 0},
        {"follower,followee\nann,bob\n", 1},
        {"source,target\nann,bob\nbob,eve\n", 2},
        {"zed,yak\n", -1},
        {"zed,yak\nann,bob\n", -1},
        {"ann,zed\n", -1},
    };
    write_text(in_dir(*state, "g.csv"), "source,target\nann,bob\nbob,eve\n");
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        hrr_graph *graph;
        hrr_error err = {0};
        hrr_read_options options;
        hrr_read_options_init(&options);
        options.private_edges = in_dir(*state, "p.csv");
        write_text(options.private_edges, lists[i].list);
        hrr_status status = hrr_graph_read(&graph, in_dir(*state, "g.csv"), &options, NULL, &err);
        if ((status == HRR_OK) != (lists[i].n_private >= 0))
            fail_msg("%s: %s", lists[i].list, err.message);
        if (status) assert_says(err, "p.csv:1: ");
        if (!status) assert_int_equal(hrr_graph_n_private_edges(graph), lists[i].n_private);
        hrr_graph_free(graph);
    }
}

static void test_header__ids_must_be_utf8(void **state)
{
    assert_refusal(state, "source,target\nann,bob\ncaf\xe9,bob\n", NULL,
                   "e.csv:3: an id is not UTF-8 text; convert the file");
    assert_refusal(state, "source,target\nann,\xed\xa0\x80\n", NULL, "not UTF-8");
    assert_refusal(state, "source,target\nann,\xc0\xaf\n", NULL, "not UTF-8");
    assert_refusal(state, "source,target\nann,\xf4\x90\x80\x80\n", NULL, "not UTF-8");
    assert_graph(state, "source,target\ncaf\xc3\xa9,\xf0\x9f\x98\x80\n", NULL, 2, 1, NULL);
    assert_refusal(state,
                   "\xff\xfe"
                   "1\n",
                   NULL, "UTF-16");
}

static hrr_status read_named(void *arguments)
{
    hrr_graph *graph;
    hrr_read_options options;
    hrr_read_report report = {0};
    hrr_read_options_init(&options);
    options.report = &report;
    hrr_error err;
    hrr_status status = hrr_graph_read(&graph, arguments, &options, NULL, &err);
    hrr_graph_free(graph);
    hrr_read_report_clear(&report);
    return status;
}

static void test_header__survives_running_out_of_memory_anywhere(void **state)
{
    const char *path = in_dir(*state, "e.csv");
    write_text(path, "person,friend,since\nann,bob,1\nbob,eve,2\n");
    brutal(read_named, (void *)(uintptr_t)path);
    write_text(path, "ann,bob\nbob,eve\n");
    brutal(read_named, (void *)(uintptr_t)path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_header__the_owner_has_the_last_word),
        cmocka_unit_test(test_header__signs_that_disagree_are_doubt),
        cmocka_unit_test(test_header__words_of_columns_are_known),
        WITH_SCRATCH(test_header__words_above_names_are_no_edge),
        WITH_SCRATCH(test_header__names_that_occur_again_are_nodes),
        WITH_SCRATCH(test_header__doubt_is_refused_until_the_owner_speaks),
        WITH_SCRATCH(test_header__numbers_are_never_dropped),
        WITH_SCRATCH(test_header__columns_that_cannot_be_ids_are_refused),
        WITH_SCRATCH(test_header__a_repeated_header_makes_no_people),
        WITH_SCRATCH(test_header__a_private_list_is_judged_by_the_nodes),
        WITH_SCRATCH(test_header__ids_must_be_utf8),
        WITH_SCRATCH(test_header__survives_running_out_of_memory_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
