#include "matrix/reference.h"
#include "matrix/spmm.h"

#include <stdlib.h>

/* What the kernel promises to the last bit: single precision, entries in order. */
static void in_order(hrr_dense *y, const hrr_csr *s, const hrr_dense *x)
{
    for (uint64_t i = 0; i < s->rows; i++)
        for (uint64_t k = 0; k < x->cols; k++) {
            float sum = 0;
            for (uint64_t e = s->row_start[i]; e < s->row_start[i + 1]; e++) {
                float product =
                    (s->value ? s->value[e] : 1) * (float)hrr_dense_get(x, s->col[e], k);
                sum += product;
            }
            set_element(y, i, k, (double)sum);
        }
}

static void keep(void *user, const float *block, size_t stride, uint64_t first, uint64_t count)
{
    hrr_dense *to = user;
    for (uint64_t i = 0; i < count; i++)
        memcpy((float *)to->data + (first + i) * to->cols, block + i * stride,
               to->cols * sizeof(float));
}

/* Y = S X */
static void multiply(hrr_dense *y, const hrr_csr *s, const hrr_dense *x, int threads)
{
    float *space = malloc((hrr_spmm_rows_space(x->cols, threads) + 1) * sizeof *space);
    hrr_spmm_rows(keep, y, s, NULL, NULL, x, space, threads, NULL);
    free(space);
}

static void test_spmm__is_the_dense_product(void **state)
{
    (void)state;
    const uint64_t shapes[][3] = {{1, 1, 1},  {0, 5, 3},   {5, 0, 3},   {5, 4, 0},
                                  {30, 9, 1}, {64, 64, 7}, {7, 200, 33}}; /* rows n d */
    const double densities[] = {0, 0.03, 0.3, 1};
    hrr_fast_random fast;
    hrr_fast_init(&fast, 7, 1);
    for (size_t c = 0; c < sizeof shapes / sizeof shapes[0]; c++)
        for (int d = 0; d < 4; d++)
            for (int kind = 0; kind < 4; kind++) {
                const uint64_t rows = shapes[c][0], n = shapes[c][1], cols = shapes[c][2];
                hrr_csr s = random_csr(&fast, rows, n, densities[d], kind & 1);
                hrr_dense x = random_dense(&fast, kind & 2 ? HRR_U8 : HRR_F32, n, cols);
                hrr_dense y = random_dense(&fast, HRR_F32, rows, cols); /* must be overwritten */
                hrr_dense whole = dense_of_csr(&s), expected, exact;
                assert_ok(hrr_dense_init(&expected, HRR_F64, rows, cols, NULL));
                assert_ok(hrr_dense_init(&exact, HRR_F32, rows, cols, NULL));
                multiply(&y, &s, &x, 2);
                reference_gemm(&expected, &whole, false, &x, false, 1, 0);
                assert_near(&y, &expected, x.dtype == HRR_U8 ? 5e-3 : 1e-4);
                in_order(&exact, &s, &x);
                assert_memory_equal(y.data, exact.data, y.storage.size);
                hrr_dense_clear(&whole);
                hrr_dense_clear(&expected);
                hrr_dense_clear(&exact);
                hrr_dense_clear(&x);
                hrr_dense_clear(&y);
                hrr_csr_clear(&s);
            }
}

static void test_spmm__threads_do_not_change_a_bit(void **state)
{
    (void)state;
    hrr_fast_random fast;
    hrr_fast_init(&fast, 8, 1);
    hrr_csr s = random_csr(&fast, 1000, 300, 0.1, true);
    hrr_dense x = random_dense(&fast, HRR_F32, 300, 50), one, many;
    assert_ok(hrr_dense_init(&one, HRR_F32, 1000, 50, NULL));
    assert_ok(hrr_dense_init(&many, HRR_F32, 1000, 50, NULL));
    multiply(&one, &s, &x, 1);
    for (int threads = 0; threads < 9; threads++) {
        multiply(&many, &s, &x, threads);
        assert_memory_equal(one.data, many.data, one.storage.size);
    }
    hrr_dense_clear(&one);
    hrr_dense_clear(&many);
    hrr_dense_clear(&x);
    hrr_csr_clear(&s);
}

static void test_spmm_rows__scales_rows_and_columns(void **state)
{
    (void)state;
    const uint64_t widths[] = {1, 3, 4, 7, 8, 15, 16, 17, 100, 121, 128, 129, 300};
    hrr_fast_random fast;
    hrr_fast_init(&fast, 9, 1);
    hrr_csr s = random_csr(&fast, 200, 90, 0.1, false);
    hrr_dense whole = dense_of_csr(&s), by_row = random_dense(&fast, HRR_F32, 200, 1);
    hrr_dense by_col = random_dense(&fast, HRR_F32, 90, 1);
    for (uint64_t i = 0; i < 200; i++)
        for (uint64_t j = 0; j < 90; j++)
            set_element(&whole, i, j,
                        hrr_dense_get(&whole, i, j) * hrr_dense_get(&by_row, i, 0) *
                            hrr_dense_get(&by_col, j, 0));
    for (size_t w = 0; w < sizeof widths / sizeof widths[0]; w++)
        for (int u8 = 0; u8 < 2; u8++) {
            hrr_dense x = random_dense(&fast, u8 ? HRR_U8 : HRR_F32, 90, widths[w]), y, expected;
            assert_ok(hrr_dense_init(&y, HRR_F32, 200, widths[w], NULL));
            assert_ok(hrr_dense_init(&expected, HRR_F64, 200, widths[w], NULL));
            reference_gemm(&expected, &whole, false, &x, false, 1, 0);
            float *space = malloc(hrr_spmm_rows_space(widths[w], 2) * sizeof *space);
            hrr_spmm_rows(keep, &y, &s, by_row.data, by_col.data, &x, space, 2, NULL);
            assert_near(&y, &expected, u8 ? 5e-3 : 1e-4);
            free(space);
            hrr_dense_clear(&x);
            hrr_dense_clear(&y);
            hrr_dense_clear(&expected);
        }
    hrr_dense_clear(&whole);
    hrr_dense_clear(&by_row);
    hrr_dense_clear(&by_col);
    hrr_csr_clear(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_spmm__is_the_dense_product),
        cmocka_unit_test(test_spmm__threads_do_not_change_a_bit),
        cmocka_unit_test(test_spmm_rows__scales_rows_and_columns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
