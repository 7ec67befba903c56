#include "support/brutal.h"
#include "feature/features.h"
#include "support/statistics.h"

#include "feature/discrete_gaussian.h"
#include "feature/gaussian_eps.h"
#include "feature/grid.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

__extension__ typedef unsigned __int128 uint128;

static const double alpha = 1e-6; /* one test in a million fails by chance; seeds are fixed */

static hrr_feature_options options_of(const char *mechanism, double eps, double delta)
{
    hrr_feature_options options;
    hrr_feature_options_init(&options);
    options.mechanism = mechanism;
    options.eps_nano = (uint64_t)llround(eps * HRR_EPS_UNIT);
    options.delta = delta;
    return options;
}

/* ---- the grid ---------------------------------------------------------------------------- */

static void test_grid__is_as_fine_as_the_noise_allows(void **state)
{
    (void)state;
    assert_int_equal(hrr_grid_steps(1), HRR_GRID_FINEST);
    assert_int_equal(hrr_grid_steps(2048), HRR_GRID_FINEST);
    assert_int_equal(hrr_grid_steps(2049), HRR_GRID_FINEST / 2);
    assert_int_equal(hrr_grid_steps(0x1p31), 1);
    assert_int_equal(hrr_grid_steps(0x1p32), 0);
}

static void test_grid__values_move_to_the_nearest_step(void **state)
{
    (void)state;
    const double lo = -1, hi = 3; /* 4 steps of 1 */
    hrr_feature_options options = options_of("laplace", 1, 0);
    options.lo = &lo, options.hi = &hi;
    hrr_feature_plan *plan;
    hrr_dense in, out;
    assert_ok(hrr_feature_plan_new(&plan, 1, &options, NULL));
    assert_ok(hrr_dense_init(&in, HRR_F64, 1, 1, NULL));
    assert_ok(hrr_dense_init(&out, HRR_F32, 1, 1, NULL));
    static const double moves[][3] = {{-1, 0, -1}, {-.51, 0, -1}, {-.49, 0, 0}, {.2, 7, 7},
                                      {2.6, 0, 3}, {99, 0, 3},    {-99, -2, -3}};
    for (size_t i = 0; i < sizeof moves / sizeof moves[0]; i++) {
        const int64_t noise = (int64_t)moves[i][1];
        double unit;
        *(double *)in.data = moves[i][0];
        hrr_grid_release(&out, plan, &in, 0, 4, &noise, &unit);
        assert_true(hrr_dense_get(&out, 0, 0) == moves[i][2]);
    }
    hrr_dense_clear(&in);
    hrr_dense_clear(&out);
    hrr_feature_plan_free(plan);
}

/* ---- Laplace ----------------------------------------------------------------------------- */

/* All pairs of vectors on a grid of 4 x 4 points and all answers around it: the largest difference
 * of L1 distances, which times the epsilon of a step is the largest log-ratio. */
static void test_laplace__two_features_change_the_exponent_by_2G_steps(void **state)
{
    (void)state;
    enum { G = 3, reach = 8 };
    int worst = 0;
    for (int x = 0; x < (G + 1) * (G + 1); x++)
        for (int other = 0; other < (G + 1) * (G + 1); other++)
            for (int y0 = -reach; y0 <= G + reach; y0++)
                for (int y1 = -reach; y1 <= G + reach; y1++) {
                    int near = abs(y0 - x % (G + 1)) + abs(y1 - x / (G + 1));
                    int far = abs(y0 - other % (G + 1)) + abs(y1 - other / (G + 1));
                    if (far - near > worst) worst = far - near;
                }
    assert_int_equal(worst, 2 * G);
}

/* What the evidence says: eps of one step as a fraction, steps, and the product within eps. */
static void test_laplace__eps_of_all_steps_together_is_below_and_close(void **state)
{
    (void)state;
    static const double eps_grid[] = {1e-4, .01, .1, 1, 3.141592653, 20};
    static const uint64_t features[] = {1, 2, 500, 4714, 200000};
    for (int e = 0; e < 6; e++)
        for (int f = 0; f < 5; f++) {
            hrr_feature_options options = options_of("laplace", eps_grid[e], 0);
            hrr_feature_plan *plan;
            assert_ok(hrr_feature_plan_new(&plan, features[f], &options, NULL));
            hrr_feature_claim claim = hrr_feature_plan_claim(plan);
            unsigned long long num, den, steps;
            assert_int_equal(sscanf(strstr(claim.evidence, "eps ="),
                                    "eps = %llu/%llu a step on %llu steps", &num, &den, &steps),
                             3);
            assert_true(num > 0 && den > 0 && num <= UINT32_MAX && den <= UINT32_MAX);
            const uint128 spent = (uint128)num * features[f] * steps * HRR_EPS_UNIT;
            assert_true(spent <= (uint128)options.eps_nano * den);
            assert_true(claim.realised_eps <= eps_grid[e]);
            assert_true(claim.realised_eps > eps_grid[e] * (1 - 1e-9));
            assert_true((double)num / (double)den * (double)(features[f] * steps) <=
                        claim.realised_eps * (1 + 1e-15));
            hrr_feature_plan_free(plan);
        }
}

