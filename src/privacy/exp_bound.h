/* exp_bound.h: a number that is certainly not above e^eps. */
#ifndef HRR_PRIVACY_EXP_BOUND_H
#define HRR_PRIVACY_EXP_BOUND_H

#include <heterorr/privacy.h>

/* mantissa / 2^bits <= exp(eps). mantissa < 2^63 and bits <= 60, so that products with 64-bit
 * weights fit 128 bits. */
typedef struct hrr_exp_bound {
    uint64_t mantissa;
    int bits;
} hrr_exp_bound;

/* eps_nano <= HRR_EPS_MAX. */
hrr_exp_bound hrr_exp_lower_bound(uint64_t eps_nano);

/* A measured log-ratio as a double that is not below it. Never lowered to eps: a ratio above e^eps
 * must show. (Rounding up stops at eps, which the integers were certified against.) */
double hrr_eps_round_up(long double log_ratio, uint64_t eps_nano);

#endif
