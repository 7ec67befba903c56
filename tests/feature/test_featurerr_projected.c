#include "feature/features.h"
#include "support/brutal.h"
#include "support/statistics.h"

#include <math.h>
#include <stdlib.h>

static void apply(float *out, const hrr_feature_options *options, const float *x, uint64_t rows,
                  uint64_t n)
{
    hrr_feature_plan *plan = plan_for(n, options);
    hrr_random *random = seeded(41);
    hrr_dense in = view(HRR_F32, rows, n, x), matrix = view(HRR_F32, rows, n, out);
    assert_ok(hrr_feature_plan_apply(&matrix, plan, &in, 0, random, 1, NULL, NULL));
    hrr_random_free(random);
    hrr_feature_plan_free(plan);
}

/* With the axes as directions a node tells what FeatureRR tells: the same draws, the same output.
 */
static void test_projected__on_the_axes_is_featurerr(void **state)
{
    (void)state;
    enum { rows = 500, n = 3 };
    const double axes[n * n] = {5, 0, 0, 0, -2, 0, 0, 0, 1}, theta[n] = {1, 2, 3};
    const double lo[n] = {0, -1, 0}, hi[n] = {1, 1, 9};
    static float x[rows * n], got[rows * n], want[rows * n];
    hrr_fast_random fast;
    hrr_fast_init(&fast, 1, 0);
    for (int i = 0; i < rows * n; i++)
        x[i] = (float)hrr_fast_uniform(&fast);
    /* The second axis points backwards: give it the middle, which is its own mirror image. */
    for (int r = 0; r < rows; r++)
        x[r * n + 1] = 0;
    const hrr_dense directions = view(HRR_F64, n, n, axes);
    hrr_feature_options options = options_for("featurerr-projected", 6 * HRR_EPS_UNIT, 5);
    options.theta = theta, options.lo = lo, options.hi = hi, options.directions = &directions;
    apply(got, &options, x, rows, n);
    options.mechanism = "featurerr";
    apply(want, &options, x, rows, n);
    for (int i = 0; i < rows * n; i++)
        assert_true(fabs(got[i] - (i % n == 1 ? -want[i] : want[i])) < 1e-5);
}

/* Two directions that are neither of length 1 nor orthogonal. Turned into (1,1)/sqrt 2 and
 * (1,-1)/sqrt 2, with bounds sqrt(1/2), the release must lie on the grid of their coefficients, and
 * the coefficients must follow their channels (chi-square, alpha 1e-5, fixed seed). */
static void test_projected__goes_there_and_back_through_any_basis(void **state)
{
    (void)state;
    enum { rows = 100000, n = 2, k = 4 };
    const double skew[n * n] = {3, 3, 1, 0};
    const hrr_dense directions = view(HRR_F64, n, n, skew);
    hrr_feature_options options = options_for("featurerr-projected", 4 * HRR_EPS_UNIT, k);
    options.directions = &directions;
    static float x[rows * n], out[rows * n];
    for (int r = 0; r < rows; r++)
        x[r * n] = 0.9f, x[r * n + 1] = 0.3f;
    /* Coefficients .2/sqrt 2 and .6/sqrt 2: unit places .6 and .8, bins 2 and 3. */
    apply(out, &options, x, rows, n);
    uint64_t count[n][k] = {{0}};
    for (int r = 0; r < rows; r++) {
        const double a = out[r * n] - 0.5, b = out[r * n + 1] - 0.5;
        const double place[n] = {(a + b + 1) / 2, (a - b + 1) / 2};
        for (int c = 0; c < n; c++) {
            const double u = place[c] * k - 0.5;
            assert_true(fabs(u - round(u)) < 1e-5);
            count[c][(int)round(u)]++;
        }
    }
    for (int c = 0; c < n; c++) {
        const int t = c == 0 ? 2 : 3;
        double probability[k], total = 0;
        for (int u = 0; u < k; u++)
            total += probability[u] = exp(-2.0 / (k - 1) * abs(u - t));
        for (int u = 0; u < k; u++)
            probability[u] /= total;
        assert_true(chi_square_p(count[c], probability, k) > 1e-5);
    }
}

