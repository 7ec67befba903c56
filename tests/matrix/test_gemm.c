#include "matrix/dense.h"
#include "matrix/reference.h"
#include "matrix/products.h"

#include <math.h>

static void test_gemm__is_the_definition(void **state)
{
    (void)state;
    const uint64_t shapes[][3] = {{1, 1, 1}, {3, 4, 5}, {17, 1, 9}, {1, 20, 1}, {65, 33, 40},
                                  {0, 3, 4}, {3, 0, 4}, {3, 4, 0},  {2, 100, 3}}; /* m k n */
    const double factors[][2] = {{1, 0}, {1, 1}, {-0.5, 2}, {0, 3}};
    hrr_fast_random fast;
    hrr_fast_init(&fast, 6, 1);
    for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++)
        for (int f = 0; f < 4; f++)
            for (int ops = 0; ops < 4; ops++)
                for (int type = HRR_F32; type <= HRR_F64; type++) {
                    const uint64_t m = shapes[s][0], k = shapes[s][1], n = shapes[s][2];
                    const hrr_dtype dtype = (hrr_dtype)type;
                    bool ta = ops & 1, tb = ops & 2;
                    hrr_dense a = random_dense(&fast, dtype, ta ? k : m, ta ? m : k);
                    hrr_dense b = random_dense(&fast, dtype, tb ? n : k, tb ? k : n);
                    hrr_dense c = random_dense(&fast, dtype, m, n), expected;
                    assert_ok(hrr_dense_convert(&expected, &c, HRR_F64, NULL));
                    reference_gemm(&expected, &a, ta, &b, tb, factors[f][0], factors[f][1]);
                    hrr_gemm(&c, &a, ta, &b, tb, factors[f][0], factors[f][1]);
                    assert_near(&c, &expected, dtype == HRR_F32 ? 5e-5 : 1e-12);
                    hrr_dense_clear(&a);
                    hrr_dense_clear(&b);
                    hrr_dense_clear(&c);
                    hrr_dense_clear(&expected);
                }
}

static void test_gemm__beta_zero_forgets_what_was_there(void **state)
{
    (void)state;
    double one[] = {1}, result[] = {NAN};
    hrr_dense a = {.dtype = HRR_F64, .rows = 1, .cols = 1, .data = one}, c = a;
    c.data = result;
    hrr_gemm(&c, &a, false, &a, false, 1, 0);
    assert_true(result[0] == 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gemm__is_the_definition),
        cmocka_unit_test(test_gemm__beta_zero_forgets_what_was_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
