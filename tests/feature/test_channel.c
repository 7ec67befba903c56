#include "support/check.h"
#include "support/brutal.h"

#include "feature/channel.h"

#include <heterorr/privacy.h>

#include <math.h>

/* The grid on which PRIVACY asks for no failure: k 2..64, eps 1e-4..20. */
static const uint64_t eps_grid[] = {100000,      1000000,     10000000,    100000000,
                                    500000000,   1000000000,  2000000000,  4000000000,
                                    6000000000,  8000000000,  10000000000, 12000000000,
                                    14000000000, 16000000000, 18000000000, 20000000000};
enum { n_eps = sizeof eps_grid / sizeof eps_grid[0] };

static void test_channel__matches_the_published_row(void **state)
{
    (void)state;
    static const double row[] = {.310022, .241445, .188038, .146444, .114051};
    hrr_channel channel;
    assert_ok(hrr_channel_init(&channel, 5, HRR_EPS_UNIT, NULL));
    for (int u = 0; u < 5; u++)
        assert_true(fabs((double)channel.weight[u] / 0x1p64 - row[u]) < 5e-7);
    hrr_channel_clear(&channel);
}

static void test_channel__is_certified_on_the_whole_grid_and_loses_almost_nothing(void **state)
{
    (void)state;
    for (uint32_t k = 2; k <= 64; k++)
        for (int i = 0; i < n_eps; i++) {
            hrr_channel channel;
            assert_ok(hrr_channel_init(&channel, k, eps_grid[i], NULL));
            assert_true(hrr_channel_certifies(channel.weight, k, 64, eps_grid[i]));
            double eps = (double)eps_grid[i] / HRR_EPS_UNIT;
            assert_true(channel.realised_eps <= eps);
            assert_true(channel.realised_eps >= eps * (1 - 1e-6));
            hrr_channel_clear(&channel);
        }
}

/* 32 bits: certified or nothing, on the same grid and beyond. Where weights are far above 1 (here:
 * the smallest above 2^12) and eps is far above what one unit changes, next to nothing is lost. */
static void test_channel__narrow_tables_are_certified_or_uniform(void **state)
{
    (void)state;
    int close = 0;
    for (uint32_t k = 2; k <= 256; k += k < 64 ? 1 : 48)
        for (int i = -1; i < n_eps; i++) {
            const uint64_t eps_nano = i < 0 ? 1 : eps_grid[i];
            const double eps = (double)eps_nano / HRR_EPS_UNIT;
            hrr_channel channel;
            assert_ok(hrr_channel_init_narrow(&channel, k, eps_nano, NULL));
            assert_int_equal(channel.bits, 32);
            assert_true(hrr_channel_certifies(channel.weight, k, 32, eps_nano));
            assert_true(channel.realised_eps <= eps);
            for (uint32_t j = 0; j < k * k; j++)
                assert_true(channel.weight[j] == channel.weight[k * k - 1 - j]);
            if (channel.realised_eps == 0)
                for (uint32_t t = 1; t < k; t++)
                    assert_memory_equal(channel.weight, channel.weight + t * k, k * 8);
            /* A few times the first step down, k 2^-32, plus what rounding the least weight moves.
             */
            const double rounding = k * (4 + 2 * exp(eps)) * 0x1p-32;
            if (rounding < 1e-2 * eps) {
                assert_true(channel.realised_eps >= eps - 4 * rounding);
                close++;
            }
            hrr_channel_clear(&channel);
        }
    assert_true(close > 700);
}

static void test_channel__certificate_refuses_a_ratio_one_unit_too_large(void **state)
{
    (void)state;
    hrr_channel channel;
    assert_ok(hrr_channel_init(&channel, 3, HRR_EPS_UNIT, NULL));
    assert_false(hrr_channel_certifies(channel.weight, 3, 64, HRR_EPS_UNIT * 999 / 1000));
    channel.weight[0]++; /* the row no longer sums to 2^64 */
    assert_false(hrr_channel_certifies(channel.weight, 3, 64, HRR_EPS_UNIT));
    channel.weight[0]--;
    uint64_t moved = channel.weight[2] / 1000; /* P(3|1) smaller: its column's ratio grows */
    channel.weight[2] -= moved;
    channel.weight[1] += moved;
    assert_false(hrr_channel_certifies(channel.weight, 3, 64, HRR_EPS_UNIT));
    hrr_channel_clear(&channel);
}

