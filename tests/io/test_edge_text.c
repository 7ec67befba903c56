#include "support/brutal.h"
#include "support/check.h"
#include "support/files.h"
#include "support/pack.h"

#include "io/edge_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static const hrr_edge_text_options map_ids = {.ids = HRR_IDS_MAP, .threads = 2};

/* What was read, in one line: "NODES: s-t[marks] ... | ids | marks | removed". */
static char *show(const hrr_edge_text *text)
{
    char *shown = NULL;
    size_t size = 0;
    FILE *to = open_memstream(&shown, &size);
    fprintf(to, "%" PRIu64 ":", text->n_nodes);
    for (uint64_t i = 0; i < text->edges.n_edges; i++) {
        fprintf(to, " %" PRIu32 "-%" PRIu32, text->edges.source[i], text->edges.target[i]);
        if (text->edges.marks) fprintf(to, "/%d", text->edges.marks[i]);
    }
    if (text->ids.integer || text->ids.text) fprintf(to, " |");
    for (uint64_t i = 0; i < text->n_nodes && text->ids.integer; i++)
        fprintf(to, " %" PRId64, text->ids.integer[i]);
    for (uint64_t i = 0; i < text->n_nodes && text->ids.text; i++)
        fprintf(to, " %s", text->ids.text + text->ids.text_start[i]);
    for (int i = 0; i < text->n_marks; i++)
        fprintf(to, " (%s)", text->mark_names[i]);
    if (text->removed.self_loops || text->removed.isolated_nodes)
        fprintf(to, " removed %" PRIu64 " %" PRIu64, text->removed.self_loops,
                text->removed.isolated_nodes);
    fclose(to);
    return shown;
}

static void assert_reads_with(const char *directory, const hrr_edge_text_options *options,
                              const char *contents, const char *expected)
{
    const char *path = in_dir(directory, "edges.csv");
    for (int form = 0; form < 3; form++) {
        if (form == 0) write_text(path, contents);
        if (form == 1) write_gzip(path, contents, strlen(contents), 0);
        if (form == 2) write_zstd(path, contents, strlen(contents), 0);
        hrr_edge_text text;
        hrr_error err = {0};
        hrr_status status = hrr_edge_text_read(&text, path, options, NULL, &err);
        assert_string_equal(err.message, "");
        assert_ok(status);
        char *shown = show(&text);
        assert_string_equal(shown, expected);
        free(shown);
        hrr_edge_text_clear(&text);
    }
}

static void assert_reads(const char *directory, const char *contents, const char *expected)
{
    assert_reads_with(directory, &map_ids, contents, expected);
}

static void assert_refused_with(const char *directory, const hrr_edge_text_options *options,
                                const char *contents, const char *says)
{
    const char *path = in_dir(directory, "edges.csv");
    for (int form = 0; form < 2; form++) {
        if (form == 0) write_text(path, contents);
        if (form == 1) write_gzip(path, contents, strlen(contents), 0);
        hrr_edge_text text;
        hrr_error err = {0};
        assert_int_equal(hrr_edge_text_read(&text, path, options, NULL, &err), HRR_EDATA);
        assert_null(text.edges.source);
        assert_says(err, path);
        assert_says(err, says);
    }
}

static void assert_refused(const char *directory, const char *contents, const char *says)
{
    assert_refused_with(directory, &map_ids, contents, says);
}

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
    assert_refused(*state, "ann,bob\n", "edges.csv:1: is a row of names");
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
    assert_refused_with(*state, &direct, "0 3\n2 5\n", "edges.csv:2: an id is not a row number");
    assert_refused_with(*state, &direct, "\"0\" 3\n2 5\n",
                        "edges.csv:2: an id is not a row number");
    assert_refused_with(*state, &direct, "ann bob\nann eve\n",
                        "edges.csv:2: ids must be row numbers");
    assert_refused_with(*state, &direct, "7 bob\n", "edges.csv:1: ids must be row numbers");
    direct.n_nodes = 0;
    assert_reads_with(*state, &direct, "0 3\n2 2\n", "4: 0-3 2-2");
    assert_reads_with(*state, &direct, "0 2147483646\n", "2147483647: 0-2147483646");
    assert_refused_with(*state, &direct, "0 2147483647\n",
                        "edges.csv:1: an id is not a row number");
}

