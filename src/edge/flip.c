/* flip.c: see flip.h. */
#include "edge/flip.h"
#include "privacy/exp_bound.h"

#include <math.h>

__extension__ typedef unsigned __int128 uint128;

uint64_t hrr_flip_weight(uint64_t eps_nano)
{
    const hrr_exp_bound bound = hrr_exp_lower_bound(eps_nano);
    /* 1 + E, in units of 2^-bits; 64 + bits <= 124. */
    const uint128 whole = ((uint128)1 << bound.bits) + bound.mantissa;
    return (uint64_t)((((uint128)1 << (64 + bound.bits)) + whole - 1) / whole);
}

double hrr_flip_eps(uint64_t weight, uint64_t eps_nano)
{
    const uint64_t kept = -weight; /* 2^64 - weight */
    return hrr_eps_round_up(log1pl((long double)(kept - weight) / (long double)weight), eps_nano);
}
