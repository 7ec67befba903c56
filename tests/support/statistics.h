/* statistics.h: when is a sample too unlikely? The tests that use this state their false-failure
 * rate (alpha) and fix their seed, so that a pass stays a pass. */
#ifndef TESTS_SUPPORT_STATISTICS_H
#define TESTS_SUPPORT_STATISTICS_H

#include <stddef.h>
#include <stdint.h>

/* P(chi-square with so many degrees of freedom >= statistic). */
double chi_square_tail(double statistic, double degrees);

/* Pearson's test that `observed` counts come from `probability` (summing to 1): its p-value. Every
 * cell should expect ten or more. */
double chi_square_p(const uint64_t *observed, const double *probability, size_t cells);

/* P(|Z| >= |k - n p| / sd) for k successes of n: the two-sided normal p-value of a proportion. */
double proportion_p(uint64_t successes, uint64_t trials, double probability);

#endif
