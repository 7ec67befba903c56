/* test_hash.c: SHA-256 against the published vectors of FIPS 180-4. */
#include "io/hash.h"
#include "support/brutal.h"
#include "support/check.h"
#include "support/files.h"

#include <stdio.h>

static void test_hash__known_vectors(void **state)
{
    const char *path = in_dir(*state, "file");
    char text[HRR_SHA256_TEXT_SIZE];
    uint64_t size;
    write_text(path, "");
    assert_ok(hrr_sha256_file(text, &size, path, NULL, NULL));
    assert_string_equal(text, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    assert_int_equal(size, 0);
    write_text(path, "abc");
    assert_ok(hrr_sha256_file(text, &size, path, NULL, NULL));
    assert_string_equal(text, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    assert_int_equal(size, 3);
}

/* A million times "a": more than one block. */
static void test_hash__many_blocks(void **state)
{
    const char *path = in_dir(*state, "file");
    static char bytes[1000000];
    memset(bytes, 'a', sizeof bytes);
    write_file(path, bytes, sizeof bytes);
    char text[HRR_SHA256_TEXT_SIZE];
    uint64_t size;
    assert_ok(hrr_sha256_file(text, &size, path, NULL, NULL));
    assert_string_equal(text, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
    assert_int_equal(size, sizeof bytes);
}

static void test_hash__missing_file_is_named(void **state)
{
    hrr_error err = {0};
    char text[HRR_SHA256_TEXT_SIZE];
    uint64_t size;
    assert_int_equal(hrr_sha256_file(text, &size, in_dir(*state, "missing"), NULL, &err), HRR_EIO);
    assert_says(err, "missing");
}

/* Each has the hash that it has alone, whatever their order, and one that is missing takes nobody
 * else with it. */
static void test_hash__several_files_at_once(void **state)
{
    enum { n = 9, missing = 4 };
    hrr_hashed_file files[n] = {0};
    char names[n][32];
    for (int i = 0; i < n; i++) {
        snprintf(names[i], sizeof names[i], "file%d", i);
        files[i].path = in_dir(*state, names[i]);
        static char bytes[n * 300000];
        memset(bytes, 'a' + i, sizeof bytes);
        if (i != missing) write_file(files[i].path, bytes, (size_t)(i * 7 % n) * 300000);
    }
    for (int threads = 1; threads <= 4; threads++) {
        assert_ok(hrr_sha256_files(files, n, threads, NULL, NULL));
        for (int i = 0; i < n; i++) {
            char text[HRR_SHA256_TEXT_SIZE];
            uint64_t size;
            hrr_status alone = hrr_sha256_file(text, &size, files[i].path, NULL, NULL);
            assert_int_equal(files[i].error.status, alone);
            assert_int_equal(alone, i == missing ? HRR_EIO : HRR_OK);
            if (alone) continue;
            assert_int_equal(files[i].size, size);
            assert_string_equal(files[i].sha256, text);
        }
    }
    assert_says(files[missing].error, "file4");
}

static hrr_status hash_two(void *user)
{
    hrr_hashed_file files[2] = {{.path = user}, {.path = user}};
    return hrr_sha256_files(files, 2, 2, NULL, NULL);
}

static void test_hash__runs_out_of_memory_without_a_trace(void **state)
{
    const char *path = in_dir(*state, "file");
    write_text(path, "abc");
    assert_true(brutal(hash_two, (void *)path) > 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_hash__known_vectors, scratch_setup, scratch_teardown),
        cmocka_unit_test_setup_teardown(test_hash__many_blocks, scratch_setup, scratch_teardown),
        cmocka_unit_test_setup_teardown(test_hash__missing_file_is_named, scratch_setup,
                                        scratch_teardown),
        cmocka_unit_test_setup_teardown(test_hash__several_files_at_once, scratch_setup,
                                        scratch_teardown),
        cmocka_unit_test_setup_teardown(test_hash__runs_out_of_memory_without_a_trace,
                                        scratch_setup, scratch_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
