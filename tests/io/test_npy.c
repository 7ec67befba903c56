#include "support/brutal.h"
#include "support/check.h"
#include "support/files.h"

#include <heterorr/io.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Write a .npy file with this dictionary, padded as numpy does, and these data bytes. */
static const char *npy(const char *directory, int version, const char *dictionary, const void *data,
                       size_t size)
{
    const char *path = in_dir(directory, "x.npy");
    size_t start = version == 1 ? 10 : 12;
    size_t length = (strlen(dictionary) + start) / 64 * 64 + 64 - start;
    unsigned char front[12] = {0x93, 'N', 'U', 'M', 'P', 'Y', (unsigned char)version, 0};
    front[8] = length & 255;
    front[9] = (unsigned char)(length >> 8);
    FILE *file = fopen(path, "wb");
    fwrite(front, 1, start, file);
    fprintf(file, "%-*s\n", (int)length - 1, dictionary);
    fwrite(data, 1, size, file);
    fclose(file);
    return path;
}

static const float six[6] = {0, 1, 2, 3, 4, 5};

static void test_npy__a_native_file_stays_mapped(void **state)
{
    hrr_array array;
    const char *path = npy(*state, 1, "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }",
                           six, sizeof six);
    assert_ok(hrr_array_read(&array, path, NULL));
    assert_int_equal(array.storage.kind, HRR_REGION_MAPPED);
    assert_int_equal(array.type, HRR_ARRAY_F32);
    assert_int_equal(array.n_dims, 2);
    assert_int_equal(array.shape[0], 2);
    assert_int_equal(array.shape[1], 3);
    assert_int_equal(array.n_items, 6);
    assert_memory_equal(array.data, six, sizeof six);
    hrr_array_clear(&array);
    assert_null(array.data);
}

static void test_npy__columns_first_is_turned(void **state)
{
    hrr_array array;
    const char *path =
        npy(*state, 2, "{\"shape\":(2L,3L) , 'fortran_order':True,'descr':'<f4'}", six, sizeof six);
    assert_ok(hrr_array_read(&array, path, NULL));
    assert_int_equal(array.storage.kind, HRR_REGION_HEAP);
    const float turned[6] = {0, 2, 4, 1, 3, 5};
    assert_memory_equal(array.data, turned, sizeof turned);
    hrr_array_clear(&array);
}

static void test_npy__unaligned_data_is_copied(void **state)
{
    const char *path = in_dir(*state, "x.npy");
    char bytes[200] = "\x93NUMPY\x01";
    const char *dictionary = "{'descr': '<f4', 'fortran_order': False, 'shape': (6,)}\n";
    size_t length = strlen(dictionary);
    assert_int_not_equal((10 + length) % 4, 0);
    bytes[8] = (char)length;
    memcpy(bytes + 10, dictionary, length);
    memcpy(bytes + 10 + length, six, sizeof six);
    write_file(path, bytes, 10 + length + sizeof six);
    hrr_array array;
    assert_ok(hrr_array_read(&array, path, NULL));
    assert_int_equal(array.storage.kind, HRR_REGION_HEAP);
    assert_memory_equal(array.data, six, sizeof six);
    hrr_array_clear(&array);
}

static void assert_refused_at(const char *path, hrr_status expected, const char *says)
{
    hrr_array array;
    hrr_error err = {0};
    assert_int_equal(hrr_array_read(&array, path, &err), expected);
    assert_null(array.data);
    assert_says(err, path);
    assert_says(err, says);
}

static void assert_refused(const char *directory, const char *dictionary, const char *says)
{
    assert_refused_at(npy(directory, 1, dictionary, six, sizeof six), HRR_EDATA, says);
}

#define ORDER "'fortran_order': False, "

