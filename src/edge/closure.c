/* closure.c: see closure.h. */
#include "edge/closure.h"
#include "edge/closed_pairs.h"

#include <math.h>

static const double least_slope = -.3, most_slope = 2;
enum { slope_bisections = 24, level_bisections = 30 };

double hrr_closure_share(const hrr_closure *law, uint32_t degree, double z)
{
    const double c = law->level * pow(degree, -law->slope) *
                     exp(law->spread * z - law->spread * law->spread / 2);
    return c < 1 ? c : 1;
}

uint32_t hrr_closure_size(uint32_t degree, double share, hrr_fast_random *random)
{
    const double d = degree, pairs = share * d * (d - 1) / 2, u = hrr_fast_uniform(random);
    if (degree < 2) return 0;
    const double x = (1 + sqrt(1 + 8 * pairs)) / 2;
    if (x < 2) return u < pairs ? 2 : 0;
    const double whole = floor(x), below = whole * (whole - 1) / 2;
    const uint32_t size = (uint32_t)whole + (u < (pairs - below) / whole);
    return size < degree ? size : degree;
}

/* E over z by a quadrature of eight points. */
hrr_closure_goal hrr_closure_expect(const hrr_closure *law, const uint64_t *n_of,
                                    uint64_t n_degrees)
{
    static const double at[] = {.38, .97, 1.64, 2.80}, weight[] = {.2497, .1716, .0725, .0062};
    hrr_closure_goal sum = {0};
    for (uint64_t d = 2; d < n_degrees; d++) {
        if (!n_of[d]) continue;
        double share = 0;
        for (int k = 0; k < 4; k++)
            share += weight[k] * (hrr_closure_share(law, (uint32_t)d, at[k]) +
                                  hrr_closure_share(law, (uint32_t)d, -at[k]));
        const double closed = (double)n_of[d] * share * (double)d * ((double)d - 1) / 2;
        sum.triangles += closed / 3;
        sum.closed += closed / hrr_closed_among((double)d);
    }
    return sum;
}

/* The steeper the law, the more of the same triangles are at nodes of small degree, and the larger
 * `closed` is. */
void hrr_closure_fit(hrr_closure *law, const hrr_closure_goal *goal, const uint64_t *n_of,
                     uint64_t n_degrees)
{
    double flat = least_slope, steep = most_slope;
    for (int i = 0; i < slope_bisections; i++) {
        law->slope = (flat + steep) / 2;
        double low = -14, high = 3 + 7 * law->slope;
        hrr_closure_goal now = {0};
        for (int j = 0; j < level_bisections; j++) {
            const double mid = (low + high) / 2;
            law->level = exp(mid);
            now = hrr_closure_expect(law, n_of, n_degrees);
            if (now.triangles < goal->triangles)
                low = mid;
            else
                high = mid;
        }
        if (now.closed < goal->closed)
            flat = law->slope;
        else
            steep = law->slope;
    }
}
