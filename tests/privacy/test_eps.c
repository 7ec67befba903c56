#include "support/check.h"
#include "privacy/eps.h"
#include "random/fast.h"

#include <heterorr/privacy.h>
#include <heterorr/random.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void test_eps_parse__is_exact(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint64_t nano;
    } known[] = {
        {"1", 1000000000},
        {"0.1", 100000000},
        {".5", 500000000},
        {"2.", 2000000000},
        {"1e-3", 1000000},
        {"1E+1", 10000000000},
        {"20", HRR_EPS_MAX},
        {"20.000000000000", HRR_EPS_MAX},
        {"00020", HRR_EPS_MAX},
        {"0.0002e5", HRR_EPS_MAX},
        {"19.9999999999999999999999999", HRR_EPS_MAX - 1},
        {"1e-9", 1},
        {"0.0000000019", 1},
        {"0.123456789987654321", 123456789},
        {"12345678901e-9", 12345678901},
        {"0.29", 290000000}, /* 0.29 * 1e9 is 289999999.99999994 in floating point */
        {"1000000000000000000000000000000e-30", 1000000000},
        {"0.000000000000000000000000000001e30", 1000000000},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        uint64_t nano = 0;
        assert_ok(hrr_eps_parse(&nano, known[i].text, "--eps", NULL));
        assert_int_equal(nano, known[i].nano);
    }
}

static void test_eps_parse__refuses_everything_else(void **state)
{
    (void)state;
    static const struct {
        const char *text, *says;
    } bad[] = {
        {"", "not a decimal"},
        {".", "not a decimal"},
        {"e5", "not a decimal"},
        {"1e", "not a decimal"},
        {"1e+", "not a decimal"},
        {"1.2.3", "not a decimal"},
        {"1,5", "not a decimal"},
        {"0x10", "not a decimal"},
        {"nan", "not a decimal"},
        {"inf", "not a decimal"},
        {"-inf", "not a decimal"},
        {" 1", "not a decimal"},
        {"1 ", "not a decimal"},
        {"1e5x", "not a decimal"},
        {"+1", "not a decimal"},
        {"-1", "negative"},
        {"-0", "negative"},
        {"0", "epsilon 0"},
        {"0.000", "epsilon 0"},
        {"0e99999999999999999999999999", "epsilon 0"},
        {"20.00000000001", "more than 20"},
        {"20.000000001", "more than 20"},
        {"21", "more than 20"},
        {"100", "more than 20"},
        {"18446744073.709551617", "more than 20"},
        {"1e99999999999999999999999999", "more than 20"},
        {"1e-10", "less than 1e-9"},
        {"0.00000000099999", "less than 1e-9"},
        {"1e-99999999999999999999999999", "less than 1e-9"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        hrr_error err = {0};
        uint64_t nano = 77;
        assert_int_equal(hrr_eps_parse(&nano, bad[i].text, "--eps-feature", &err), HRR_EINVAL);
        assert_says(err, bad[i].says);
        assert_says(err, "--eps-feature");
        assert_says(err, "up to 20");
        assert_int_equal(nano, 77);
    }
}

static void test_eps_format__is_short_and_reads_back(void **state)
{
    (void)state;
    static const struct {
        uint64_t nano;
        const char *text;
    } known[] = {{1, "0.000000001"},
                 {1000000000, "1"},
                 {100000000, "0.1"},
                 {HRR_EPS_MAX, "20"},
                 {0, "0"},
                 {1234567890, "1.23456789"},
                 {10000000000, "10"},
                 {UINT64_MAX, "18446744073.709551615"}};
    char text[HRR_EPS_TEXT_SIZE];
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        hrr_eps_format(text, known[i].nano);
        assert_string_equal(text, known[i].text);
    }
    hrr_fast_random random;
    hrr_fast_init(&random, 1, 0);
    for (int i = 0; i < 100000; i++) {
        uint64_t nano = 1 + hrr_fast_below(&random, HRR_EPS_MAX), back = 0;
        hrr_eps_format(text, nano);
        assert_ok(hrr_eps_parse(&back, text, "--eps", NULL));
        assert_int_equal(back, nano);
    }
}

