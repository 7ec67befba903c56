/* degree_shares.h: how edgerr-degrees divides its budget among the numbers it buys. */
#ifndef HRR_EDGE_DEGREE_SHARES_H
#define HRR_EDGE_DEGREE_SHARES_H

#include <heterorr/privacy.h>

typedef enum hrr_degree_part {
    HRR_PART_STAIRCASE,
    HRR_PART_DEGREES,
    HRR_PART_CLASSES,
    HRR_PART_TRIANGLES,
    HRR_PART_CLOSED,
    HRR_PART_COMPONENTS,
    HRR_N_DEGREE_PARTS
} hrr_degree_part;

/* One candidate pair moves the numbers of a part by `moves` in all (L1), so that each has noise of
 * eps/moves. The ladder moves a rung by one and draws rungs with half of its eps: 2. */
typedef struct hrr_degree_share {
    int percent, moves;
} hrr_degree_share;

extern const hrr_degree_share hrr_degree_shares[HRR_N_DEGREE_PARTS];

/* Noise of eps num/den on each number. */
typedef struct hrr_degree_noise {
    uint64_t num, den;
} hrr_degree_noise;

hrr_degree_noise hrr_degree_noise_of(hrr_degree_part part, uint64_t eps_nano);

#endif