static void test_npy__types_that_are_not_read_are_named(void **state)
{
    assert_refused(*state, "{'descr': '|O', " ORDER "'shape': (3,)}", "allow_pickle=False");
    assert_refused(*state, "{'descr': '<c8', " ORDER "'shape': (3,)}", "complex numbers ('<c8')");
    assert_refused(*state, "{'descr': '<M8[ns]', " ORDER "'shape': (3,)}", "dates ('<M8[ns]')");
    assert_refused(*state, "{'descr': '<m8', " ORDER "'shape': (3,)}", "time spans");
    assert_refused(*state, "{'descr': '|V8', " ORDER "'shape': (3,)}", "structured records");
    assert_refused(*state, "{'descr': [('a', '<f4')], " ORDER "'shape': (6,)}",
                   "structured records");
    assert_refused(*state, "{'descr': '<f16', " ORDER "'shape': (1,)}", "'<f16'");
    assert_refused(*state, "{'descr': '<x\033[2J', " ORDER "'shape': (1,)}", "('<x')");
}

static void test_npy__malformed_headers_are_refused(void **state)
{
    assert_refused(*state, "not a dictionary", "malformed");
    assert_refused(*state, "{'descr': '<f4', " ORDER "'shape': (6,)", "malformed");
    assert_refused(*state, "{'descr': '<f4', " ORDER "'shape': (6,)} x", "text after");
    assert_refused(*state, "{'descr': '<f4', 'shape': (6,)}", "is missing");
    assert_refused(*state, "{'descr': '<f4', 'descr': '<f4', " ORDER "'shape': (6,)}", "repeated");
    assert_refused(*state, "{'descr': '<f4', " ORDER "'shape': (6,), 'x': 1}", "unknown");
    assert_refused(*state, "{'descr': '<f4', " ORDER "'shape': (-6,)}", "a negative shape");
    assert_refused(*state, "{'descr': '<f4', " ORDER "'shape': (2 3)}", "not a tuple");
    assert_refused(*state, "{'descr': '<f4', " ORDER "'shape': (99999999999999999999,)}", "shape");
    assert_refused(*state, "{'descr': '<f4', 'fortran_order': 1, 'shape': (6,)}", "fortran_order");
    assert_refused(*state, "{'descr': '|f4', " ORDER "'shape': (6,)}", "byte order");
    assert_refused(*state, "{'descr': '<f4', " ORDER "'shape': (1,1,1,1,6)}", "dimensions");
    assert_refused(*state, "{'descr': '|S0', " ORDER "'shape': (6,)}", "strings have length 0");
}

static void test_npy__sizes_are_checked_against_the_file(void **state)
{
    assert_refused(*state, "{'descr': '<f4', " ORDER "'shape': (7,)}", "cut short");
    assert_refused(*state, "{'descr': '<f4', " ORDER "'shape': (5,)}", "too long");
    assert_refused(*state, "{'descr': '<f4', " ORDER "'shape': ()}", "too long");
    assert_refused(*state, "{'descr': '<f4', " ORDER "'shape': (4294967296, 4294967296)}",
                   "too large for any machine");
    assert_refused(*state, "{'descr': '<f4', " ORDER "'shape': (4611686018427387904,)}",
                   "too large for any machine");
    assert_refused(*state, "{'descr': '>f4', 'fortran_order': True, 'shape': (1000000, 100000)}",
                   "cut short");
}

static void test_npy__what_is_no_npy_file_is_named(void **state)
{
    const char *path = in_dir(*state, "x.npy");
    write_text(path, "");
    assert_refused_at(path, HRR_EDATA, "is empty");
    write_text(path, "hello, this is text");
    assert_refused_at(path, HRR_EDATA, "is not a .npy file");
    write_file(path, "\x93NUMPY\x02\x00\x10\x00", 10);
    assert_refused_at(path, HRR_EDATA, "ends inside its header");
    write_file(path, "\x93NUMPY\x01\x00\x10\x00", 10);
    assert_refused_at(path, HRR_EDATA, "ends inside its header");
    write_file(path, "\x93NUMPY\x02\x00\xff\xff\xff\xff", 12);
    assert_refused_at(path, HRR_EDATA, "claims 4294967295 bytes");
    write_file(path, "\x93NUMPY\x09\x00\x10\x00", 10);
    assert_refused_at(path, HRR_EDATA, "version 9");
    assert_refused_at(*state, HRR_EIO, "is a directory");
    assert_refused_at(in_dir(*state, "absent"), HRR_EIO, "check the path");
    assert_refused_at("/dev/null", HRR_EIO, "not a regular file");
}

