#include "matrix/reference.h"
#include "matrix/products.h"
#include "support/brutal.h"

#include <math.h>

/* tests/feature/test_projection.py compares with numpy; here are cases that can be seen by eye, and
 * what is refused. */

static hrr_dense matrix_over(uint64_t rows, uint64_t cols, const double *data)
{
    return (hrr_dense){
        .dtype = HRR_F64, .rows = rows, .cols = cols, .data = (void *)(uintptr_t)data};
}

/* Points of a line through (1, 1): one direction, (3, 4)/5, seen from more rows than columns and
 * from fewer. */
static void test_principal__a_line_has_one_direction(void **state)
{
    (void)state;
    const double points[] = {1, 1, 4, 5, 7, 9, -2, -3};
    for (uint64_t rows = 2; rows <= 4; rows++) {
        const hrr_dense a = matrix_over(rows, 2, points);
        hrr_dense found;
        double variance[2];
        assert_ok(hrr_dense_principal(&found, variance, &a, 0, true, NULL));
        assert_int_equal(found.rows, 1);
        assert_true(fabs(((double *)found.data)[0] - .6) < 1e-12);
        assert_true(fabs(((double *)found.data)[1] - .8) < 1e-12);
        /* Places 0, 5, 10 and -5 along the line. */
        const double expected[] = {0, 0, 6.25, 50.0 / 3, 31.25};
        assert_true(fabs(variance[0] - expected[rows]) < 1e-12 * 32);
        hrr_dense_clear(&found);
    }
}

static void test_principal__about_zero_sees_the_mean(void **state)
{
    (void)state;
    const double points[] = {1, 0, 0, 1, 0, 0};
    const hrr_dense a = matrix_over(2, 3, points);
    hrr_dense found;
    double variance[2];
    assert_ok(hrr_dense_principal(&found, variance, &a, 1, false, NULL));
    assert_true(((double *)found.data)[0] > 1 - 1e-12);
    assert_true(fabs(variance[0] - 1) < 1e-12);
    hrr_dense_clear(&found);
    hrr_error err = {0};
    assert_int_equal(hrr_dense_principal(&found, NULL, &a, 1, true, &err), HRR_EINVAL);
    assert_says(err, "vary in only 0");
}

static void test_principal__refuses_what_is_not_there(void **state)
{
    (void)state;
    const double line[] = {1, 1, 2, 2, 3, 3}, not_a_number[] = {1, NAN, 2, 2},
                 huge[] = {1e200, 0, -1e200, 0};
    hrr_dense a = matrix_over(3, 2, line), found;
    hrr_error err = {0};
    assert_int_equal(hrr_dense_principal(&found, NULL, &a, 2, true, &err), HRR_EINVAL);
    assert_says(err, "vary in only 1");
    assert_null(found.data);
    assert_int_equal(hrr_dense_principal(&found, NULL, &a, 3, true, &err), HRR_EINVAL);
    assert_says(err, "3 rows of 2 numbers have at most 2");
    a = matrix_over(2, 2, not_a_number);
    assert_int_equal(hrr_dense_principal(&found, NULL, &a, 1, true, &err), HRR_EDATA);
    assert_says(err, "row 0, column 1");
    a = matrix_over(2, 2, huge);
    assert_int_equal(hrr_dense_principal(&found, NULL, &a, 1, true, &err), HRR_EDATA);
    a = matrix_over(0, 2, line);
    assert_int_equal(hrr_dense_principal(&found, NULL, &a, 1, true, &err), HRR_EINVAL);
}

static hrr_status find_once(void *user)
{
    hrr_dense found;
    hrr_status status = hrr_dense_principal(&found, NULL, user, 2, true, NULL);
    hrr_dense_clear(&found);
    return status;
}

static void test_principal__survives_without_memory(void **state)
{
    (void)state;
    const double points[] = {1, 0, 0, 1, 0, 0, 2, 5, 7, 1, 1, 1};
    hrr_dense tall = matrix_over(4, 3, points), flat = matrix_over(3, 4, points);
    assert_true(brutal(find_once, &tall) > 4);
    assert_true(brutal(find_once, &flat) > 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_principal__a_line_has_one_direction),
        cmocka_unit_test(test_principal__about_zero_sees_the_mean),
        cmocka_unit_test(test_principal__refuses_what_is_not_there),
        cmocka_unit_test(test_principal__survives_without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
