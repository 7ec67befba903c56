#include "learn/heads.h"
#include "learn/cholesky.h"
#include "matrix/dense.h"
#include "matrix/products.h"

static void test_cholesky__solves(void **state)
{
    (void)state;
    for (uint64_t n = 1; n <= 40; n += 13) {
        hrr_dense m = random_matrix(n + 3, n, n), a, kept;
        assert_ok(hrr_dense_init(&a, HRR_F64, n, n, NULL));
        hrr_gemm(&a, &m, true, &m, false, 1, 0);
        assert_ok(hrr_dense_convert(&kept, &a, HRR_F64, NULL));
        assert_true(hrr_cholesky_factor(a.data, n));
        double x[40], back[40] = {0};
        for (uint64_t i = 0; i < n; i++)
            x[i] = (double)i - 3;
        hrr_cholesky_solve(x, a.data, n);
        for (uint64_t i = 0; i < n; i++)
            for (uint64_t j = 0; j < n; j++)
                back[i] += *at(&kept, i, j) * x[j];
        for (uint64_t i = 0; i < n; i++)
            assert_true(fabs(back[i] - ((double)i - 3)) < 1e-8);
        hrr_dense_clear(&m);
        hrr_dense_clear(&a);
        hrr_dense_clear(&kept);
    }
}

static void test_cholesky__has_its_known_factor(void **state)
{
    (void)state;
    double a[9] = {4, 2, -2, 0, 10, 2, 0, 0, 6};
    const double factor[9] = {2, 1, -1, 0, 3, 1, 0, 0, 2};
    assert_true(hrr_cholesky_factor(a, 3));
    assert_memory_equal(a, factor, sizeof a);
}

static void test_cholesky__refuses_what_is_not_positive_definite(void **state)
{
    (void)state;
    double singular[4] = {1, 1, 1, 1}, negative[1] = {-1}, nothing[1] = {NAN};
    assert_false(hrr_cholesky_factor(singular, 2));
    assert_false(hrr_cholesky_factor(negative, 1));
    assert_false(hrr_cholesky_factor(nothing, 1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cholesky__solves),
        cmocka_unit_test(test_cholesky__has_its_known_factor),
        cmocka_unit_test(test_cholesky__refuses_what_is_not_positive_definite),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
