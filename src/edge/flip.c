/* flip.c: see flip.h. */
#include "edge/flip.h"
#include "privacy/exp_bound.h"
#include "base/memory.h"

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

void hrr_flip_promise(hrr_edge_promise *out, const char *mechanism, uint64_t eps_nano,
                      const char *on, const char *event)
{
    const uint64_t weight = hrr_flip_weight(eps_nano);
    char text[HRR_EPS_TEXT_SIZE];
    hrr_eps_format(text, eps_nano);
    out->realised_eps = hrr_flip_eps(weight, eps_nano);
    out->statement = hrr_format_text(
        "%s: eps = %s for one candidate pair, randomised response on %s", mechanism, text, on);
    out->evidence =
        hrr_format_text("exact: %s with probability %llu/2^64, drawn in integers without rounding",
                        event, (unsigned long long)weight);
}
