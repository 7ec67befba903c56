/* geometric.h: how many coins show tails before the first heads, exactly and in integers. With it,
 * whoever tosses a rare coin for each of a trillion cells looks only at the cells that win.
 *
 * A run for (1 - p)^m (the finite form of the run in bernoulli_exp.h). For m p <= 1 let K be the
 * first k = 1, 2, ... at which a coin of probability (m - k + 1) p / k shows tails. Then P(K > k) =
 * C(m, k) p^k, so P(K odd) = sum over k of (-1)^k C(m, k) p^k = (1 - p)^m. K is at most m + 1.
 *
 * The gap (after K. Bringmann, T. Friedrich, "Exact and efficient generation of geometric random
 * variates and random graphs", ICALP 2013, with the run above where they expand digits). Let N be
 * the largest power of two with N p <= 1. G = a N + r has the probability ((1 - p)^N)^a (1 - p)^r
 * p: so a counts coins of probability (1 - p)^N until tails, and r is uniform on 0..N-1, kept with
 * probability (1 - p)^r, else drawn again.
 *
 * Claim. p = num/den; every coin above is a comparison of integers. Nothing is rounded.
 * Cost.  6 words on average, whatever p. */
#ifndef HRR_RANDOM_GEOMETRIC_H
#define HRR_RANDOM_GEOMETRIC_H

#include "random/below.h"

typedef struct hrr_gaps {
    uint64_t num, den; /* p; den 0 stands for 2^64 */
    unsigned log2_stride;
} hrr_gaps;

/* 1 <= num, and num <= den unless den is 0. */
hrr_gaps hrr_gaps_of(uint64_t num, uint64_t den);

/* P(G = g) = (1 - p)^g p. Only gaps below `limit` are told apart: anything else returns limit, and
 * the work stays bounded by limit p. */
uint64_t hrr_gap(const hrr_gaps *gaps, uint64_t limit, hrr_stream *stream);

#endif
