/* closed_pairs.h: how clustered a graph is, as two whole numbers that few private edges move far.
 *
 *     triangles: one pair (a, b) moves them by the number of common neighbours of a and b.
 *     closed:    the sum over nodes of t / max(C(d, 2), 3), t triangles at a node of degree d, in
 *                units of 2^-16, each term rounded down: the sum of local clustering, but for nodes
 *                of degree 2, which count a third. They are what one pair moves most.
 *
 * One pair (a, b) moves the terms of a and b, by own() at most, and that of each common neighbour
 * w, by weight(d_w) at most, rounded up. So it moves `closed` by at most
 *     2 own + largest over pairs of the sum over common neighbours of weight(d_w).
 * Another pair that is flipped before moves this largest sum by `slope` at most: it makes a common
 * neighbour (weight at most 2^16/3), or changes the degrees of two. docs/mechanisms has the proof,
 * tests/edge/test_edgerr_degrees.c tries every graph of five nodes. */
#ifndef HRR_EDGE_CLOSED_PAIRS_H
#define HRR_EDGE_CLOSED_PAIRS_H

#include "edge/ladder.h"

#include <heterorr/matrix.h>

enum { HRR_CLOSED_UNIT = 1 << 16, HRR_CLOSED_LEAST = 3 };

/* max(C(degree, 2), HRR_CLOSED_LEAST). */
static inline double hrr_closed_among(double degree)
{
    const double pairs = degree * (degree - 1) / 2;
    return pairs > HRR_CLOSED_LEAST ? pairs : HRR_CLOSED_LEAST;
}

typedef struct hrr_closed_pairs {
    uint64_t triangles, closed;
} hrr_closed_pairs;

/* O(m^1.5) time, O(n threads + m) memory. Errors: HRR_ENOMEM, HRR_ECANCEL. */
hrr_status hrr_closed_pairs_count(hrr_closed_pairs *out, const hrr_csr *graph, int threads,
                                  hrr_progress *progress, hrr_error *err);

/* The ladders of both counts on this graph. Cost: walks from the nodes of large degree until no
 * pair can have more in common, at worst the sum of squared degrees; O(m) memory.
 * Errors: HRR_ENOMEM, HRR_ECANCEL. */
hrr_status hrr_closed_pairs_ladders(hrr_ladder *of_triangles, hrr_ladder *of_closed,
                                    const hrr_csr *graph, hrr_progress *progress, hrr_error *err);

#endif
