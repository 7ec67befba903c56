/* count_law.h: what a noisy count says about the count: discrete Laplace noise, P(y) proportional
 * to a^|y| with a = e^-eps, on a count from a known family. Post-processing, in floating point. */
#ifndef HRR_EDGE_COUNT_LAW_H
#define HRR_EDGE_COUNT_LAW_H

#include <heterorr/edge.h>

/* mean[x] = E(count | noisy count = x), x = 0..n-1, for a geometric count of mean prior_mean > 0;
 * every negative x has the mean of x = 0. Geometric, since degrees have a long tail: a Poisson
 * prior would pull every hub down to the mean. O(n). */
void hrr_count_posterior(double *mean, size_t n, double prior_mean, double eps);

/* log_p[x] = ln P(noisy count = x), x = 0..n-1, for a negative binomial count of the given mean > 0
 * and shape (variance mean + mean^2/shape; INFINITY: Poisson); for negative x it is log_p[0] + eps
 * x. law: room for n_law >= n numbers, counts from n_law up are left out. Any n_law beyond the
 * law's tail, or n + 40/eps, is exact to rounding. O(n_law). */
void hrr_count_table(double *log_p, size_t n, double *law, size_t n_law, double mean, double shape,
                     double eps);

/* p[k] = P(count = k), k = 0..n-1, for the same law without noise. O(n). */
void hrr_count_plain(double *p, size_t n, double mean, double shape);

/* edgerr-node releases noisy counts: ln P(noisy count = observed) for a Poisson count of mean
 * `rate` and the noise of eps (that of one count: eps_edges / count_ends). For classifiers that
 * weigh the counts of a node under each class. O(sqrt(rate) + 1/eps) time. */
double hrr_edge_count_log_likelihood(int64_t observed, double rate, double eps);

#endif
