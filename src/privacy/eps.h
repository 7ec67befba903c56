/* eps.h: budgets in parts, and as the fractions that samplers take. */
#ifndef HRR_PRIVACY_EPS_H
#define HRR_PRIVACY_EPS_H

#include <heterorr/privacy.h>

/* Split a budget over n parts in proportion to public weights: part i is floor(total * w_i / sum w)
 * in units, so the parts never add up to more than the total. Computed in integers, weights cut off
 * at 2^-62 of the largest. Weights are finite, >= 0, not all zero.
 * Errors: HRR_EINVAL naming the position of a bad weight. */
HRR_STATUS hrr_eps_split(uint64_t *parts, uint64_t total_nano, const double *weights, size_t n,
                         hrr_error *err);

/* A budget as the fraction num/den that the exact samplers take: both below 2^32. It is the budget
 * itself up to 4.29, and beyond that at most 5e-9 below it. 0 < eps_nano <= HRR_EPS_MAX. */
void hrr_eps_fraction(uint64_t *num, uint64_t *den, uint64_t eps_nano);

#endif
