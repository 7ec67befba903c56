/* wide.h: the same loop compiled for each width of vectors.
 *
 * The library is built for the oldest x86-64, whose vectors hold four floats; machines of today
 * have eight or sixteen. A loop that is worth it is written once, as a function NAME_loop that is
 * always inlined, and
 *
 *     HRR_WIDE(static, NAME, (float *y, size_t n), (y, n))
 *
 * makes NAME (static or not), which runs the widest version that the processor has. HRR_WIDE_LANES
 * does the same for a loop that is written in vectors: its first argument is how many floats a
 * vector of the processor holds, a constant. (A vector type that is wider than the processor's
 * lives in memory instead of registers, at a tenth of the speed.) Multiplications and additions are
 * never fused (C17 without extensions forbids it), so all versions give the same bits. */
#ifndef HRR_MATRIX_WIDE_H
#define HRR_MATRIX_WIDE_H

#include "base/vectors.h"

#define HRR_LOOP static inline __attribute__((always_inline)) void

#if defined(__x86_64__)

#define HRR_AVX512 __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx2,fma")))
#define HRR_AVX2 __attribute__((target("avx2,fma")))

/* NAME_avx512, NAME_avx2 and NAME, each with its own call of the loop. */
#define HRR_WIDE_CALLS(storage, name, parameters, arguments, call_avx512, call_avx2, call_plain)   \
    HRR_AVX512 static void name##_avx512 parameters                                                \
    {                                                                                              \
        call_avx512;                                                                               \
    }                                                                                              \
    HRR_AVX2 static void name##_avx2 parameters                                                    \
    {                                                                                              \
        call_avx2;                                                                                 \
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
            call_plain;                                                                            \
            break;                                                                                 \
        }                                                                                          \
    }

#else

#define HRR_WIDE_CALLS(storage, name, parameters, arguments, call_avx512, call_avx2, call_plain)   \
    storage void name parameters                                                                   \
    {                                                                                              \
        call_plain;                                                                                \
    }

#endif

#define HRR_WIDE(storage, name, parameters, arguments)                                             \
    HRR_WIDE_CALLS(storage, name, parameters, arguments, name##_loop arguments,                    \
                   name##_loop arguments, name##_loop arguments)

#define HRR_WIDE_LANES(storage, name, parameters, arguments)                                       \
    HRR_WIDE_CALLS(storage, name, parameters, arguments, name##_loop(16, HRR_BARE arguments),      \
                   name##_loop(8, HRR_BARE arguments), name##_loop(4, HRR_BARE arguments))
#define HRR_BARE(...) __VA_ARGS__

#endif