static void test_npy__matrices_move_or_widen(void **state)
{
    hrr_array array;
    hrr_dense matrix;
    const char *path =
        npy(*state, 1, "{'descr': '<f4', " ORDER "'shape': (2, 3)}", six, sizeof six);
    assert_ok(hrr_array_read(&array, path, NULL));
    void *data = array.data;
    assert_ok(hrr_array_into_dense(&matrix, &array, "features", NULL));
    assert_null(array.data);
    assert_ptr_equal(matrix.data, data);
    assert_int_equal(matrix.dtype, HRR_F32);
    assert_int_equal(matrix.rows, 2);
    assert_int_equal(matrix.cols, 3);
    hrr_dense_clear(&matrix);

    const int16_t integers[3] = {-7, 0, 32767};
    path = npy(*state, 1, "{'descr': '<i2', " ORDER "'shape': (3,)}", integers, sizeof integers);
    assert_ok(hrr_array_read(&array, path, NULL));
    assert_ok(hrr_array_into_dense(&matrix, &array, "labels", NULL));
    assert_int_equal(matrix.dtype, HRR_F64);
    assert_int_equal(matrix.rows, 3);
    assert_int_equal(matrix.cols, 1);
    for (int i = 0; i < 3; i++)
        assert_true(hrr_dense_get(&matrix, i, 0) == integers[i]);
    hrr_dense_clear(&matrix);

    const uint8_t truths[2] = {1, 0};
    path = npy(*state, 1, "{'descr': '|b1', " ORDER "'shape': (1, 2)}", truths, sizeof truths);
    assert_ok(hrr_array_read(&array, path, NULL));
    assert_ok(hrr_array_into_dense(&matrix, &array, "labels", NULL));
    assert_int_equal(matrix.dtype, HRR_U8);
    assert_true(hrr_dense_get(&matrix, 0, 0) == 1 && hrr_dense_get(&matrix, 0, 1) == 0);
    hrr_dense_clear(&matrix);
}

static void test_npy__halves_become_floats(void **state)
{
    /* 1, -2, 65504 (largest), 2^-24 (smallest), -0, infinity, not a number, 1/3 rounded */
    const uint16_t halves[8] = {0x3c00, 0xc000, 0x7bff, 0x0001, 0x8000, 0x7c00, 0x7e00, 0x3555};
    const double expected[8] = {1, -2, 65504, 0x1p-24, -0.0, INFINITY, NAN, 0x1.554p-2};
    hrr_array array;
    hrr_dense matrix;
    const char *path =
        npy(*state, 1, "{'descr': '<f2', " ORDER "'shape': (8,)}", halves, sizeof halves);
    assert_ok(hrr_array_read(&array, path, NULL));
    assert_int_equal(array.type, HRR_ARRAY_F16);
    assert_ok(hrr_array_into_dense(&matrix, &array, "x", NULL));
    assert_int_equal(matrix.dtype, HRR_F32);
    for (int i = 0; i < 8; i++) {
        double found = hrr_dense_get(&matrix, (uint64_t)i, 0);
        assert_true(isnan(expected[i]) ? isnan(found) : found == expected[i]);
        assert_int_equal(!!signbit(found), !!signbit(expected[i]));
    }
    hrr_dense_clear(&matrix);
}

