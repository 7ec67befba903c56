/* eps_lower_bound.h: counts of outcomes as a bound that no smaller epsilon can be true. */
#ifndef HRR_PRIVACY_EPS_LOWER_BOUND_H
#define HRR_PRIVACY_EPS_LOWER_BOUND_H

#include <heterorr/privacy.h>

/* Lower and upper Clopper-Pearson bounds of a probability, one-sided level alpha < 1/2 each. */
double hrr_clopper_pearson_lower(uint64_t successes, uint64_t trials, double alpha);
double hrr_clopper_pearson_upper(uint64_t successes, uint64_t trials, double alpha);

/* A lower bound of epsilon from outcomes of two neighbouring inputs: the largest over outcomes u of
 * ln(lower(P(u)) / upper(Q(u))), both directions; counts of n_outcomes outcomes in `trials` draws
 * each. Never negative. Each one-sided bound has level alpha, so the result exceeds the true
 * epsilon with probability at most 4 alpha n_outcomes; merge outcomes beforehand to audit rarer or
 * joint events (a tail, say) as one. Cost: O(n_outcomes sqrt(trials)). */
double hrr_audit_lower_bound(const uint64_t *counts_p, const uint64_t *counts_q, size_t n_outcomes,
                             uint64_t trials, double alpha);

#endif
