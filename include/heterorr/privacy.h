/* privacy.h: budgets as integers, and the statistics that try to prove a claim wrong. */
#ifndef HETERORR_PRIVACY_H
#define HETERORR_PRIVACY_H

#include <heterorr/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- epsilon ------------------------------------------------------------------------------ */

/* Budgets are integers in units of 1e-9: sums of parts never exceed the whole by rounding. */
#define HRR_EPS_UNIT 1000000000ull
#define HRR_EPS_MAX (20 * HRR_EPS_UNIT)

/* A decimal such as "0.1", "2" or "1e-3", exactly; digits beyond the ninth are dropped (down).
 * Errors: HRR_EINVAL naming `option` for anything that is not a number in (0, 20]. */
HRR_API hrr_status hrr_eps_parse(uint64_t *eps_nano, const char *text, const char *option,
                                 hrr_error *err);

/* The exact decimal, without trailing zeros. */
#define HRR_EPS_TEXT_SIZE 24
HRR_API void hrr_eps_format(char text[HRR_EPS_TEXT_SIZE], uint64_t eps_nano);

/* Split a budget over n parts in proportion to public weights: part i is floor(total * w_i / sum w)
 * in units, so the parts never add up to more than the total. Computed in integers, weights cut off
 * at 2^-62 of the largest. Weights are finite, >= 0, not all zero.
 * Errors: HRR_EINVAL naming the position of a bad weight. */
HRR_API hrr_status hrr_eps_split(uint64_t *parts, uint64_t total_nano, const double *weights,
                                 size_t n, hrr_error *err);

/* A budget as the fraction num/den that the exact samplers take: both below 2^32. It is the budget
 * itself up to 4.29, and beyond that at most 5e-9 below it. 0 < eps_nano <= HRR_EPS_MAX. */
HRR_API void hrr_eps_fraction(uint64_t *num, uint64_t *den, uint64_t eps_nano);

/* ---- audits ------------------------------------------------------------------------------- */

/* Lower and upper Clopper-Pearson bounds of a probability, one-sided level alpha < 1/2 each. */
HRR_API double hrr_clopper_pearson_lower(uint64_t successes, uint64_t trials, double alpha);
HRR_API double hrr_clopper_pearson_upper(uint64_t successes, uint64_t trials, double alpha);

/* A lower bound of epsilon from outcomes of two neighbouring inputs: the largest over outcomes u of
 * ln(lower(P(u)) / upper(Q(u))), both directions; counts of n_outcomes outcomes in `trials` draws
 * each. Never negative. Each one-sided bound has level alpha, so the result exceeds the true
 * epsilon with probability at most 4 alpha n_outcomes; merge outcomes beforehand to audit rarer or
 * joint events (a tail, say) as one. Cost: O(n_outcomes sqrt(trials)). */
HRR_API double hrr_audit_lower_bound(const uint64_t *counts_p, const uint64_t *counts_q,
                                     size_t n_outcomes, uint64_t trials, double alpha);

#ifdef __cplusplus
}
#endif
#endif
