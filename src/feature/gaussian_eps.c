/* gaussian_eps.c: from (eps, delta) to noise.
 *
 * Discrete Gaussian noise of parameter sigma on d integers with L2 sensitivity D is rho-zCDP with
 * rho = D^2 / (2 sigma^2), in any dimension (Canonne, Kamath, Steinke 2020, theorem 14). And
 * rho-zCDP is (eps, delta)-DP for (their proposition 12), any order a > 1 and ln delta = (a - 1)(a
 * rho - eps) + (a - 1) ln(1 - 1/a) - ln a. This is convex in a with slope (2 a - 1) rho - eps +
 * ln(1 - 1/a), whose root bisection finds. The bound holds for every a, so an inexact root costs a
 * little noise and no privacy. */
#include "feature/gaussian_eps.h"

#include <math.h>

enum { bisections = 200 }; /* more than a double can tell apart */

static double best_order(double rho, double eps)
{
    double low = 1, high = (eps + 1) / (2 * rho) + 2; /* there ln(1 - 1/a) > -1: the slope is > 0 */
    for (int i = 0; i < bisections; i++) {
        const double middle = (low + high) / 2;
        if ((2 * middle - 1) * rho - eps + log1p(-1 / middle) < 0)
            low = middle;
        else
            high = middle;
    }
    return high;
}

static double log_delta(double rho, double eps)
{
    const double a = best_order(rho, eps);
    return (a - 1) * (a * rho - eps) + (a - 1) * log1p(-1 / a) - log(a);
}

double hrr_zcdp_rho(double eps, double delta)
{
    double low = 0, high = 1;
    while (log_delta(high, eps) < log(delta))
        high *= 2;
    for (int i = 0; i < bisections; i++) {
        const double middle = (low + high) / 2;
        if (log_delta(middle, eps) <= log(delta))
            low = middle;
        else
            high = middle;
    }
    return low;
}

double hrr_zcdp_eps(double rho, double delta)
{
    double low = 0, high = 1;
    while (log_delta(rho, high) > log(delta))
        high *= 2;
    for (int i = 0; i < bisections; i++) {
        const double middle = (low + high) / 2;
        if (log_delta(rho, middle) > log(delta))
            low = middle;
        else
            high = middle;
    }
    return high;
}

static double normal_below(double x)
{
    return erfc(-x * M_SQRT1_2) / 2;
}

static double analytic_delta(double sigma, double eps)
{
    return normal_below(1 / (2 * sigma) - eps * sigma) -
           exp(eps) * normal_below(-1 / (2 * sigma) - eps * sigma);
}

double hrr_analytic_gaussian_sigma(double eps, double delta)
{
    double low = 0, high = 1;
    while (analytic_delta(high, eps) > delta)
        high *= 2;
    for (int i = 0; i < bisections; i++) {
        const double middle = (low + high) / 2;
        if (analytic_delta(middle, eps) > delta)
            low = middle;
        else
            high = middle;
    }
    return high;
}