static void test_edge_text__bad_rows_name_their_line(void **state)
{
    assert_refused(*state, "0 1\n\n# c\n0 -4\n", "edges.csv:4: a negative id");
    assert_refused(*state, "0 1\n1\n", "edges.csv:2: fewer than two columns");
    assert_refused(*state, "0,1\n1,\n", "edges.csv:2: fewer than two columns");
    assert_refused(*state, "0\n", "edges.csv:1: fewer than two columns");
    assert_refused(*state, "0,1\n1,.x\n", "edges.csv:2: an id is not an integer");
    assert_refused(*state, "0,1\n?,1\n", "edges.csv:2: an id is not an integer");
    assert_refused(*state, "0,1\n1.5,1\n", "edges.csv:2: an id is not an integer");
    assert_refused(*state, "0,1\n1,2x\n", "edges.csv:2: an id is not an integer");
    assert_refused(*state, "0,1\n9223372036854775808,1\n", "edges.csv:2: an id is over 2^63 - 1");
    assert_refused(*state, "0,1\n99999999999999999999999999,1\n", "edges.csv:2: an id is over");
    assert_refused(*state, "a,b,private\n0,1,1\n1,2,2\n", "edges.csv:3: a private mark is neither");
    assert_refused(*state, "a,b,private\n0,1,1\n1,2,10000000000\n", "edges.csv:3: a private mark");
    assert_refused(*state, "a,b,private\n0,1,1\n1,2\n",
                   "edges.csv:3: fewer columns than the header");
    assert_refused(*state, "ann,bob,private\nann,eve,x\n",
                   "edges.csv:2: a private mark is neither");
    assert_refused(*state, "ann,bob\neve,\n", "edges.csv:2: an id is empty");
    assert_refused(*state, "\"0\",1\n1,.x\n", "edges.csv:2: an id is not an integer");
    assert_refused(*state, "\"0\",1\n1,-1\n", "edges.csv:2: a negative id");
    assert_refused(*state, "\"0\",1\n1\n", "edges.csv:2: fewer than two columns");
}

/* Among rows that are read many at a time. */
static void test_edge_text__one_odd_row_in_a_long_run_is_found(void **state)
{
    const char *odd[] = {"3,4\r5,6\r\n", "3,4,\r\n", "3;4\r\n", "3\r\n", "3,4\n", "3,-4\r\n"};
    const char *says[] = {":101: an id is not an integer", NULL, ":101: an id is not an integer",
                          ":101: fewer than two",          NULL, ":101: a negative id"};
    for (int i = 0; i < 6; i++) {
        char contents[4096] = "";
        char *to = contents;
        for (int row = 1; row <= 300; row++)
            to += sprintf(to, "%s", row == 101 ? odd[i] : "1,2\r\n");
        if (says[i])
            assert_refused(*state, contents, says[i]);
        else {
            const char *path = in_dir(*state, "edges.csv");
            write_text(path, contents);
            hrr_edge_text text;
            assert_ok(hrr_edge_text_read(&text, path, &map_ids, NULL, NULL));
            assert_int_equal(text.edges.n_edges, 300);
            assert_int_equal(text.n_nodes, 4);
            assert_int_equal(text.edges.source[100], 2);
            hrr_edge_text_clear(&text);
        }
    }
}

