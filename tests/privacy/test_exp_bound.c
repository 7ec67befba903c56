/* e^eps from below, in integers: certainly not above, and close enough to lose nothing. */
#include "support/check.h"
#include "privacy/exp_bound.h"

#include <math.h>

static const uint64_t eps_grid[] = {1,           100000,      1000000,     10000000,    100000000,
                                    500000000,   1000000000,  2000000000,  4000000000,  6000000000,
                                    8000000000,  10000000000, 12000000000, 14000000000, 16000000000,
                                    18000000000, 20000000000};
enum { n_eps = sizeof eps_grid / sizeof eps_grid[0] };

static void test_exp_bound__is_below_and_close(void **state)
{
    (void)state;
    for (int i = 0; i < n_eps; i++) {
        hrr_exp_bound bound = hrr_exp_lower_bound(eps_grid[i]);
        long double truth = expl((long double)eps_grid[i] / HRR_EPS_UNIT);
        long double value = ldexpl((long double)bound.mantissa, -bound.bits);
        assert_true(bound.mantissa < (uint64_t)1 << 63);
        /* expl is good to about 1e-19; a violation of the bound by more than that would show. */
        assert_true(value <= truth * (1 + 1e-18L));
        assert_true(value >= truth * (1 - 1e-16L));
    }
    assert_int_equal(hrr_exp_lower_bound(0).mantissa, (uint64_t)1 << 60);
}

static void test_exp_bound__rounds_a_log_ratio_up_but_not_past_the_request(void **state)
{
    (void)state;
    const uint64_t eps = HRR_EPS_UNIT;
    assert_true(hrr_eps_round_up(.5L + 1e-19L, eps) >= .5 + 1e-19);
    assert_true(hrr_eps_round_up(.5L, eps) > .5);
    assert_true(hrr_eps_round_up(1, eps) == 1);
    assert_true(hrr_eps_round_up(1.1L, eps) > 1); /* never lowered to what was asked for */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_exp_bound__is_below_and_close),
        cmocka_unit_test(test_exp_bound__rounds_a_log_ratio_up_but_not_past_the_request),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
