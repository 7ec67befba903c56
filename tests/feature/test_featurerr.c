#include "feature/features.h"
#include "support/statistics.h"

#include "feature/channel.h"
#include "feature/channels.h"
#include "privacy/eps.h"
#include "privacy/eps_lower_bound.h"
#include "random/fast.h"
#include "random/stream.h"

#include <math.h>
#include <stdlib.h>

static void assert_close(double got, double want, double tolerance)
{
    if (!(fabs(got - want) <= tolerance)) print_error("%.17g is not %.17g\n", got, want);
    assert_true(fabs(got - want) <= tolerance);
}

/* Bins released for rows that are all the same: rows x n_features, free(). */
static uint8_t *draw_bins(const float *row, uint64_t n_features, const double *theta,
                          uint64_t eps_nano, uint32_t n_bins, uint64_t rows, uint64_t seed)
{
    hrr_feature_options options = options_for("featurerr", eps_nano, n_bins);
    options.theta = theta;
    options.decoding = HRR_DECODE_BINS;
    hrr_feature_plan *plan = plan_for(n_features, &options);
    assert_int_equal(hrr_feature_plan_claim(plan).dtype_out, HRR_U8);
    float *x = malloc(rows * n_features * sizeof *x);
    uint8_t *bins = malloc(rows * n_features);
    for (uint64_t i = 0; i < rows * n_features; i++)
        x[i] = row[i % n_features];
    hrr_dense in = view(HRR_F32, rows, n_features, x), out = view(HRR_U8, rows, n_features, bins);
    hrr_random *random = seeded(seed);
    assert_ok(hrr_feature_plan_apply(&out, plan, &in, 0, random, 2, NULL, NULL));
    hrr_random_free(random);
    hrr_feature_plan_free(plan);
    free(x);
    return bins;
}

/* ---- the law ----------------------------------------------------------------------------------
 */

static void test_featurerr__output_is_the_count_of_weights_up_to_the_word(void **state)
{
    (void)state;
    enum { rows = 200, n = 5, k = 7 };
    const float x[n] = {0, 0.2f, 0.5f, 0.99f, 1};
    const uint32_t t[n] = {0, 1, 3, 6, 6};
    const double theta[n] = {1, 2, 3, 4, 5};
    uint64_t eps[n];
    assert_ok(hrr_eps_split(eps, 9 * HRR_EPS_UNIT, theta, n, NULL));
    uint8_t *bins = draw_bins(x, n, theta, 9 * HRR_EPS_UNIT, k, rows, 77);
    hrr_random *random = seeded(77);
    hrr_stream *stream = NULL;
    assert_ok(hrr_stream_new(&stream, random, NULL));
    hrr_channel channel[n];
    for (int i = 0; i < n; i++)
        assert_ok(hrr_channel_init_narrow(&channel[i], k, eps[i], NULL));
    for (int row = 0; row < rows; row++) {
        hrr_stream_seek(stream, HRR_PURPOSE_FEATURE_CHANNEL, (uint64_t)row);
        for (int i = 0; i < n; i++) {
            unsigned char bytes[4]; /* the next 32 bits, little endian */
            hrr_stream_bytes(stream, bytes, sizeof bytes);
            uint64_t r = 0, cumulative = 0;
            for (int b = 3; b >= 0; b--)
                r = r << 8 | bytes[b];
            r ^= UINT32_C(1) << 31;
            uint32_t u = 0;
            for (; u + 1 < k; u++) {
                cumulative += channel[i].weight[t[i] * k + u];
                if (cumulative > r) break;
            }
            assert_int_equal(bins[row * n + i], u);
        }
    }
    for (int i = 0; i < n; i++)
        hrr_channel_clear(&channel[i]);
    hrr_stream_free(stream);
    hrr_random_free(random);
    free(bins);
}

/* Chi-square of 12 laws, alpha 1e-5 each: false-failure rate 1.2e-4 over seeds, the seed is fixed.
 */
