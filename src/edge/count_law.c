/* count_law.c: see count_law.h and hrr_edge_count_log_likelihood() in edge.h. */
#include "edge/count_law.h"

#include <math.h>

/* With g = m/(1 + m), the weight of count k is g^k a^|x - k|. Divided by g^x:
 *   k >= x: sums of (g a)^j, closed;
 *   k <  x: left0(x) = sum of (a/g)^(x - k) obeys left0(x) = (a/g)(left0(x-1) + 1), and the sum of
 *           k (a/g)^(x - k) obeys left1(x) = (a/g)(left1(x-1) + x - 1).
 * If a > g they grow without bound while their quotient settles; there the table is flat. */
void hrr_count_posterior(double *mean, size_t n, double prior_mean, double eps)
{
    const double a = exp(-eps), g = prior_mean / (1 + prior_mean), ratio = a / g;
    const double right0 = 1 / (1 - g * a), excess = g * a / ((1 - g * a) * (1 - g * a));
    double left0 = 0, left1 = 0;
    for (size_t x = 0; x < n; x++) {
        if (left0 > 1e250) {
            mean[x] = mean[x - 1];
            continue;
        }
        const double right1 = (double)x * right0 + excess;
        mean[x] = (left1 + right1) / (left0 + right0);
        left0 = ratio * (left0 + 1);
        left1 = ratio * (left1 + (double)x);
    }
}

/* ln of Poisson(k) a^|x - k|. */
static double log_term(double k, double x, double rate, double eps)
{
    return k * log(rate) - rate - lgamma(k + 1) - eps * fabs(x - k);
}

/* The sum of Poisson(k) a^|x - k| over k. For x <= 0 all k lie on one side, and the Poisson
 * generating function gives a^-x e^(-rate (1 - a)). Otherwise: the terms rise to one summit (both
 * factors are log-concave), at rate/a where that lies below x, at rate a where that lies above, at
 * x between; they are summed from there down both slopes until they vanish. */
double hrr_edge_count_log_likelihood(int64_t observed, double rate, double eps)
{
    const double a = exp(-eps), constant = log(-expm1(-eps)) - log1p(a);
    if (rate <= 0) return constant - eps * fabs((double)observed);
    if (observed <= 0) return constant + eps * (double)observed - rate * (1 - a);
    const double x = (double)observed, vanishing = 1e-18;
    const double summit = floor(fmin(fmax(x, rate * a), rate / a));
    const double top = log_term(summit, x, rate, eps);
    double sum = 1, term = 1;
    for (double k = summit - 1; k >= 0 && term > vanishing; k--)
        sum += term = exp(log_term(k, x, rate, eps) - top);
    term = 1;
    for (double k = summit + 1; term > vanishing; k++)
        sum += term = exp(log_term(k, x, rate, eps) - top);
    return constant + top + log(sum);
}
