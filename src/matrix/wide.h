/* wide.h: the same loop compiled for each width of vectors.
 *
 * The library is built for the oldest x86-64, whose vectors hold four floats; machines of today
 * have eight or sixteen. A loop that is worth it is written once, as a function NAME_loop that is
 * always inlined, and
 *
 *     HRR_WIDE(static, NAME, (float *y, size_t n), (y, n))
 *
 * makes NAME (static or not), which runs the widest version that the processor has. Multiplications
 * and additions are never fused (C17 without extensions forbids it), so all versions give the same
 * bits. */
#ifndef HRR_MATRIX_WIDE_H
#define HRR_MATRIX_WIDE_H

#include "base/vectors.h"

#define HRR_LOOP static inline __attribute__((always_inline)) void

#if defined(__x86_64__)

#define HRR_AVX512 __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx2,fma")))
#define HRR_AVX2 __attribute__((target("avx2,fma")))

#define HRR_WIDE(storage, name, parameters, arguments)                                             \
    HRR_AVX512 static void name##_avx512 parameters                                                \
    {                                                                                              \
        name##_loop arguments;                                                                     \
    }                                                                                              \
    HRR_AVX2 static void name##_avx2 parameters                                                    \
    {                                                                                              \
        name##_loop arguments;                                                                     \
    }                                                                                              \
    storage void name parameters                                                                   \
    {                                                                                              \
        switch (hrr_widest_vectors()) {                                                            \
        case HRR_VECTORS_AVX512:                                                                   \
            name##_avx512 arguments;                                                               \
            break;                                                                                 \
        case HRR_VECTORS_AVX2:                                                                     \
            name##_avx2 arguments;                                                                 \
            break;                                                                                 \
        case HRR_VECTORS_PLAIN:                                                                    \
            name##_loop arguments;                                                                 \
            break;                                                                                 \
        }                                                                                          \
    }

#else

#define HRR_WIDE(storage, name, parameters, arguments)                                             \
    storage void name parameters                                                                   \
    {                                                                                              \
        name##_loop arguments;                                                                     \
    }

#endif
#endif
