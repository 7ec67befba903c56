/* eps_lower_bound.c: lower bounds of epsilon from counts, to prove a claim wrong (never to prove it
 * right).
 *
 * A mechanism run on two neighbouring inputs shows outcome u with probabilities P(u) and Q(u);
 * eps-DP demands ln(P(u) / Q(u)) <= eps. Counting outcomes and replacing P(u) by a lower and Q(u)
 * by an upper confidence bound gives a number that exceeds the true epsilon only with small
 * probability (Ding, Wang, Wang, Zhang and Kifer 2018; Jagielski, Ullman and Oprea 2020).
 *
 * The bounds are those of Clopper and Pearson (1934), exact for every n and p: the lower one is the
 * p at which x or more successes have probability alpha, the upper one the p at which x or fewer
 * have. Binomial tails are regularised incomplete beta functions:
 *
 *     P(X >= x) = I_p(x, n - x + 1),     P(X <= x) = I_{1-p}(n - x, x + 1)
 *
 * and are monotone in p, so bisection finds it. Bisection keeps both ends, and each bound returns
 * the end that lies on the safe side.
 *
 * Workload: some thousand bounds with n up to 10^9. */
#include <heterorr/privacy.h>

#include "privacy/incomplete_beta.h"
#include "privacy/eps_lower_bound.h"

#include <assert.h>
#include <float.h>
#include <math.h>

double hrr_clopper_pearson_lower(uint64_t successes, uint64_t trials, double alpha)
{
    assert(successes <= trials && trials > 0 && alpha > 0 && alpha < .5);
    if (successes == 0) return 0;
    const long double x = (long double)successes, n = (long double)trials;
    /* At p = lowest, x or more successes are rarer than alpha, at p = highest they are not. */
    long double lowest = 0, highest = 1;
    while (highest - lowest > DBL_EPSILON * highest) {
        long double p = (lowest + highest) / 2;
        if (hrr_incomplete_beta(x, n - x + 1, p, 1 - p) < alpha)
            lowest = p;
        else
            highest = p;
    }
    return (double)lowest;
}

double hrr_clopper_pearson_upper(uint64_t successes, uint64_t trials, double alpha)
{
    assert(successes <= trials && trials > 0 && alpha > 0 && alpha < .5);
    if (successes == trials) return 1;
    const long double x = (long double)successes, n = (long double)trials;
    /* At p = highest, x or fewer successes are rarer than alpha, at p = lowest they are not. */
    long double lowest = 0, highest = 1;
    while (highest - lowest > DBL_EPSILON * highest) {
        long double p = (lowest + highest) / 2;
        if (hrr_incomplete_beta(n - x, x + 1, 1 - p, p) < alpha)
            highest = p;
        else
            lowest = p;
    }
    return (double)highest;
}

double hrr_audit_lower_bound(const uint64_t *counts_p, const uint64_t *counts_q, size_t n_outcomes,
                             uint64_t trials, double alpha)
{
    double largest_ratio = 1; /* epsilon is at least 0, whatever was counted */
    for (size_t u = 0; u < n_outcomes; u++) {
        uint64_t more = counts_p[u], less = counts_q[u];
        if (more < less) {
            more = counts_q[u];
            less = counts_p[u];
        }
        /* The bounds bracket count / trials: the other direction of u cannot exceed 1. */
        double ratio = hrr_clopper_pearson_lower(more, trials, alpha) /
                       hrr_clopper_pearson_upper(less, trials, alpha);
        largest_ratio = fmax(largest_ratio, ratio);
    }
    return log(largest_ratio);
}