static void test_channel__scores_that_are_not_normalised_are_caught(void **state)
{
    (void)state;
    /* Equation 5 without line 5 of Algorithm 1: budgets that add up to more than eps_f. */
    hrr_channel channel;
    assert_ok(hrr_channel_init(&channel, 4, 13 * HRR_EPS_UNIT / 10, NULL));
    assert_false(hrr_channel_certifies(channel.weight, 4, 64, HRR_EPS_UNIT));
    hrr_channel_clear(&channel);
}

static void test_channel__refuses_what_makes_no_sense(void **state)
{
    (void)state;
    hrr_channel channel;
    hrr_error err;
    assert_int_equal(hrr_channel_init(&channel, 1, HRR_EPS_UNIT, &err), HRR_EINVAL);
    assert_says(err, "bins");
    assert_int_equal(hrr_channel_init(&channel, 257, HRR_EPS_UNIT, &err), HRR_EINVAL);
    assert_int_equal(hrr_channel_init(&channel, 5, 0, &err), HRR_EINVAL);
    assert_says(err, "epsilon");
    assert_int_equal(hrr_channel_init(&channel, 5, HRR_EPS_MAX + 1, &err), HRR_EINVAL);
    assert_null(channel.weight);
}

static void test_channel__the_extremes_work(void **state)
{
    (void)state;
    static const struct {
        uint32_t k;
        uint64_t eps;
    } extremes[] = {{2, 1}, {256, 1}, {2, HRR_EPS_MAX}, {256, HRR_EPS_MAX}};
    for (int i = 0; i < 4; i++) {
        hrr_channel channel;
        assert_ok(hrr_channel_init(&channel, extremes[i].k, extremes[i].eps, NULL));
        assert_true(hrr_channel_certifies(channel.weight, extremes[i].k, 64, extremes[i].eps));
        hrr_channel_clear(&channel);
    }
}

static hrr_status build(void *user)
{
    (void)user;
    hrr_channel channel;
    hrr_status status = hrr_channel_init(&channel, 5, HRR_EPS_UNIT, NULL);
    hrr_channel_clear(&channel);
    return status;
}

static void test_channel__survives_running_out_of_memory(void **state)
{
    (void)state;
    assert_int_equal(brutal(build, NULL), 2);
}

/* What lets the kernels keep half of each table. */
static void test_channel__is_its_own_mirror_image(void **state)
{
    (void)state;
    static const uint64_t eps[] = {1, 123456789, 4000000000, HRR_EPS_MAX};
    for (uint32_t k = HRR_MIN_BINS; k <= 64; k++)
        for (size_t e = 0; e < sizeof eps / sizeof eps[0]; e++) {
            hrr_channel channel;
            assert_ok(hrr_channel_init(&channel, k, eps[e], NULL));
            for (uint32_t i = 0; i < k * k; i++)
                assert_true(channel.weight[i] == channel.weight[k * k - 1 - i]);
            hrr_channel_clear(&channel);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_channel__is_its_own_mirror_image),
        cmocka_unit_test(test_channel__matches_the_published_row),
        cmocka_unit_test(test_channel__is_certified_on_the_whole_grid_and_loses_almost_nothing),
        cmocka_unit_test(test_channel__narrow_tables_are_certified_or_uniform),
        cmocka_unit_test(test_channel__certificate_refuses_a_ratio_one_unit_too_large),
        cmocka_unit_test(test_channel__scores_that_are_not_normalised_are_caught),
        cmocka_unit_test(test_channel__refuses_what_makes_no_sense),
        cmocka_unit_test(test_channel__the_extremes_work),
        cmocka_unit_test(test_channel__survives_running_out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
