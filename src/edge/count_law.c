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

/* ---- tables ---------------------------------------------------------------------------------- */

/* ln P(count = k) */
static double log_law(double k, double mean, double shape)
{
    if (isinf(shape)) return k * log(mean) - mean - lgamma(k + 1);
    return lgamma(k + shape) - lgamma(shape) - lgamma(k + 1) - shape * log1p(mean / shape) +
           k * (log(mean) - log(mean + shape));
}

/* P(count = k + 1) / P(count = k) */
static double law_ratio(double k, double mean, double shape)
{
    return isinf(shape) ? mean / (k + 1) : (k + shape) / (k + 1) * (mean / (mean + shape));
}

/* The law, over its value at the summit, so that the middle never underflows. Returns the logarithm
 * of that value. */
static double fill_law(double *law, size_t n_law, double mean, double shape)
{
    double summit = isinf(shape) ? floor(mean) : floor(fmax(mean * (1 - 1 / shape), 0));
    summit = fmin(summit, (double)(n_law - 1));
    const size_t top = (size_t)summit;
    law[top] = 1;
    for (size_t k = top; k > 0; k--)
        law[k - 1] = law[k] / law_ratio((double)(k - 1), mean, shape);
    for (size_t k = top; k + 1 < n_law; k++)
        law[k + 1] = law[k] * law_ratio((double)k, mean, shape);
    return log_law(summit, mean, shape);
}

void hrr_count_plain(double *p, size_t n, double mean, double shape)
{
    const double summit = exp(fill_law(p, n, mean, shape));
    for (size_t k = 0; k < n; k++)
        p[k] *= summit;
}

/* With a = e^-eps: the sum of law(k) a^|x - k| over k <= x obeys left(x) = a left(x-1) + law(x),
 * over k > x right(x-1) = a (right(x) + law(x)). Where both underflow, neighbours bound each other:
 * P(x) is at least a P(x-1) and a P(x+1), and far from the law's mass it is no more. */
void hrr_count_table(double *log_p, size_t n, double *law, size_t n_law, double mean, double shape,
                     double eps)
{
    const double a = exp(-eps), constant = log(-expm1(-eps)) - log1p(a);
    const double scale = constant + fill_law(law, n_law, mean, shape);
    double left = 0, right = 0;
    for (size_t k = n_law; k-- > 0; right = a * (right + law[k]))
        if (k < n) log_p[k] = right;
    for (size_t x = 0; x < n; x++) {
        left = a * left + law[x];
        log_p[x] = scale + log(left + log_p[x]);
    }
    for (size_t x = n - 1; x-- > 0;)
        log_p[x] = fmax(log_p[x], log_p[x + 1] - eps);
    if (!isfinite(log_p[0])) /* the generating function of the law at a */
        log_p[0] =
            constant + (isinf(shape) ? -mean * (1 - a) : -shape * log1p(mean * (1 - a) / shape));
    for (size_t x = 1; x < n; x++)
        log_p[x] = fmax(log_p[x], log_p[x - 1] - eps);
}
