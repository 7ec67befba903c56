#include "feature/features.h"
#include "support/statistics.h"

#include "feature/channel.h"
#include "feature/channels.h"

#include <math.h>
#include <stdlib.h>

enum { rows = 300000, n = 4 };

static float *released(const hrr_feature_options *options, const float *x)
{
    hrr_feature_plan *plan = plan_for(n, options);
    float *all = malloc(sizeof *all * rows * n), *out = malloc(sizeof *out * rows * n);
    for (size_t i = 0; i < (size_t)rows * n; i++)
        all[i] = x[i % n];
    hrr_dense in = view(HRR_F32, rows, n, all), matrix = view(HRR_F32, rows, n, out);
    hrr_random *random = seeded(31);
    assert_ok(hrr_feature_plan_apply(&matrix, plan, &in, 0, random, 2, NULL, NULL));
    hrr_random_free(random);
    hrr_feature_plan_free(plan);
    free(all);
    return out;
}

/* Everything that the release of a constant vector tells about its law. m = floor(5 / 2.18) = 2,
 * eps/m = 2.5, k = 3. Proportions and chi-squares at alpha 1e-5, fixed seed. */
static void check_law(const double theta[n], const double pi[n])
{
    enum { k = 3, m = 2 };
    const float x[n] = {-1, 2.2f, 30, 0.4f};
    const double lo[n] = {-1, 2, 0, 0}, hi[n] = {1, 3, 40, 1};
    hrr_feature_options options = options_for("featurerr-sampled", 5 * HRR_EPS_UNIT, k);
    options.theta = theta, options.lo = lo, options.hi = hi;
    float *out = released(&options, x);

    hrr_channel channel;
    assert_ok(hrr_channel_init(&channel, k, 2500000000, NULL));
    const double grid[k] = {0, 0.5, 1};
    double value[k];
    hrr_unbiased_values(value, grid, k, channel.realised_eps);
    uint64_t chosen[n] = {0}, drawn[n][k] = {{0}};
    for (int r = 0; r < rows; r++) {
        int in_row = 0;
        for (int i = 0; i < n; i++) {
            const double unit = ((double)out[r * n + i] - lo[i]) / (hi[i] - lo[i]);
            int u = 0;
            while (u < k && !(fabs(0.5 + (value[u] - 0.5) / pi[i] - unit) < 1e-5))
                u++;
            const bool centre =
                fabs(unit - 0.5) < 1e-6; /* also what the middle of three bins says */
            assert_true(u < k || centre);
            if (centre) continue;
            in_row++;
            chosen[i]++;
            drawn[i][u]++;
        }
        assert_true(in_row <= m);
    }
    for (int i = 0; i < n; i++) {
        if (pi[i] == 0) {
            assert_int_equal(chosen[i], 0);
            continue;
        }
        /* P(u): the channel at the two neighbours of x on the grid, mixed so that the mean is x. */
        const double unit = ((double)x[i] - lo[i]) / (hi[i] - lo[i]);
        const uint32_t below = unit < 0.5 ? 0 : 1;
        const double up = 2 * unit - below;
        double p[k], mean = 0, outer[2];
        for (uint32_t u = 0; u < k; u++) {
            p[u] = ((1 - up) * (double)channel.weight[below * k + u] +
                    up * (double)channel.weight[(below + 1) * k + u]) /
                   0x1p64;
            mean += pi[i] * p[u] * (0.5 + (value[u] - 0.5) / pi[i]);
        }
        mean += (1 - pi[i]) * 0.5;
        assert_true(fabs(mean - unit) < 1e-9); /* unbiased: exactly, from the tables */
        outer[0] = p[0] / (p[0] + p[2]), outer[1] = p[2] / (p[0] + p[2]);
        const uint64_t ends[2] = {drawn[i][0], drawn[i][2]};
        assert_true(chi_square_p(ends, outer, 2) > 1e-5);
        assert_true(proportion_p(chosen[i], rows, pi[i] * (p[0] + p[2])) > 1e-5);
    }
    hrr_channel_clear(&channel);
    free(out);
}

static void test_sampled__chooses_by_weight_and_is_unbiased(void **state)
{
    (void)state;
    const double theta[n] = {1, 2, 2, 1}, pi[n] = {1 / 3., 2 / 3., 2 / 3., 1 / 3.};
    check_law(theta, pi);
}

static void test_sampled__a_weight_above_its_share_is_always_chosen(void **state)
{
    (void)state;
    const double theta[n] = {1, 100, 0, 3}, pi[n] = {0.25, 1, 0, 0.75};
    check_law(theta, pi);
}

static void test_sampled__claims_what_the_chosen_channels_realise(void **state)
{
    (void)state;
    static const struct {
        uint64_t eps_nano;
        uint32_t n_sampled;
        const char *says;
    } cases[] = {{HRR_EPS_UNIT, 0, "on 1 of 9"}, {4359999999, 0, "on 1 of 9"},
                 {4360000000, 0, "on 2 of 9"},   {HRR_EPS_MAX, 0, "on 9 of 9"},
                 {HRR_EPS_UNIT, 7, "on 7 of 9"}, {7, 7, "on 7 of 9"}};
    for (int i = 0; i < 6; i++) {
        hrr_feature_options options = options_for("featurerr-sampled", cases[i].eps_nano, 0);
        options.n_sampled = cases[i].n_sampled;
        hrr_feature_plan *plan = plan_for(9, &options);
        hrr_feature_claim claim = hrr_feature_plan_claim(plan);
        assert_non_null(strstr(claim.statement, cases[i].says));
        const double eps = (double)cases[i].eps_nano / HRR_EPS_UNIT;
        assert_true(claim.realised_eps <= eps);
        assert_true(claim.realised_eps >= eps * (1 - 1e-6) - 9e-9);
        hrr_feature_plan_free(plan);
    }
}

static void test_sampled__refuses_what_makes_no_sense(void **state)
{
    (void)state;
    const double theta[n] = {1, 0, 0, 0};
    hrr_feature_options good = options_for("featurerr-sampled", HRR_EPS_UNIT, 0), bad;
    bad = good, bad.decoding = HRR_DECODE_BINS;
    assert_refused(n, &bad, "decoding");
    bad = good, bad.theta = theta, bad.n_sampled = 2;
    assert_refused(n, &bad, "only 1");
    bad = good, bad.eps_nano = 3, bad.n_sampled = 4;
    assert_refused(n, &bad, "too small");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sampled__chooses_by_weight_and_is_unbiased),
        cmocka_unit_test(test_sampled__a_weight_above_its_share_is_always_chosen),
        cmocka_unit_test(test_sampled__claims_what_the_chosen_channels_realise),
        cmocka_unit_test(test_sampled__refuses_what_makes_no_sense),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