static void test_laplace__refuses_what_the_sampler_cannot_draw(void **state)
{
    (void)state;
    hrr_feature_options options = options_of("laplace", 1e-9, 0);
    hrr_feature_plan *plan;
    hrr_error err;
    assert_int_equal(hrr_feature_plan_new(&plan, 10, &options, &err), HRR_EINVAL);
    assert_says(err, "too small");
    assert_ok(hrr_feature_plan_new(&plan, 2, &options, NULL));
    hrr_feature_plan_free(plan);
}

/* One feature whose unit is the step, so that every answer is read off exactly. */
static hrr_dense released_steps(hrr_feature_options options, uint64_t rows, float x, uint64_t seed)
{
    const double lo = 0, hi = (double)HRR_GRID_FINEST;
    options.lo = &lo, options.hi = &hi;
    hrr_feature_plan *plan;
    hrr_random *random;
    hrr_dense in, out;
    assert_ok(hrr_feature_plan_new(&plan, 1, &options, NULL));
    assert_ok(hrr_random_new_insecure(&random, seed, NULL));
    assert_ok(hrr_dense_init(&in, HRR_F32, rows, 1, NULL));
    assert_ok(hrr_dense_init(&out, HRR_F32, rows, 1, NULL));
    for (uint64_t r = 0; r < rows; r++)
        ((float *)in.data)[r] = x;
    assert_ok(hrr_feature_plan_apply(&out, plan, &in, 0, random, 2, NULL, NULL));
    hrr_dense_clear(&in);
    hrr_random_free(random);
    hrr_feature_plan_free(plan);
    return out;
}

static void test_laplace__noise_has_the_scale_of_the_claim(void **state)
{
    (void)state;
    enum { rows = 200000, slices = 20 };
    const float x = 300000.25f; /* moves to 300000 */
    hrr_dense out = released_steps(options_of("laplace", 20, 0), rows, x, 3);
    const double scale = (double)HRR_GRID_FINEST / 20;
    uint64_t count[slices] = {0};
    double probability[slices];
    for (int s = 0; s < slices; s++)
        probability[s] = 1.0 / slices;
    for (uint64_t r = 0; r < rows; r++) {
        const double y = hrr_dense_get(&out, r, 0) - 300000;
        assert_true(y == floor(y));
        /* The continuous law's quantile: steps are 2^-16 of the scale. */
        const double below = y < 0 ? exp(y / scale) / 2 : 1 - exp(-y / scale) / 2;
        count[(int)fmin(slices - 1, floor(below * slices))]++;
    }
    assert_true(chi_square_p(count, probability, slices) > alpha);
    hrr_dense_clear(&out);
}

/* ---- Gaussian ---------------------------------------------------------------------------- */

static void test_discrete_gaussian__follows_its_law(void **state)
{
    (void)state;
    static const uint64_t sigmas[] = {1, 2, 7};
    enum { draws = 300000, reach = 3 };
    hrr_stream *stream = stream_of_seed(17);
    for (int i = 0; i < 3; i++) {
        const int64_t far = reach * (int64_t)sigmas[i];
        const size_t cells = (size_t)(2 * far + 3); /* and the two tails */
        double probability[2 * reach * 7 + 3] = {0}, total = 0;
        uint64_t count[2 * reach * 7 + 3] = {0};
        for (int64_t y = -200; y <= 200; y++) {
            const double weight = exp(-(double)(y * y) / (2.0 * (double)(sigmas[i] * sigmas[i])));
            const int64_t cell = y < -far ? 0 : y > far ? 2 * far + 2 : y + far + 1;
            probability[cell] += weight;
            total += weight;
        }
        for (size_t c = 0; c < cells; c++)
            probability[c] /= total;
        for (int n = 0; n < draws; n++) {
            const int64_t y = hrr_sample_discrete_gaussian(stream, sigmas[i]);
            count[y < -far ? 0 : y > far ? 2 * far + 2 : y + far + 1]++;
        }
        if (chi_square_p(count, probability, cells) < alpha)
            fail_msg("sigma %llu", (unsigned long long)sigmas[i]);
    }
    hrr_stream_free(stream);
}

