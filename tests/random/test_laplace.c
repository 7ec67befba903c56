#include "random/bernoulli_exp.h"
#include "random/draws.h"
#include "support/death.h"
#include "support/statistics.h"

#include <math.h>
#include <stdlib.h>

/* One million draws; cells are -reach..reach and the two tails, reach as far as a cell expects 20.
 */
enum { draws = 1000000, reach_limit = 400 };

static double p_value(const int64_t *noise, double eps)
{
    static uint64_t observed[2 * reach_limit + 3];
    static double probability[2 * reach_limit + 3];
    double a = exp(-eps), zero = (1 - a) / (1 + a);
    int reach = 0;
    while (reach < reach_limit && draws * zero * pow(a, reach + 1) > 20)
        reach++;
    size_t cells = (size_t)(2 * reach + 3);
    memset(observed, 0, sizeof observed);
    for (int i = 0; i < draws; i++) {
        int64_t y = noise[i];
        observed[y < -reach ? 0 : y > reach ? cells - 1 : (size_t)(y + reach + 1)]++;
    }
    for (int y = -reach; y <= reach; y++)
        probability[y + reach + 1] = zero * pow(a, abs(y));
    probability[0] = probability[cells - 1] = zero * pow(a, reach + 1) / (1 - a);
    return chi_square_p(observed, probability, cells);
}

static const int64_t *fill(hrr_stream *stream, uint64_t num, uint64_t den)
{
    static int64_t noise[draws];
    hrr_sample_laplace_fill(noise, draws, stream, num, den);
    return noise;
}

static void test_laplace__has_its_law(void **state)
{
    /* The last is eps = 1.5 in terms that need every bit of 32. */
    const uint64_t eps[][2] = {{1, 2},   {1, 1},  {2, 1},
                               {1, 3},   {5, 1},  {123456789, 1000000000},
                               {10, 10}, {7, 10}, {3221225471u, 2147483647u}};
    for (size_t e = 0; e < sizeof eps / sizeof eps[0]; e++) {
        uint64_t num = eps[e][0], den = eps[e][1];
        assert_true(p_value(fill(*state, num, den), (double)num / (double)den) > alpha);
    }
}

static void test_laplace__matches_the_published_moments(void **state)
{
    /* P(0) and variance at eps .5, 1, 2; six-digit and four-digit figures, so 6 standard errors of
     * the estimate (two-sided 2e-9) and half a unit of the last digit. */
    const struct {
        uint64_t num, den;
        double zero, variance;
    } known[] = {{1, 2, .244919, 7.8354}, {1, 1, .462117, 1.8413}, {2, 1, .761594, .3620}};
    for (size_t k = 0; k < sizeof known / sizeof known[0]; k++) {
        const int64_t *noise = fill(*state, known[k].num, known[k].den);
        double zeros = 0, sum = 0, squares = 0, fourths = 0, n = draws;
        for (int i = 0; i < draws; i++) {
            double y = (double)noise[i];
            zeros += y == 0;
            sum += y;
            squares += y * y / n;
            fourths += y * y * y * y / n;
        }
        double p = known[k].zero;
        assert_true(fabs(zeros / n - p) < 6 * sqrt(p * (1 - p) / n) + 5e-7);
        assert_true(fabs(squares - known[k].variance) <
                    6 * sqrt((fourths - squares * squares) / n) + 5e-5);
        assert_true(fabs(sum / n) < 6 * sqrt(squares / n));
    }
}

static void test_laplace__the_test_catches_two_percent(void **state)
{
    assert_true(p_value(fill(*state, 100, 100), 1.02) < alpha);
    assert_true(p_value(fill(*state, 102, 100), 1.00) < alpha);
    assert_true(p_value(fill(*state, 51, 100), 0.50) < alpha);
}

static void test_laplace__the_test_catches_a_rounded_continuous_laplace(void **state)
{
    static int64_t noise[draws];
    hrr_fast_random fast;
    (void)state;
    hrr_fast_init(&fast, 1, 2);
    for (int i = 0; i < draws; i++) {
        double u = hrr_fast_uniform(&fast) - 0.5;
        noise[i] = llround(copysign(log1p(-2 * fabs(u)), u));
    }
    assert_true(p_value(noise, 1) < alpha);
}

static void test_laplace__the_test_catches_zero_counted_twice(void **state)
{
    /* The sign without the rejection of -0. */
    static int64_t noise[draws];
    for (int i = 0; i < draws; i++) {
        int64_t magnitude = 0;
        while (hrr_sample_bernoulli_exp(*state, 1, 1))
            magnitude++;
        noise[i] = hrr_sample_bernoulli(*state, 1, 2) ? magnitude : -magnitude;
    }
    assert_true(p_value(noise, 1) < alpha);
}

static void test_laplace__tiny_and_huge_epsilon_have_their_scale(void **state)
{
    /* eps = 1/(2^32 - 1): E|y| = 1/eps within 1e-9; six standard errors of 10,000 draws are 6%. */
    static int64_t noise[10000];
    double mean = 0;
    hrr_sample_laplace_fill(noise, 10000, *state, 1, UINT32_MAX);
    for (int i = 0; i < 10000; i++)
        mean += fabs((double)noise[i]) / 10000;
    assert_true(fabs(mean / UINT32_MAX - 1) < 0.06);
    hrr_sample_laplace_fill(noise, 10000, *state, UINT32_MAX, 1);
    for (int i = 0; i < 10000; i++)
        assert_int_equal(noise[i], 0);
}

static void test_laplace__filling_is_drawing_one_by_one(void **state)
{
    int64_t noise[1000];
    hrr_stream_seek(*state, HRR_PURPOSE_TEST, 9);
    hrr_sample_laplace_fill(noise, 1000, *state, 6, 14);
    hrr_stream_seek(*state, HRR_PURPOSE_TEST, 9);
    for (int i = 0; i < 1000; i++)
        assert_int_equal(hrr_sample_laplace(*state, 3, 7), noise[i]);
}

static void draw_zero_epsilon(void *stream)
{
    hrr_sample_laplace(stream, 0, 1);
}

static void draw_large_terms(void *stream)
{
    hrr_sample_laplace(stream, 1, (uint64_t)1 << 32);
}

static void test_laplace__nonsense_stops_the_process(void **state)
{
    assert_true(aborts_saying("epsilon", draw_zero_epsilon, *state));
    assert_true(aborts_saying("epsilon", draw_large_terms, *state));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        with_stream(test_laplace__has_its_law),
        with_stream(test_laplace__matches_the_published_moments),
        with_stream(test_laplace__the_test_catches_two_percent),
        cmocka_unit_test(test_laplace__the_test_catches_a_rounded_continuous_laplace),
        with_stream(test_laplace__the_test_catches_zero_counted_twice),
        with_stream(test_laplace__tiny_and_huge_epsilon_have_their_scale),
        with_stream(test_laplace__filling_is_drawing_one_by_one),
        with_stream(test_laplace__nonsense_stops_the_process),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
