#include "support/check.h"
#include "support/statistics.h"

#include <heterorr/feature.h>

#include <math.h>

static const double alpha = 1e-6; /* one test in a million fails by chance; seeds are fixed */

enum { rows = 50000, cols = 3 };
static const double lo[cols] = {-2, 0, 1}, hi[cols] = {2, 4, 3};

static hrr_feature_claim apply(hrr_dense *out, const char *mechanism, const hrr_dense *in)
{
    hrr_feature_options options;
    hrr_feature_options_init(&options);
    options.mechanism = mechanism;
    options.eps_nano = 0; /* none is needed */
    options.lo = lo, options.hi = hi;
    hrr_feature_plan *plan;
    hrr_random *random;
    assert_ok(hrr_feature_plan_new(&plan, cols, &options, NULL));
    hrr_feature_claim claim = hrr_feature_plan_claim(plan);
    if (isinf(claim.realised_eps))
        assert_non_null(strstr(claim.statement, "NOT PRIVATE"));
    else
        assert_non_null(strstr(claim.statement, "eps = 0"));
    assert_ok(hrr_random_new_insecure(&random, 9, NULL));
    assert_ok(hrr_feature_plan_apply(out, plan, in, 0, random, 2, NULL, NULL));
    hrr_random_free(random);
    hrr_feature_plan_free(plan);
    return claim;
}

static void test_featfree__does_not_depend_on_the_features(void **state)
{
    (void)state;
    hrr_dense in, one, other;
    assert_ok(hrr_dense_init(&in, HRR_F32, rows, cols, NULL));
    assert_ok(hrr_dense_init(&one, HRR_F32, rows, cols, NULL));
    assert_ok(hrr_dense_init(&other, HRR_F32, rows, cols, NULL));
    assert_true(apply(&one, "featfree", &in).realised_eps == 0);
    for (uint64_t i = 0; i < rows * cols; i++)
        ((float *)in.data)[i] = (float)(i % 17);
    apply(&other, "featfree", &in);
    assert_memory_equal(one.data, other.data, rows * cols * sizeof(float));
    hrr_dense_clear(&in);
    hrr_dense_clear(&one);
    hrr_dense_clear(&other);
}

static void test_featfree__is_uniform_on_the_public_bounds(void **state)
{
    (void)state;
    enum { slices = 10 };
    static const double tenth[slices] = {.1, .1, .1, .1, .1, .1, .1, .1, .1, .1};
    hrr_dense in, out;
    assert_ok(hrr_dense_init(&in, HRR_U8, rows, cols, NULL));
    assert_ok(hrr_dense_init(&out, HRR_F32, rows, cols, NULL));
    apply(&out, "featfree", &in);
    for (uint64_t c = 0; c < cols; c++) {
        uint64_t count[slices] = {0};
        for (uint64_t r = 0; r < rows; r++) {
            double unit = (hrr_dense_get(&out, r, c) - lo[c]) / (hi[c] - lo[c]);
            assert_true(unit >= 0 && unit <= 1);
            count[unit < 1 ? (int)(unit * slices) : slices - 1]++;
        }
        assert_true(chi_square_p(count, tenth, slices) > alpha);
    }
    hrr_dense_clear(&in);
    hrr_dense_clear(&out);
}

static void test_none__changes_nothing_and_says_that_it_is_not_private(void **state)
{
    (void)state;
    hrr_dense in, out;
    assert_ok(hrr_dense_init(&in, HRR_F32, rows, cols, NULL));
    assert_ok(hrr_dense_init(&out, HRR_F32, rows, cols, NULL));
    for (uint64_t i = 0; i < rows * cols; i++)
        ((float *)in.data)[i] = (float)(i % 101) - 50; /* outside the bounds too */
    assert_true(apply(&out, "none", &in).realised_eps == INFINITY);
    assert_memory_equal(in.data, out.data, rows * cols * sizeof(float));
    hrr_dense_clear(&in);
    hrr_dense_clear(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_featfree__does_not_depend_on_the_features),
        cmocka_unit_test(test_featfree__is_uniform_on_the_public_bounds),
        cmocka_unit_test(test_none__changes_nothing_and_says_that_it_is_not_private),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
