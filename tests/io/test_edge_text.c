/* test_edge_text.c: what the rows of an edge list mean. */
#include "io/edge_texts.h"

static void test_edge_text__every_delimiter_and_line_end(void **state)
{
    const char *expected = "3: 0-1 1-2";
    assert_reads(*state, "0,1\n1,2\n", expected);
    assert_reads(*state, "0\t1\n1\t2", expected);
    assert_reads(*state, "0;1\r\n1;2\r\n", expected);
    assert_reads(*state, "0|1\n1|2\n", expected);
    assert_reads(*state, "0 1\n1 2\n", expected);
    assert_reads(*state, "  0   1  \n\t1 \t 2\n", expected);
    assert_reads(*state, " 0 , 1 \r\n 1, 2 \r\n", expected);
    assert_reads(*state,
                 "\xef\xbb\xbf"
                 "0,1\n1,2",
                 expected);
    assert_reads(*state, "0 1\n1 2    \t \r", expected);
}

static void test_edge_text__comments_and_blank_lines_are_no_edges(void **state)
{
    assert_reads(*state, "# SNAP \"graph\n% more\n\n0 1\n  \n# inside\n1 2\n\n\n", "3: 0-1 1-2");
}

static void test_edge_text__headers_are_recognised(void **state)
{
    assert_reads(*state, "id_1,id_2\n0,1\n", "2: 0-1");
    assert_reads(*state, "whatever,else\n0,1\n", "2: 0-1");
    assert_reads(*state, "# comment\nFromNodeId\tToNodeId\n0\t1\n", "2: 0-1");
    assert_reads(*state, "src,dst\nann,bob\n", "2: 0-1 | ann bob");
    assert_reads(*state, "ann,bob\nbob,eve\n", "3: 1-2 0-1 | ann bob eve");
    refuse(state, "edges.csv", "ann,bob\n", "edges.csv:1: contains names, and");
    assert_reads(*state, "who,whom,private\nann,bob,1\n", "2: 0-1/1 | ann bob (private)");
}

static void test_edge_text__marks_come_from_named_columns_only(void **state)
{
    assert_reads(*state, "src,dst,private\n0,1,1\n1,2,0\n", "3: 0-1/1 1-2/0 (private)");
    assert_reads(*state, "src,dst,weight,Private_a,note,private_b\n0,1,.5,1,x,0\n1,2,7,0,,TRUE\n",
                 "3: 0-1/1 1-2/2 (Private_a) (private_b)");
    assert_reads(*state, "src dst private\n0 1 1 \r\n1 2  0\n", "3: 0-1/1 1-2/0 (private)");
    /* without a header a third column is a weight */
    assert_reads(*state, "0,1,1\n1,2,0\n", "3: 0-1 1-2");
    assert_reads(*state, "0 1 0.25 1082040961\n1 2 3e5 1082155839\n", "3: 0-1 1-2");
}

static void test_edge_text__marks_may_be_named_in_a_comment(void **state)
{
    /* Passing over this one would turn private edges into public ones. */
    assert_reads(*state, "# made by numpy\n# src,dst,private\n0,1,1\n1,2,0\n",
                 "3: 0-1/1 1-2/0 (private)");
    assert_reads(*state, "#u v w private_a\n0 1 7 1\n1 2 7 0\n", "3: 0-1/1 1-2/0 (private_a)");
    assert_reads(*state, "# a private network\n0 1 1\n", "2: 0-1");
    assert_reads(*state, "0 1 1\n# src dst private\n1 2 0\n", "3: 0-1 1-2");
}

static void test_edge_text__ids_are_compacted_in_order(void **state)
{
    assert_reads(*state, "1 2\n2 3\n", "3: 0-1 1-2 | 1 2 3");
    assert_reads(*state, "30 10\n20 30\n", "3: 2-0 1-2 | 10 20 30");
    assert_reads(*state, "9223372036854775807 5\n5 4294967296\n",
                 "3: 2-0 0-1 | 5 4294967296 9223372036854775807");
    assert_reads(*state, "4294967295 5\n5 4294967294\n", "3: 2-0 0-1 | 5 4294967294 4294967295");
    assert_reads(*state, "00000000000000000012 000000013\n", "2: 0-1 | 12 13");
    assert_reads(*state, "12345678 123456789\n1234567 12345678\n",
                 "3: 1-2 0-1 | 1234567 12345678 123456789");
}

