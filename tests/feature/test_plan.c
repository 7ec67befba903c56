#include "feature/features.h"
#include "feature/finite.h"
#include "support/brutal.h"
#include "support/public_head.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

/* Identity-like public directions for the projected form: three of them in n features. */
static const float three_directions[] = {1, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 1};
enum { n_small = 4 };

static hrr_feature_options small_options(const char *mechanism, hrr_dense *directions)
{
    hrr_feature_options options = options_for(mechanism, 3 * HRR_EPS_UNIT, 0);
    *directions = view(HRR_F32, 3, n_small, three_directions);
    options.directions = directions;
    if (hrr_feature_mechanism_find(mechanism)->needs_head)
        options.head = public_head(n_small, n_small, HRR_OUTPUT_SOFTMAX);
    return options;
}

static void test_plan__lists_the_mechanisms_and_makes_each(void **state)
{
    (void)state;
    int count = 0;
    for (const hrr_feature_mechanism *const *row = hrr_feature_mechanisms(); *row; row++, count++) {
        hrr_dense directions;
        hrr_feature_options options = small_options((*row)->name, &directions);
        options.delta = 1e-5; /* for the one that needs it */
        hrr_feature_plan *plan = plan_for(n_small, &options);
        hrr_feature_claim claim = hrr_feature_plan_claim(plan);
        assert_non_null(claim.statement);
        assert_non_null(claim.evidence);
        assert_true(claim.n_features_out > 0);
        hrr_feature_plan_free(plan);
    }
    assert_true(count >= 3);
}

static void test_plan__refuses_what_makes_no_sense(void **state)
{
    (void)state;
    hrr_feature_options good = options_for("featurerr", HRR_EPS_UNIT, 5), bad;
    bad = good, bad.mechanism = "featurer";
    assert_refused(4, &bad, "featurerr-sampled"); /* the list helps */
    bad = good, bad.mechanism = NULL;
    assert_refused(4, &bad, "choose one of");
    bad = good, bad.eps_nano = 0;
    assert_refused(4, &bad, "epsilon");
    bad = good, bad.eps_nano = HRR_EPS_MAX + 1;
    assert_refused(4, &bad, "epsilon");
    bad = good, bad.delta = NAN;
    assert_refused(4, &bad, "delta");
    bad = good, bad.n_bins = 1;
    assert_refused(4, &bad, "bins");
    bad = good, bad.n_bins = 257;
    assert_refused(4, &bad, "bins");
    bad = good, bad.decoding = (hrr_decoding)17;
    assert_refused(4, &bad, "decoding");
    bad = good, bad.n_sampled = 5;
    assert_refused(4, &bad, "sample");
    assert_refused(0, &good, "no features");
}

static void test_plan__refuses_bad_weights_and_bounds(void **state)
{
    (void)state;
    static const struct {
        double theta[2];
        const char *says;
    } weights[] = {{{0, 0}, "all zero"},
                   {{3, -1}, "feature 1"},
                   {{NAN, 1}, "feature 0"},
                   {{1, INFINITY}, "feature 1"},
                   {{1e308, 1e308}, "too large"}};
    for (int i = 0; i < 5; i++) {
        hrr_feature_options options = options_for("featurerr-sampled", HRR_EPS_UNIT, 5);
        options.theta = weights[i].theta;
        assert_refused(2, &options, "theta");
        assert_refused(2, &options, weights[i].says);
    }
    const double lo[] = {0, 0}, equal[] = {1, 0}, below[] = {1, -1}, infinite[] = {1, INFINITY},
                 tiny[] = {1, 1e-310}, large[] = {1, 1.1e15}, lo_infinite[] = {0, -INFINITY};
    const double *bad[] = {equal, below, infinite, tiny, large};
    for (int i = 0; i < 5; i++) {
        hrr_feature_options options = options_for("featurerr", HRR_EPS_UNIT, 5);
        options.lo = lo, options.hi = bad[i];
        assert_refused(2, &options, "bounds of feature 1");
    }
    hrr_feature_options options = options_for("featurerr", HRR_EPS_UNIT, 5);
    options.lo = lo_infinite, options.hi = equal;
    assert_refused(2, &options, "bounds");
    options.hi = NULL;
    assert_refused(2, &options, "upper bound");
}

