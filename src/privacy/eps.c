/* eps.c: budgets as integers in units of 1e-9: reading, writing and splitting them.
 *
 * What the program prints as spent must be what the mechanisms got. A budget that passes through
 * floating point on its way from the command line to d features can gain a last digit at every
 * step, so it never does: text becomes an integer digit by digit, and parts are integer divisions
 * of the whole. Everything that cannot be represented is lost downwards. */
#include "privacy/eps.h"

#include <heterorr/privacy.h>

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

__extension__ typedef unsigned __int128 uint128;

enum { unit_digits = 9, max_digits = 19 }; /* a limit of 10^9 has nineteen, and fits 64 bits */
_Static_assert(HRR_LIMIT_MAX == 1000000000000000000, "nineteen digits");

/* Beyond this an exponent means "far too large" or "far too small" for any text that fits memory,
 * and sums of it with a length cannot overflow. */
static const int64_t exponent_limit = INT64_MAX / 4;

/* A decimal number as written: 0.d1 d2 ... x 10^point, d1 the first digit that is not zero. */
typedef struct decimal {
    const char *digits; /* from d1 on, a '.' may stand among them */
    const char *end;    /* behind the last of them */
    int64_t point;
    bool is_zero;
} decimal;

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static const char *read_exponent(int64_t *exponent, const char *at)
{
    bool negative = *at == '-';
    if (*at == '-' || *at == '+') at++;
    if (!is_digit(*at)) return NULL;
    *exponent = 0;
    for (; is_digit(*at); at++)
        if (*exponent < exponent_limit / 10)
            *exponent = 10 * *exponent + (*at - '0');
        else
            *exponent = exponent_limit;
    if (negative) *exponent = -*exponent;
    return at;
}

/* digits [. digits] [e [sign] digits], at least one digit in front of the e, nothing behind.
 * strtod() would also take hexadecimal, nan, leading blanks and, in some locales, commas. */
static bool read_decimal(decimal *out, const char *text)
{
    int64_t exponent = 0, before_point = 0, zeros_behind_point = 0;
    bool any = false, in_fraction = false;
    const char *first = NULL, *at = text;
    for (; is_digit(*at) || (*at == '.' && !in_fraction); at++) {
        if (*at == '.') {
            in_fraction = true;
            continue;
        }
        any = true;
        if (!first && *at != '0') first = at;
        if (first && !in_fraction) before_point++;
        if (!first && in_fraction) zeros_behind_point++;
    }
    *out = (decimal){.digits = first, .end = at, .is_zero = !first};
    if (!any) return false;
    if (*at == 'e' || *at == 'E') at = read_exponent(&exponent, at + 1);
    if (!at || *at) return false;
    out->point = before_point - zeros_behind_point + exponent;
    return true;
}

/* The number in units, cut off behind the ninth decimal; most + 1 stands for all above. */
static uint64_t whole_units(const decimal *number, uint64_t most)
{
    int64_t wanted = number->point + unit_digits;
    if (wanted > max_digits) return most + 1;
    uint64_t units = 0;
    bool dropped = false;
    const char *at = number->digits;
    for (int64_t i = 0; i < wanted; i++) {
        if (at < number->end && *at == '.') at++;
        units = 10 * units + (at < number->end ? (uint64_t)(*at++ - '0') : 0);
    }
    for (; at < number->end; at++)
        dropped |= *at != '0' && *at != '.';
    /* 20.0000000001 is above the limit although its whole units are not. */
    return units == most && dropped ? units + 1 : units;
}

/* What a number may be, and what is said of one that may not. */
typedef struct range {
    uint64_t most;
    const char *wanted, *zero, *too_large, *smallest;
} range;

