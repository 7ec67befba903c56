/* real_digits.c: see real_digits.h.
 *
 * value = m 2^e with m below 2^53. With n digits before the point it is D = m 5^k 2^(e + k), k such
 * that 10^(n-1) <= D < 10^n. For k from 0 to 27 the product is exact in 128 bits, and rounding it
 * (half to even) gives the digits. Numbers with another k, those below about 1e-11, are left to
 * printf. */
#include "serve/real_digits.h"

#include "serve/decimal.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>

enum { most_power = 27, most_digits = 17 };

static const uint64_t tens[most_digits + 1] = {1,
                                               10,
                                               100,
                                               1000,
                                               10000,
                                               100000,
                                               1000000,
                                               10000000,
                                               100000000,
                                               1000000000,
                                               10000000000,
                                               100000000000,
                                               1000000000000,
                                               10000000000000,
                                               100000000000000,
                                               1000000000000000,
                                               10000000000000000,
                                               100000000000000000};

static uint64_t power_of_five(int k)
{
    static const uint64_t fives[] = {1, 5, 25, 125, 625, 3125, 15625, 78125, 390625, 1953125};
    const uint64_t ten = 9765625; /* 5^10 */
    return k < 10 ? fives[k] : k < 20 ? ten * fives[k - 10] : ten * ten * fives[k - 20];
}

/* The digits as one number, and the power of ten of the first; false: not by this way. */
static bool find_digits(uint64_t *digits, int *first, double value, int n)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    const int field = (int)(bits >> 52); /* of the exponent; the sign is 0 */
    if (!field) return false;            /* too small for the usual format, or zero */
    const uint64_t m = (bits & ((UINT64_C(1) << 52) - 1)) | UINT64_C(1) << 52;
    const int e = field - 1075;
    int p = ((e + 52) * 78913) >> 18; /* 78913 / 2^18 = log10(2): right, or one too small */
    for (int tries = 0; tries < 2; tries++, p++) {
        const int k = n - 1 - p, shift = e + k;
        if (k < 0 || k > most_power || shift > 0 || shift < -127) return false;
        const unsigned __int128 product = (unsigned __int128)m * power_of_five(k);
        const unsigned __int128 whole = product >> -shift;
        if (whole >= tens[n]) continue; /* one too small */
        const unsigned __int128 rest = product - (whole << -shift);
        const unsigned __int128 half = shift ? (unsigned __int128)1 << (-shift - 1) : 0;
        const bool up = shift && (rest > half || (rest == half && ((uint64_t)whole & 1)));
        *digits = (uint64_t)whole + up;
        *first = p;
        if (*digits == tens[n]) {
            *digits /= 10;
            ++*first;
        }
        return *digits >= tens[n - 1];
    }
    return false;
}

size_t hrr_real_digits(char text[HRR_REAL_DIGITS], double value, int n_digits)
{
    uint64_t digits;
    int first, n = n_digits;
    if (value == 0 || !find_digits(&digits, &first, fabs(value), n_digits))
        return (size_t)snprintf(text, HRR_REAL_DIGITS, "%.*g", n_digits, value);
    char written[2 * most_digits]; /* so that digits are copied 17 at a time, whatever is behind */
    written[0] = (char)('0' + digits / tens[16]);
    hrr_eight_digits(written + 1, (uint32_t)(digits / tens[8] % tens[8]));
    hrr_eight_digits(written + 1 + HRR_EIGHT_DIGITS, (uint32_t)(digits % tens[8]));
    const char *all = written + most_digits - n_digits;
    while (n > 1 && all[n - 1] == '0')
        n--;
    char *to = text;
    if (value < 0) *to++ = '-';
    if (first < -4 || first >= n_digits) {
        *to++ = all[0];
        if (n > 1) *to++ = '.';
        memcpy(to, all + 1, most_digits);
        to += n - 1;
        const int power = first < 0 ? -first : first; /* below 100: see most_power */
        *to++ = 'e';
        *to++ = first < 0 ? '-' : '+';
        *to++ = (char)('0' + power / 10);
        *to++ = (char)('0' + power % 10);
        return (size_t)(to - text);
    }
    const int before = first < 0 ? 0 : first + 1; /* digits before the point */
    if (!before) *to++ = '0';
    for (int i = 0; i < before; i++)
        *to++ = i < n ? all[i] : '0';
    if (n > before) {
        *to++ = '.';
        for (int i = first + 1; i < 0; i++)
            *to++ = '0';
        memcpy(to, all + before, most_digits);
        to += n - before;
    }
    return (size_t)(to - text);
}
