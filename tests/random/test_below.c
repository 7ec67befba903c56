#include "random/draws.h"
#include "support/death.h"
#include "support/statistics.h"

#include "random/below.h"

/* Every word of `bits` bits, every n: each value is accepted equally often. Exact, not statistical:
 * this is the code that draws with 64 bits. */
static void enumerate(unsigned bits, uint64_t n_step)
{
    static uint64_t hits[1 << 12];
    const uint64_t words = (uint64_t)1 << bits;
    for (uint64_t n = 1; n < words; n += n_step) {
        memset(hits, 0, sizeof hits);
        for (uint64_t word = 0; word < words; word++) {
            uint64_t value;
            if (!hrr_below_accepts(word, n, bits, &value)) continue;
            assert_true(value < n);
            hits[value]++;
        }
        for (uint64_t value = 0; value < n; value++)
            assert_int_equal(hits[value], words / n);
    }
}

static void test_below__every_value_is_accepted_equally_often(void **state)
{
    (void)state;
    enumerate(8, 1);
    enumerate(12, 7);
}

static void test_below__is_uniform(void **state)
{
    /* 200,000 draws each. 3 << 62 rejects a quarter of the words: a modulo would favour the first
     * third of the values, and the coarse cells show it. */
    const uint64_t sizes[] = {1, 2, 3, 7, 100, (uint64_t)3 << 62, UINT64_MAX};
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
        uint64_t n = sizes[s], observed[100] = {0};
        size_t cells = n < 100 ? (size_t)n : 100;
        double probability[100];
        for (size_t i = 0; i < cells; i++)
            probability[i] = 1 / (double)cells;
        for (int i = 0; i < 200000; i++) {
            uint64_t value = hrr_sample_below(*state, n);
            assert_true(value < n);
            observed[n <= 100 ? value : (uint64_t)((unsigned __int128)value * 100 / n)]++;
        }
        if (cells > 1) assert_true(chi_square_p(observed, probability, cells) > alpha);
    }
}

static void test_below__the_test_catches_a_modulo(void **state)
{
    uint64_t n = (uint64_t)3 << 62, observed[3] = {0};
    for (int i = 0; i < 200000; i++)
        observed[hrr_stream_u64(*state) % n / ((uint64_t)1 << 62)]++;
    assert_true(chi_square_p(observed, (double[]){1 / 3., 1 / 3., 1 / 3.}, 3) < alpha);
}

static void test_bernoulli__has_its_probability(void **state)
{
    const uint64_t coins[][2] = {{1, 2}, {1, 3}, {2, 3}, {1, 1000}, {UINT64_MAX / 3, UINT64_MAX}};
    for (size_t c = 0; c < sizeof coins / sizeof coins[0]; c++) {
        uint64_t heads = 0, draws = 1000000;
        for (uint64_t i = 0; i < draws; i++)
            heads += hrr_sample_bernoulli(*state, coins[c][0], coins[c][1]);
        assert_true(proportion_p(heads, draws, (double)coins[c][0] / (double)coins[c][1]) > alpha);
    }
    for (int i = 0; i < 1000; i++) {
        assert_false(hrr_sample_bernoulli(*state, 0, 5));
        assert_true(hrr_sample_bernoulli(*state, UINT64_MAX, UINT64_MAX));
    }
}

static void draw_below_zero(void *stream)
{
    hrr_sample_below(stream, 0);
}

static void draw_above_one(void *stream)
{
    hrr_sample_bernoulli(stream, 3, 2);
}

static void test_below__nonsense_stops_the_process(void **state)
{
    assert_true(aborts_saying("below 0", draw_below_zero, *state));
    assert_true(aborts_saying("the probability of a coin must lie between 0 and 1", draw_above_one,
                              *state));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_below__every_value_is_accepted_equally_often),
        with_stream(test_below__is_uniform),
        with_stream(test_below__the_test_catches_a_modulo),
        with_stream(test_bernoulli__has_its_probability),
        with_stream(test_below__nonsense_stops_the_process),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
