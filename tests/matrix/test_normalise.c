#include "matrix/reference.h"

#include <math.h>

static double row_norm(const hrr_dense *m, uint64_t row, hrr_norm norm)
{
    double sum = 0;
    for (uint64_t j = 0; j < m->cols; j++) {
        double x = hrr_dense_get(m, row, j);
        sum += norm == HRR_NORM_L1 ? fabs(x) : x * x;
    }
    return norm == HRR_NORM_L1 ? sum : sqrt(sum);
}

static void test_normalise__dense_rows_get_norm_one_and_keep_their_direction(void **state)
{
    (void)state;
    hrr_fast_random fast;
    hrr_fast_init(&fast, 4, 1);
    for (int dtype = HRR_F32; dtype <= HRR_F64; dtype++)
        for (int norm = HRR_NORM_L1; norm <= HRR_NORM_L2; norm++) {
            const double tolerance = dtype == HRR_F32 ? 1e-7 : 1e-15;
            hrr_dense m = random_dense(&fast, (hrr_dtype)dtype, 23, 40), expected;
            for (int j = 0; j < 40; j++)
                set_element(&m, 7, j, 0);
            assert_ok(hrr_dense_init(&expected, HRR_F64, 23, 40, NULL));
            for (int i = 0; i < 23; i++)
                for (int j = 0; j < 40 && i != 7; j++)
                    set_element(&expected, i, j,
                                hrr_dense_get(&m, i, j) / row_norm(&m, i, (hrr_norm)norm));
            hrr_dense_normalise_rows(&m, (hrr_norm)norm, 2);
            assert_near(&m, &expected, tolerance);
            hrr_dense_clear(&m);
            hrr_dense_clear(&expected);
        }
}

static void test_normalise__extreme_rows_neither_overflow_nor_vanish(void **state)
{
    (void)state;
    double values[] = {3e200, -4e200, 3e-200, 4e-200};
    hrr_dense m = {.dtype = HRR_F64, .rows = 2, .cols = 2, .data = values};
    hrr_dense_normalise_rows(&m, HRR_NORM_L2, 1);
    for (int i = 0; i < 2; i++)
        assert_true(fabs(values[2 * i] - 0.6) < 1e-15);
    float large[] = {3e38f, -3e38f};
    hrr_dense f = {.dtype = HRR_F32, .rows = 1, .cols = 2, .data = large};
    hrr_dense_normalise_rows(&f, HRR_NORM_L1, 1);
    assert_true(large[0] == 0.5f && large[1] == -0.5f);
}

static void test_normalise__sparse_rows_are_as_if_dense(void **state)
{
    (void)state;
    hrr_fast_random fast;
    hrr_fast_init(&fast, 5, 1);
    for (int norm = HRR_NORM_L1; norm <= HRR_NORM_L2; norm++) {
        hrr_csr m = random_csr(&fast, 600, 20, 0.1, true);
        hrr_dense expected = dense_of_csr(&m);
        hrr_dense_normalise_rows(&expected, (hrr_norm)norm, 1);
        hrr_csr_normalise_rows(&m, (hrr_norm)norm, 2);
        hrr_dense found = dense_of_csr(&m);
        assert_near(&found, &expected, 1e-7);
        hrr_dense_clear(&found);
        hrr_dense_clear(&expected);
        hrr_csr_clear(&m);
    }
}

static void test_normalise__nothing_to_do_is_fine(void **state)
{
    (void)state;
    hrr_dense none;
    assert_ok(hrr_dense_init(&none, HRR_F32, 3, 0, NULL));
    hrr_dense_normalise_rows(&none, HRR_NORM_L1, 0);
    hrr_dense_clear(&none);
    hrr_csr empty;
    assert_ok(hrr_csr_init(&empty, 3, 3, 0, true, NULL));
    hrr_csr_normalise_rows(&empty, HRR_NORM_L1, 0);
    hrr_csr_clear(&empty);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_normalise__dense_rows_get_norm_one_and_keep_their_direction),
        cmocka_unit_test(test_normalise__extreme_rows_neither_overflow_nor_vanish),
        cmocka_unit_test(test_normalise__sparse_rows_are_as_if_dense),
        cmocka_unit_test(test_normalise__nothing_to_do_is_fine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