static void test_npy__what_is_no_matrix_is_named(void **state)
{
    hrr_array array;
    hrr_dense matrix;
    hrr_error err = {0};
    const char *path = npy(*state, 1, "{'descr': '|S4', " ORDER "'shape': (6,)}", six, sizeof six);
    assert_ok(hrr_array_read(&array, path, NULL));
    assert_int_equal(hrr_array_into_dense(&matrix, &array, "the labels", &err), HRR_EDATA);
    assert_says(err, "the labels: contains text where numbers are needed");
    assert_non_null(array.data);
    hrr_array_clear(&array);
    path = npy(*state, 1, "{'descr': '<f4', " ORDER "'shape': (1, 2, 3)}", six, sizeof six);
    assert_ok(hrr_array_read(&array, path, NULL));
    assert_int_equal(hrr_array_into_dense(&matrix, &array, "the labels", &err), HRR_EDATA);
    assert_says(err, "the labels: has 3 dimensions");
    hrr_array_clear(&array);
}

static void test_npy__what_was_written_is_read(void **state)
{
    const char *path = in_dir(*state, "out.npy");
    hrr_dense matrix;
    hrr_array array;
    assert_ok(hrr_dense_init(&matrix, HRR_F64, 5, 3, NULL));
    for (int i = 0; i < 15; i++)
        ((double *)matrix.data)[i] = i / 7.0;
    assert_ok(hrr_dense_write(&matrix, path, NULL));
    assert_ok(hrr_array_read(&array, path, NULL));
    assert_int_equal(array.storage.kind, HRR_REGION_MAPPED);
    assert_int_equal(((char *)array.data - (char *)array.storage.start) % 64, 0);
    assert_int_equal(array.shape[0], 5);
    assert_int_equal(array.shape[1], 3);
    assert_memory_equal(array.data, matrix.data, 15 * sizeof(double));
    hrr_array_clear(&array);
    hrr_dense_clear(&matrix);
    assert_int_equal(count_entries(*state), 1);

    hrr_error err = {0};
    assert_ok(hrr_dense_init(&matrix, HRR_U8, 1, 1, NULL));
    assert_int_equal(hrr_dense_write(&matrix, in_dir(*state, "no/such/x.npy"), &err), HRR_EIO);
    assert_says(err, "no/such/x.npy");
    hrr_dense_clear(&matrix);
}

static hrr_status read_convert_write(void *user)
{
    hrr_array array = {0};
    hrr_dense matrix = {0};
    hrr_status status = hrr_array_read(&array, in_dir(user, "x.npy"), NULL);
    if (!status) status = hrr_array_into_dense(&matrix, &array, "x", NULL);
    if (!status) status = hrr_dense_write(&matrix, in_dir(user, "y.npy"), NULL);
    hrr_array_clear(&array);
    hrr_dense_clear(&matrix);
    return status;
}

static void test_npy__survives_running_out_of_memory_anywhere(void **state)
{
    npy(*state, 1, "{'descr': '>i4', 'fortran_order': True, 'shape': (2, 3)}", six, sizeof six);
    assert_true(brutal(read_convert_write, *state) > 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_SCRATCH(test_npy__a_native_file_stays_mapped),
        WITH_SCRATCH(test_npy__columns_first_is_turned),
        WITH_SCRATCH(test_npy__unaligned_data_is_copied),
        WITH_SCRATCH(test_npy__types_that_are_not_read_are_named),
        WITH_SCRATCH(test_npy__malformed_headers_are_refused),
        WITH_SCRATCH(test_npy__sizes_are_checked_against_the_file),
        WITH_SCRATCH(test_npy__what_is_no_npy_file_is_named),
        WITH_SCRATCH(test_npy__matrices_move_or_widen),
        WITH_SCRATCH(test_npy__halves_become_floats),
        WITH_SCRATCH(test_npy__what_is_no_matrix_is_named),
        WITH_SCRATCH(test_npy__what_was_written_is_read),
        WITH_SCRATCH(test_npy__survives_running_out_of_memory_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
