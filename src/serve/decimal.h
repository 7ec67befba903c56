/* decimal.h: eight decimal digits at a time, between numbers and text. */
#ifndef HRR_SERVE_DECIMAL_H
#define HRR_SERVE_DECIMAL_H

#include <endian.h>
#include <stdint.h>
#include <string.h>

enum { HRR_EIGHT_DIGITS = 8 };

/* Numbers side by side in a word are taken apart, each into two of half as many digits, by
 * multiplications with rounded reciprocals: exact for the numbers that occur. value < 10^8. */
static inline void hrr_eight_digits(char to[HRR_EIGHT_DIGITS], uint32_t value)
{
    const uint64_t high = value / 10000, low = value % 10000;
    const uint64_t fours = high | low << 32;
    const uint64_t hundreds = ((fours * 10486) >> 20) & UINT64_C(0x0000007f0000007f);
    const uint64_t twos = hundreds | (fours - 100 * hundreds) << 16;
    const uint64_t tens = ((twos * 103) >> 10) & UINT64_C(0x000f000f000f000f);
    const uint64_t ones = tens | (twos - 10 * tens) << 8;
    const uint64_t text = htole64(ones + UINT64_C(0x3030303030303030));
    memcpy(to, &text, sizeof text);
}

/* The number that the first n of the eight characters are, which must be digits; 1 <= n <= 8. */
static inline uint32_t hrr_read_digits(const char *from, unsigned n)
{
    uint64_t x;
    memcpy(&x, from, sizeof x);
    /* the last digit in the highest byte, zeros before the first */
    x = (le64toh(x) ^ UINT64_C(0x3030303030303030)) << (8 * (HRR_EIGHT_DIGITS - n));
    x = (x * 10 + (x >> 8)) & UINT64_C(0x00ff00ff00ff00ff);
    x = (x * 100 + (x >> 16)) & UINT64_C(0x0000ffff0000ffff);
    return (uint32_t)(x * 10000 + (x >> 32));
}

#endif
