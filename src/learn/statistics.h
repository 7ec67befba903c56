/* statistics.h: do two sets of results differ, and by how much? */
#ifndef HRR_LEARN_STATISTICS_H
#define HRR_LEARN_STATISTICS_H

#include <heterorr/base.h>

/* P(|T| >= |t|) for Student's T with `degrees` > 0 of freedom, and the t that T exceeds with
 * probability 1 - p. */
double hrr_t_two_tailed(double t, double degrees);
double hrr_t_quantile(double p, double degrees);

typedef struct hrr_t_test {
    double difference;     /* mean of a minus mean of b */
    double standard_error; /* of the difference */
    double t, degrees;
    double p; /* two-tailed; NAN if the test is undefined: nothing varies by more than nine digits
                 show */
} hrr_t_test;

/* Pairs a[i], b[i], n >= 2.
 * Errors: HRR_EINVAL for fewer. */
HRR_STATUS hrr_t_test_paired(hrr_t_test *out, const double *a, const double *b, uint64_t n,
                             hrr_error *err);

/* p-values of n tests made together, adjusted so that the chance of any false rejection stays below
 * the level (Holm 1979). NAN stays NAN and does not count. Errors: HRR_ENOMEM. */
HRR_STATUS hrr_holm(double *adjusted, const double *p, uint64_t n, hrr_error *err);

/* mean -+ half_width holds the true mean with probability `level`, by Student's t; n >= 2. */
HRR_STATUS hrr_mean_interval(double *mean, double *half_width, const double *x, uint64_t n,
                             double level, hrr_error *err);

#endif
