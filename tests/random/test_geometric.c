/* Gaps between rare heads, by coins and by a table, and common coins by the 512: exact laws, by
 * enumeration where words can be enumerated and by chi-square elsewhere. */
#include "random/draws.h"
#include "random/coins.h"
#include "random/gap_table.h"
#include "random/geometric.h"
#include "support/statistics.h"

#include <math.h>

enum { draws = 200000, most_cells = 64 };

/* p-value of `draws` gaps, by the table if there is one, against (1 - p)^g p in equally wide cells,
 * the last one open. */
static double gap_p(const hrr_gaps *gaps, const hrr_gap_table *table, double p, hrr_stream *stream)
{
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
        const uint64_t drawn =
            table ? hrr_gap_by_table(table, stream) : hrr_gap(gaps, UINT64_MAX, stream);
        const uint64_t g = drawn / width;
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
        const hrr_gaps gaps = hrr_gaps_of(cases[c].num, cases[c].den);
        const double p = gap_p(&gaps, NULL, (double)cases[c].num / den, *state);
        if (p <= alpha) fail_msg("%zu: p = %g", c, p);
    }
}

static void test_gap__the_test_catches_a_probability_a_twentieth_off(void **state)
{
    const hrr_gaps rare = hrr_gaps_of(1, 1000), common = hrr_gaps_of(1, 3);
    assert_true(gap_p(&rare, NULL, 1. / 950, *state) < alpha);
    assert_true(gap_p(&common, NULL, 1. / 2.85, *state) < alpha);
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

/* ---- by a table ------------------------------------------------------------------------------ */

static const uint64_t table_weights[] = {UINT64_C(1) << 63,
                                         (UINT64_C(1) << 63) - 1,
                                         UINT64_C(1) << 61,
                                         UINT64_C(331778259312126000), /* 1 / (1 + e^4) */
                                         UINT64_C(16800000000000000),  /* 1 / (1 + e^7) */
                                         UINT64_C(1) << 52};
enum { n_table_weights = sizeof table_weights / sizeof table_weights[0] };

static void test_gap_table__has_its_law(void **state)
{
    static hrr_gap_table table;
    for (int w = 0; w < n_table_weights; w++) {
        hrr_gap_table_init(&table, table_weights[w]);
        const double p = gap_p(NULL, &table, (double)table_weights[w] / 0x1p64, *state);
        if (p <= alpha) fail_msg("%d: p = %g", w, p);
    }
}

/* The first 64 binary digits of each power of q, by long multiplication in halves of words. */
static void test_gap_table__entries_are_the_digits_or_one_less(void **state)
{
    (void)state;
    static hrr_gap_table table;
    static uint32_t digits[2 * hrr_gap_table_longest + 2]; /* least significant first */
    for (int w = 0; w < n_table_weights; w++) {
        hrr_gap_table_init(&table, table_weights[w]);
        const uint64_t q = -table_weights[w];
        const uint32_t halves[] = {(uint32_t)q, (uint32_t)(q >> 32)};
        uint64_t n = 0; /* digits of q^g 2^(64 g) */
        for (uint64_t g = 1; g <= table.length; g++) {
            if (g == 1) {
                memcpy(digits, halves, sizeof halves);
                n = 2;
            } else {
                uint32_t before = 0; /* digits[i - 1] as it was */
                uint64_t carry = 0;
                digits[n] = digits[n + 1] = 0;
                n += 2;
                for (uint64_t i = 0; i < n; i++) {
                    const uint64_t low = (uint64_t)digits[i] * halves[0];
                    const uint64_t high = (uint64_t)before * halves[1];
                    const uint64_t sum = (uint64_t)(uint32_t)low + (uint32_t)high + carry;
                    before = digits[i];
                    digits[i] = (uint32_t)sum;
                    carry = (low >> 32) + (high >> 32) + (sum >> 32);
                }
            }
            const uint64_t exact = (uint64_t)digits[n - 1] << 32 | digits[n - 2];
            assert_true(table.power[g] == exact || table.power[g] + 1 == exact);
        }
        assert_true(table.power[table.length + 1] == 0);
    }
}

/* Looking closer at every second draw changes no gap. */
static void test_gap_table__doubt_does_not_show(void **state)
{
    static hrr_gap_table sure, doubtful;
    hrr_stream *stream = *state;
    hrr_gap_table_init(&sure, UINT64_C(1) << 60);
    hrr_gap_table_init(&doubtful, UINT64_C(1) << 60);
    doubtful.doubt = UINT64_C(1) << 58;
    enum { n = 2000 };
    uint64_t gaps[n];
    hrr_stream_seek(stream, HRR_PURPOSE_TEST, 7);
    for (int i = 0; i < n; i++)
        gaps[i] = hrr_gap_by_table(&sure, stream);
    hrr_stream_seek(stream, HRR_PURPOSE_TEST, 7);
    for (int i = 0; i < n; i++)
        assert_int_equal(hrr_gap_by_table(&doubtful, stream), gaps[i]);
}

/* The gap of a stream that begins with these words; *used: how many of them it took. */
static uint64_t gap_of_words(const hrr_gap_table *table, hrr_stream *stream, uint64_t a, uint64_t b,
                             uint64_t c, uint64_t *used)
{
    const uint64_t words[] = {htole64(a), htole64(b), htole64(c), 0};
    memcpy(stream->buffer, words, sizeof words);
    stream->used = 0;
    stream->filled = sizeof words;
    const uint64_t gap = hrr_gap_by_table(table, stream);
    *used = stream->used / sizeof words[0];
    return gap;
}

/* q = 1/2 + 2^-64, so q^3 has the digits 2^61, 3 2^62 + 1, 2^63 + 1 to the base 2^64. */
static void test_gap_table__close_words_are_decided_by_later_digits(void **state)
{
    static hrr_gap_table table;
    hrr_gap_table_init(&table, (UINT64_C(1) << 63) - 1);
    const uint64_t a = UINT64_C(1) << 61, b = (UINT64_C(3) << 62) + 1, c = (UINT64_C(1) << 63) + 1;
    const struct {
        uint64_t word[3], gap, used;
    } cases[] = {
        {{a - 1, 0, 0}, 3, 1}, {{a + 1, 0, 0}, 2, 1}, {{a + 2, 0, 0}, 2, 1},
        {{a, b - 1, 0}, 3, 2}, {{a, b + 1, 0}, 2, 2}, {{a, b, c - 1}, 3, 3},
        {{a, b, c}, 2, 3},     {{a, b, c + 1}, 2, 3}, {{UINT64_MAX, 0, 0}, 0, 1},
        {{c, 0, 0}, 0, 1},     {{c - 1, 0, 0}, 1, 1},
    };
    for (int low = 0; low < 2; low++, table.power[3]--) /* as low as an entry may be */
        for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
            uint64_t used;
            const uint64_t *word = cases[i].word;
            assert_int_equal(gap_of_words(&table, *state, word[0], word[1], word[2], &used),
                             cases[i].gap);
            assert_int_equal(used, cases[i].used);
        }
}

