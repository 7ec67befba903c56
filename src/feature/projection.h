/* projection.h: what those who project share. */
#ifndef HRR_FEATURE_PROJECTION_H
#define HRR_FEATURE_PROJECTION_H

#include <stddef.h>

/* Summed in one order, so that the bin of a coordinate does not depend on processor or blocks. */
static inline double hrr_dot(const double *a, const double *b, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

#endif
