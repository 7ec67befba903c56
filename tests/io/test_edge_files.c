/* test_edge_files.c: edge lists as files: long ones, in pieces, for many threads, compressed, cut
 * short, from the wild. */
#include "io/edge_texts.h"
#include "support/brutal.h"

#include <sys/stat.h>
#include <unistd.h>

/* Among rows that are read many at a time. */
static void test_edge_files__one_odd_row_in_a_long_run_is_found(void **state)
{
    const char *odd[] = {"3,4\r5,6\r\n", "3,4,\r\n", "3;4\r\n", "3\r\n", "3,4\n", "3,-4\r\n"};
    const char *says[] = {":101: an id is not an integer", NULL, ":101: an id is not an integer",
                          ":101: fewer than two",          NULL, ":101: an id is negative; ids"};
    for (int i = 0; i < 6; i++) {
        char contents[4096] = "";
        char *to = contents;
        for (int row = 1; row <= 300; row++)
            to += sprintf(to, "%s", row == 101 ? odd[i] : "1,2\r\n");
        if (says[i])
            refuse(state, "edges.csv", contents, says[i]);
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

static void test_edge_files__what_cannot_be_read_is_named(void **state)
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
static void test_edge_files__regular_rows_of_every_length(void **state)
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
static void test_edge_files__compaction_follows_the_rules(void **state)
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

static void test_edge_files__threads_and_compression_change_nothing(void **state)
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
static void test_edge_files__a_file_may_end_with_its_page(void **state)
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

static void test_edge_files__stops_when_cancelled(void **state)
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

static void test_edge_files__survives_running_out_of_memory_anywhere(void **state)
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

static void test_edge_files__real_files_have_their_known_sizes(void **state)
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_SCRATCH(test_edge_files__one_odd_row_in_a_long_run_is_found),
        WITH_SCRATCH(test_edge_files__what_cannot_be_read_is_named),
        WITH_SCRATCH(test_edge_files__regular_rows_of_every_length),
        WITH_SCRATCH(test_edge_files__compaction_follows_the_rules),
        WITH_SCRATCH(test_edge_files__threads_and_compression_change_nothing),
        WITH_SCRATCH(test_edge_files__a_file_may_end_with_its_page),
        WITH_SCRATCH(test_edge_files__stops_when_cancelled),
        WITH_SCRATCH(test_edge_files__survives_running_out_of_memory_anywhere),
        cmocka_unit_test(test_edge_files__real_files_have_their_known_sizes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