static void test_projected__claims_the_sum_over_directions(void **state)
{
    (void)state;
    enum { n = 5 };
    const float direction[2 * n] = {1, 2, 3, 4, 5, 1, -1, 0, 0, 0};
    const hrr_dense directions = view(HRR_F32, 2, n, direction);
    const double theta[n] = {1, 0, 5, 0, 0};
    hrr_feature_options options = options_for("featurerr-projected", HRR_EPS_UNIT, 0);
    options.directions = &directions, options.theta = theta;
    hrr_feature_plan *plan = plan_for(n, &options);
    hrr_feature_claim claim = hrr_feature_plan_claim(plan);
    assert_true(claim.realised_eps <= 1 && claim.realised_eps > 1 - 1e-6);
    assert_int_equal(claim.n_features_out, n);
    assert_non_null(strstr(claim.statement, "2 public directions"));
    hrr_feature_plan_free(plan);
}

static void test_projected__refuses_directions_that_are_none(void **state)
{
    (void)state;
    const double twice[] = {1, 2, 2, 4}, zero[] = {1, 0, 0, 0}, not_a_number[] = {1, 0, NAN, 1};
    hrr_feature_options options = options_for("featurerr-projected", HRR_EPS_UNIT, 0);
    assert_refused(2, &options, "needs public directions");
    hrr_dense directions = view(HRR_F64, 2, 2, twice);
    options.directions = &directions;
    assert_refused(2, &options, "direction 1");
    directions.data = (void *)(uintptr_t)zero;
    assert_refused(2, &options, "direction 1");
    directions.data = (void *)(uintptr_t)not_a_number;
    assert_refused(2, &options, "direction 1");
    assert_refused(3, &options, "2 x 2");
    directions = view(HRR_F64, 2, 1, twice);
    assert_refused(1, &options, "2 x 1");
    directions = view(HRR_F64, 1, 2, twice);
    options.decoding = HRR_DECODE_BINS;
    assert_refused(2, &options, "not bins");
}

/* Points (t, t/2) of a public sample, t = .2 to .6: one direction, (2, 1)/sqrt 5, from the middle
 * (.4, .2). A private point far outside is clipped to the end of the sample's range and its margin,
 * and what is released lies on the line. */
static void test_projected__clips_to_what_a_public_sample_shows(void **state)
{
    (void)state;
    enum { rows = 4000, n = 2, k = 3 };
    const double sample_rows[] = {.2, .1, .4, .2, .6, .3}, lo[n] = {0, 0}, hi[n] = {1, 1};
    const hrr_dense sample = view(HRR_F64, 3, n, sample_rows);
    hrr_projection projection;
    assert_ok(hrr_projection_from_sample(&projection, &sample, lo, hi, 1, NULL));
    const double half = .22 * sqrt(1.25); /* half the range .4 sqrt(1.25), and 5 % of it */
    assert_true(fabs(projection.lo[0] + half) < 1e-12 && fabs(projection.hi[0] - half) < 1e-12);
    hrr_feature_options options = options_for("featurerr-projected", 20 * HRR_EPS_UNIT, k);
    options.projection = &projection;
    static float x[rows * n], out[rows * n];
    for (int r = 0; r < rows; r++)
        x[r * n] = x[r * n + 1] = r % 2; /* the corners of the square */
    apply(out, &options, x, rows, n);
    int expected = 0;
    for (int r = 0; r < rows; r++) {
        const double c = (out[r * n] - .4) * sqrt(1.25);
        assert_true(fabs(out[r * n + 1] - .2 - (out[r * n] - .4) / 2) < 1e-6);
        expected += fabs(c - (r % 2 ? 1 : -1) * half * 2 / 3) < 1e-6; /* midpoints of three bins */
    }
    /* e^-10 of the draws go to the next bin: .2 of 4000. 8 or more: below 1e-9. */
    assert_true(expected > rows - 8);
    hrr_projection_clear(&projection);
}

