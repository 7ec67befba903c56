/* atoms.c: how steep the weights of atoms.h may be.
 *
 * With E <= e^eps the certified bound, N B <= A and D >= B, the extremes of each output are:
 *     zero      A at x = 0,          A - B N at the ends:    A <= E (A - B N)
 *     C         H + D N at x = 1,    H - (D - B) N at -1:    H + D N <= E (H - (D - B) N)
 * (-C mirrors C; all weights are monotone between). Solved for the largest integers,
 *     B = floor(min(A - ceil(A / E), (E - 1) H) / N),     the second term because D >= B,
 *     D = floor(((E - 1) H + E B N) / ((E + 1) N)).
 * E = R / 2^bits is a ratio of integers, so no rounding escapes: R < 2^63, H <= 2^63 and B N < 2^64
 * keep every product below 2^128. */
#include "feature/atoms.h"
#include "privacy/exp_bound.h"

#include <assert.h>
#include <math.h>

__extension__ typedef unsigned __int128 uint128;

void hrr_atoms_init(hrr_atoms *atoms, uint64_t eps_nano, uint64_t centre)
{
    assert(centre % 2 == 0 && centre < 0 - (UINT64_C(1) << 32));
    const hrr_exp_bound bound = hrr_exp_lower_bound(eps_nano);
    const uint64_t one = UINT64_C(1) << bound.bits, steps = HRR_ATOMS_STEPS;
    const uint128 side = (UINT64_C(1) << 63) - centre / 2;
    const uint128 excess = (bound.mantissa - one) * side; /* (E - 1) H, scaled by 2^bits */

    const uint128 least_zero =
        (((uint128)centre << bound.bits) + bound.mantissa - 1) / bound.mantissa;
    uint128 drop = centre - least_zero;
    if (drop > excess >> bound.bits) drop = excess >> bound.bits;
    const uint64_t fall = (uint64_t)(drop / steps);
    const uint128 rise = (excess + (uint128)bound.mantissa * (fall * steps)) /
                         (((uint128)bound.mantissa + one) * steps);
    *atoms = (hrr_atoms){.centre = centre,
                         .side = (uint64_t)side,
                         .fall = fall,
                         .rise = (uint64_t)rise,
                         .value = 0x1p64 / ((double)(2 * rise - fall) * (double)steps)};
}

/* ln(larger / smaller), precise when they are close. */
static long double log_ratio(uint64_t larger, uint64_t smaller)
{
    return log1pl((long double)(larger - smaller) / (long double)smaller);
}

long double hrr_atoms_realised_eps(const hrr_atoms *atoms)
{
    uint64_t left[3], middle[3], right[3];
    hrr_atoms_weights(left, atoms, -HRR_ATOMS_STEPS);
    hrr_atoms_weights(middle, atoms, 0);
    hrr_atoms_weights(right, atoms, HRR_ATOMS_STEPS);
    long double sides = log_ratio(right[2], left[2]);
    if (atoms->centre == 0) return sides;
    long double zero = log_ratio(middle[1], right[1]);
    return zero > sides ? zero : sides;
}