static void test_featurerr__frequencies_follow_the_channel(void **state)
{
    (void)state;
    enum { rows = 200000, n = 3, k = 4 };
    const double theta[n] = {1, 2, 5};
    uint64_t eps[n];
    assert_ok(hrr_eps_split(eps, 4 * HRR_EPS_UNIT, theta, n, NULL));
    for (uint32_t t = 0; t < k; t++) {
        const float x = ((float)t + 0.5f) / k, row[n] = {x, x, x};
        uint8_t *bins = draw_bins(row, n, theta, 4 * HRR_EPS_UNIT, k, rows, 5 + t);
        for (int i = 0; i < n; i++) {
            uint64_t count[k] = {0};
            double probability[k], total = 0;
            for (uint64_t r = 0; r < rows; r++)
                count[bins[r * n + (unsigned)i]]++;
            const double a = (double)eps[i] / HRR_EPS_UNIT / (k - 1);
            for (uint32_t u = 0; u < k; u++)
                total += probability[u] = exp(-a * fabs((double)u - t));
            for (uint32_t u = 0; u < k; u++)
                probability[u] /= total;
            assert_true(chi_square_p(count, probability, k) > 1e-5);
        }
        free(bins);
    }
}

/* 9 cells of two features: independent. Alpha 1e-5, fixed seed. */
static void test_featurerr__features_are_independent(void **state)
{
    (void)state;
    enum { rows = 200000, k = 3 };
    const float row[2] = {0.1f, 0.9f};
    uint8_t *bins = draw_bins(row, 2, NULL, 2 * HRR_EPS_UNIT, k, rows, 9);
    uint64_t count[k * k] = {0};
    double probability[k * k], a = 0.5, total = 0;
    for (int r = 0; r < rows; r++)
        count[bins[2 * r] * k + bins[2 * r + 1]]++;
    for (int u = 0; u < k; u++)
        for (int v = 0; v < k; v++)
            total += probability[u * k + v] = exp(-a * u - a * (k - 1 - v));
    for (int i = 0; i < k * k; i++)
        probability[i] /= total;
    assert_true(chi_square_p(count, probability, k * k) > 1e-5);
    free(bins);
}

/* A lower bound of epsilon from 10^6 draws a side; above eps with probability 4 * 5e-4 at most over
 * seeds. PRIVACY expects .9926 when counts hit their expectation. */
static void test_featurerr__audit_finds_no_more_than_epsilon(void **state)
{
    (void)state;
    enum { draws = 1000000 };
    uint64_t count[2][2] = {{0}};
    for (int side = 0; side < 2; side++) {
        const float x = (float)side;
        uint8_t *bins = draw_bins(&x, 1, NULL, HRR_EPS_UNIT, 2, draws, 21 + (uint64_t)side);
        for (int i = 0; i < draws; i++)
            count[side][bins[i]]++;
        free(bins);
    }
    double bound = hrr_audit_lower_bound(count[0], count[1], 2, draws, 5e-4);
    assert_true(bound <= 1);
    assert_true(bound > 0.97);
}

/* ---- the claim --------------------------------------------------------------------------------
 */

static void test_featurerr__realised_epsilon_is_at_most_the_request(void **state)
{
    (void)state;
    static const uint64_t eps_grid[] = {100000,     1000000,    100000000,  1000000000,
                                        4000000000, 9999999999, 20000000000};
    const double theta[] = {0.1, 3, 0, 1e-12, 7.7, 3};
    for (uint32_t k = 2; k <= 64; k++)
        for (int e = 0; e < 7; e++)
            for (int weighted = 0; weighted < 2; weighted++) {
                hrr_feature_options options = options_for("featurerr", eps_grid[e], k);
                options.theta = weighted ? theta : NULL;
                hrr_feature_plan *plan = plan_for(6, &options);
                hrr_feature_claim claim = hrr_feature_plan_claim(plan);
                const double eps = (double)eps_grid[e] / HRR_EPS_UNIT;
                assert_true(claim.realised_eps <= eps);
                /* Six floors to 1e-9; certification may lose 1e-4 of the budget, and no more. */
                assert_true(claim.realised_eps >= eps * (1 - 1.01e-4) - 6e-9);
                hrr_feature_plan_free(plan);
            }
}