static void test_edge_text__self_loops_name_nodes_only_without_gaps(void **state)
{
    assert_reads(*state, "0 0\n0 1\n2 2\n", "3: 0-0 0-1 2-2");
    assert_reads(*state, "1 1\n1 2\n3 3\n", "3: 0-0 0-1 2-2 | 1 2 3");
    assert_reads(*state, "0 0\n0 1\n3 3\n3 3\n", "2: 0-0 0-1 | 0 1 removed 2 1");
    assert_reads(*state, "2 3\n4 4\n3 3\n", "2: 0-1 1-1 | 2 3 removed 1 1");
    assert_reads(*state, "src,dst,private\n7 , 7, 1\n5,9,1\n9,5,0\n",
                 "2: 0-1/1 1-0/0 | 5 9 (private) removed 1 1");
    assert_reads(*state, "99999999999 99999999999\n1 88888888888\n",
                 "2: 0-1 | 1 88888888888 removed 1 1");
    assert_reads(*state, "ann ann\nbob eve\neve eve\n", "2: 0-1 1-1 | bob eve removed 1 1");
}

static void test_edge_text__names_may_be_any_text(void **state)
{
    assert_reads(*state, "source,target\nalice@example.org,bob\n\"Smith, \"\"J\"\"\",bob\n17,bob\n",
                 "4: 2-3 1-3 0-3 | 17 Smith, \"J\" alice@example.org bob");
    assert_reads(*state, "\"10\",\"20\"\n\"20\",30\n", "3: 0-1 1-2 | 10 20 30");
    /* a quote that turns up late */
    assert_reads(*state, "1,2,x\n2,3,\"a\n9,9\"\n", "3: 0-1 1-2 | 1 2 3");
    assert_reads(*state, "1,2\n2,\"3\"\n", "3: 0-1 1-2 | 1 2 3");
}

static void test_edge_text__one_name_makes_all_ids_names(void **state)
{
    assert_reads(*state, "1,2\n2,ann\n", "3: 0-1 1-2 | 1 2 ann");
    assert_reads(*state, "\"1\",2\n\xc3\xa9,2\n", "3: 0-1 2-1 | 1 2 \xc3\xa9");
    hrr_edge_text_options direct = {.ids = HRR_IDS_DIRECT};
    hrr_edge_text text;
    hrr_error err;
    write_text(in_dir(*state, "edges.csv"), "1,2\n2,ann\n");
    assert_int_equal(hrr_edge_text_read(&text, in_dir(*state, "edges.csv"), &direct, NULL, &err),
                     HRR_EDATA);
    assert_says(err, "edges.csv:2: an id is not an integer");
}

static void test_edge_text__the_order_of_names_tells_nothing_of_the_rows(void **state)
{
    /* A node that is first named by a private edge must not be told by its number. */
    assert_reads(*state, "a,b\nzed,yak\nc,d\nb,zed\nd,yak\n",
                 "6: 5-4 2-3 1-5 3-4 0-1 | a b c d yak zed");
    assert_reads(*state, "a,b\nc,d\nb,zed\nd,yak\n", "6: 2-3 1-5 3-4 0-1 | a b c d yak zed");
}

static void test_edge_text__any_column_may_be_called_the_private_one(void **state)
{
    const char *path = in_dir(*state, "edges.csv");
    write_text(path, "who,whom,hidden\nann,bob,1\nbob,eve,0\n");
    hrr_edge_text_options options = {.ids = HRR_IDS_MAP, .mark_column = "hidden"};
    hrr_edge_text text;
    assert_ok(hrr_edge_text_read(&text, path, &options, NULL, NULL));
    assert_int_equal(text.n_nodes, 3);
    assert_int_equal(text.n_marks, 1);
    assert_string_equal(text.mark_names[0], "hidden");
    assert_int_equal(text.edges.marks[0], 1);
    assert_int_equal(text.edges.marks[1], 0);
    hrr_edge_text_clear(&text);
}

