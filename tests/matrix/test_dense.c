#include "matrix/dense.h"
#include "matrix/reference.h"
#include "matrix/products.h"
#include "support/brutal.h"

#include <math.h>

static const hrr_dtype dtypes[] = {HRR_U8, HRR_F32, HRR_F64};

static void test_dense__starts_as_zeros(void **state)
{
    (void)state;
    for (int d = 0; d < 3; d++) {
        hrr_dense m;
        assert_ok(hrr_dense_init(&m, dtypes[d], 33, 7, NULL));
        memset(m.data, 0xaa, m.storage.size); /* what the heap is likely to hand out next */
        hrr_dense_clear(&m);
        assert_ok(hrr_dense_init(&m, dtypes[d], 33, 7, NULL));
        assert_int_equal(m.storage.size, 33 * 7 * hrr_dtype_size(dtypes[d]));
        for (int i = 0; i < 33; i++)
            for (int j = 0; j < 7; j++)
                assert_true(hrr_dense_get(&m, i, j) == 0);
        hrr_dense_clear(&m);
        assert_null(m.data);
        hrr_dense_clear(&m); /* clearing the empty matrix is allowed */
    }
    assert_string_equal(hrr_dtype_name(HRR_U8), "u8");
    assert_string_equal(hrr_dtype_name(HRR_F32), "f32");
    assert_string_equal(hrr_dtype_name(HRR_F64), "f64");
}

static void test_dense__a_size_that_overflows_is_out_of_memory(void **state)
{
    (void)state;
    hrr_error err = {0};
    hrr_dense m;
    assert_int_equal(hrr_dense_init(&m, HRR_U8, UINT64_MAX, 2, &err), HRR_ENOMEM);
    assert_says(err, "out of memory");
    assert_int_equal(hrr_dense_init(&m, HRR_F64, (uint64_t)1 << 31, (uint64_t)1 << 30, NULL),
                     HRR_ENOMEM);
    /* The product of these is 2^64: it would wrap to nothing. */
    assert_int_equal(hrr_dense_init(&m, HRR_U8, (uint64_t)1 << 33, (uint64_t)1 << 31, NULL),
                     HRR_ENOMEM);
    assert_null(m.data);
}

static void test_dense__getting_reads_row_and_column(void **state)
{
    (void)state;
    float values[] = {1, 2, 3, 4, 5, 6};
    hrr_dense m = {.dtype = HRR_F32, .rows = 2, .cols = 3, .data = values};
    assert_true(hrr_dense_get(&m, 0, 2) == 3);
    assert_true(hrr_dense_get(&m, 1, 0) == 4);
    hrr_dense_clear(&m); /* borrowed: nothing is freed */
}

static void test_dense__converting_to_bytes_rounds_and_clamps(void **state)
{
    (void)state;
    double values[] = {-1e300, -0.6, 0.49, 0.51, 1.5, 2.5, 254.7, 255.4, 256, 1e300, NAN, INFINITY};
    const uint8_t expected[] = {0, 0, 0, 1, 2, 2, 255, 255, 255, 255, 0, 255};
    hrr_dense in = {.dtype = HRR_F64, .rows = 1, .cols = 12, .data = values}, out;
    assert_ok(hrr_dense_convert(&out, &in, HRR_U8, NULL));
    assert_memory_equal(out.data, expected, 12);
    hrr_dense_clear(&out);
}

static void test_dense__converting_up_and_back_changes_nothing(void **state)
{
    (void)state;
    hrr_fast_random fast;
    hrr_fast_init(&fast, 1, 1);
    for (int from = 0; from < 3; from++)
        for (int to = from; to < 3; to++) {
            hrr_dense in = random_dense(&fast, dtypes[from], 17, 5), there, back;
            assert_ok(hrr_dense_convert(&there, &in, dtypes[to], NULL));
            assert_int_equal(there.dtype, dtypes[to]);
            assert_near(&there, &in, 0);
            assert_ok(hrr_dense_convert(&back, &there, dtypes[from], NULL));
            assert_memory_equal(back.data, in.data, in.storage.size);
            hrr_dense_clear(&in);
            hrr_dense_clear(&there);
            hrr_dense_clear(&back);
        }
}

static void test_dense__transposing_swaps_indices(void **state)
{
    (void)state;
    const uint64_t shapes[][2] = {{1, 1},   {0, 5},   {5, 0},   {1, 100},
                                  {100, 1}, {32, 32}, {33, 65}, {70, 31}};
    hrr_fast_random fast;
    hrr_fast_init(&fast, 2, 1);
    for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++)
        for (int d = 0; d < 3; d++) {
            hrr_dense in = random_dense(&fast, dtypes[d], shapes[s][0], shapes[s][1]), out;
            assert_ok(hrr_dense_transpose(&out, &in, NULL));
            assert_int_equal(out.rows, in.cols);
            assert_int_equal(out.cols, in.rows);
            for (uint64_t i = 0; i < in.rows; i++)
                for (uint64_t j = 0; j < in.cols; j++)
                    assert_true(hrr_dense_get(&in, i, j) == hrr_dense_get(&out, j, i));
            hrr_dense_clear(&in);
            hrr_dense_clear(&out);
        }
}

static void test_dense__all_zero_bytes_is_a_matrix(void **state)
{
    (void)state;
    hrr_dense none = {0}, out;
    assert_ok(hrr_dense_transpose(&out, &none, NULL));
    assert_int_equal(out.rows + out.cols, 0);
    assert_ok(hrr_dense_convert(&out, &none, HRR_F32, NULL));
    assert_int_equal(out.rows + out.cols, 0);
    hrr_dense_clear(&out);
}

static hrr_status make_three(void *user)
{
    (void)user;
    hrr_dense a = {0}, b = {0}, c = {0};
    hrr_status status = hrr_dense_init(&a, HRR_F32, 4, 5, NULL);
    if (!status) status = hrr_dense_convert(&b, &a, HRR_F64, NULL);
    if (!status) status = hrr_dense_transpose(&c, &b, NULL);
    hrr_dense_clear(&a);
    hrr_dense_clear(&b);
    hrr_dense_clear(&c);
    return status;
}

static void test_dense__survives_running_out_of_memory(void **state)
{
    (void)state;
    assert_int_equal(brutal(make_three, NULL), 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_dense__starts_as_zeros),
        cmocka_unit_test(test_dense__a_size_that_overflows_is_out_of_memory),
        cmocka_unit_test(test_dense__getting_reads_row_and_column),
        cmocka_unit_test(test_dense__converting_to_bytes_rounds_and_clamps),
        cmocka_unit_test(test_dense__converting_up_and_back_changes_nothing),
        cmocka_unit_test(test_dense__transposing_swaps_indices),
        cmocka_unit_test(test_dense__all_zero_bytes_is_a_matrix),
        cmocka_unit_test(test_dense__survives_running_out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
