/* choose.h: one of several alternatives by integer scores, with exact differential privacy.
 *
 * Permute-and-flip (R. McKenna, D. Sheldon, NeurIPS 2020): take the alternatives in random order,
 * accept each with probability exp(-eps (best score - its score) / (2 Delta)), release the first
 * that is accepted. eps-DP if one flipped pair changes every score by Delta at most, and never
 * worse in expected score than the exponential mechanism at the same eps. */
#ifndef HRR_EDGE_CHOOSE_H
#define HRR_EDGE_CHOOSE_H

#include <heterorr/random.h>

/* The coin of a gap shows heads with probability exp(-gap / scale). scale is 2 Delta / eps rounded
 * up, so that the coefficient 1 / scale is at most eps / (2 Delta): a smaller coefficient is that
 * of a smaller eps. Where scale would not fit the sampler's 32 bits it is 0: all coins show heads,
 * and the choice is uniform. */
uint64_t hrr_choose_scale(uint64_t sensitivity, uint64_t eps_nano);
/* The eps of that scale: at most eps_nano / 1e9, and 0 if the choice is uniform. */
double hrr_choose_eps(uint64_t sensitivity, uint64_t scale);

/* The choice. Every coin is thrown, also those after the first heads: how many alternatives were
 * passed over cannot be seen from the number of coins. Cost: O(n) coins. n >= 1; order: n numbers
 * of scratch. */
uint32_t hrr_choose(uint32_t *order, hrr_stream *stream, const int64_t *scores, uint32_t n,
                    uint64_t scale);

#endif