static void test_featurerr__budgets_never_add_up_to_more(void **state)
{
    (void)state;
    enum { n = 1000 };
    hrr_fast_random fast;
    hrr_fast_init(&fast, 4, 0);
    for (int trial = 0; trial < 50; trial++) {
        double theta[n];
        uint64_t eps[n], sum = 0, total = 1 + hrr_fast_below(&fast, HRR_EPS_MAX);
        for (int i = 0; i < n; i++)
            theta[i] = exp(20 * hrr_fast_uniform(&fast) - 10);
        assert_ok(hrr_channels_split(eps, total, trial % 5 ? theta : NULL, n, NULL));
        for (int i = 0; i < n; i++)
            sum += eps[i];
        assert_true(sum <= total);
        assert_true(sum + n >= total);
    }
}

/* Narrow tables where they cost next to nothing, wide ones where they would: weights below 2^-32,
 * or differences between them. */
static void test_featurerr__tables_are_narrow_unless_that_costs_budget(void **state)
{
    (void)state;
    static const struct {
        uint64_t eps_nano;
        uint32_t k;
        bool narrow;
    } cases[] = {{488281, 10, true},       {488281, 2, true},
                 {HRR_EPS_UNIT, 10, true}, {HRR_EPS_UNIT, 64, true},
                 {HRR_EPS_MAX, 10, false}, {HRR_EPS_MAX, 2, false},
                 {10, 2, false},           {0, 5, true}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        hrr_channels channels;
        assert_ok(hrr_channels_init_narrow(&channels, &cases[i].eps_nano, 1, cases[i].k, NULL));
        assert_int_equal(channels.limits.narrow != NULL, cases[i].narrow);
        assert_int_equal(channels.limits.limit != NULL, !cases[i].narrow);
        const double eps = (double)cases[i].eps_nano / HRR_EPS_UNIT;
        assert_true(channels.realised_eps <= eps && channels.realised_eps >= eps * (1 - 1e-4));
        hrr_channels_clear(&channels);
    }
}

static void test_featurerr__equal_budgets_share_a_table(void **state)
{
    (void)state;
    const uint64_t eps[] = {5, 7, 5, 5, 3, 7, 0, 0};
    const uint32_t table[] = {0, 1, 0, 0, 2, 1, 3, 3};
    hrr_channels channels;
    assert_ok(hrr_channels_init(&channels, eps, 8, 4, NULL));
    assert_int_equal(channels.limits.n_tables, 4);
    for (size_t i = 0; i < 8; i++)
        assert_int_equal(hrr_channels_table(&channels, i), table[i]);
    hrr_channels_clear(&channels);
}

/* 3,000 features with a budget of their own each, from 1e-9 to 1: tables stay within 40 MB, no
 * budget grows, and a group loses a few per cent at most where there are tables for many groups. */
static void test_featurerr__many_tables_share_rounded_budgets(void **state)
{
    (void)state;
    enum { n = 3000 };
    static uint64_t eps[n];
    static const struct {
        uint32_t k;
        uint32_t most; /* 40 MB over the size of a narrow table */
    } cases[] = {{10, n}, {64, n}, {256, 320}};
    for (int spread = 0; spread < 2; spread++)
        for (size_t c = 0; c < 3; c++) {
            uint64_t sum = 0;
            for (uint64_t i = 0; i < n; i++) /* evenly; or from 0 to 1 with most of them tiny */
                sum += eps[i] = spread ? (i * i * i / n * i / n) * 1000 / 3 : 2000000 + 1000 * i;
            hrr_channels channels;
            assert_ok(hrr_channels_init_narrow(&channels, eps, n, cases[c].k, NULL));
            assert_non_null(channels.limits.narrow);
            assert_true(channels.limits.n_tables <= cases[c].most);
            for (uint64_t i = 0; i < n; i++) {
                const double own = channels.table_eps[hrr_channels_table(&channels, i)];
                assert_true(own <= (double)eps[i] / HRR_EPS_UNIT);
            }
            const double total = (double)sum / HRR_EPS_UNIT;
            assert_true(channels.realised_eps <= total);
            assert_true(channels.realised_eps >= total * (cases[c].k == 256 ? 0.97 : 1 - 1e-4));
            hrr_channels_clear(&channels);
        }
}

