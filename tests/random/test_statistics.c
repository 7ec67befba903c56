/* The yardstick of the statistical tests, against values known in closed form. */
#include "support/check.h"
#include "support/statistics.h"

#include <math.h>

static void assert_close(double found, double expected)
{
    assert_true(fabs(found - expected) <= 1e-10 * expected);
}

static void test_statistics__chi_square_tail_has_its_closed_forms(void **state)
{
    (void)state;
    for (double x = 0.1; x < 120; x *= 1.7) {
        assert_close(chi_square_tail(x, 1), erfc(sqrt(x / 2)));
        assert_close(chi_square_tail(x, 2), exp(-x / 2));
        assert_close(chi_square_tail(x, 6), exp(-x / 2) * (1 + x / 2 + x * x / 8));
    }
    /* Far degrees: the tail at the mean approaches one half from below. */
    assert_true(fabs(chi_square_tail(800, 800) - 0.4934) < 1e-3);
}

static void test_statistics__tests_agree_on_two_cells(void **state)
{
    (void)state;
    const uint64_t observed[] = {5200, 4800};
    assert_close(chi_square_p(observed, (double[]){.5, .5}, 2), proportion_p(5200, 10000, .5));
    assert_close(proportion_p(5200, 10000, .5), erfc(4 / sqrt(2)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_statistics__chi_square_tail_has_its_closed_forms),
        cmocka_unit_test(test_statistics__tests_agree_on_two_cells),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
