#include "io/npz.h"
#include "support/brutal.h"
#include "support/check.h"
#include "support/files.h"

#include <heterorr/io.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <zip.h>

/* A small .npy file of `size` data bytes whose header announces `announced`. */
static size_t make_npy(char *to, size_t announced, size_t size)
{
    memset(to, 7, 128 + size);
    memcpy(to, "\x93NUMPY\x01\x00\x76\x00", 10);
    snprintf(to + 10, 118, "%-116s\n", "");
    int length =
        sprintf(to + 10, "{'descr': '|u1', 'fortran_order': False, 'shape': (%zu,)}", announced);
    to[10 + length] = ' ';
    to[127] = '\n';
    return 128 + size;
}

typedef struct member {
    const char *name;
    const void *bytes;
    size_t size;
    zip_int32_t method;
} member;

static void write_zip(const char *path, const member *members, size_t count)
{
    int code;
    zip_t *zip = zip_open(path, ZIP_CREATE | ZIP_TRUNCATE, &code);
    assert_non_null(zip);
    for (size_t i = 0; i < count; i++) {
        zip_source_t *source = zip_source_buffer(zip, members[i].bytes, members[i].size, 0);
        zip_int64_t index = zip_file_add(zip, members[i].name, source, 0);
        assert_true(index >= 0);
        zip_set_file_compression(zip, (zip_uint64_t)index, members[i].method, 0);
    }
    assert_int_equal(zip_close(zip), 0);
}

static void assert_open_refused(const char *path, hrr_status expected, const char *says)
{
    hrr_npz_reader *npz;
    hrr_error err = {0};
    assert_int_equal(hrr_npz_open(&npz, path, &err), expected);
    assert_null(npz);
    assert_says(err, path);
    assert_says(err, says);
}

static void assert_read_refused(const char *path, const char *name, const char *says)
{
    hrr_npz_reader *npz;
    hrr_error err = {0};
    hrr_array array;
    assert_ok(hrr_npz_open(&npz, path, NULL));
    assert_int_equal(hrr_npz_read(&array, npz, name, &err), HRR_EDATA);
    assert_null(array.data);
    assert_says(err, path);
    assert_says(err, name);
    assert_says(err, says);
    hrr_npz_close(npz);
}

/* Change bytes of the file: every place where `from` stands, if `all`, else the last. */
static void patch(const char *path, const char *from, const char *to, size_t length, bool all)
{
    size_t size;
    char *bytes = read_file(path, &size);
    bool found = false;
    for (size_t i = size - length + 1; i-- > 0 && (all || !found);)
        if (memcmp(bytes + i, from, length) == 0) {
            memcpy(bytes + i, to, length);
            found = true;
        }
    assert_true(found);
    write_file(path, bytes, size);
    free(bytes);
}

static void test_npz__members_are_read_stored_and_deflated(void **state)
{
    const char *path = in_dir(*state, "x.npz");
    char bytes[1000];
    size_t size = make_npy(bytes, 500, 500);
    const member members[] = {{"stored.npy", bytes, size, ZIP_CM_STORE},
                              {"small.npy", bytes, size, ZIP_CM_DEFLATE},
                              {"notes.txt", "hi", 2, ZIP_CM_STORE}};
    write_zip(path, members, 3);
    hrr_npz_reader *npz;
    assert_ok(hrr_npz_open(&npz, path, NULL));
    assert_true(hrr_npz_has(npz, "stored") && hrr_npz_has(npz, "small"));
    assert_false(hrr_npz_has(npz, "stored.npy") || hrr_npz_has(npz, "notes"));
    const char *names[] = {"stored", "small"};
    for (int i = 0; i < 2; i++) {
        hrr_array array;
        assert_ok(hrr_npz_read(&array, npz, names[i], NULL));
        assert_int_equal(array.n_items, 500);
        assert_memory_equal(array.data, bytes + 128, 500);
        hrr_array_clear(&array);
    }
    hrr_npz_close(npz);
    assert_read_refused(path, "absent", "no array of this name");
}

static void test_npz__bad_names_are_refused(void **state)
{
    const char *path = in_dir(*state, "x.npz");
    char bytes[200];
    size_t size = make_npy(bytes, 5, 5);
    static const char *const names[] = {"/etc/x.npy", "../x.npy", "a\\b.npy", "dir/x.npy", "..npy"};
    for (int i = 0; i < 5; i++) {
        write_zip(path, &(member){names[i], bytes, size, ZIP_CM_STORE}, 1);
        assert_open_refused(path, HRR_EDATA, "member 1 is a path");
    }
    const member two[] = {{"aa.npy", bytes, size, ZIP_CM_STORE},
                          {"ab.npy", bytes, size, ZIP_CM_STORE}};
    write_zip(path, two, 2);
    patch(path, "ab.npy", "aa.npy", 6, true);
    assert_open_refused(path, HRR_EDATA, "same name");
}