/* Negative control: bins between the smallest and the largest private value. One node changes; the
 * range follows, and with it the bin of a node that did not change. */
static void test_control__bounds_from_private_data_break_epsilon(void **state)
{
    (void)state;
    enum { n = 3, k = 2 };
    const double before[n] = {0, 0.4, 1}, after[n] = {0, 0.4, 0.1};
    hrr_channel channel;
    assert_ok(hrr_channel_init(&channel, k, HRR_EPS_UNIT, NULL));
    for (int private_bounds = 0; private_bounds < 2; private_bounds++) {
        const double hi_before = 1, hi_after = private_bounds ? 0.4 : 1;
        double worst = 0; /* over all outputs of the three nodes */
        for (int output = 0; output < 8; output++) {
            double log_ratio = 0;
            for (int i = 0; i < n; i++) {
                const uint32_t u = (uint32_t)output >> i & 1;
                uint32_t t = hrr_bin_of(before[i] / hi_before, k);
                uint32_t t_after = hrr_bin_of(fmin(after[i] / hi_after, 1), k);
                log_ratio += log((double)channel.weight[t * k + u]) -
                             log((double)channel.weight[t_after * k + u]);
            }
            worst = fmax(worst, fabs(log_ratio));
        }
        assert_close(worst, private_bounds ? 2 : 1, 1e-6);
    }
    hrr_channel_clear(&channel);
}

/* Negative control: equation 5 without the normalisation of Algorithm 1. */
static void test_control__weights_that_are_not_normalised_break_epsilon(void **state)
{
    (void)state;
    const double theta[] = {0.9, 0.8};
    uint64_t raw[2], split[2];
    hrr_channels channels;
    for (int i = 0; i < 2; i++)
        raw[i] = (uint64_t)(theta[i] * (double)HRR_EPS_UNIT);
    assert_ok(hrr_channels_init(&channels, raw, 2, 5, NULL));
    assert_close(channels.realised_eps, 1.7, 1e-6);
    hrr_channels_clear(&channels);
    assert_ok(hrr_channels_split(split, HRR_EPS_UNIT, theta, 2, NULL));
    assert_ok(hrr_channels_init(&channels, split, 2, 5, NULL));
    assert_true(channels.realised_eps <= 1);
    hrr_channels_clear(&channels);
}

/* ---- bins and decodings ------------------------------------------------------------------------
 */

static void test_featurerr__clips_to_public_bounds_whatever_the_type(void **state)
{
    (void)state;
    enum { n = 6 };
    const double lo[n] = {0, 0, -1, -1, 100, 0}, hi[n] = {10, 10, 1, 1, 200, 255};
    const double wide[n] = {-1e300, 1e300, -1, 1, 150, 255}, inside[n] = {0, 10, -1, 1, 150, 255};
    const float single[n] = {-3e38f, 3e38f, -1, 1, 150, 255};
    const uint8_t byte[n] = {0, 10, 0, 1, 150, 255};
    hrr_feature_options options = options_for("featurerr", HRR_EPS_UNIT, 5);
    options.lo = lo, options.hi = hi;
    hrr_feature_plan *plan = plan_for(n, &options);
    hrr_random *random = seeded(8);
    const hrr_dense in[] = {view(HRR_F64, 1, n, wide), view(HRR_F64, 1, n, inside),
                            view(HRR_F32, 1, n, single), view(HRR_U8, 1, n, byte)};
    float y[4][n];
    for (uint64_t row = 0; row < 200; row++) {
        for (int i = 0; i < 4; i++) {
            hrr_dense out = view(HRR_F32, 1, n, y[i]);
            assert_ok(hrr_feature_plan_apply(&out, plan, &in[i], row, random, 1, NULL, NULL));
        }
        assert_memory_equal(y[0], y[1], sizeof y[0]);
        assert_memory_equal(y[0], y[2], sizeof y[0]);
        for (int i = 0; i < n; i++) {
            if (i != 2) assert_true(y[0][i] == y[3][i]);     /* a byte cannot be -1 */
            assert_true(y[0][i] > lo[i] && y[0][i] < hi[i]); /* midpoints, in the feature's units */
        }
    }
    hrr_random_free(random);
    hrr_feature_plan_free(plan);
}

