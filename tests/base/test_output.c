#include "support/check.h"
#include "support/brutal.h"
#include "support/files.h"

#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <signal.h>
#include <unistd.h>

static void put(const char *path, const char *text)
{
    hrr_output *output;
    assert_ok(hrr_output_open(&output, path, NULL));
    assert_ok(hrr_output_write(output, text, strlen(text), NULL));
    assert_ok(hrr_output_commit(output, NULL));
    hrr_output_free(output);
}

static void assert_holds(const char *path, const char *text)
{
    char *found = read_file(path, NULL);
    assert_non_null(found);
    assert_string_equal(found, text);
    free(found);
}

static void test_output__appears_only_when_committed(void **state)
{
    const char *path = in_dir(*state, "out");
    hrr_output *output;
    assert_ok(hrr_output_open(&output, path, NULL));
    assert_ok(hrr_output_printf(output, NULL, "%s", "hello"));
    assert_int_not_equal(access(path, F_OK), 0);
    assert_ok(hrr_output_commit(output, NULL));
    hrr_output_free(output);
    assert_holds(path, "hello");
    assert_int_equal(count_entries(*state), 1);
}

static void test_output__abandoned_leaves_the_old_file_alone(void **state)
{
    const char *path = in_dir(*state, "out");
    put(path, "old");
    hrr_output *output;
    assert_ok(hrr_output_open(&output, path, NULL));
    assert_ok(hrr_output_write(output, "new", 3, NULL));
    hrr_output_free(output);
    assert_holds(path, "old");
    assert_int_equal(count_entries(*state), 1);
}

static void test_output__large_and_long_pieces_arrive_whole(void **state)
{
    const char *path = in_dir(*state, "out");
    size_t size = 1000003;
    char *bytes = malloc(size);
    for (size_t i = 0; i < size; i++)
        bytes[i] = (char)('a' + i % 23);
    char *line = malloc(5001);
    memset(line, 'y', 5000);
    line[5000] = '\0';
    hrr_output *output;
    assert_ok(hrr_output_open(&output, path, NULL));
    assert_ok(hrr_output_write(output, bytes, 10, NULL));
    assert_ok(hrr_output_write(output, bytes + 10, size - 10, NULL));
    assert_ok(hrr_output_printf(output, NULL, "%s", line));
    assert_ok(hrr_output_commit(output, NULL));
    hrr_output_free(output);
    size_t found_size;
    char *found = read_file(path, &found_size);
    assert_int_equal(found_size, size + 5000);
    assert_memory_equal(found, bytes, size);
    assert_memory_equal(found + size, line, 5000);
    free(found);
    free(line);
    free(bytes);
}

static void test_output__a_link_keeps_pointing(void **state)
{
    const char *path = in_dir(*state, "real"), *link = in_dir(*state, "link");
    put(path, "old");
    assert_int_equal(symlink(path, link), 0);
    put(link, "new");
    struct stat there;
    assert_int_equal(lstat(link, &there), 0);
    assert_true(S_ISLNK(there.st_mode));
    assert_holds(path, "new");
}

static void test_output__an_unwritable_place_is_named(void **state)
{
    (void)state;
    hrr_error err = {0};
    hrr_output *output;
    assert_int_equal(hrr_output_open(&output, "/nonexistent/dir/out", &err), HRR_EIO);
    assert_null(output);
    assert_says(err, "/nonexistent/dir/out");
    assert_int_equal(hrr_output_open(&output, *state, &err), HRR_EINVAL);
    assert_says(err, "is a directory");
}

static void test_output__a_full_disk_is_an_error_and_leaves_nothing(void **state)
{
    /* A file-size limit refuses bytes in the middle of a write just as a full disk does. */
    const char *path = in_dir(*state, "out");
    put(path, "old");
    signal(SIGXFSZ, SIG_IGN);
    struct rlimit before, small;
    getrlimit(RLIMIT_FSIZE, &before);
    small = before;
    small.rlim_cur = 100000;
    setrlimit(RLIMIT_FSIZE, &small);
    static char bytes[1 << 20];
    hrr_error err = {0};
    hrr_output *output;
    assert_ok(hrr_output_open(&output, path, NULL));
    hrr_status status = hrr_output_write(output, bytes, sizeof bytes, &err);
    hrr_output_free(output);
    setrlimit(RLIMIT_FSIZE, &before);
    assert_int_equal(status, HRR_EIO);
    assert_says(err, "nothing was changed");
    assert_holds(path, "old");
    assert_int_equal(count_entries(*state), 1);
}

static const hrr_dir_kind graph_directory = {
    .what = "graph", .file = "graph.json", .text = "\"n_nodes\"", .without = "certificate"};
static const hrr_dir_kind report_directory = {
    .what = "report", .file = "report.json", .text = "\"heterorr report\""};