static void test_projection__without_a_sample_reaches_every_corner(void **state)
{
    (void)state;
    const double skew[] = {3, 4}, sample_rows[] = {.5, 1};
    const hrr_dense directions = view(HRR_F64, 1, 2, skew),
                    sample = view(HRR_F64, 1, 2, sample_rows);
    hrr_projection projection;
    assert_ok(hrr_projection_from_directions(&projection, &directions, NULL, NULL, NULL, NULL));
    assert_true(fabs(projection.lo[0] + .7) < 1e-12 && fabs(projection.hi[0] - .7) < 1e-12);
    assert_true(projection.centre[0] == .5 && projection.centre[1] == .5);
    hrr_projection_clear(&projection);
    /* One row has no range: its centre is used, bounds are those of the square. */
    assert_ok(hrr_projection_from_directions(&projection, &directions, &sample, NULL, NULL, NULL));
    assert_true(fabs(projection.lo[0] + 1.1) < 1e-12 && fabs(projection.hi[0] - .3) < 1e-12);
    hrr_projection_clear(&projection);
}

static void test_projection__refuses_bad_samples_and_bounds(void **state)
{
    (void)state;
    const double rows[] = {.1, .2, .3, .4}, bad[] = {.1, NAN, .3, .4}, one[] = {1, 0},
                 up[] = {0, 1};
    hrr_dense sample = view(HRR_F64, 2, 2, rows);
    const hrr_dense directions = view(HRR_F64, 1, 2, one), narrow = view(HRR_F64, 4, 1, rows);
    hrr_projection made;
    hrr_error err = {0};
    assert_int_equal(hrr_projection_from_sample(&made, &sample, NULL, NULL, 2, &err), HRR_EINVAL);
    assert_int_equal(hrr_projection_from_sample(&made, &sample, NULL, NULL, 0, &err), HRR_EINVAL);
    assert_int_equal(hrr_projection_from_sample(&made, &sample, one, up, 1, &err), HRR_EINVAL);
    assert_says(err, "bounds of feature 0");
    assert_int_equal(hrr_projection_from_directions(&made, &directions, &narrow, NULL, NULL, &err),
                     HRR_EINVAL);
    sample.data = (void *)(uintptr_t)bad;
    assert_int_equal(hrr_projection_from_sample(&made, &sample, NULL, NULL, 1, &err), HRR_EDATA);
    assert_says(err, "row 0, column 1 of the public sample");

    assert_ok(hrr_projection_from_directions(&made, &directions, NULL, NULL, NULL, NULL));
    hrr_feature_options options = options_for("featurerr-projected", HRR_EPS_UNIT, 0);
    options.projection = &made, options.directions = &directions;
    assert_refused(2, &options, "not both");
    options.directions = NULL;
    assert_refused(3, &options, "1 x 2");
    made.hi[0] = made.lo[0];
    assert_refused(2, &options, "or bounds that are not in order");
    made.hi[0] = NAN;
    assert_refused(2, &options, "not finite");
    hrr_projection_clear(&made);
}

static hrr_status project_once(void *user)
{
    hrr_projection made = {0};
    hrr_feature_plan *plan = NULL;
    hrr_status status = hrr_projection_from_sample(&made, user, NULL, NULL, 1, NULL);
    hrr_feature_options options = options_for("featurerr-projected", HRR_EPS_UNIT, 2);
    options.projection = &made;
    if (!status) status = hrr_feature_plan_new(&plan, 2, &options, NULL);
    hrr_feature_plan_free(plan);
    hrr_projection_clear(&made);
    return status;
}

static void test_projection__survives_without_memory(void **state)
{
    (void)state;
    const double rows[] = {.1, .2, .3, .5, .1, .4};
    hrr_dense sample = view(HRR_F64, 3, 2, rows);
    assert_true(brutal(project_once, &sample) > 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_projected__on_the_axes_is_featurerr),
        cmocka_unit_test(test_projected__goes_there_and_back_through_any_basis),
        cmocka_unit_test(test_projected__claims_the_sum_over_directions),
        cmocka_unit_test(test_projected__refuses_directions_that_are_none),
        cmocka_unit_test(test_projected__clips_to_what_a_public_sample_shows),
        cmocka_unit_test(test_projection__without_a_sample_reaches_every_corner),
        cmocka_unit_test(test_projection__refuses_bad_samples_and_bounds),
        cmocka_unit_test(test_projection__survives_without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