static hrr_status parse(uint64_t *out, const char *text, const char *option, const range *allowed,
                        hrr_error *err)
{
    const char *wanted = allowed->wanted;
    decimal number;
    if (*text == '-' && read_decimal(&number, text + 1))
        return hrr_fail(err, HRR_EINVAL, "%s: %.40s is negative; %s", option, text, wanted);
    if (!read_decimal(&number, text))
        return hrr_fail(err, HRR_EINVAL, "%s: \"%.40s\" is not a decimal number; %s", option, text,
                        wanted);
    if (number.is_zero)
        return hrr_fail(err, HRR_EINVAL, "%s: %s; %s", option, allowed->zero, wanted);
    const uint64_t units = whole_units(&number, allowed->most);
    if (units > allowed->most)
        return hrr_fail(err, HRR_EINVAL, "%s: %.40s is more than %s; %s", option, text,
                        allowed->too_large, wanted);
    if (units == 0)
        return hrr_fail(err, HRR_EINVAL,
                        "%s: %.40s is less than 1e-9, the smallest possible %s; %s", option, text,
                        allowed->smallest, wanted);
    *out = units;
    return HRR_OK;
}

hrr_status hrr_eps_parse(uint64_t *eps_nano, const char *text, const char *option, hrr_error *err)
{
    static const range budget = {
        HRR_EPS_MAX, "give a decimal number above 0 and up to 20, such as 0.5, 2 or 1e-3",
        "epsilon 0 releases nothing", "20, which gives no useful protection", "budget"};
    return parse(eps_nano, text, option, &budget, err);
}

hrr_status hrr_limit_parse(uint64_t *limit_nano, const char *text, const char *option,
                           hrr_error *err)
{
    static const range limit = {HRR_LIMIT_MAX, "give a decimal number above 0, such as 2, 10 or 50",
                                "a limit of 0 allows nothing",
                                "1e9; omit the limit if there is none", "limit"};
    return parse(limit_nano, text, option, &limit, err);
}

void hrr_eps_format(char text[HRR_EPS_TEXT_SIZE], uint64_t eps_nano)
{
    /* Eleven digits, a point and nine more at most, for any 64-bit number. */
    int length = snprintf(text, HRR_EPS_TEXT_SIZE, "%" PRIu64 ".%09" PRIu64,
                          eps_nano / (uint64_t)HRR_EPS_UNIT, eps_nano % (uint64_t)HRR_EPS_UNIT);
    while (text[length - 1] == '0')
        length--;
    if (text[length - 1] == '.') length--;
    text[length] = '\0';
}

/* A weight as an integer share of the largest one, below 2^62; exponent is that of the largest.
 * ldexp() is exact here, or yields something below 1 that the conversion drops anyway. */
static uint64_t integer_weight(double weight, int exponent)
{
    return (uint64_t)ldexp(weight, 62 - exponent);
}

hrr_status hrr_eps_split(uint64_t *parts, uint64_t total_nano, const double *weights, size_t n,
                         hrr_error *err)
{
    double largest = 0;
    for (size_t i = 0; i < n; i++) {
        if (!isfinite(weights[i]) || weights[i] < 0)
            return hrr_fail(err, HRR_EINVAL,
                            "weight %zu of %zu is %s; weights must be finite and >= 0", i + 1, n,
                            isfinite(weights[i]) ? "negative" : "not finite");
        largest = fmax(largest, weights[i]);
    }
    if (!(largest > 0))
        return hrr_fail(
            err, HRR_EINVAL,
            "all %zu weights are zero; at least one must be positive to receive the budget", n);

    /* With integer weights v_i and V = sum v_i, part i = floor(total v_i / V) in integers, and
     *     sum floor(total v_i / V) <= sum total v_i / V = total,
     * whatever was lost between w_i and v_i. Sizes: v_i <= 2^62, so total v_i < 2^126 and, as n is
     * below 2^64 / sizeof(double), V < 2^123. */
    int exponent;
    frexp(largest, &exponent);
    uint128 sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += integer_weight(weights[i], exponent);
    for (size_t i = 0; i < n; i++)
        parts[i] = (uint64_t)((uint128)total_nano * integer_weight(weights[i], exponent) / sum);
    return HRR_OK;
}

/* 5 divides the unit and brings the largest budget, 2e10 units, below 2^32. */
void hrr_eps_fraction(uint64_t *num, uint64_t *den, uint64_t eps_nano)
{
    assert(eps_nano > 0 && eps_nano <= HRR_EPS_MAX);
    const uint64_t by = eps_nano <= UINT32_MAX ? 1 : 5;
    *num = eps_nano / by;
    *den = HRR_EPS_UNIT / by;
}
