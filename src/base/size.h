/* size.h: sizes that come from files are multiplied and added under a check. */
#ifndef HRR_BASE_SIZE_H
#define HRR_BASE_SIZE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Both return false, leaving *out alone, when the result does not fit. */
static inline bool hrr_mul_fits(size_t a, size_t b, size_t *out)
{
    size_t product;
    if (__builtin_mul_overflow(a, b, &product)) return false;
    *out = product;
    return true;
}

static inline bool hrr_add_fits(size_t a, size_t b, size_t *out)
{
    size_t sum;
    if (__builtin_add_overflow(a, b, &sum)) return false;
    *out = sum;
    return true;
}

#endif
