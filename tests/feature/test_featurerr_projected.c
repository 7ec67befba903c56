#include "feature/features.h"
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_projected__on_the_axes_is_featurerr),
        cmocka_unit_test(test_projected__goes_there_and_back_through_any_basis),
        cmocka_unit_test(test_projected__claims_the_sum_over_directions),
        cmocka_unit_test(test_projected__refuses_directions_that_are_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