/* The widest bounds with small budgets, the smallest where a mechanism takes it: what comes out can
 * be read again. */
static void test_plan__releases_fit_single_precision(void **state)
{
    (void)state;
    const double lo[n_small] = {-1e15, 0, -1e15, 0}, hi[n_small] = {1e15, 1e15, 0, 1};
    double rows[50][n_small];
    float released[50][n_small];
    for (int i = 0; i < 50 * n_small; i++)
        ((double *)rows)[i] = (i % 2 ? 1 : -1) * DBL_MAX;
    const hrr_dense in = view(HRR_F64, 50, n_small, rows);
    hrr_dense out = view(HRR_F32, 50, n_small, released);
    hrr_random *random = seeded(1);
    for (const hrr_feature_mechanism *const *row = hrr_feature_mechanisms(); *row; row++)
        for (int decoding = HRR_DECODE_MIDPOINT; decoding <= HRR_DECODE_POSTERIOR; decoding++) {
            hrr_dense directions;
            hrr_feature_options options = small_options((*row)->name, &directions);
            hrr_feature_plan *plan = NULL;
            options.delta = 1e-300;
            options.lo = lo, options.hi = hi;
            if (strcmp((*row)->name, "featurerr") == 0 || strstr((*row)->name, "projected"))
                options.decoding = (hrr_decoding)decoding;
            options.eps_nano = 1;
            if (hrr_feature_plan_new(&plan, n_small, &options, NULL)) {
                options.eps_nano = HRR_EPS_UNIT / 1000;
                plan = plan_for(n_small, &options);
            }
            assert_ok(hrr_feature_plan_apply(&out, plan, &in, 0, random, 1, NULL, NULL));
            for (int i = 0; i < 50 * n_small; i++)
                assert_true(isfinite(((float *)released)[i]));
            hrr_feature_plan_free(plan);
        }
    hrr_random_free(random);
}

static void test_apply__refuses_shapes_that_do_not_fit(void **state)
{
    (void)state;
    hrr_feature_options options = options_for("featurerr", HRR_EPS_UNIT, 5);
    hrr_feature_plan *plan = plan_for(2, &options);
    hrr_random *random = seeded(1);
    float x[12] = {0}, y[12];
    hrr_error err;
    hrr_dense in = view(HRR_F32, 3, 2, x), wide = view(HRR_F32, 3, 3, x);
    hrr_dense out = view(HRR_F32, 3, 2, y), shorter = view(HRR_F32, 2, 2, y),
              bytes = view(HRR_U8, 3, 2, y);
    assert_int_equal(hrr_feature_plan_apply(&out, plan, &wide, 0, random, 1, NULL, &err),
                     HRR_EINVAL);
    assert_says(err, "2 features");
    assert_int_equal(hrr_feature_plan_apply(&shorter, plan, &in, 0, random, 1, NULL, &err),
                     HRR_EINVAL);
    assert_int_equal(hrr_feature_plan_apply(&bytes, plan, &in, 0, random, 1, NULL, &err),
                     HRR_EINVAL);
    const uint64_t last = ((uint64_t)1 << 56) - 1;
    assert_int_equal(hrr_feature_plan_apply(&out, plan, &in, last, random, 1, NULL, &err),
                     HRR_EINVAL);
    hrr_dense none = view(HRR_F32, 0, 2, x), none_out = view(HRR_F32, 0, 2, y);
    assert_ok(hrr_feature_plan_apply(&none_out, plan, &none, 0, random, 1, NULL, NULL));
    hrr_random_free(random);
    hrr_feature_plan_free(plan);
}

