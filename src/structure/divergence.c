/* divergence.c: how far one histogram is from another, as PGB measures it: shares of different
 * lengths are filled up with zeros, and 2^-52 keeps the logarithm finite where the second has none.
 */
#include "structure/measures.h"

#include <float.h>
#include <math.h>

static double total(const uint64_t *count, uint64_t n)
{
    double sum = 0;
    for (uint64_t i = 0; i < n; i++)
        sum += (double)count[i];
    return sum;
}

double hrr_divergence(const uint64_t *p, uint64_t n_p, const uint64_t *q, uint64_t n_q)
{
    const double all_p = total(p, n_p), all_q = total(q, n_q);
    double sum = 0;
    if (all_p == 0 || all_q == 0) return NAN;
    for (uint64_t i = 0; i < n_p; i++) {
        const double a = (double)p[i] / all_p, b = i < n_q ? (double)q[i] / all_q : 0;
        sum += a * log((a + DBL_EPSILON) / (b + DBL_EPSILON));
    }
    return sum;
}
