#include "support/check.h"
#include "privacy/eps_lower_bound.h"

#include <heterorr/privacy.h>
#include <heterorr/random.h>

#include <math.h>
#include <stdlib.h>

/* The setting of the published bounds: 10^6 draws a side, one-sided 5e-4. */
enum { trials = 1000000 };
static const double alpha = 5e-4;

/* P(X >= x), X binomial, summed term by term from logarithms. */
static double upper_tail(int x, int n, double p)
{
    double sum = 0;
    for (int k = x; k <= n; k++)
        sum += exp(lgamma(n + 1.) - lgamma(k + 1.) - lgamma(n - k + 1.) + k * log(p) +
                   (n - k) * log1p(-p));
    return sum;
}

static void test_clopper_pearson__no_and_all_successes_have_closed_forms(void **state)
{
    (void)state;
    static const uint64_t sizes[] = {1, 2, 10, 1000, 1000000, 1000000000};
    static const double levels[] = {.4, .05, 5e-4, 1e-12};
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 4; j++) {
            double n = (double)sizes[i];
            assert_true(hrr_clopper_pearson_lower(0, sizes[i], levels[j]) == 0);
            assert_true(hrr_clopper_pearson_upper(sizes[i], sizes[i], levels[j]) == 1);
            double all = exp(log(levels[j]) / n), none = -expm1(log(levels[j]) / n);
            assert_true(fabs(hrr_clopper_pearson_lower(sizes[i], sizes[i], levels[j]) - all) <
                        1e-12 * all);
            /* ln Gamma(n) is about n ln n: its last digit is what is left to lose. */
            assert_true(fabs(hrr_clopper_pearson_upper(0, sizes[i], levels[j]) - none) <
                        (1e-12 + 1e-17 * n) * none);
        }
}

static void test_clopper_pearson__puts_alpha_in_the_tail(void **state)
{
    (void)state;
    static const int sizes[] = {1, 2, 7, 30, 200};
    for (int i = 0; i < 5; i++)
        for (int x = 0; x <= sizes[i]; x++) {
            int n = sizes[i];
            double lower = hrr_clopper_pearson_lower((uint64_t)x, (uint64_t)n, .025);
            double upper = hrr_clopper_pearson_upper((uint64_t)x, (uint64_t)n, .025);
            assert_true(lower <= (double)x / n && (double)x / n <= upper);
            if (x > 0) assert_true(fabs(upper_tail(x, n, lower) - .025) < 1e-12);
            if (x < n) assert_true(fabs(upper_tail(n - x, n, 1 - upper) - .025) < 1e-12);
        }
}

static void test_clopper_pearson__matches_published_intervals(void **state)
{
    (void)state;
    /* 95% two-sided intervals that statistics texts print: 1 of 10 is (.0025, .4450), 5 of 10
     * (.1871, .8129), 10 of 100 (.0490, .1762). */
    static const struct {
        uint64_t x, n;
        double lower, upper;
    } known[] = {{1, 10, .0025, .4450}, {5, 10, .1871, .8129}, {10, 100, .0490, .1762}};
    for (int i = 0; i < 3; i++) {
        assert_true(fabs(hrr_clopper_pearson_lower(known[i].x, known[i].n, .025) - known[i].lower) <
                    5e-5);
        assert_true(fabs(hrr_clopper_pearson_upper(known[i].x, known[i].n, .025) - known[i].upper) <
                    5e-5);
    }
}

/* FeatureRR on k bins: the worst pair of inputs is t = 1 and t' = k, and single outputs show it
 * (u = 1 has log-ratio eps, u = k has -eps). */
static double featurerr_bound(int k, double eps)
{
    uint64_t near[64], far[64];
    double total = 0;
    for (int u = 0; u < k; u++)
        total += exp(-eps * u / (k - 1));
    for (int u = 0; u < k; u++)
        near[u] = far[k - 1 - u] = (uint64_t)llround(trials * exp(-eps * u / (k - 1)) / total);
    return hrr_audit_lower_bound(near, far, (size_t)k, trials, alpha);
}

/* Discrete Laplace on a count of 0 and of 1: every output up to 0 has log-ratio eps, every other
 * one -eps, so the two unions are the events that show it best: P(y <= 0) is 1 / (1 + e^-eps) for
 * the count 0 and e^-eps / (1 + e^-eps) for 1. */
