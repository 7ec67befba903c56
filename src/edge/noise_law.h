/* noise_law.h: the discrete Laplace law, P(y) proportional to e^(-eps |y|), in floating point: for
 * choices and post-processing. Draws come from hrr_sample_laplace_fill(). */
#ifndef HRR_EDGE_NOISE_LAW_H
#define HRR_EDGE_NOISE_LAW_H

#include <math.h>

/* 2 a / (1 - a)^2, a = e^-eps. */
static inline double hrr_noise_variance(double eps)
{
    const double rest = -expm1(-eps);
    return 2 * exp(-eps) / (rest * rest);
}

#endif
