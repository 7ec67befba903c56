/* closure.h: which share of a node's pairs of neighbours are neighbours, as a law of its degree
 * with two numbers, and how large the groups are that make it so.
 *
 *     c(d, z) = min(1, level d^-slope e^(spread z - spread^2 / 2)),   z standard normal, one a
 * node.
 *
 * A node of degree d whose x neighbours in its group all know each other has C(x, 2) closed pairs:
 * x is such that C(x, 2) = c C(d, 2). So what groups of such sizes amount to is known in advance,
 * and the two numbers follow from two counts (closed_pairs.h). */
#ifndef HRR_EDGE_CLOSURE_H
#define HRR_EDGE_CLOSURE_H

#include <heterorr/random.h>

typedef struct hrr_closure {
    double level, slope, spread;
} hrr_closure;

/* What groups should amount to; `closed` in whole nodes, as closed_pairs.h counts them. */
typedef struct hrr_closure_goal {
    double triangles, closed;
} hrr_closure_goal;

double hrr_closure_share(const hrr_closure *law, uint32_t degree, double z);

/* x for a share c of the pairs of a node, rounded at random so that C(x, 2) is right on average; 0
 * if it is in no group. */
uint32_t hrr_closure_size(uint32_t degree, double share, hrr_fast_random *random);

/* What groups by this law amount to. n_of[d]: nodes of degree d < n_degrees. */
hrr_closure_goal hrr_closure_expect(const hrr_closure *law, const uint64_t *n_of,
                                    uint64_t n_degrees);
/* level and slope for the goal; spread stays. O(n_degrees). */
void hrr_closure_fit(hrr_closure *law, const hrr_closure_goal *goal, const uint64_t *n_of,
                     uint64_t n_degrees);

#endif
