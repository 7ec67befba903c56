/* exp_bound.c: e^eps from below, by integers alone.
 *
 * The Taylor series of e^eps has positive terms only. Each term is computed from the one before by
 * one multiplication and one division that rounds down, and the sum stops where terms become zero:
 * everything that is lost is lost on the same side, so the result is a lower bound whatever the
 * rounding. Terms are fixed-point numbers with 60 fractional bits. The largest term for eps <= 20
 * is below e^20 < 2^29, so term * eps_nano < 2^89 * 2^35 fits 128 bits. */
#include "privacy/exp_bound.h"

#include <assert.h>
#include <math.h>

__extension__ typedef unsigned __int128 uint128;

enum { fraction_bits = 60 };

hrr_exp_bound hrr_exp_lower_bound(uint64_t eps_nano)
{
    assert(eps_nano <= HRR_EPS_MAX);
    uint128 term = (uint128)1 << fraction_bits, sum = 0;
    for (uint64_t n = 1; term > 0; n++) {
        sum += term;
        term = term * eps_nano / (HRR_EPS_UNIT * n);
    }
    int bits = fraction_bits;
    while (sum >> 63) {
        sum >>= 1;
        bits--;
    }
    return (hrr_exp_bound){.mantissa = (uint64_t)sum, .bits = bits};
}

double hrr_eps_round_up(long double log_ratio, uint64_t eps_nano)
{
    const double nearest = (double)log_ratio;
    return nearest < (double)eps_nano / HRR_EPS_UNIT ? nextafter(nearest, INFINITY) : nearest;
}