static void test_edge_text__no_edges_is_an_error(void **state)
{
    assert_refused(*state, "", "has no edges");
    assert_refused(*state, "# nothing\n\n", "has no edges");
    assert_refused(*state, "src,dst\n", "has no edges");
    assert_refused(*state, "5 5\n9 9\n", "only self-loops");
    assert_refused(*state,
                   "a,b,private1,private2,private3,private4,private5,private6,private7,"
                   "private8,private9\n0,1,0,0,0,0,0,0,0,0,0\n",
                   "more than 8 columns");
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

static void test_edge_text__what_cannot_be_read_is_named(void **state)
{
    hrr_edge_text text;
    hrr_error err = {0};
    assert_int_equal(hrr_edge_text_read(&text, in_dir(*state, "x"), &map_ids, NULL, &err), HRR_EIO);
    assert_says(err, "check the path");
    assert_int_equal(mkfifo(in_dir(*state, "pipe"), 0600), 0);
    assert_int_equal(hrr_edge_text_read(&text, in_dir(*state, "pipe"), &map_ids, NULL, &err),
                     HRR_EIO);
    assert_says(err, "is a pipe");
    const char *gz = in_dir(*state, "x.gz");
    write_gzip(gz, "0 1\n1 2\n", 8, 0);
    assert_int_equal(truncate(gz, 15), 0);
    assert_int_equal(hrr_edge_text_read(&text, gz, &map_ids, NULL, &err), HRR_EDATA);
    assert_says(err, "ends too early");
}

/* A file long enough for several chunks, with odd lines all through it and some ids, from two
 * millions on, that only self-loops name; *sum is without these. */
static char *long_list(size_t room, size_t *used, uint64_t *n_edges, uint64_t *sum)
{
    char *bytes = malloc(room + 256);
    uint64_t x = 88172645463325252u;
    *used = *n_edges = *sum = 0;
    while (*used < room) {
        x ^= x << 13, x ^= x >> 7, x ^= x << 17;
        uint64_t a = x % 1000003 >> (x >> 60), b = (x >> 32) % 70001;
        char *to = bytes + *used;
        int odd = (int)(x >> 41 & 63);
        const char *end = x >> 40 & 1 ? "\r\n" : "\n";
        if (odd == 2) a = b = 2000000 + *n_edges;
        if (odd == 0)
            *used += (size_t)sprintf(to, "  %" PRIu64 " \t %" PRIu64 "\t.5%s# c\n\n", a, b, end);
        else if (odd == 1)
            *used += (size_t)sprintf(to, "%010" PRIu64 "\t%09" PRIu64 " %s", a, b, end);
        else
            *used += (size_t)sprintf(to, "%" PRIu64 "\t%" PRIu64 "%s", a, b, end);
        ++*n_edges;
        if (odd != 2) *sum += a * 31 + b;
    }
    return bytes;
}

static uint64_t original(const hrr_edge_text *text, uint32_t node)
{
    return text->ids.integer ? (uint64_t)text->ids.integer[node] : node;
}

/* Runs of rows of one shape, which are read many at a time: every pair of lengths around those
 * that fit, both line ends. */
static void test_edge_text__regular_rows_of_every_length(void **state)
{
    enum { n = 200 };
    const char *path = in_dir(*state, "regular");
    static uint64_t source[n], target[n];
    uint64_t x = 1;
    for (int a = 1; a <= 10; a++)
        for (int b = 1; b <= 10; b++)
            for (int form = 0; form < 4; form++) {
                FILE *file = fopen(path, "w");
                for (int i = 0; i < n; i++) {
                    uint64_t powers[] = {1, 1};
                    for (int k = 0; k < a; k++)
                        powers[0] *= 10;
                    for (int k = 0; k < b; k++)
                        powers[1] *= 10;
                    x = x * 6364136223846793005u + 1442695040888963407u;
                    source[i] = (x >> 20) % powers[0];
                    target[i] = (x >> 11) % powers[1];
                    fprintf(file, "%0*" PRIu64 "%c%0*" PRIu64 "%s", a, source[i], "\t, |"[form], b,
                            target[i], form & 1 ? "\r\n" : "\n");
                }
                fclose(file);
                hrr_edge_text text;
                assert_ok(hrr_edge_text_read(&text, path, &map_ids, NULL, NULL));
                uint64_t at = 0;
                for (int i = 0; i < n; i++) {
                    if (at < text.edges.n_edges &&
                        original(&text, text.edges.source[at]) == source[i] &&
                        original(&text, text.edges.target[at]) == target[i])
                        at++;
                    else
                        assert_int_equal(source[i], target[i]); /* a dropped self-loop */
                }
                assert_int_equal(at, text.edges.n_edges);
                hrr_edge_text_clear(&text);
            }
}

/* By the rules, one id at a time: ranges around every multiple of what is looked at together,
 * blocks of rows with and without self-loops. */
static void test_edge_text__compaction_follows_the_rules(void **state)
{
    enum { most = 300 };
    const char *path = in_dir(*state, "compact");
    uint64_t x = 1;
    for (uint32_t range = 2; range < most; range++) {
        bool by_edge[most] = {0}, by_loop[most] = {0};
        uint32_t pairs[2 * most], n_rows = range / 2 + 1;
        FILE *file = fopen(path, "w");
        for (uint32_t i = 0; i < n_rows; i++) {
            x = x * 6364136223846793005u + 1442695040888963407u;
            uint32_t a = (uint32_t)(x >> 33) % range, b = i == 0 ? range - 1 : a / 2;
            bool loop = i > 0 && (i % 40 == 7 || a == b);
            if (i == 0 && a == b) a = 0;
            pairs[2 * i] = a;
            pairs[2 * i + 1] = loop ? a : b;
            fprintf(file, "%" PRIu32 " %" PRIu32 "\n", a, pairs[2 * i + 1]);
            (loop ? by_loop : by_edge)[a] = true;
            (loop ? by_loop : by_edge)[pairs[2 * i + 1]] = true;
        }
        fclose(file);
        uint32_t n_named = 0, smallest = 0, n_kept = 0, rank[most], n_isolated = 0;
        for (uint32_t id = 0; id < range; id++)
            n_named += by_edge[id] || by_loop[id];
        while (!by_edge[smallest] && !by_loop[smallest])
            smallest++;
        bool gapless = smallest <= 1 && n_named == range - smallest;
        hrr_edge_text text;
        assert_ok(hrr_edge_text_read(&text, path, &map_ids, NULL, NULL));
        for (uint32_t id = 0; id < range; id++) {
            bool kept = by_edge[id] || (gapless && by_loop[id]);
            if (kept) assert_int_equal(original(&text, n_kept), id);
            n_isolated += by_loop[id] && !kept;
            rank[id] = kept ? n_kept++ : UINT32_MAX;
        }
        assert_int_equal(text.n_nodes, n_kept);
        assert_int_equal(text.removed.isolated_nodes, n_isolated);
        uint32_t at = 0;
        for (uint32_t i = 0; i < n_rows; i++) {
            if (rank[pairs[2 * i]] == UINT32_MAX) continue;
            assert_int_equal(text.edges.source[at], rank[pairs[2 * i]]);
            assert_int_equal(text.edges.target[at++], rank[pairs[2 * i + 1]]);
        }
        assert_int_equal(text.edges.n_edges, at);
        assert_int_equal(text.removed.self_loops, n_rows - at);
        hrr_edge_text_clear(&text);
    }
}

static void test_edge_text__threads_and_compression_change_nothing(void **state)
{
    size_t size;
    uint64_t n_edges, sum;
    char *bytes = long_list(13 << 20, &size, &n_edges, &sum);
    const char *path = in_dir(*state, "long"), *gz = in_dir(*state, "long.gz");
    write_file(path, bytes, size);
    write_gzip(gz, bytes, size, 0);
    hrr_edge_text first;
    hrr_edge_text_options options = {.ids = HRR_IDS_MAP, .threads = 1};
    assert_ok(hrr_edge_text_read(&first, path, &options, NULL, NULL));
    uint64_t found = 0;
    for (uint64_t i = 0; i < first.edges.n_edges; i++)
        found +=
            original(&first, first.edges.source[i]) * 31 + original(&first, first.edges.target[i]);
    assert_int_equal(first.edges.n_edges + first.removed.self_loops, n_edges);
    assert_int_equal(found, sum);
    assert_true(first.removed.isolated_nodes > 1000);
    assert_int_equal(first.removed.isolated_nodes, first.removed.self_loops);
    for (int threads = 1; threads < 9; threads += 3) {
        hrr_edge_text other;
        options.threads = threads;
        assert_ok(hrr_edge_text_read(&other, threads == 1 ? gz : path, &options, NULL, NULL));
        assert_int_equal(other.n_nodes, first.n_nodes);
        assert_int_equal(other.edges.n_edges, first.edges.n_edges);
        assert_memory_equal(other.edges.source, first.edges.source, 4 * first.edges.n_edges);
        assert_memory_equal(other.edges.target, first.edges.target, 4 * first.edges.n_edges);
        hrr_edge_text_clear(&other);
    }
    hrr_edge_text_clear(&first);

    /* the first bad line is named, however many there are and whoever finds it */
    uint64_t line = 1;
    for (size_t i = 0; i < size / 3; i++)
        line += bytes[i] == '\n';
    for (size_t at = size / 3; at < size; at += size / 6) {
        while (bytes[at - 1] != '\n' || bytes[at] < '0')
            at++;
        bytes[at] = '!';
        if (at < size / 3 + 200)
            for (size_t i = size / 3; i < at; i++)
                line += bytes[i] == '\n';
    }
    char says[64];
    snprintf(says, sizeof says, "long:%" PRIu64 ": an id is not an integer", line);
    write_file(path, bytes, size);
    for (int threads = 1; threads < 6; threads++) {
        hrr_edge_text other;
        hrr_error err = {0};
        options.threads = threads;
        assert_int_equal(hrr_edge_text_read(&other, path, &options, NULL, &err), HRR_EDATA);
        assert_says(err, says);
    }
    free(bytes);
}

/* Files whose size is a multiple of the page: nothing is mapped behind them. */
static void test_edge_text__a_file_may_end_with_its_page(void **state)
{
    const char *path = in_dir(*state, "page");
    char bytes[8193];
    for (int newline = 0; newline < 2; newline++)
        for (size_t size = 4096; size <= 8192; size += 4096) {
            for (size_t i = 0; i < size; i += 4)
                memcpy(bytes + i, "0 1\n", 4);
            if (!newline) memcpy(bytes + size - 4, "\n0 1", 4);
            write_file(path, bytes, size);
            hrr_edge_text text;
            assert_ok(hrr_edge_text_read(&text, path, &map_ids, NULL, NULL));
            assert_int_equal(text.edges.n_edges, size / 4);
            assert_int_equal(text.n_nodes, 2);
            hrr_edge_text_clear(&text);
        }
}

static void test_edge_text__stops_when_cancelled(void **state)
{
    size_t size;
    uint64_t n_edges, sum;
    char *bytes = long_list(3 << 20, &size, &n_edges, &sum);
    const char *path = in_dir(*state, "long");
    write_file(path, bytes, size);
    free(bytes);
    hrr_progress *progress;
    assert_ok(hrr_progress_new(&progress, NULL, NULL, NULL));
    hrr_progress_cancel(progress);
    hrr_edge_text text;
    hrr_error err = {0};
    assert_int_equal(hrr_edge_text_read(&text, path, &map_ids, progress, &err), HRR_ECANCEL);
    assert_says(err, "interrupted");
    hrr_progress_free(progress);
}

static hrr_status read_all(void *user)
{
    hrr_edge_text text;
    hrr_status status = hrr_edge_text_read(&text, user, &map_ids, NULL, NULL);
    hrr_edge_text_clear(&text);
    return status;
}

static void test_edge_text__survives_running_out_of_memory_anywhere(void **state)
{
    char path[4096];
    strcpy(path, in_dir(*state, "x"));
    const char *contents[] = {
        "src,dst,private,private2\n1,2,0,1\n4,4,1,1\n3,9,1,0\n",
        "1 2\n4 4\n999999999999 7\n",
        "0 4000000000\n",
        "ann bob\neve eve\nbob eve\n",
        "1 2\n3 \"4\"\n",
    };
    for (int i = 0; i < 5; i++) {
        write_text(path, contents[i]);
        assert_true(brutal(read_all, path) > 8);
        write_gzip(path, contents[i], strlen(contents[i]), 0);
        assert_true(brutal(read_all, path) > 8);
    }
}

static void assert_real(const char *name, uint64_t n_nodes, uint64_t n_rows, uint64_t isolated,
                        int n_marks)
{
    hrr_edge_text text;
    hrr_error err = {0};
    hrr_status status = hrr_edge_text_read(&text, real_data(name), &map_ids, NULL, &err);
    assert_string_equal(err.message, "");
    assert_ok(status);
    assert_int_equal(text.n_nodes, n_nodes);
    assert_int_equal(text.edges.n_edges + text.removed.self_loops, n_rows);
    assert_int_equal(text.removed.isolated_nodes, isolated);
    assert_int_equal(text.n_marks, n_marks);
    hrr_edge_text_clear(&text);
}

static void test_edge_text__real_files_have_their_known_sizes(void **state)
{
    (void)state;
    assert_real("structure/karate.pairs", 34, 155, 0, 0);
    assert_real("structure/polblogs.pairs", 1224, 19090, 0, 0);
    assert_real("structure/Wiki-Vote.pairs", 7115, 103689, 0, 0);
    assert_real("structure/CA-HepPh.pairs", 12006, 237010, 2, 0);
    assert_real("facebook/edges.csv", 22470, 171002, 0, 0);
    assert_real("ppi/train_00.csv", 1767, 17926, 0, 3);

    hrr_edge_text text;
    assert_ok(hrr_edge_text_read(&text, real_data("ppi/train_00.csv"), &map_ids, NULL, NULL));
    assert_string_equal(text.mark_names[0], "private_005");
    assert_string_equal(text.mark_names[1], "private_01");
    assert_string_equal(text.mark_names[2], "private_02");
    assert_int_equal(text.edges.marks[2], 4); /* 0,766,0,0,1 */
    hrr_edge_text_clear(&text);
}

#define with_scratch(test) cmocka_unit_test_setup_teardown(test, scratch_setup, scratch_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        with_scratch(test_edge_text__every_delimiter_and_line_end),
        with_scratch(test_edge_text__comments_and_blank_lines_are_no_edges),
        with_scratch(test_edge_text__headers_are_recognised),
        with_scratch(test_edge_text__marks_come_from_named_columns_only),
        with_scratch(test_edge_text__marks_may_be_named_in_a_comment),
        with_scratch(test_edge_text__ids_are_compacted_in_order),
        with_scratch(test_edge_text__self_loops_name_nodes_only_without_gaps),
        with_scratch(test_edge_text__names_may_be_any_text),
        with_scratch(test_edge_text__one_name_makes_all_ids_names),
        with_scratch(test_edge_text__the_order_of_names_tells_nothing_of_the_rows),
        with_scratch(test_edge_text__any_column_may_be_called_the_private_one),
        with_scratch(test_edge_text__many_names_find_their_numbers),
        with_scratch(test_edge_text__direct_ids_are_row_numbers),
        with_scratch(test_edge_text__bad_rows_name_their_line),
        with_scratch(test_edge_text__one_odd_row_in_a_long_run_is_found),
        with_scratch(test_edge_text__no_edges_is_an_error),
        with_scratch(test_edge_text__no_edges_may_be_an_answer),
        with_scratch(test_edge_text__messages_hold_no_ids),
        with_scratch(test_edge_text__what_cannot_be_read_is_named),
        with_scratch(test_edge_text__regular_rows_of_every_length),
        with_scratch(test_edge_text__compaction_follows_the_rules),
        with_scratch(test_edge_text__threads_and_compression_change_nothing),
        with_scratch(test_edge_text__a_file_may_end_with_its_page),
        with_scratch(test_edge_text__stops_when_cancelled),
        with_scratch(test_edge_text__survives_running_out_of_memory_anywhere),
        cmocka_unit_test(test_edge_text__real_files_have_their_known_sizes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