enum { most_parts = 300 };

/* The sum never exceeds the total, misses less than a unit a part, and each part is the quotient to
 * within one unit (and the rounding of this very check, which is in floating point). */
static void check_split(const double *weights, size_t n, uint64_t total)
{
    uint64_t parts[most_parts], sum = 0;
    assert_ok(hrr_eps_split(parts, total, weights, n, NULL));
    double largest = 0;
    for (size_t i = 0; i < n; i++)
        largest = fmax(largest, weights[i]);
    long double scaled_sum = 0;
    for (size_t i = 0; i < n; i++)
        scaled_sum += (long double)weights[i] / largest;
    for (size_t i = 0; i < n; i++) {
        long double share = (long double)total * ((long double)weights[i] / largest) / scaled_sum;
        assert_true((long double)parts[i] <= share + 1e-6L);
        assert_true((long double)parts[i] > share - 1 - 1e-6L);
        sum += parts[i];
    }
    assert_true(sum <= total);
    assert_true(sum + n > total);
}

/* Spans all of what a double can hold, and every shape between one-hot and equal. */
static double wild_weight(hrr_fast_random *random, int shape)
{
    switch (shape) {
    case 0:
        return hrr_fast_uniform(random);
    case 1:
        return pow(10, 600 * hrr_fast_uniform(random) - 300);
    case 2:
        return hrr_fast_below(random, 4) ? 0 : hrr_fast_uniform(random);
    case 3:
        return 1e-300 * hrr_fast_uniform(random);
    case 4:
        return 0x1p-1074 * (double)hrr_fast_below(random, 5);
    case 5:
        return 1.7e308 * hrr_fast_uniform(random);
    case 6:
        return hrr_fast_below(random, 2) ? 1 : 0x1p-53;
    default:
        return 1 + 0x1p-52 * (double)hrr_fast_below(random, 3);
    }
}

static void test_eps_split__never_exceeds_the_total(void **state)
{
    (void)state;
    hrr_fast_random random;
    hrr_fast_init(&random, 2, 0);
    for (int i = 0; i < 40000; i++) {
        double weights[most_parts];
        size_t n = 1 + hrr_fast_below(&random, i % 10 ? 12 : most_parts);
        for (size_t j = 0; j < n; j++)
            weights[j] = wild_weight(&random, i % 8);
        weights[hrr_fast_below(&random, n)] += i % 8 == 4 ? 0x1p-1074 : 0x1p-1000;
        check_split(weights, n, 1 + hrr_fast_below(&random, HRR_EPS_MAX));
    }
}

static void test_eps_split__known_splits(void **state)
{
    (void)state;
    uint64_t parts[4];
    assert_ok(hrr_eps_split(parts, 10, (const double[]){1, 1, 1}, 3, NULL));
    assert_int_equal(parts[0], 3);
    assert_int_equal(parts[2], 3);
    assert_ok(hrr_eps_split(parts, HRR_EPS_MAX, (const double[]){0, 1e-300, 0, 0}, 4, NULL));
    assert_int_equal(parts[0], 0);
    assert_int_equal(parts[1], HRR_EPS_MAX);
    assert_ok(
        hrr_eps_split(parts, UINT64_MAX, (const double[]){1e308, 1e308, 1e308, 1e308}, 4, NULL));
    assert_int_equal(parts[3], UINT64_MAX / 4);
    assert_ok(hrr_eps_split(parts, 7, (const double[]){1e308, 5e-324}, 2, NULL));
    assert_int_equal(parts[0], 7);
    assert_int_equal(parts[1], 0);
}

