/* subset.c: see subset.h. */
#include "feature/subset.h"

#include <heterorr/privacy.h>

#include <math.h>

static double information(double k, double w, double e)
{
    const double p = w * e / (w * e + k - w);
    return p * log(p * k / w) + (1 - p) * log((1 - p) * k / (k - w));
}

uint32_t hrr_subset_best_width(uint32_t n_answers, uint64_t eps_nano)
{
    const double e = exp((double)eps_nano / HRR_EPS_UNIT);
    uint32_t best = 1;
    double most = -1;
    for (uint32_t w = 1; w < n_answers; w++) {
        const double told = information(n_answers, w, e);
        /* Sets of w and of k - w tell alike where eps is small: rounding must not choose. */
        if (told <= most * (1 + 1e-9)) continue;
        most = told;
        best = w;
    }
    return best;
}
