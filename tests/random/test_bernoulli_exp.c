#include "random/draws.h"
#include "support/death.h"
#include "support/statistics.h"

#include "random/bernoulli_exp.h"

#include <math.h>

/* ---- exact: the one-word coin says what the run would ------------------------------------ */

static uint64_t falling(unsigned from, unsigned to) /* from! / to! */
{
    uint64_t product = 1;
    for (unsigned k = to + 1; k <= from; k++)
        product *= k;
    return product;
}

static void test_exp1__constants_are_what_they_are_called(void **state)
{
    (void)state;
    int64_t derangements = 0;
    for (unsigned k = 0; k <= 18; k++)
        derangements += (k % 2 ? -1 : 1) * (int64_t)falling(18, k);
    assert_true(falling(18, 0) == HRR_FACTORIAL_18);
    assert_true((uint64_t)derangements == HRR_DERANGEMENTS_18);
    assert_true(UINT64_MAX / HRR_FACTORIAL_18 == HRR_EXP1_SCALE); /* 18! is no power of two */
}

static void test_exp1__heads_are_as_many_as_odd_runs(void **state)
{
    (void)state;
    /* Run the definition over all u below 18!: K ends at k for 18!/(k-1)! - 18!/k! of them. */
    uint64_t odd = 0, even = 0;
    for (unsigned k = 1; k <= 18; k++)
        *(k % 2 ? &odd : &even) += falling(18, k - 1) - falling(18, k);
    assert_true(odd + even + 1 == HRR_FACTORIAL_18);
    /* The words of each verdict are intervals; their ends give their numbers. */
    const uint64_t c = HRR_EXP1_SCALE;
    assert_int_equal(hrr_exp1_decide(0), HRR_EXP1_HEADS);
    assert_int_equal(hrr_exp1_decide(c * odd - 1), HRR_EXP1_HEADS);
    assert_int_equal(hrr_exp1_decide(c * odd), HRR_EXP1_RUN_ON);
    assert_int_equal(hrr_exp1_decide(c * (odd + 1) - 1), HRR_EXP1_RUN_ON);
    assert_int_equal(hrr_exp1_decide(c * (odd + 1)), HRR_EXP1_TAILS);
    assert_int_equal(hrr_exp1_decide(c * (odd + 1 + even) - 1), HRR_EXP1_TAILS);
    assert_int_equal(hrr_exp1_decide(c * (odd + 1 + even)), HRR_EXP1_DRAW_AGAIN);
    assert_int_equal(hrr_exp1_decide(UINT64_MAX), HRR_EXP1_DRAW_AGAIN);
}

static void test_exp1__the_undecided_unit_holds_the_rest_of_e(void **state)
{
    (void)state;
    /* 18!/e lies inside the undecided unit: D - 1 < 18!/e < D. 18!/e < 2^52, so a long
     * double (64 bits) is off by less than a thousandth. */
    long double share = (long double)HRR_FACTORIAL_18 * expl(-1);
    assert_true((long double)(HRR_DERANGEMENTS_18 - 1) < share);
    assert_true(share < (long double)HRR_DERANGEMENTS_18);
    /* And the run that goes on has the probability that is missing. */
    long double rest = 0, term = 1;
    for (int k = 19; k < 40; k++) {
        rest += k % 2 ? term : -term;
        term /= k;
    }
    assert_true(fabsl(share - (long double)(HRR_DERANGEMENTS_18 - 1) - rest) < 1e-3L);
}

/* ---- statistical, one million draws each ------------------------------------------------- */

enum { draws = 1000000 };

static void test_exp1__the_run_goes_on_with_the_right_coin(void **state)
{
    double rest = 0, term = 1;
    for (int k = 19; k < 40; k++) {
        rest += k % 2 ? term : -term;
        term /= k;
    }
    uint64_t heads = 0, again = 0;
    for (int i = 0; i < draws; i++) {
        heads += hrr_exp1_continue(*state, HRR_EXP1_RUN_ON);
        again += hrr_exp1_continue(*state, HRR_EXP1_DRAW_AGAIN);
    }
    assert_true(proportion_p(heads, draws, rest) > alpha);
    assert_true(proportion_p(again, draws, exp(-1)) > alpha);
}

static double p_value(hrr_stream *stream, uint64_t num, uint64_t den, double probability)
{
    uint64_t heads = 0;
    for (int i = 0; i < draws; i++)
        heads += hrr_sample_bernoulli_exp(stream, num, den);
    return proportion_p(heads, draws, probability);
}

static void test_bernoulli_exp__has_its_probability(void **state)
{
    const uint64_t exponents[][2] = {{1, 1},
                                     {1, 2},
                                     {1, 3},
                                     {2, 3},
                                     {3, 2},
                                     {5, 1},
                                     {7, 3},
                                     {123456789, 1000000000},
                                     {10, 4},
                                     {1, 9},
                                     {4294967294u, 4294967295u}};
    for (size_t e = 0; e < sizeof exponents / sizeof exponents[0]; e++) {
        uint64_t num = exponents[e][0], den = exponents[e][1];
        assert_true(p_value(*state, num, den, exp(-(double)num / (double)den)) > alpha);
    }
}

static void test_bernoulli_exp__the_test_catches_two_percent(void **state)
{
    /* e^-1/3 with the exponent two percent off; and the first terms of the series alone. */
    assert_true(p_value(*state, 102, 300, exp(-1. / 3)) < alpha);
    assert_true(p_value(*state, 1, 3, 1 - 1 / 3. + 1 / 18.) < alpha);
}

static void test_bernoulli_exp__ends_are_certain_and_quick(void **state)
{
    for (int i = 0; i < 1000; i++) {
        assert_true(hrr_sample_bernoulli_exp(*state, 0, 1 + (uint64_t)i));
        assert_false(hrr_sample_bernoulli_exp(*state, UINT64_MAX, 1));
        assert_false(hrr_sample_bernoulli_exp(*state, UINT64_MAX, UINT32_MAX));
    }
}

static void draw_without_denominator(void *stream)
{
    hrr_sample_bernoulli_exp(stream, 1, 0);
}

static void draw_with_large_denominator(void *stream)
{
    hrr_sample_bernoulli_exp(stream, 1, (uint64_t)1 << 32);
}

static void test_bernoulli_exp__nonsense_stops_the_process(void **state)
{
    assert_true(aborts_saying("denominator", draw_without_denominator, *state));
    assert_true(aborts_saying("denominator", draw_with_large_denominator, *state));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_exp1__constants_are_what_they_are_called),
        cmocka_unit_test(test_exp1__heads_are_as_many_as_odd_runs),
        cmocka_unit_test(test_exp1__the_undecided_unit_holds_the_rest_of_e),
        with_stream(test_exp1__the_run_goes_on_with_the_right_coin),
        with_stream(test_bernoulli_exp__has_its_probability),
        with_stream(test_bernoulli_exp__the_test_catches_two_percent),
        with_stream(test_bernoulli_exp__ends_are_certain_and_quick),
        with_stream(test_bernoulli_exp__nonsense_stops_the_process),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