/* Several blocks (218 rows each), so that others were randomised when the bad one is seen. */
static void test_apply__finds_what_is_not_finite_and_leaves_nothing(void **state)
{
    (void)state;
    enum { rows = 500, cols = 300 };
    static double x[rows * cols];
    static float x32[rows * cols], y[rows * cols];
    const double bad[] = {NAN, INFINITY, -INFINITY};
    /* Those that look on their way, and one that has it done for it. */
    static const char *const mechanisms[] = {"featurerr", "multibit", "laplace"};
    hrr_random *random = seeded(1);
    for (int i = 0; i < 18; i++) {
        const bool f64 = i % 2;
        hrr_feature_options options = options_for(mechanisms[i / 6], HRR_EPS_UNIT, 0);
        hrr_feature_plan *plan = plan_for(cols, &options);
        hrr_dense in = f64 ? view(HRR_F64, rows, cols, x) : view(HRR_F32, rows, cols, x32);
        hrr_dense out = view(HRR_F32, rows, cols, y);
        memset(x, 0, sizeof x), memset(x32, 0, sizeof x32);
        x[298 * cols + 5] = x[499 * cols + 1] = bad[i % 3]; /* the first of two is named */
        x32[298 * cols + 5] = x32[499 * cols + 1] = (float)bad[i % 3];
        for (int j = 0; j < rows * cols; j++)
            y[j] = -7;
        hrr_error err;
        assert_int_equal(hrr_feature_plan_apply(&out, plan, &in, 1000, random, 3, NULL, &err),
                         HRR_EDATA);
        assert_says(err, "row 1298, column 5");
        assert_null(strstr(err.message, "nan"));
        assert_null(strstr(err.message, "inf"));
        for (int j = 0; j < rows * cols; j++)
            assert_true(y[j] == 0); /* also of the blocks that were in order */
        hrr_feature_plan_free(plan);
    }
    hrr_random_free(random);
}

static void test_finite__is_seen_wherever_it_is(void **state)
{
    (void)state;
    enum { n = 131 };
    float x[n + 3];
    for (size_t begin = 0; begin < 3; begin++)
        for (size_t length = 0; length <= n; length++) {
            for (int i = 0; i < n + 3; i++)
                x[i] = i % 2 ? FLT_MAX : -FLT_MIN / 2;
            x[begin + length] = NAN; /* behind the end */
            assert_true(hrr_all_finite_f32(x + begin, length));
            x[begin + length] = 0;
            for (size_t i = 0; i < length; i += 1 + length / 7)
                for (int what = 0; what < 3; what++) {
                    x[begin + i] = what == 0 ? NAN : what == 1 ? INFINITY : -INFINITY;
                    assert_false(hrr_all_finite_f32(x + begin, length));
                    x[begin + i] = 1;
                }
        }
}

static void fill_uniform(float *x, size_t n, uint64_t seed)
{
    hrr_fast_random fast;
    hrr_fast_init(&fast, seed, 0);
    for (size_t i = 0; i < n; i++)
        x[i] = (float)hrr_fast_uniform(&fast);
}

