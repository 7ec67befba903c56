#include "random/barker.h"
#include "random/bernoulli_exp.h"
#include "random/draws.h"
#include "support/statistics.h"

#include <math.h>

static uint64_t accepted(hrr_stream *stream, int64_t num, uint64_t den, uint64_t draws)
{
    uint64_t count = 0;
    for (uint64_t i = 0; i < draws; i++)
        count += hrr_sample_barker(stream, num, den);
    return count;
}

static void test_barker__has_its_probability(void **state)
{
    /* One million draws each; the first two are known to six digits. */
    const struct {
        int64_t num;
        uint64_t den;
        double known;
    } cases[] = {{1, 2, .622459}, {3, 1, .952574}, {0, 1, 0},    {-1, 2, 0},
                 {-3, 1, 0},      {-7, 3, 0},      {1, 1000, 0}, {123456789, 100000000, 0}};
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        double p = 1 / (1 + exp(-(double)cases[c].num / (double)cases[c].den));
        if (cases[c].known > 0) assert_true(fabs(p - cases[c].known) < 5e-7);
        uint64_t count = accepted(*state, cases[c].num, cases[c].den, 1000000);
        assert_true(proportion_p(count, 1000000, p) > alpha);
    }
}

static void test_barker__the_test_catches_metropolis(void **state)
{
    /* min(1, e^z) at z = -1/2 is the other usual rule. */
    uint64_t count = 0;
    for (int i = 0; i < 1000000; i++)
        count += hrr_sample_bernoulli_exp(*state, 1, 2);
    assert_true(proportion_p(count, 1000000, 1 / (1 + exp(.5))) < alpha);
}

static void test_barker__extremes_do_not_overflow(void **state)
{
    assert_int_equal(accepted(*state, INT64_MAX, 1, 1000), 1000);
    assert_int_equal(accepted(*state, INT64_MIN, 1, 1000), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        with_stream(test_barker__has_its_probability),
        with_stream(test_barker__the_test_catches_metropolis),
        with_stream(test_barker__extremes_do_not_overflow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