static void test_gap_table__starts_again_where_it_ends(void **state)
{
    static hrr_gap_table table;
    uint64_t used;
    hrr_gap_table_init(&table, UINT64_C(1) << 63);
    assert_int_equal(table.length, 12); /* 2^-12 */
    assert_int_equal(gap_of_words(&table, *state, 0, UINT64_MAX, 0, &used), 12);
    assert_int_equal(used, 2);
    assert_int_equal(gap_of_words(&table, *state, 1, 0, (UINT64_C(1) << 61) + 5, &used), 26);
    assert_int_equal(used, 3);
    hrr_gap_table_init(&table, UINT64_C(1) << 52);
    assert_int_equal(table.length, hrr_gap_table_longest);
    assert_int_equal(gap_of_words(&table, *state, 0, UINT64_MAX, 0, &used), hrr_gap_table_longest);
}

/* ---- common coins ---------------------------------------------------------------------------- */

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
        with_stream(test_gap_table__has_its_law),
        with_stream(test_gap_table__entries_are_the_digits_or_one_less),
        with_stream(test_gap_table__doubt_does_not_show),
        with_stream(test_gap_table__close_words_are_decided_by_later_digits),
        with_stream(test_gap_table__starts_again_where_it_ends),
        with_stream(test_coins__heads_are_exactly_the_numbers_below_the_weight),
        with_stream(test_coins__have_their_probability_in_every_lane),
        with_stream(test_coins__lanes_are_independent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