static void test_npz__encryption_and_odd_methods_are_refused(void **state)
{
    const char *path = in_dir(*state, "x.npz");
    char bytes[200];
    size_t size = make_npy(bytes, 5, 5);
    int code;
    zip_t *zip = zip_open(path, ZIP_CREATE, &code);
    zip_int64_t index = zip_file_add(zip, "x.npy", zip_source_buffer(zip, bytes, size, 0), 0);
    if (zip_file_set_encryption(zip, (zip_uint64_t)index, ZIP_EM_AES_128, "word") == 0) {
        assert_int_equal(zip_close(zip), 0);
        assert_open_refused(path, HRR_EDATA, "encrypted");
    } else {
        zip_discard(zip);
    }
    if (zip_compression_method_supported(ZIP_CM_BZIP2, 1)) {
        remove(path);
        write_zip(path, &(member){"x.npy", bytes, size, ZIP_CM_BZIP2}, 1);
        assert_read_refused(path, "x", "the compression method is not supported;");
    }
}

static void test_npz__a_member_must_be_what_its_header_says(void **state)
{
    const char *path = in_dir(*state, "x.npz");
    size_t room = 20 << 20;
    char *bytes = malloc(128 + room);
    const zip_int32_t methods[] = {ZIP_CM_STORE, ZIP_CM_DEFLATE};
    for (int i = 0; i < 2; i++) {
        write_zip(path, &(member){"x.npy", bytes, make_npy(bytes, 5, 6), methods[i]}, 1);
        assert_read_refused(path, "x", "too long");
        write_zip(path, &(member){"x.npy", bytes, make_npy(bytes, 6, 5), methods[i]}, 1);
        assert_read_refused(path, "x", "cut short");
    }
    /* a bomb: 20 MiB behind a header of 5 bytes */
    write_zip(path, &(member){"x.npy", bytes, make_npy(bytes, 5, room), ZIP_CM_DEFLATE}, 1);
    assert_read_refused(path, "x", "too long");
    write_zip(path, &(member){"x.npy", "hello", 5, ZIP_CM_STORE}, 1);
    assert_read_refused(path, "x", "is not a .npy file");
    write_zip(path, &(member){"x.npy", "", 0, ZIP_CM_STORE}, 1);
    assert_read_refused(path, "x", "is not a .npy file");
    free(bytes);
}

/* Change the uncompressed size that both the local and the central header declare. */
static void claim(const char *path, uint32_t real, uint32_t claimed)
{
    char from[4], to[4];
    memcpy(from, &real, 4);
    memcpy(to, &claimed, 4);
    patch(path, from, to, 4, true);
}

static void test_npz__claims_are_checked_before_memory_is_taken(void **state)
{
    const char *path = in_dir(*state, "x.npz");
    char *bytes = malloc(128 + 300000);
    size_t size = make_npy(bytes, 4000000000u, 300000);
    write_zip(path, &(member){"x.npy", bytes, size, ZIP_CM_DEFLATE}, 1);
    claim(path, (uint32_t)size, 4000000128u);
    assert_read_refused(path, "x", "which is impossible;");

    /* a possible claim that does not hold */
    size = make_npy(bytes, 300001, 300000);
    write_zip(path, &(member){"x.npy", bytes, size, ZIP_CM_DEFLATE}, 1);
    claim(path, (uint32_t)size, (uint32_t)size + 1);
    assert_read_refused(path, "x", "is damaged");
    free(bytes);
}

static void test_npz__damage_is_found(void **state)
{
    const char *path = in_dir(*state, "x.npz");
    char bytes[700];
    size_t size = make_npy(bytes, 500, 500);
    write_zip(path, &(member){"x.npy", bytes, size, ZIP_CM_STORE}, 1);
    patch(path, "\7\7\7\7\7\7\7\7", "\7\7\7\1\7\7\7\7", 8, false);
    assert_read_refused(path, "x", "is damaged");

    size_t stored;
    char *whole = read_file(path, &stored);
    write_file(path, whole, stored - 30);
    assert_open_refused(path, HRR_EDATA, "is damaged");
    free(whole);
    write_text(path, "this is not an archive");
    assert_open_refused(path, HRR_EDATA, "not an .npz archive");
    write_text(path, "");
    hrr_npz_reader *npz;
    hrr_error err = {0};
    if (hrr_npz_open(&npz, path, &err) == HRR_OK) { /* libzip takes it for an archive of nothing */
        assert_false(hrr_npz_has(npz, "x"));
        hrr_npz_close(npz);
    }
    assert_open_refused(*state, HRR_EIO, "is a directory");
    assert_open_refused(in_dir(*state, "absent"), HRR_EIO, "check the path");
    assert_open_refused("/dev/null", HRR_EIO, "not a regular file");
}

