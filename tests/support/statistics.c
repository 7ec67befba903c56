#include "support/statistics.h"

#include <float.h>
#include <math.h>

/* Regularised upper incomplete gamma Q(a, x): the series for P below a + 1, Lentz's continued
 * fraction for Q above (Abramowitz and Stegun 6.5.29 and 6.5.31). */
static double gamma_tail(double a, double x)
{
    if (x <= 0) return 1;
    double scale = exp(a * log(x) - x - lgamma(a));
    if (x < a + 1) {
        double term = 1 / a, sum = term;
        for (double n = a + 1; term > sum * DBL_EPSILON; n++)
            sum += term *= x / n;
        return 1 - scale * sum;
    }
    double b = x + 1 - a, c = 1 / DBL_MIN, d = 1 / b, fraction = d;
    for (double i = 1; i < 100000; i++) {
        double an = -i * (i - a);
        b += 2;
        d = 1 / (an * d + b);
        c = b + an / c;
        fraction *= d * c;
        if (fabs(d * c - 1) < DBL_EPSILON) break;
    }
    return scale * fraction;
}

double chi_square_tail(double statistic, double degrees)
{
    return gamma_tail(degrees / 2, statistic / 2);
}

double chi_square_p(const uint64_t *observed, const double *probability, size_t cells)
{
    double draws = 0, statistic = 0;
    for (size_t i = 0; i < cells; i++)
        draws += (double)observed[i];
    for (size_t i = 0; i < cells; i++) {
        double expected = draws * probability[i], off = (double)observed[i] - expected;
        statistic += off * off / expected;
    }
    return chi_square_tail(statistic, (double)cells - 1);
}

double proportion_p(uint64_t successes, uint64_t trials, double probability)
{
    double n = (double)trials, off = (double)successes - n * probability;
    return erfc(fabs(off) / sqrt(2 * n * probability * (1 - probability)));
}
