#include "support/brutal.h"
#include "support/check.h"
#include "support/files.h"
#include "support/pack.h"

#include "io/source.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* The whole contents; *status is how it ended. */
static char *drain(const char *path, size_t *size, int *n_pieces, hrr_status *status,
                   hrr_error *err)
{
    hrr_source *source = NULL;
    char *all = calloc(1, 1);
    *size = 0;
    *n_pieces = 0;
    *status = hrr_source_open(&source, path, err);
    while (*status == HRR_OK) {
        const char *piece;
        size_t length;
        *status = hrr_source_next(source, &piece, &length, err);
        if (*status || length == 0) break;
        all = realloc(all, *size + length);
        memcpy(all + *size, piece, length);
        *size += length;
        ++*n_pieces;
    }
    if (*status == HRR_OK && hrr_source_size(source))
        assert_int_equal(hrr_source_consumed(source), hrr_source_size(source));
    hrr_source_close(source);
    return all;
}

static void assert_contents(const char *path, const void *bytes, size_t size)
{
    hrr_error err = {0};
    hrr_status status;
    size_t found_size;
    int n_pieces;
    char *found = drain(path, &found_size, &n_pieces, &status, &err);
    assert_string_equal(err.message, "");
    assert_ok(status);
    assert_int_equal(found_size, size);
    assert_memory_equal(found, bytes, size);
    free(found);
}

static void assert_refused(const char *path, hrr_status expected, const char *says)
{
    hrr_error err = {0};
    hrr_status status;
    size_t size;
    int n_pieces;
    free(drain(path, &size, &n_pieces, &status, &err));
    assert_int_equal(status, expected);
    assert_says(err, path);
    assert_says(err, says);
}

/* Text that compresses, but not to nothing, in many pieces. */
static char *long_text(size_t size)
{
    char *text = malloc(size);
    uint32_t x = 1;
    for (size_t i = 0; i < size; i++)
        text[i] = (char)('a' + ((x = x * 1664525 + 1013904223) >> 29));
    return text;
}

static void test_source__a_plain_file_is_one_piece(void **state)
{
    const char *path = in_dir(*state, "x");
    const size_t size = 1000000;
    char *text = long_text(size);
    write_file(path, text, size);
    hrr_status status;
    size_t found_size;
    int n_pieces;
    char *found = drain(path, &found_size, &n_pieces, &status, NULL);
    assert_ok(status);
    assert_int_equal(n_pieces, 1);
    assert_int_equal(found_size, size);
    assert_memory_equal(found, text, size);
    free(found);
    free(text);
}

static void test_source__compressed_files_are_known_by_their_bytes(void **state)
{
    const size_t size = 3000000;
    char *text = long_text(size);
    const char *gz = in_dir(*state, "misnamed.txt"), *zst = in_dir(*state, "misnamed.csv");
    write_gzip(gz, text, size, 0);
    write_zstd(zst, text, size, 0);
    assert_contents(gz, text, size);
    assert_contents(zst, text, size);
    free(text);
}

static void test_source__members_and_frames_follow_one_another(void **state)
{
    const char *gz = in_dir(*state, "x.gz"), *zst = in_dir(*state, "x.zst");
    write_gzip(gz, "one ", 4, 0);
    write_gzip(gz, "", 0, 1);
    write_gzip(gz, "two", 3, 1);
    write_zstd(zst, "one ", 4, 0);
    write_zstd(zst, "two", 3, 1);
    assert_contents(gz, "one two", 7);
    assert_contents(zst, "one two", 7);

    /* zeros behind the last member are padding */
    FILE *file = fopen(gz, "ab");
    fwrite("\0\0\0\0\0", 1, 5, file);
    fclose(file);
    assert_contents(gz, "one two", 7);
}

static void test_source__a_skippable_frame_may_come_first(void **state)
{
    const char *path = in_dir(*state, "x.zst");
    write_file(path, "\x51\x2a\x4d\x18\x02\x00\x00\x00hi", 10);
    write_zstd(path, "text", 4, 1);
    assert_contents(path, "text", 4);
}

static void test_source__empty_and_tiny_files_are_files(void **state)
{
    const char *path = in_dir(*state, "x");
    write_text(path, "");
    assert_contents(path, "", 0);
    write_text(path, "a");
    assert_contents(path, "a", 1);
    write_gzip(path, "", 0, 0);
    assert_contents(path, "", 0);
    write_zstd(path, "", 0, 0);
    assert_contents(path, "", 0);
}

