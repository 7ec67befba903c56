#include "feature/features.h"

#include <math.h>

static void assert_near(double got, double want)
{
    if (!(fabs(got - want) < 1e-12)) print_error("%.17g is not %.17g\n", got, want);
    assert_true(fabs(got - want) < 1e-12);
}

static void test_sensitivity__is_the_mean_share_of_the_change(void **state)
{
    (void)state;
    /* Shares of the change: (1, 0, 3)/4 and (1, 1, 0)/2; the last row does not change. */
    const float z[] = {1, 2, 3, 0, 0, 5, 7, 7, 7}, masked[] = {0, 2, 0, 1, -1, 5, 7, 7, 7};
    hrr_dense a = view(HRR_F32, 3, 3, z), b = view(HRR_F32, 3, 3, masked);
    double beta[3];
    assert_ok(hrr_score_sensitivity(beta, &a, &b, NULL));
    assert_near(beta[0], (0.25 + 0.5) / 2);
    assert_near(beta[1], (0.0 + 0.5) / 2);
    assert_near(beta[2], (0.75 + 0.0) / 2);
}

static void test_sensitivity__is_uniform_when_nothing_changes(void **state)
{
    (void)state;
    const double z[] = {1, 2, 3, 4};
    hrr_dense a = view(HRR_F64, 1, 4, z);
    double beta[4];
    assert_ok(hrr_score_sensitivity(beta, &a, &a, NULL));
    for (int i = 0; i < 4; i++)
        assert_near(beta[i], 0.25);
}

static void test_importance__is_the_mean_share_of_the_magnitude(void **state)
{
    (void)state;
    const double shap[] = {-1, 3, 0.5, 0.5, 0, 0};
    hrr_dense a = view(HRR_F64, 3, 2, shap);
    double alpha[2];
    assert_ok(hrr_score_importance(alpha, &a, NULL));
    assert_near(alpha[0], (0.25 + 0.5) / 2);
    assert_near(alpha[1], (0.75 + 0.5) / 2);
}

static void test_theta__is_the_paper_equation_normalised(void **state)
{
    (void)state;
    const double alpha[] = {0.5, 0.3, 0.2}, beta[] = {0.6, 0.1, 0.3};
    /* gamma = 0.25: 0.25 alpha + 0.75 (0.1 + 0.6 - beta). */
    const double raw[] = {0.125 + 0.075, 0.075 + 0.45, 0.05 + 0.3};
    const double sum = raw[0] + raw[1] + raw[2];
    double theta[3];
    assert_ok(hrr_score_theta(theta, alpha, beta, 3, 0.25, NULL));
    for (int i = 0; i < 3; i++)
        assert_near(theta[i], raw[i] / sum);
    assert_near(theta[0] + theta[1] + theta[2], 1);
    assert_ok(hrr_score_theta(theta, alpha, beta, 3, 1, NULL)); /* importance alone */
    for (int i = 0; i < 3; i++)
        assert_near(theta[i], alpha[i]);
    assert_ok(hrr_score_theta(theta, alpha, beta, 3, 0, NULL)); /* the more sensitive, the less */
    assert_true(theta[0] < theta[2] && theta[2] < theta[1]);
}

static void test_scores__refuse_what_makes_no_sense(void **state)
{
    (void)state;
    const float z[] = {1, 2, 3, 4, 5, NAN};
    hrr_dense a = view(HRR_F32, 2, 3, z), b = view(HRR_F32, 2, 2, z), none = view(HRR_F32, 0, 3, z);
    double score[3];
    hrr_error err;
    assert_int_equal(hrr_score_sensitivity(score, &a, &b, &err), HRR_EINVAL);
    assert_says(err, "2 x 3");
    assert_int_equal(hrr_score_importance(score, &a, &err), HRR_EDATA);
    assert_says(err, "row 1");
    assert_int_equal(hrr_score_importance(score, &none, &err), HRR_EINVAL);

    const double good[] = {0.5, 0.5}, negative[] = {0.5, -0.1}, nan_score[] = {NAN, 1},
                 zero[] = {0, 0};
    assert_int_equal(hrr_score_theta(score, negative, good, 2, 0.5, &err), HRR_EINVAL);
    assert_says(err, "alpha");
    assert_says(err, "feature 1");
    assert_int_equal(hrr_score_theta(score, good, nan_score, 2, 0.5, &err), HRR_EINVAL);
    assert_says(err, "beta");
    assert_int_equal(hrr_score_theta(score, zero, zero, 2, 0.5, &err), HRR_EINVAL);
    assert_says(err, "weight");
    assert_int_equal(hrr_score_theta(score, good, good, 2, 1.5, &err), HRR_EINVAL);
    assert_says(err, "gamma");
    assert_int_equal(hrr_score_theta(score, good, good, 2, NAN, &err), HRR_EINVAL);
    assert_int_equal(hrr_score_theta(score, good, good, 0, 0.5, &err), HRR_EINVAL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sensitivity__is_the_mean_share_of_the_change),
        cmocka_unit_test(test_sensitivity__is_uniform_when_nothing_changes),
        cmocka_unit_test(test_importance__is_the_mean_share_of_the_magnitude),
        cmocka_unit_test(test_theta__is_the_paper_equation_normalised),
        cmocka_unit_test(test_scores__refuse_what_makes_no_sense),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
