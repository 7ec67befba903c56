/* vectors.h: how wide the vectors of this processor are.
 *
 * The environment variable HETERORR_VECTORS (plain, avx2 or avx512) makes the library use narrower
 * vectors than the processor has, so that the code for other processors can be tested and measured.
 * It is read once, when the library is loaded. Results do not depend on it, except for rounding in
 * dense products. */
#ifndef HRR_BASE_VECTORS_H
#define HRR_BASE_VECTORS_H

#include <stdbool.h>

typedef enum hrr_vector_width {
    HRR_VECTORS_PLAIN,  /* what every x86-64 processor has, or another architecture */
    HRR_VECTORS_AVX2,   /* with FMA, BMI2 and POPCNT */
    HRR_VECTORS_AVX512, /* F, CD, BW, DQ and VL, with all of the above */
} hrr_vector_width;

/* The widest vectors that the processor has and HETERORR_VECTORS allows. */
hrr_vector_width hrr_widest_vectors(void);

/* "plain", "avx2" or "avx512". */
const char *hrr_vector_width_name(hrr_vector_width width);

#endif