static void test_edge_text__many_names_find_their_numbers(void **state)
{
    const char *path = in_dir(*state, "names.txt");
    FILE *file = fopen(path, "w");
    const int n = 20000;
    for (int i = 0; i < n; i++)
        fprintf(file, "user-%d user-%d\n", i, (i * 7 + 1) % n);
    fclose(file);
    hrr_edge_text text;
    assert_ok(hrr_edge_text_read(&text, path, &map_ids, NULL, NULL));
    assert_int_equal(text.n_nodes, n);
    for (int i = 0; i < n; i++) {
        char name[32];
        snprintf(name, sizeof name, "user-%d", i);
        assert_string_equal(text.ids.text + text.ids.text_start[text.edges.source[i]], name);
        snprintf(name, sizeof name, "user-%d", (i * 7 + 1) % n);
        assert_string_equal(text.ids.text + text.ids.text_start[text.edges.target[i]], name);
    }
    hrr_edge_text_clear(&text);
}

static void test_edge_text__direct_ids_are_row_numbers(void **state)
{
    hrr_edge_text_options direct = {.ids = HRR_IDS_DIRECT, .n_nodes = 5, .threads = 1};
    assert_reads_with(*state, &direct, "0 3\n2 2\n", "5: 0-3 2-2");
    assert_refused_with(*state, "edges.csv", &direct, "0 3\n2 5\n",
                        "edges.csv:2: an id is too large to be a row number");
    assert_refused_with(*state, "edges.csv", &direct, "\"0\" 3\n2 5\n",
                        "edges.csv:2: an id is too large to be a row number");
    assert_refused_with(*state, "edges.csv", &direct, "ann bob\nann eve\n",
                        "edges.csv:2: ids must be row numbers");
    assert_refused_with(*state, "edges.csv", &direct, "7 bob\n",
                        "edges.csv:1: ids must be row numbers");
    direct.n_nodes = 0;
    assert_reads_with(*state, &direct, "0 3\n2 2\n", "4: 0-3 2-2");
    assert_reads_with(*state, &direct, "0 2147483646\n", "2147483647: 0-2147483646");
    assert_refused_with(*state, "edges.csv", &direct, "0 2147483647\n",
                        "edges.csv:1: an id is too large to be a row number");
}

static void test_edge_text__bad_rows_name_their_line(void **state)
{
    static const bad_text bad[] = {
        {"0 1\n\n# c\n0 -4\n", "edges.csv:4: an id is negative; ids"},
        {"0 1\n1\n", "edges.csv:2: fewer than two columns"},
        {"0,1\n1,\n", "edges.csv:2: fewer than two columns"},
        {"0\n", "edges.csv:1: fewer than two columns"},
        {"0,1\n1,.x\n", "edges.csv:2: an id is not an integer"},
        {"0,1\n?,1\n", "edges.csv:2: an id is not an integer"},
        {"0,1\n1.5,1\n", "edges.csv:2: an id is not an integer"},
        {"0,1\n1,2x\n", "edges.csv:2: an id is not an integer"},
        {"0,1\n9223372036854775808,1\n", "edges.csv:2: an id is above 2^63 - 1"},
        {"0,1\n99999999999999999999999999,1\n", "edges.csv:2: an id is above"},
        {"a,b,private\n0,1,1\n1,2,2\n", "edges.csv:3: a private mark is neither"},
        {"a,b,private\n0,1,1\n1,2,10000000000\n", "edges.csv:3: a private mark"},
        {"a,b,private\n0,1,1\n1,2\n", "edges.csv:3: fewer columns than the header"},
        {"ann,bob,private\nann,eve,x\n", "edges.csv:2: a private mark is neither"},
        {"ann,bob\neve,\n", "edges.csv:2: an id is empty"},
        {"\"0\",1\n1,.x\n", "edges.csv:2: an id is not an integer"},
        {"\"0\",1\n1,-1\n", "edges.csv:2: an id is negative; ids"},
        {"\"0\",1\n1\n", "edges.csv:2: fewer than two columns"},
        {0},
    };
    refuse_each(refuse, state, "edges.csv", bad);
}

static void test_edge_text__no_edges_is_an_error(void **state)
{
    static const bad_text bad[] = {
        {"", "has no edges"},
        {"# nothing\n\n", "has no edges"},
        {"src,dst\n", "has no edges"},
        {"5 5\n9 9\n", "only self-loops"},
        {"a,b,private1,private2,private3,private4,private5,private6,private7,"
         "private8,private9\n0,1,0,0,0,0,0,0,0,0,0\n",
         "more than 8 columns"},
        {0},
    };
    refuse_each(refuse, state, "edges.csv", bad);
}

