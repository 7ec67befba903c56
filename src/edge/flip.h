/* flip.h: randomised response on one pair (Warner 1965): the truth, or, with probability
 * weight/2^64, its opposite.
 *
 * Claim. (2^64 - weight)/weight <= e^eps, in integers; so each answer is at most e^eps times as
 *        likely from one truth as from the other. weight = ceil(2^64 / (1 + E)) with E <= e^eps the
 *        certified bound of privacy/exp_bound.h: then 2^64/weight <= 1 + E. */
#ifndef HRR_EDGE_FLIP_H
#define HRR_EDGE_FLIP_H

#include "edge/promise.h"

#include <heterorr/privacy.h>

/* eps_nano in 1..HRR_EPS_MAX. At most 2^63. */
uint64_t hrr_flip_weight(uint64_t eps_nano);

/* ln((2^64 - weight)/weight), rounded up but not past eps_nano. */
double hrr_flip_eps(uint64_t weight, uint64_t eps_nano);

/* What a mechanism promises whose answers about pairs are these and nothing else. on: what is
 * answered for, "each of 10"; event: what happens with probability weight/2^64, "each pair is
 * flipped". */
void hrr_flip_promise(hrr_edge_promise *out, const char *mechanism, uint64_t eps_nano,
                      const char *on, const char *event);

#endif
