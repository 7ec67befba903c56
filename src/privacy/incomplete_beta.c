/* incomplete_beta.c: see incomplete_beta.h. */
#include "privacy/incomplete_beta.h"

#include <float.h>
#include <math.h>

/* The continued fraction of I_x(a, b) (Abramowitz and Stegun 26.5.8), evaluated by the modified
 * method of Lentz (Thompson and Barnett 1986). It converges in O(sqrt(max(a, b))) steps for
 * x <= (a + 1) / (a + b + 2). */
static long double beta_fraction(long double a, long double b, long double x)
{
    const long double tiny = LDBL_MIN / LDBL_EPSILON; /* stands in for a denominator of 0 */
    long double c = 1, d = 1 - (a + b) * x / (a + 1);
    d = 1 / (fabsl(d) < tiny ? tiny : d);
    long double value = d, change = 0;
    for (long double m = 1; fabsl(change - 1) > 64 * LDBL_EPSILON; m++) {
        const long double coefficient[2] = {
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        };
        for (int i = 0; i < 2; i++) {
            d = 1 + coefficient[i] * d;
            c = 1 + coefficient[i] / c;
            if (fabsl(d) < tiny) d = tiny;
            if (fabsl(c) < tiny) c = tiny;
            d = 1 / d;
            change = c * d;
            value *= change;
        }
    }
    return value;
}

static long double log_gamma(long double x)
{
    int sign; /* lgammal() itself writes a global, which threads would share */
    return lgammal_r(x, &sign);
}

long double hrr_incomplete_beta(long double a, long double b, long double x, long double y)
{
    if (x <= 0) return 0;
    if (y <= 0) return 1;
    long double front =
        expl(log_gamma(a + b) - log_gamma(a) - log_gamma(b) + a * logl(x) + b * logl(y));
    if (x <= (a + 1) / (a + b + 2)) return front * beta_fraction(a, b, x) / a;
    return 1 - front * beta_fraction(b, a, y) / b;
}