static void test_apply__does_not_depend_on_threads_or_cuts(void **state)
{
    (void)state;
    /* Wide enough that a block of rows is 43, so that cuts and blocks do not coincide. */
    enum { rows = 301, cols = 3001 };
    static float x[rows * cols], whole[rows * cols], cut[rows * cols], direction[2 * cols];
    fill_uniform(x, rows * cols, 2);
    fill_uniform(direction, 2 * cols, 3);
    const hrr_dense directions = view(HRR_F32, 2, cols, direction);
    const char *const names[] = {"featurerr", "featurerr-sampled", "featurerr-projected"};
    for (int m = 0; m < 3; m++) {
        hrr_feature_options options = options_for(names[m], 20 * HRR_EPS_UNIT, 10);
        options.directions = &directions;
        hrr_feature_plan *plan = plan_for(cols, &options);
        hrr_random *random = seeded(3);
        hrr_dense in = view(HRR_F32, rows, cols, x), out = view(HRR_F32, rows, cols, whole);
        assert_ok(hrr_feature_plan_apply(&out, plan, &in, 50, random, 1, NULL, NULL));
        for (int threads = 2; threads <= 3; threads++) {
            out.data = cut;
            memset(cut, 0, sizeof cut);
            assert_ok(hrr_feature_plan_apply(&out, plan, &in, 50, random, threads, NULL, NULL));
            assert_memory_equal(cut, whole, sizeof cut);
        }
        memset(cut, 0, sizeof cut);
        const uint64_t cuts[] = {0, 1, 2, 100, 301};
        for (int i = 0; i < 4; i++) {
            const uint64_t begin = cuts[i], n = cuts[i + 1] - begin;
            hrr_dense part_in = view(HRR_F32, n, cols, x + begin * cols);
            hrr_dense part_out = view(HRR_F32, n, cols, cut + begin * cols);
            assert_ok(hrr_feature_plan_apply(&part_out, plan, &part_in, 50 + begin, random, 2, NULL,
                                             NULL));
        }
        assert_memory_equal(cut, whole, sizeof cut);
        hrr_random_free(random);
        hrr_feature_plan_free(plan);
    }
}

static void test_apply__can_be_cancelled(void **state)
{
    (void)state;
    hrr_progress *progress = NULL;
    assert_ok(hrr_progress_new(&progress, NULL, NULL, NULL));
    hrr_progress_cancel(progress);
    hrr_feature_options options = options_for("featurerr", HRR_EPS_UNIT, 5);
    hrr_feature_plan *plan = plan_for(2, &options);
    hrr_random *random = seeded(1);
    float x[4] = {0}, y[4];
    hrr_dense in = view(HRR_F32, 2, 2, x), out = view(HRR_F32, 2, 2, y);
    hrr_error err;
    assert_int_equal(hrr_feature_plan_apply(&out, plan, &in, 0, random, 2, progress, &err),
                     HRR_ECANCEL);
    hrr_random_free(random);
    hrr_feature_plan_free(plan);
    hrr_progress_free(progress);
}

static hrr_status plan_and_apply(void *user)
{
    hrr_dense directions;
    const double theta[n_small] = {1, 2, 3, 4};
    hrr_feature_options options = small_options(user, &directions);
    options.theta = theta;
    hrr_feature_plan *plan = NULL;
    hrr_random *random = NULL;
    float x[2 * n_small] = {0}, y[2 * n_small];
    hrr_dense in = view(HRR_F32, 2, n_small, x), out = view(HRR_F32, 2, n_small, y);
    hrr_status status = hrr_feature_plan_new(&plan, n_small, &options, NULL);
    if (!status) status = hrr_random_new_insecure(&random, 1, NULL);
    if (!status) status = hrr_feature_plan_apply(&out, plan, &in, 0, random, 2, NULL, NULL);
    hrr_random_free(random);
    hrr_feature_plan_free(plan);
    return status;
}

static void test_plan__survives_running_out_of_memory(void **state)
{
    (void)state;
    char name[][24] = {"featurerr", "featurerr-sampled", "featurerr-projected"};
    for (int i = 0; i < 3; i++)
        assert_true(brutal(plan_and_apply, name[i]) > 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plan__lists_the_mechanisms_and_makes_each),
        cmocka_unit_test(test_plan__refuses_what_makes_no_sense),
        cmocka_unit_test(test_plan__refuses_bad_weights_and_bounds),
        cmocka_unit_test(test_plan__releases_fit_single_precision),
        cmocka_unit_test(test_apply__refuses_shapes_that_do_not_fit),
        cmocka_unit_test(test_apply__finds_what_is_not_finite_and_leaves_nothing),
        cmocka_unit_test(test_finite__is_seen_wherever_it_is),
        cmocka_unit_test(test_apply__does_not_depend_on_threads_or_cuts),
        cmocka_unit_test(test_apply__can_be_cancelled),
        cmocka_unit_test(test_plan__survives_running_out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
