/* thread_number.h: which of a loop's threads this is, 0 .. threads - 1; also without OpenMP. */
#ifndef HRR_BASE_THREAD_NUMBER_H
#define HRR_BASE_THREAD_NUMBER_H

#ifdef _OPENMP
#include <omp.h>
#endif

static inline int hrr_thread_number(void)
{
#ifdef _OPENMP
    return omp_get_thread_num();
#else
    return 0;
#endif
}

#endif