static void test_bins__are_half_open_and_the_last_is_closed(void **state)
{
    (void)state;
    assert_int_equal(hrr_bin_of(0, 4), 0);
    assert_int_equal(hrr_bin_of(nextafter(0.25, 0), 4), 0);
    assert_int_equal(hrr_bin_of(0.25, 4), 1);
    assert_int_equal(hrr_bin_of(nextafter(1, 0), 4), 3);
    assert_int_equal(hrr_bin_of(1, 4), 3);
}

/* E[decode | t] from the integer table, for every t. */
static void test_decoding__unbiased_is_unbiased(void **state)
{
    (void)state;
    static const uint64_t eps[] = {1000, 1000000, 500000000, 4000000000, HRR_EPS_MAX};
    for (uint32_t k = 2; k <= 64; k += k < 12 ? 1 : 13)
        for (int e = 0; e < 5; e++) {
            hrr_channel channel;
            double value[HRR_MAX_BINS];
            assert_ok(hrr_channel_init(&channel, k, eps[e], NULL));
            hrr_decoding_values(value, HRR_DECODE_UNBIASED, k, channel.realised_eps);
            for (uint32_t t = 0; t < k; t++) {
                long double mean = 0;
                for (uint32_t u = 0; u < k; u++)
                    mean += (long double)channel.weight[t * k + u] / 0x1p64L * value[u];
                /* Values have the size of 1/eps, and lose as much in relative precision. */
                assert_close((double)mean, (t + 0.5) / k,
                             1e-9 + 1e-10 * HRR_EPS_UNIT / (double)eps[e]);
            }
            hrr_channel_clear(&channel);
        }
}

static void test_decoding__the_others_are_what_they_say(void **state)
{
    (void)state;
    double value[4];
    hrr_decoding_values(value, HRR_DECODE_MIDPOINT, 4, 1);
    for (int u = 0; u < 4; u++)
        assert_close(value[u], (u + 0.5) / 4, 1e-15);
    hrr_decoding_values(value, HRR_DECODE_PAPER, 4, 1);
    for (int u = 0; u < 4; u++)
        assert_close(value[u], (u + 1) / 4.0, 1e-15);
    /* k = 2: the posterior of bin 1 is e/(1 + e) at eps = 1. */
    hrr_decoding_values(value, HRR_DECODE_POSTERIOR, 2, 1);
    const double p = 1 / (1 + exp(-1));
    assert_close(value[0], p * 0.25 + (1 - p) * 0.75, 1e-15);
    assert_close(value[1], p * 0.75 + (1 - p) * 0.25, 1e-15);
    /* Nothing told, nothing believed. */
    const hrr_decoding careful[] = {HRR_DECODE_POSTERIOR, HRR_DECODE_UNBIASED};
    for (int i = 0; i < 2; i++) {
        hrr_decoding_values(value, careful[i], 4, 0);
        for (int u = 0; u < 4; u++)
            assert_close(value[u], 0.5, 1e-15);
    }
}

/* ---- expected error -----------------------------------------------------------------------------
 */

static void test_expected_error__matches_the_published_numbers(void **state)
{
    (void)state;
    static const struct {
        uint32_t k;
        double eps, largest, mean;
    } known[] = {{5, 1, .30261, .25543}, {10, .1, .44084, .32437}, {10, 4, .16681, .15580}};
    for (int i = 0; i < 3; i++) {
        double largest, mean;
        hrr_featurerr_expected_error(&largest, &mean, known[i].k, known[i].eps);
        assert_close(largest, known[i].largest, 5e-6);
        assert_close(mean, known[i].mean, 5e-6);
    }
}

