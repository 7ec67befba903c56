#include "matrix/reference.h"

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
                hrr_csr_mul_dense(&y, &s, &x, 2);
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
    hrr_csr_mul_dense(&one, &s, &x, 1);
    for (int threads = 0; threads < 9; threads++) {
        hrr_csr_mul_dense(&many, &s, &x, threads);
        assert_memory_equal(one.data, many.data, one.storage.size);
    }
    hrr_dense_clear(&one);
    hrr_dense_clear(&many);
    hrr_dense_clear(&x);
    hrr_csr_clear(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_spmm__is_the_dense_product),
        cmocka_unit_test(test_spmm__threads_do_not_change_a_bit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