static void test_eps_split__names_the_bad_weight(void **state)
{
    (void)state;
    uint64_t parts[3];
    hrr_error err;
    assert_int_equal(hrr_eps_split(parts, 10, (const double[]){1, -1e-9, 1}, 3, &err), HRR_EINVAL);
    assert_says(err, "weight 2 of 3 is negative");
    assert_int_equal(hrr_eps_split(parts, 10, (const double[]){1, 1, NAN}, 3, &err), HRR_EINVAL);
    assert_says(err, "weight 3 of 3 is not finite");
    assert_int_equal(hrr_eps_split(parts, 10, (const double[]){INFINITY, 1, 1}, 3, &err),
                     HRR_EINVAL);
    assert_says(err, "weight 1 of 3 is not finite");
    assert_int_equal(hrr_eps_split(parts, 10, (const double[]){0, -0.0, 0}, 3, &err), HRR_EINVAL);
    assert_says(err, "all 3 weights are zero");
    assert_int_equal(hrr_eps_split(parts, 10, NULL, 0, &err), HRR_EINVAL);
    assert_says(err, "all 0 weights");
}

static void test_eps_fraction__fits_the_samplers_and_is_never_above(void **state)
{
    (void)state;
    static const uint64_t edges[] = {
        1, 999999999, UINT32_MAX, (uint64_t)UINT32_MAX + 1, HRR_EPS_MAX - 1, HRR_EPS_MAX};
    hrr_fast_random random;
    hrr_fast_init(&random, 3, 0);
    for (int i = 0; i < 10000; i++) {
        const uint64_t nano = i < 6 ? edges[i] : 1 + hrr_fast_below(&random, HRR_EPS_MAX);
        uint64_t num = 0, den = 0;
        hrr_eps_fraction(&num, &den, nano);
        assert_in_range(num, 1, UINT32_MAX);
        assert_in_range(den, 1, UINT32_MAX);
        assert_int_equal(HRR_EPS_UNIT % den, 0);
        const uint64_t back = num * (HRR_EPS_UNIT / den); /* in units, exactly */
        assert_true(back <= nano);
        assert_true(nano - back < (nano <= UINT32_MAX ? 1 : 5));
    }
}

/* A sum of many budgets may be larger than any of them. */
static void test_limit__may_be_above_twenty(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint64_t nano;
    } good[] = {{"20", 20 * HRR_EPS_UNIT},
                {"20.000000001", 20 * HRR_EPS_UNIT + 1},
                {"50", 50 * HRR_EPS_UNIT},
                {"1e-9", 1},
                {"123456.5", 123456500000000},
                {"1e9", HRR_LIMIT_MAX},
                {"1000000000.0000000000", HRR_LIMIT_MAX}};
    static const char *const bad[] = {
        "0",     "-1", "nan",   "inf", "1e10", "1000000000.0000000001", "99999999999999999999",
        "1e-10", "",   "twenty"};
    uint64_t nano;
    hrr_error err = {0};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        assert_ok(hrr_limit_parse(&nano, good[i].text, "--limit", NULL));
        assert_int_equal(nano, good[i].nano);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(hrr_limit_parse(&nano, bad[i], "--limit", &err), HRR_EINVAL);
        assert_says(err, "--limit");
    }
    assert_int_equal(hrr_eps_parse(&nano, "20.000000001", "--eps-edges", NULL), HRR_EINVAL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_eps_parse__is_exact),
        cmocka_unit_test(test_eps_parse__refuses_everything_else),
        cmocka_unit_test(test_eps_format__is_short_and_reads_back),
        cmocka_unit_test(test_eps_split__never_exceeds_the_total),
        cmocka_unit_test(test_eps_split__known_splits),
        cmocka_unit_test(test_eps_split__names_the_bad_weight),
        cmocka_unit_test(test_eps_fraction__fits_the_samplers_and_is_never_above),
        cmocka_unit_test(test_limit__may_be_above_twenty),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