static void test_expected_error__is_what_the_table_gives(void **state)
{
    (void)state;
    enum { k = 7 };
    hrr_channel channel;
    assert_ok(hrr_channel_init(&channel, k, 3 * HRR_EPS_UNIT, NULL));
    double largest = 0, mean = 0, squared = 0, want_largest, want_mean;
    for (int t = 0; t < k; t++) {
        double distance = 0;
        for (int u = 0; u < k; u++) {
            double p = (double)channel.weight[t * k + u] / 0x1p64;
            distance += p * abs(u - t) / k;
            squared += p * (u - t) * (u - t) / (k * k) / k;
        }
        largest = fmax(largest, distance);
        mean += distance / k;
    }
    hrr_featurerr_expected_error(&want_largest, &want_mean, k, 3);
    assert_close(largest, want_largest, 1e-12);
    assert_close(mean, want_mean, 1e-12);
    assert_close(squared + 1.0 / (12 * k * k), hrr_featurerr_squared_error(k, 3), 1e-12);
    hrr_channel_clear(&channel);
}

static void test_best_bins__grow_with_epsilon_as_published(void **state)
{
    (void)state;
    static const struct {
        double eps;
        uint32_t k;
    } best[] = {{1e-9, 2}, {0.1, 2}, {1, 2},  {2, 2},  {4, 2},  {6, 3},
                {8, 3},    {10, 4},  {12, 5}, {16, 6}, {20, 7}, {-1, 2}};
    for (int i = 0; i < 12; i++)
        assert_int_equal(hrr_featurerr_best_bins(best[i].eps), best[i].k);
}

static void test_best_bins__are_chosen_for_all_features_together(void **state)
{
    (void)state;
    /* One feature with most of a budget of 20, against 40 that together have little. */
    double theta[41];
    for (int i = 0; i < 41; i++)
        theta[i] = i == 0 ? 1 : 0;
    hrr_feature_options options = options_for("featurerr", HRR_EPS_MAX, 0);
    options.theta = theta;
    hrr_feature_plan *plan = plan_for(1, &options);
    assert_non_null(strstr(hrr_feature_plan_claim(plan).statement, "7 bins"));
    hrr_feature_plan_free(plan);
    for (int i = 1; i < 41; i++)
        theta[i] = 0.5;
    plan = plan_for(41, &options);
    assert_non_null(strstr(hrr_feature_plan_claim(plan).statement, "2 bins"));
    hrr_feature_plan_free(plan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_featurerr__output_is_the_count_of_weights_up_to_the_word),
        cmocka_unit_test(test_featurerr__frequencies_follow_the_channel),
        cmocka_unit_test(test_featurerr__features_are_independent),
        cmocka_unit_test(test_featurerr__audit_finds_no_more_than_epsilon),
        cmocka_unit_test(test_featurerr__realised_epsilon_is_at_most_the_request),
        cmocka_unit_test(test_featurerr__budgets_never_add_up_to_more),
        cmocka_unit_test(test_featurerr__tables_are_narrow_unless_that_costs_budget),
        cmocka_unit_test(test_featurerr__equal_budgets_share_a_table),
        cmocka_unit_test(test_featurerr__many_tables_share_rounded_budgets),
        cmocka_unit_test(test_control__bounds_from_private_data_break_epsilon),
        cmocka_unit_test(test_control__weights_that_are_not_normalised_break_epsilon),
        cmocka_unit_test(test_featurerr__clips_to_public_bounds_whatever_the_type),
        cmocka_unit_test(test_bins__are_half_open_and_the_last_is_closed),
        cmocka_unit_test(test_decoding__unbiased_is_unbiased),
        cmocka_unit_test(test_decoding__the_others_are_what_they_say),
        cmocka_unit_test(test_expected_error__matches_the_published_numbers),
        cmocka_unit_test(test_expected_error__is_what_the_table_gives),
        cmocka_unit_test(test_best_bins__grow_with_epsilon_as_published),
        cmocka_unit_test(test_best_bins__are_chosen_for_all_features_together),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
