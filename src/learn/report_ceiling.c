/* report_ceiling.c: see report_ceiling.h. */
#include "learn/report_ceiling.h"

#include <math.h>

hrr_report_ceiling hrr_report_best(const double *p, uint32_t n, double eps)
{
    hrr_report_ceiling best = {1, 1};
    double most = p[0], mass = p[0];
    for (uint32_t m = 2; m <= n; m++) {
        const double u = 1 / (1 + (m - 1) * exp(-eps));
        mass += p[m - 1];
        if (u * mass <= most) continue;
        most = u * mass;
        best = (hrr_report_ceiling){m, u};
    }
    return best;
}
