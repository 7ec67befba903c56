/* atoms.h: randomisers of x in [-1, 1] that answer -C, 0 or C: Duchi's and Three-output.
 *
 * Inputs are the points x = s/N, s = -N..N, N = 2^20. Weights out of 2^64 are linear in k = |s|:
 *     toward x's side  H + D k,    the other side  H - (D - B) k,    zero  A - B k,    2 H + A =
 * 2^64.
 *
 * Claim: the weights of any input sum to 2^64, and those of one output never differ between two
 *        inputs by more than a factor e^eps. The mean is C (2 D - B) s / 2^64, so it is x exactly
 *        for C = 2^64 / ((2 D - B) N). */
#ifndef HRR_FEATURE_ATOMS_H
#define HRR_FEATURE_ATOMS_H

#include "random/stream.h"

#define HRR_ATOMS_STEPS (INT64_C(1) << 20) /* N */

typedef struct hrr_atoms {
    uint64_t centre; /* A: weight of 0 at x = 0; even; without it the law is Duchi's */
    uint64_t side;   /* H */
    uint64_t fall;   /* B <= D */
    uint64_t rise;   /* D */
    double value;    /* C */
} hrr_atoms;

/* The steepest slopes that e^eps allows for this weight of 0. centre is even and < 2^64 - 2^32;
 * eps_nano in 1..HRR_EPS_MAX. Integers alone decide. */
void hrr_atoms_init(hrr_atoms *atoms, uint64_t eps_nano, uint64_t centre);

/* The largest log-ratio of weights, not rounded down. */
long double hrr_atoms_realised_eps(const hrr_atoms *atoms);

/* Weights of -C, 0 and C for the input s. */
static inline void hrr_atoms_weights(uint64_t weight[3], const hrr_atoms *atoms, int64_t s)
{
    const uint64_t k = (uint64_t)(s < 0 ? -s : s);
    const uint64_t toward = atoms->side + atoms->rise * k;
    const uint64_t away = atoms->side - (atoms->rise - atoms->fall) * k;
    weight[0] = s < 0 ? toward : away;
    weight[1] = atoms->centre - atoms->fall * k;
    weight[2] = s < 0 ? away : toward;
}

/* The grid point nearest to a unit value (0 is x = -1, 1 is x = 1): off by at most 2^-21. */
static inline int64_t hrr_atoms_quantise(double unit)
{
    return (int64_t)(unit * (2.0 * HRR_ATOMS_STEPS) + 0.5) - HRR_ATOMS_STEPS;
}

/* One word, always; comparisons become arithmetic, so time tells nothing about s. */
static inline double hrr_atoms_draw(const hrr_atoms *atoms, int64_t s, hrr_stream *stream)
{
    uint64_t weight[3];
    hrr_atoms_weights(weight, atoms, s);
    const uint64_t word = hrr_stream_word(stream);
    return atoms->value * ((word >= weight[0]) + (word >= weight[0] + weight[1]) - 1);
}

#endif
