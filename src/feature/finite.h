/* finite.h: is every number finite? No exponent has all its bits set. Integers, and no way out of
 * the loop, so that compilers turn it into vectors, and NaN cannot be optimised away. */
#ifndef HRR_FEATURE_FINITE_H
#define HRR_FEATURE_FINITE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Inlined into functions for several kinds of processor. */
__attribute__((always_inline)) static inline bool hrr_finite_loop_f32(const float *value, size_t n)
{
    const uint32_t exponent = UINT32_C(0x7f800000);
    uint32_t bad = 0, bits;
    for (size_t i = 0; i < n; i++) {
        memcpy(&bits, &value[i], sizeof bits);
        bad |= (bits & exponent) == exponent;
    }
    return !bad;
}

bool hrr_all_finite_f32(const float *value, size_t n);

static inline bool hrr_all_finite_f64(const double *value, size_t n)
{
    const uint64_t exponent = UINT64_C(0x7ff0000000000000);
    uint64_t bad = 0, bits;
    for (size_t i = 0; i < n; i++) {
        memcpy(&bits, &value[i], sizeof bits);
        bad |= (bits & exponent) == exponent;
    }
    return !bad;
}

#endif
