/* A file of which several processes write their parts, and a directory that is swept only when the
 * one who filled it is dead. */
#include "base/shared_file.h"
#include "support/brutal.h"
#include "support/check.h"
#include "support/files.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static void make_file(const char *path)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fclose(file);
}

static bool exists(const char *path)
{
    return access(path, F_OK) == 0;
}

static void test_shared_file__parts_are_written_in_any_order(void **state)
{
    (void)state;
    char directory[] = "/tmp/heterorr-test-XXXXXX", path[64], read[9] = "";
    assert_non_null(mkdtemp(directory));
    snprintf(path, sizeof path, "%s/file", directory);
    make_file(path);
    assert_ok(hrr_shared_file_resize(path, 8, NULL));
    for (uint64_t offset = 8; offset > 0; offset -= 4) {
        hrr_shared_file *file;
        assert_ok(hrr_shared_file_open(&file, path, offset - 4, NULL));
        assert_ok(hrr_shared_file_write(file, offset == 8 ? "ef" : "ab", 2, NULL));
        assert_ok(hrr_shared_file_write(file, offset == 8 ? "gh" : "cd", 2, NULL));
        assert_ok(hrr_shared_file_sync(file, NULL));
        hrr_shared_file_free(file);
    }
    FILE *file = fopen(path, "r");
    assert_int_equal(fread(read, 1, sizeof read, file), 8);
    fclose(file);
    assert_string_equal(read, "abcdefgh");
    unlink(path);
    rmdir(directory);
}

static hrr_status open_one(void *user)
{
    hrr_shared_file *file;
    hrr_status status = hrr_shared_file_open(&file, user, 0, NULL);
    if (status) assert_null(file);
    hrr_shared_file_free(file);
    return status;
}

static void test_shared_file__opening_fails_plainly(void **state)
{
    (void)state;
    char path[] = "/tmp/heterorr-test-XXXXXX";
    hrr_shared_file *file;
    hrr_error err = {0};
    close(mkstemp(path));
    brutal(open_one, path);
    unlink(path);
    assert_int_equal(hrr_shared_file_open(&file, path, 0, &err), HRR_EIO);
    assert_int_equal(hrr_shared_file_resize(path, 3, &err), HRR_EIO);
    assert_non_null(strstr(err.message, path));
}

/* A process that holds the directory until it is killed. */
static pid_t start_holder(const char *directory)
{
    int ready[2];
    char byte;
    assert_int_equal(pipe(ready), 0);
    const pid_t child = fork();
    if (child == 0) {
        if (hrr_staging_hold(directory) < 0) _exit(1);
        if (write(ready[1], "x", 1) != 1) _exit(1);
        for (;;)
            pause();
    }
    assert_int_equal(read(ready[0], &byte, 1), 1);
    close(ready[0]);
    close(ready[1]);
    return child;
}

static void test_staging__is_swept_only_after_its_holder_died(void **state)
{
    (void)state;
    char directory[] = "/tmp/heterorr-test-XXXXXX", path[64];
    assert_non_null(mkdtemp(directory));
    snprintf(path, sizeof path, "%s/features.npy", directory);
    make_file(path);
    const pid_t holder = start_holder(directory);
    hrr_staging_sweep(directory);
    assert_true(exists(path));
    kill(holder, SIGKILL);
    assert_int_equal(waitpid(holder, NULL, 0), holder);
    hrr_staging_sweep(directory);
    assert_false(exists(directory));
    hrr_staging_sweep(directory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shared_file__parts_are_written_in_any_order),
        cmocka_unit_test(test_shared_file__opening_fails_plainly),
        cmocka_unit_test(test_staging__is_swept_only_after_its_holder_died),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