/* Where edges are private, a list without any is read like every other. */
static void test_edge_text__no_edges_may_be_an_answer(void **state)
{
    static const struct {
        const char *contents;
        bool with_marks;
    } files[] = {
        {"", false},
        {"# nothing\n\n", false},
        {"src,dst\n", false},
        {"src,dst,private\n", true},
        {"# src,dst,private\n", true},
        {"5 5\n9 9\n", false},
        {"follower,followee\n", false},
    };
    const char *path = in_dir(*state, "edges.csv");
    hrr_edge_text_options empty_map = map_ids, rows = {.ids = HRR_IDS_DIRECT, .n_nodes = 7};
    empty_map.may_be_empty = true;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        hrr_edge_text text;
        write_text(path, files[i].contents);
        assert_ok(hrr_edge_text_read(&text, path, &empty_map, NULL, NULL));
        assert_int_equal(text.edges.n_edges, 0);
        assert_int_equal(text.n_nodes, 0);
        assert_int_equal(text.n_marks, files[i].with_marks);
        hrr_edge_text_clear(&text);
        if (!files[i].with_marks) continue;
        assert_ok(hrr_edge_text_read(&text, path, &rows, NULL, NULL));
        assert_int_equal(text.edges.n_edges, 0);
        assert_int_equal(text.n_nodes, 7);
        assert_non_null(text.edges.marks);
        hrr_edge_text_clear(&text);
    }
    hrr_error err = {0};
    hrr_edge_text text;
    write_text(path, "src,dst\n");
    assert_ok(hrr_edge_text_read(&text, path, &rows, NULL, NULL));
    assert_int_equal(text.edges.n_edges, 0);
    assert_int_equal(text.n_nodes, 7);
    assert_null(text.edges.marks);
    hrr_edge_text_clear(&text);
    const hrr_edge_text_options unknown = {.ids = HRR_IDS_DIRECT}; /* how many nodes there are */
    assert_int_equal(hrr_edge_text_read(&text, path, &unknown, NULL, &err), HRR_EDATA);
    assert_says(err, "has no edges");
}

static void test_edge_text__messages_hold_no_ids(void **state)
{
    const char *path = in_dir(*state, "edges.csv");
    const char *bad[] = {"777,888\n777,.alice\n", "777 888\n777 -4242\n",
                         "a,b,private\n777,888,4242\n"};
    for (int i = 0; i < 3; i++) {
        write_text(path, bad[i]);
        hrr_edge_text text;
        hrr_error err = {0};
        assert_int_equal(hrr_edge_text_read(&text, path, &map_ids, NULL, &err), HRR_EDATA);
        const char *message = strrchr(err.message, '/');
        assert_null(strstr(message, "777"));
        assert_null(strstr(message, "4242"));
        assert_null(strstr(message, "alice"));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_SCRATCH(test_edge_text__every_delimiter_and_line_end),
        WITH_SCRATCH(test_edge_text__comments_and_blank_lines_are_no_edges),
        WITH_SCRATCH(test_edge_text__headers_are_recognised),
        WITH_SCRATCH(test_edge_text__marks_come_from_named_columns_only),
        WITH_SCRATCH(test_edge_text__marks_may_be_named_in_a_comment),
        WITH_SCRATCH(test_edge_text__ids_are_compacted_in_order),
        WITH_SCRATCH(test_edge_text__self_loops_name_nodes_only_without_gaps),
        WITH_SCRATCH(test_edge_text__names_may_be_any_text),
        WITH_SCRATCH(test_edge_text__one_name_makes_all_ids_names),
        WITH_SCRATCH(test_edge_text__the_order_of_names_tells_nothing_of_the_rows),
        WITH_SCRATCH(test_edge_text__any_column_may_be_called_the_private_one),
        WITH_SCRATCH(test_edge_text__many_names_find_their_numbers),
        WITH_SCRATCH(test_edge_text__direct_ids_are_row_numbers),
        WITH_SCRATCH(test_edge_text__bad_rows_name_their_line),
        WITH_SCRATCH(test_edge_text__no_edges_is_an_error),
        WITH_SCRATCH(test_edge_text__no_edges_may_be_an_answer),
        WITH_SCRATCH(test_edge_text__messages_hold_no_ids),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