static double laplace_bound(double eps)
{
    uint64_t few = (uint64_t)llround(trials / (1 + exp(eps)));
    const uint64_t zero[2] = {trials - few, few}, one[2] = {few, trials - few};
    return hrr_audit_lower_bound(zero, one, 2, trials, alpha);
}

static void test_audit__gives_the_published_bounds_at_expectation(void **state)
{
    (void)state;
    assert_true(fabs(featurerr_bound(2, 1) - .9926) < 5e-5);
    assert_true(fabs(featurerr_bound(5, 1) - .9859) < 5e-5);
    assert_true(fabs(featurerr_bound(10, 1) - .9791) < 5e-5);
    assert_true(fabs(featurerr_bound(10, 4) - 3.9556) < 5e-5);
    assert_true(fabs(laplace_bound(.5) - .4932) < 5e-5);
    assert_true(fabs(laplace_bound(1) - .9926) < 5e-5);
    assert_true(fabs(laplace_bound(2) - 1.9899) < 5e-5);
}

static void test_audit__looks_both_ways_and_is_never_negative(void **state)
{
    (void)state;
    const uint64_t p[2] = {900, 100}, q[2] = {500, 500};
    double forth = hrr_audit_lower_bound(p, q, 2, 1000, .01);
    assert_true(forth > 1 && forth < log(5));
    assert_true(hrr_audit_lower_bound(q, p, 2, 1000, .01) == forth);
    assert_true(hrr_audit_lower_bound(p, p, 2, 1000, .01) == 0);
    assert_true(hrr_audit_lower_bound(p, q, 0, 1000, .01) == 0);
    /* An outcome that one input never shows: bounded by what so many draws can tell. */
    const uint64_t never[2] = {0, 1000}, always[2] = {1000, 0};
    double expected = log(pow(.01, 1e-3) / -expm1(log(.01) / 1000));
    assert_true(fabs(hrr_audit_lower_bound(never, always, 2, 1000, .01) - expected) < 1e-9);
}

/* Draw both sides with noise of num/den and look at the two unions. */
static double monte_carlo(uint64_t num, uint64_t den)
{
    hrr_random *random = NULL;
    hrr_stream *stream = NULL;
    assert_ok(hrr_random_new_insecure(&random, 20240608, NULL));
    assert_ok(hrr_stream_new(&stream, random, NULL));
    uint64_t seen[2][2] = {{0}};
    int64_t *noise = malloc(trials * sizeof *noise);
    for (int count = 0; count < 2; count++) {
        hrr_stream_seek(stream, HRR_PURPOSE_TEST, (uint64_t)count);
        hrr_sample_laplace_fill(noise, trials, stream, num, den);
        for (int i = 0; i < trials; i++)
            seen[count][count + noise[i] > 0]++;
    }
    free(noise);
    hrr_stream_free(stream);
    hrr_random_free(random);
    return hrr_audit_lower_bound(seen[0], seen[1], 2, trials, alpha);
}

/* False-failure rate 8 alpha = 4e-3 an audit, fixed seed. The control is what a mechanism does that
 * counts every edge twice: noise for 2 eps. */
static void test_audit__clears_laplace_noise_and_catches_half_of_it(void **state)
{
    (void)state;
    static const uint64_t eps[][2] = {{1, 2}, {1, 1}, {2, 1}};
    for (int i = 0; i < 3; i++) {
        double claimed = (double)eps[i][0] / (double)eps[i][1];
        double honest = monte_carlo(eps[i][0], eps[i][1]);
        assert_true(honest < claimed);
        assert_true(honest > .97 * claimed);
        assert_true(monte_carlo(2 * eps[i][0], eps[i][1]) > claimed);
        /* Even five percent too little noise shows. */
        assert_true(monte_carlo(21 * eps[i][0], 20 * eps[i][1]) > claimed);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_clopper_pearson__no_and_all_successes_have_closed_forms),
        cmocka_unit_test(test_clopper_pearson__puts_alpha_in_the_tail),
        cmocka_unit_test(test_clopper_pearson__matches_published_intervals),
        cmocka_unit_test(test_audit__gives_the_published_bounds_at_expectation),
        cmocka_unit_test(test_audit__looks_both_ways_and_is_never_negative),
        cmocka_unit_test(test_audit__clears_laplace_noise_and_catches_half_of_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
