/* Gaps between rare heads, and common coins by the 512: exact laws, by enumeration where words can
 * be enumerated and by chi-square elsewhere. */
#include "random/draws.h"
#include "random/coins.h"
#include "random/geometric.h"
#include "support/statistics.h"

#include <math.h>

enum { draws = 200000, most_cells = 64 };

/* p-value of `draws` gaps against (1 - p)^g p in equally wide cells, the last one open. */
static double gap_p(uint64_t num, uint64_t den, double p, hrr_stream *stream)
{
    const hrr_gaps gaps = hrr_gaps_of(num, den);
    const double q = 1 - p;
    const uint64_t width = (uint64_t)ceil(.1 / p);
    uint64_t observed[most_cells] = {0};
    double probability[most_cells];
    size_t cells = 0;
    /* As many cells as expect fifty and more. */
    for (; cells < most_cells - 1; cells++) {
        const double left = pow(q, (double)(cells * width));
        if (left * draws < 100) break;
        probability[cells] = left - pow(q, (double)((cells + 1) * width));
    }
    probability[cells] = pow(q, (double)(cells * width));
    cells++;
    for (int i = 0; i < draws; i++) {
        const uint64_t g = hrr_gap(&gaps, UINT64_MAX, stream) / width;
        observed[g < cells ? g : cells - 1]++;
    }
    return chi_square_p(observed, probability, cells);
}

static void test_gap__has_its_law(void **state)
{
    /* 200,000 gaps each; den 0 is 2^64. */
    const struct {
        uint64_t num, den;
    } cases[] = {{UINT64_C(1) << 63, 0},
                 {UINT64_C(4961000000000000000), 0}, /* 1 / (1 + e) */
                 {UINT64_C(0xfedcba9876543210), 0},
                 {UINT64_C(1) << 59, 0},
                 {UINT64_C(113000000000000), 0}, /* 1 / (1 + e^12) */
                 {UINT64_C(38000000000), 0},     /* 1 / (1 + e^20) */
                 {1, 2},
                 {1, 3},
                 {2, 3},
                 {5, 7},
                 {1, 1000},
                 {UINT64_MAX / 3, UINT64_MAX},
                 {12345, UINT64_MAX - 5}};
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        const double den = cases[c].den ? (double)cases[c].den : 0x1p64;
        const double p = gap_p(cases[c].num, cases[c].den, (double)cases[c].num / den, *state);
        if (p <= alpha) fail_msg("%zu: p = %g", c, p);
    }
}

static void test_gap__the_test_catches_a_probability_a_twentieth_off(void **state)
{
    assert_true(gap_p(1, 1000, 1. / 950, *state) < alpha);
    assert_true(gap_p(1, 3, 1. / 2.85, *state) < alpha);
}

static void test_gap__stays_below_its_limit(void **state)
{
    const hrr_gaps rare = hrr_gaps_of(1, 0), always = hrr_gaps_of(1, 1);
    for (int i = 0; i < 1000; i++) {
        assert_int_equal(hrr_gap(&rare, 1000, *state), 1000);
        assert_int_equal(hrr_gap(&rare, 0, *state), 0);
        assert_int_equal(hrr_gap(&always, 1000, *state), 0);
    }
    /* A limit only merges what lies beyond it: P(gap < 3) of a fair coin is 7/8. */
    const hrr_gaps fair = hrr_gaps_of(1, 2);
    uint64_t below = 0;
    for (int i = 0; i < draws; i++) {
        const uint64_t g = hrr_gap(&fair, 3, *state);
        assert_true(g <= 3);
        below += g < 3;
    }
    assert_true(proportion_p(below, draws, .875) > alpha);
}

/* Every lane is compared with the weight alone: with words that count through all 4-bit prefixes,
 * lane i of 16 sees U = i, and the coin shows heads for exactly `weight` of the 16. */
static void test_coins__heads_are_exactly_the_numbers_below_the_weight(void **state)
{
    hrr_stream *stream = *state;
    for (uint64_t weight = 0; weight < 16; weight++) {
        /* Round b draws bit 3 - b of the number of each lane; later rounds draw zeros. */
        uint64_t words[64 * hrr_coin_words] = {0};
        for (int b = 0; b < 4; b++)
            for (int lane = 0; lane < hrr_coin_lanes; lane++)
                words[b * hrr_coin_words + lane / 64] |= (uint64_t)((lane % 16) >> (3 - b) & 1)
                                                         << lane % 64;
        for (int i = 0; i < 64 * hrr_coin_words; i++)
            words[i] = htole64(words[i]);
        memcpy(stream->buffer, words, sizeof words);
        stream->used = 0;
        stream->filled = sizeof words;
        uint64_t heads[hrr_coin_words];
        hrr_coins(heads, stream, weight << 60);
        for (int lane = 0; lane < hrr_coin_lanes; lane++)
            assert_int_equal(heads[lane / 64] >> lane % 64 & 1, (uint64_t)(lane % 16) < weight);
    }
}

static void test_coins__have_their_probability_in_every_lane(void **state)
{
    static const uint64_t weights[] = {UINT64_C(4961000000000000000), UINT64_C(1) << 63, 1,
                                       UINT64_MAX, UINT64_C(3) << 58};
    enum { tosses = 10000 };
    for (size_t w = 0; w < sizeof weights / sizeof weights[0]; w++) {
        uint64_t count[hrr_coin_lanes] = {0}, heads[hrr_coin_words];
        for (int i = 0; i < tosses; i++) {
            hrr_coins(heads, *state, weights[w]);
            for (int lane = 0; lane < hrr_coin_lanes; lane++)
                count[lane] += heads[lane / 64] >> lane % 64 & 1;
        }
        const double p = (double)weights[w] / 0x1p64;
        for (int lane = 0; lane < hrr_coin_lanes; lane++) {
            if (p < 1e-9)
                assert_int_equal(count[lane], 0);
            else if (p > 1 - 1e-9)
                assert_int_equal(count[lane], tosses);
            else
                assert_true(proportion_p(count[lane], tosses, p) > alpha / hrr_coin_lanes);
        }
    }
}

/* Lanes do not depend on each other: the number of heads in a word is binomial. */
static void test_coins__lanes_are_independent(void **state)
{
    enum { tosses = 12500, n_cells = 12 };
    const uint64_t weight = UINT64_C(1) << 60; /* 1/16: mean 4 of 64 */
    uint64_t observed[n_cells] = {0}, heads[hrr_coin_words];
    double probability[n_cells], rest = 1, term = pow(15. / 16, 64);
    for (int k = 0; k < n_cells - 1; k++) {
        probability[k] = term;
        rest -= term;
        term *= (64. - k) / (k + 1) / 15;
    }
    probability[n_cells - 1] = rest;
    for (int i = 0; i < tosses; i++) {
        hrr_coins(heads, *state, weight);
        for (int w = 0; w < hrr_coin_words; w++) {
            const int n = __builtin_popcountll(heads[w]);
            observed[n < n_cells - 1 ? n : n_cells - 1]++;
        }
    }
    assert_true(chi_square_p(observed, probability, n_cells) > alpha);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        with_stream(test_gap__has_its_law),
        with_stream(test_gap__the_test_catches_a_probability_a_twentieth_off),
        with_stream(test_gap__stays_below_its_limit),
        with_stream(test_coins__heads_are_exactly_the_numbers_below_the_weight),
        with_stream(test_coins__have_their_probability_in_every_lane),
        with_stream(test_coins__lanes_are_independent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