/* A child feeds the file, in dribbles, through a named pipe. */
static void assert_through_pipe(const char *directory, const char *file, const void *contents,
                                size_t size)
{
    const char *pipe_path = in_dir(directory, "pipe");
    assert_int_equal(mkfifo(pipe_path, 0600), 0);
    size_t stored_size;
    char *stored = read_file(file, &stored_size);
    pid_t child = fork();
    if (child == 0) {
        int fd = open(pipe_path, O_WRONLY);
        for (size_t at = 0; at < stored_size;) {
            size_t step = at < 20 ? 1 : 50000;
            if (step > stored_size - at) step = stored_size - at;
            ssize_t written = write(fd, stored + at, step);
            if (written <= 0) _exit(1);
            at += (size_t)written;
        }
        _exit(0);
    }
    assert_contents(pipe_path, contents, size);
    free(stored);
    unlink(pipe_path);
}

static void test_source__pipes_are_read_in_pieces(void **state)
{
    const size_t size = 700000;
    char *text = long_text(size);
    const char *path = in_dir(*state, "x");
    write_file(path, text, size);
    assert_through_pipe(*state, path, text, size);
    write_gzip(path, text, size, 0);
    assert_through_pipe(*state, path, text, size);
    write_zstd(path, text, size, 0);
    assert_through_pipe(*state, path, text, size);
    free(text);
}

static void test_source__damage_is_named(void **state)
{
    const size_t size = 100000;
    char *text = long_text(size);
    const char *path = in_dir(*state, "x");
    for (int zstd = 0; zstd < 2; zstd++) {
        (zstd ? write_zstd : write_gzip)(path, text, size, 0);
        size_t stored_size;
        char *stored = read_file(path, &stored_size);

        size_t cuts[] = {4, 11, stored_size / 2, stored_size - 1};
        for (size_t i = 0; i < 4; i++) {
            write_file(path, stored, cuts[i]);
            assert_refused(path, HRR_EDATA, "ends too early");
        }
        char *flipped = malloc(stored_size + 4);
        memcpy(flipped, stored, stored_size);
        for (int i = 0; i < 200; i++)
            flipped[stored_size / 2 + (size_t)i] ^= 0x55;
        write_file(path, flipped, stored_size);
        assert_refused(path, HRR_EDATA,
                       zstd ? "the zstd data is damaged" : "the gzip data is damaged");

        memcpy(flipped, stored, stored_size);
        memcpy(flipped + stored_size, "junk", 4);
        write_file(path, flipped, stored_size + 4);
        assert_refused(path, HRR_EDATA, "is damaged");
        free(flipped);
        free(stored);
    }
    free(text);
}

static void test_source__what_cannot_be_opened_is_named(void **state)
{
    assert_refused(in_dir(*state, "absent"), HRR_EIO, "check the path");
    assert_refused(*state, HRR_EIO, "is a directory");
    if (geteuid() == 0) return; /* root may read anything */
    const char *path = in_dir(*state, "secret");
    write_text(path, "x");
    chmod(path, 0);
    assert_refused(path, HRR_EIO, "permissions");
}

static hrr_status read_through(void *user)
{
    hrr_source *source;
    hrr_status status = hrr_source_open(&source, user, NULL);
    if (status) return status;
    const char *bytes;
    size_t size;
    status = hrr_source_next(source, &bytes, &size, NULL);
    hrr_source_close(source);
    return status;
}

static void test_source__survives_running_out_of_memory_anywhere(void **state)
{
    char path[4096];
    strcpy(path, in_dir(*state, "x"));
    write_text(path, "");
    assert_true(brutal(read_through, path) >= 3);
    write_gzip(path, "text", 4, 0);
    assert_true(brutal(read_through, path) >= 3);
    write_zstd(path, "text", 4, 0);
    assert_true(brutal(read_through, path) >= 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_SCRATCH(test_source__a_plain_file_is_one_piece),
        WITH_SCRATCH(test_source__compressed_files_are_known_by_their_bytes),
        WITH_SCRATCH(test_source__members_and_frames_follow_one_another),
        WITH_SCRATCH(test_source__a_skippable_frame_may_come_first),
        WITH_SCRATCH(test_source__empty_and_tiny_files_are_files),
        WITH_SCRATCH(test_source__pipes_are_read_in_pieces),
        WITH_SCRATCH(test_source__damage_is_named),
        WITH_SCRATCH(test_source__what_cannot_be_opened_is_named),
        WITH_SCRATCH(test_source__survives_running_out_of_memory_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