static void test_discrete_gaussian__large_sigmas_work(void **state)
{
    (void)state;
    enum { draws = 200000, slices = 16 };
    static const uint64_t sigmas[] = {1000003, UINT32_MAX};
    hrr_stream *stream = stream_of_seed(19);
    for (int i = 0; i < 2; i++) {
        uint64_t count[slices] = {0};
        double probability[slices];
        for (int s = 0; s < slices; s++)
            probability[s] = 1.0 / slices;
        for (int n = 0; n < draws; n++) {
            const double y = (double)hrr_sample_discrete_gaussian(stream, sigmas[i]);
            const double below = erfc(-y / (double)sigmas[i] * M_SQRT1_2) / 2;
            count[(int)fmin(slices - 1, floor(below * slices))]++;
        }
        assert_true(chi_square_p(count, probability, slices) > alpha);
    }
    hrr_stream_free(stream);
}

static void test_gaussian_eps__agrees_with_a_search_over_orders(void **state)
{
    (void)state;
    static const double eps_grid[] = {.01, .1, 1, 4, 20}, deltas[] = {1e-10, 1e-6, 1e-2};
    for (int e = 0; e < 5; e++)
        for (int i = 0; i < 3; i++) {
            const double eps = eps_grid[e], rho = hrr_zcdp_rho(eps, deltas[i]);
            double least = INFINITY;
            for (double t = 1e-4; t < 1e6; t *= 1.0005) {
                const double a = 1 + t;
                least = fmin(least, (a - 1) * (a * rho - eps) + (a - 1) * log1p(-1 / a) - log(a));
            }
            assert_true(fabs(least - log(deltas[i])) < 1e-4);
            assert_true(fabs(hrr_zcdp_eps(rho, deltas[i]) / eps - 1) < 1e-9);
        }
}

static void test_gaussian_eps__analytic_sigma_is_the_published_one(void **state)
{
    (void)state;
    /* Balle and Wang's procedure for eps = 1, delta = 1e-5; and never above the zCDP noise. */
    assert_true(fabs(hrr_analytic_gaussian_sigma(1, 1e-5) - 3.730632) < 1e-5);
    for (double eps = .01; eps < 20; eps *= 2)
        assert_true(hrr_analytic_gaussian_sigma(eps, 1e-6) <
                    sqrt(1 / (2 * hrr_zcdp_rho(eps, 1e-6))));
}

/* The smallest delta of two discrete Gaussians (each coordinate shifted by `shift`), by
 * enumeration: the sum over outcomes of max(0, P(y) - e^eps P(y - shift)). */
static double exact_delta(int sigma, int shift, int dimensions, double eps)
{
    enum { reach = 12 };
    const int far = reach * sigma;
    double total = 0, delta = 0;
    for (int y = -far; y <= far; y++)
        total += exp(-(double)y * y / (2.0 * sigma * sigma));
    for (int y0 = -far; y0 <= far; y0++)
        for (int y1 = dimensions == 2 ? -far : 0; y1 <= (dimensions == 2 ? far : 0); y1++) {
            double p = exp(-((double)y0 * y0 + (double)y1 * y1) / (2.0 * sigma * sigma));
            double moved0 = y0 - shift, moved1 = dimensions == 2 ? y1 - shift : 0;
            double q = exp(-(moved0 * moved0 + moved1 * moved1) / (2.0 * sigma * sigma));
            delta += fmax(0, p - exp(eps) * q);
        }
    return delta / pow(total, dimensions);
}

static void test_gaussian_eps__holds_for_the_noise_that_is_drawn(void **state)
{
    (void)state;
    const double delta = 1e-4;
    for (int dimensions = 1; dimensions <= 2; dimensions++)
        for (int sigma = 3; sigma <= 12; sigma += 3)
            for (int shift = 1; shift <= 4; shift++) {
                const double rho = dimensions * shift * shift / (2.0 * sigma * sigma);
                const double eps = hrr_zcdp_eps(rho, delta);
                const double exact = exact_delta(sigma, shift, dimensions, eps);
                assert_true(exact <= delta);
                /* and half the epsilon would be false: the bound is not idle */
                assert_true(exact_delta(sigma, shift, dimensions, eps / 2) > delta);
            }
}

