/* clock.h: how long things take. */
#ifndef HRR_RELEASE_CLOCK_H
#define HRR_RELEASE_CLOCK_H

#include <time.h>

/* Seconds since some moment; never goes back. */
static inline double hrr_clock(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Adds what went by since *began to *phase, and begins anew. */
static inline void hrr_clock_add(double *phase, double *began)
{
    const double time = hrr_clock();
    *phase += time - *began;
    *began = time;
}

#endif