static void test_output_dir__appears_whole(void **state)
{
    const char *path = in_dir(*state, "graph");
    hrr_output_dir *dir;
    assert_ok(hrr_output_dir_open(&dir, path, &graph_directory, false, NULL));
    put(in_dir(hrr_output_dir_staging(dir), "graph.json"), "{}");
    assert_int_not_equal(access(path, F_OK), 0);
    assert_ok(hrr_output_dir_commit(dir, NULL));
    hrr_output_dir_free(dir);
    assert_holds(in_dir(path, "graph.json"), "{}");
    assert_int_equal(count_entries(*state), 1);
}

static void test_output_dir__abandoned_leaves_nothing(void **state)
{
    hrr_output_dir *dir;
    assert_ok(hrr_output_dir_open(&dir, in_dir(*state, "graph"), &graph_directory, false, NULL));
    put(in_dir(hrr_output_dir_staging(dir), "graph.json"), "{}");
    hrr_output_dir_free(dir);
    assert_int_equal(count_entries(*state), 0);
}

static void test_output_dir__replaces_only_what_is_ours_and_asked_for(void **state)
{
    const char *path = in_dir(*state, "graph");
    hrr_error err = {0};
    hrr_output_dir *dir;
    assert_int_equal(mkdir(path, 0777), 0);
    put(in_dir(path, "precious.txt"), "mine");
    assert_int_equal(hrr_output_dir_open(&dir, path, &graph_directory, false, &err), HRR_EINVAL);
    assert_says(err, "exists already");
    assert_int_equal(hrr_output_dir_open(&dir, path, &graph_directory, true, &err), HRR_EINVAL);
    assert_says(err, "like a graph");
    put(in_dir(path, "graph.json"), "somebody else's");
    assert_int_equal(hrr_output_dir_open(&dir, path, &graph_directory, true, &err), HRR_EINVAL);
    put(in_dir(path, "graph.json"), "{\"n_nodes\": 1}");
    static const char *const certificates[] = {"CERTIFICATE.txt", "certificate.json",
                                               "certificate.sig"};
    for (int i = 0; i < 3; i++) {
        put(in_dir(path, certificates[i]), "a release");
        assert_int_equal(hrr_output_dir_open(&dir, path, &graph_directory, true, &err), HRR_EINVAL);
        assert_says(err, "more than a graph: it also");
        assert_says(err, certificates[i]);
        assert_int_equal(unlink(in_dir(path, certificates[i])), 0);
    }
    assert_int_equal(hrr_output_dir_open(&dir, path, &report_directory, true, &err), HRR_EINVAL);
    assert_says(err, "like a report");
    assert_ok(hrr_output_dir_open(&dir, path, &graph_directory, true, NULL));
    put(in_dir(hrr_output_dir_staging(dir), "graph.json"), "new");
    assert_ok(hrr_output_dir_commit(dir, NULL));
    hrr_output_dir_free(dir);
    assert_holds(in_dir(path, "graph.json"), "new");
    assert_int_equal(count_entries(path), 1);
    assert_int_equal(count_entries(*state), 1);
}

static hrr_status write_both(void *user)
{
    hrr_output_dir *dir = NULL;
    hrr_output *output = NULL;
    hrr_status status = hrr_output_dir_open(&dir, in_dir(user, "d"), &graph_directory, true, NULL);
    if (status) goto done;
    if ((status =
             hrr_output_open(&output, in_dir(hrr_output_dir_staging(dir), "graph.json"), NULL)))
        goto done;
    if ((status = hrr_output_commit(output, NULL))) goto done;
    status = hrr_output_dir_commit(dir, NULL);
done:
    hrr_output_free(output);
    hrr_output_dir_free(dir);
    return status;
}

static void test_output__survives_running_out_of_memory_anywhere(void **state)
{
    assert_true(brutal(write_both, *state) > 5);
    assert_int_equal(count_entries(*state), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_SCRATCH(test_output__appears_only_when_committed),
        WITH_SCRATCH(test_output__abandoned_leaves_the_old_file_alone),
        WITH_SCRATCH(test_output__large_and_long_pieces_arrive_whole),
        WITH_SCRATCH(test_output__a_link_keeps_pointing),
        WITH_SCRATCH(test_output__an_unwritable_place_is_named),
        WITH_SCRATCH(test_output__a_full_disk_is_an_error_and_leaves_nothing),
        WITH_SCRATCH(test_output_dir__appears_whole),
        WITH_SCRATCH(test_output_dir__abandoned_leaves_nothing),
        WITH_SCRATCH(test_output_dir__replaces_only_what_is_ours_and_asked_for),
        WITH_SCRATCH(test_output__survives_running_out_of_memory_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