static void test_gaussian__claims_never_exceed_the_request(void **state)
{
    (void)state;
    static const double eps_grid[] = {1e-4, .1, 1, 4, 20};
    static const uint64_t features[] = {1, 500, 200000};
    for (int e = 0; e < 5; e++)
        for (int f = 0; f < 3; f++) {
            hrr_feature_options options = options_of("gaussian", eps_grid[e], 1e-6);
            hrr_feature_plan *plan;
            assert_ok(hrr_feature_plan_new(&plan, features[f], &options, NULL));
            hrr_feature_claim claim = hrr_feature_plan_claim(plan);
            assert_true(claim.realised_eps <= eps_grid[e]);
            assert_true(claim.realised_eps > eps_grid[e] * (1 - 1e-4));
            assert_true(claim.delta == 1e-6);
            assert_non_null(strstr(claim.evidence, "idealised analytic Gaussian"));
            hrr_feature_plan_free(plan);
        }
}

static void test_gaussian__needs_a_delta(void **state)
{
    (void)state;
    hrr_feature_options options = options_of("gaussian", 1, 0);
    hrr_feature_plan *plan;
    hrr_error err;
    assert_int_equal(hrr_feature_plan_new(&plan, 10, &options, &err), HRR_EINVAL);
    assert_says(err, "delta");
}

static void test_gaussian__noise_has_the_sigma_of_the_claim(void **state)
{
    (void)state;
    enum { rows = 100000 };
    hrr_dense out = released_steps(options_of("gaussian", 4, 1e-5), rows, 500000, 23);
    const double sigma = sqrt(1 / (2 * hrr_zcdp_rho(4, 1e-5))) * (double)HRR_GRID_FINEST;
    double sum = 0, squares = 0;
    for (uint64_t r = 0; r < rows; r++) {
        const double y = hrr_dense_get(&out, r, 0) - 500000;
        sum += y, squares += y * y;
    }
    assert_true(fabs(sum / rows) < 5 * sigma / sqrt(rows));
    /* The variance of a sample variance is 2 sigma^4 / n. */
    assert_true(fabs(squares / rows / (sigma * sigma) - 1) < 5 * sqrt(2.0 / rows));
    hrr_dense_clear(&out);
}

/* ---- both -------------------------------------------------------------------------------- */

static hrr_status plan_once(void *user)
{
    hrr_feature_options options = options_of(user, 1, 1e-6);
    hrr_feature_plan *plan;
    hrr_status status = hrr_feature_plan_new(&plan, 3, &options, NULL);
    hrr_feature_plan_free(plan);
    return status;
}

static void test_noise__survives_running_out_of_memory(void **state)
{
    (void)state;
    char laplace[] = "laplace", gaussian[] = "gaussian";
    assert_int_equal(brutal(plan_once, laplace), 7);
    assert_int_equal(brutal(plan_once, gaussian), 7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_grid__is_as_fine_as_the_noise_allows),
        cmocka_unit_test(test_grid__values_move_to_the_nearest_step),
        cmocka_unit_test(test_laplace__two_features_change_the_exponent_by_2G_steps),
        cmocka_unit_test(test_laplace__eps_of_all_steps_together_is_below_and_close),
        cmocka_unit_test(test_laplace__refuses_what_the_sampler_cannot_draw),
        cmocka_unit_test(test_laplace__noise_has_the_scale_of_the_claim),
        cmocka_unit_test(test_discrete_gaussian__follows_its_law),
        cmocka_unit_test(test_discrete_gaussian__large_sigmas_work),
        cmocka_unit_test(test_gaussian_eps__agrees_with_a_search_over_orders),
        cmocka_unit_test(test_gaussian_eps__analytic_sigma_is_the_published_one),
        cmocka_unit_test(test_gaussian_eps__holds_for_the_noise_that_is_drawn),
        cmocka_unit_test(test_gaussian__claims_never_exceed_the_request),
        cmocka_unit_test(test_gaussian__needs_a_delta),
        cmocka_unit_test(test_gaussian__noise_has_the_sigma_of_the_claim),
        cmocka_unit_test(test_noise__survives_running_out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
