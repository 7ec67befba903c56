/* test_hash.c: SHA-256 against the published vectors of FIPS 180-4. */
#include "io/hash.h"
#include "support/check.h"
#include "support/files.h"

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_hash__known_vectors, scratch_setup, scratch_teardown),
        cmocka_unit_test_setup_teardown(test_hash__many_blocks, scratch_setup, scratch_teardown),
        cmocka_unit_test_setup_teardown(test_hash__missing_file_is_named, scratch_setup,
                                        scratch_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