static hrr_status write_pair(const char *path, hrr_error *err)
{
    static const float floats[6] = {1, 2, 3, 4, 5, 6};
    static const int64_t integers[2] = {-1, 1};
    const hrr_array matrix = {.type = HRR_ARRAY_F32,
                              .item_size = 4,
                              .n_dims = 2,
                              .shape = {2, 3},
                              .n_items = 6,
                              .data = (void *)floats};
    const hrr_array vector = {.type = HRR_ARRAY_I64,
                              .item_size = 8,
                              .n_dims = 1,
                              .shape = {2},
                              .n_items = 2,
                              .data = (void *)integers};
    const hrr_array nothing = {.type = HRR_ARRAY_U8, .item_size = 1, .n_dims = 1};
    const hrr_npz_item items[] = {{"matrix", &matrix}, {"vector", &vector}, {"nothing", &nothing}};
    return hrr_npz_write(path, items, 3, err);
}

static void test_npz__what_was_written_is_read(void **state)
{
    const char *path = in_dir(*state, "out.npz"), *again = in_dir(*state, "again.npz");
    assert_ok(write_pair(path, NULL));
    hrr_npz_reader *npz;
    hrr_array array;
    assert_ok(hrr_npz_open(&npz, path, NULL));
    assert_ok(hrr_npz_read(&array, npz, "matrix", NULL));
    assert_int_equal(array.shape[1], 3);
    assert_true(((float *)array.data)[5] == 6);
    hrr_array_clear(&array);
    assert_ok(hrr_npz_read(&array, npz, "vector", NULL));
    assert_int_equal(((int64_t *)array.data)[0], -1);
    hrr_array_clear(&array);
    assert_ok(hrr_npz_read(&array, npz, "nothing", NULL));
    assert_int_equal(array.n_items, 0);
    hrr_array_clear(&array);
    hrr_npz_close(npz);

    /* the same arrays make the same bytes */
    assert_ok(write_pair(again, NULL));
    size_t first_size, second_size;
    char *first = read_file(path, &first_size), *second = read_file(again, &second_size);
    assert_int_equal(first_size, second_size);
    assert_memory_equal(first, second, first_size);
    free(first);
    free(second);
    assert_int_equal(count_entries(*state), 2);
}

static void test_npz__an_unwritable_place_is_named(void **state)
{
    hrr_error err = {0};
    assert_int_equal(write_pair(in_dir(*state, "no/such/x.npz"), &err), HRR_EIO);
    assert_says(err, "no/such/x.npz");
    assert_says(err, "does not exist; create it first");
    assert_int_equal(count_entries(*state), 0);
    assert_int_equal(mkdir(in_dir(*state, "d"), 0777), 0);
    assert_int_equal(write_pair(in_dir(*state, "d"), &err), HRR_EIO);
    assert_int_equal(count_entries(*state), 1);
}

static hrr_status write_and_read(void *user)
{
    const char *path = in_dir(user, "x.npz");
    hrr_status status = write_pair(path, NULL);
    hrr_npz_reader *npz = NULL;
    hrr_array array = {0};
    if (!status) status = hrr_npz_open(&npz, path, NULL);
    if (!status) status = hrr_npz_read(&array, npz, "matrix", NULL);
    hrr_array_clear(&array);
    hrr_npz_close(npz);
    return status;
}

static void test_npz__survives_running_out_of_memory_anywhere(void **state)
{
    assert_true(brutal(write_and_read, *state) > 10);
    assert_int_equal(count_entries(*state), 1);
}

static void test_npz__cora_is_read(void **state)
{
    (void)state;
    hrr_npz_reader *npz;
    hrr_array array;
    assert_ok(hrr_npz_open(&npz, real_data("planetoid/cora.npz"), NULL));
    assert_ok(hrr_npz_read(&array, npz, "attr_shape", NULL));
    assert_int_equal(array.type, HRR_ARRAY_I64);
    assert_int_equal(((int64_t *)array.data)[0], 2708);
    assert_int_equal(((int64_t *)array.data)[1], 1433);
    hrr_array_clear(&array);
    assert_ok(hrr_npz_read(&array, npz, "adj_indptr", NULL));
    assert_int_equal(array.n_items, 2709);
    hrr_array_clear(&array);
    hrr_npz_close(npz);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_SCRATCH(test_npz__members_are_read_stored_and_deflated),
        WITH_SCRATCH(test_npz__bad_names_are_refused),
        WITH_SCRATCH(test_npz__encryption_and_odd_methods_are_refused),
        WITH_SCRATCH(test_npz__a_member_must_be_what_its_header_says),
        WITH_SCRATCH(test_npz__claims_are_checked_before_memory_is_taken),
        WITH_SCRATCH(test_npz__damage_is_found),
        WITH_SCRATCH(test_npz__what_was_written_is_read),
        WITH_SCRATCH(test_npz__an_unwritable_place_is_named),
        WITH_SCRATCH(test_npz__survives_running_out_of_memory_anywhere),
        cmocka_unit_test(test_npz__cora_is_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
