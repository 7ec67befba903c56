/* denormals.h: numbers below 1e-38 treated as 0 while a network is at work.
 *
 * A confident model has derivatives that vanish, and products of numbers too small for the usual
 * format cost a processor a hundred times as much as others: epochs became three times slower. None
 * of them changes a loss. */
#ifndef HRR_LEARN_DENORMALS_H
#define HRR_LEARN_DENORMALS_H

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

/* Set for this thread and the workers of its loops with so many threads; returns what it was here,
 * for hrr_denormals_restore(). */
static inline unsigned hrr_denormals_flush(int threads)
{
#if defined(__x86_64__)
    const unsigned before = _mm_getcsr(), flush = 0x8040; /* FTZ and DAZ */
#pragma omp parallel num_threads(threads)
    _mm_setcsr(_mm_getcsr() | flush);
    return before;
#else
    (void)threads;
    return 0;
#endif
}

static inline void hrr_denormals_restore(unsigned before, int threads)
{
#if defined(__x86_64__)
#pragma omp parallel num_threads(threads)
    _mm_setcsr(before);
#else
    (void)before, (void)threads;
#endif
}

#endif
