/* degree_shares.h: what edgerr-degrees buys, what one candidate pair moves of it, and how epsilon
 * is divided among it. */
#ifndef HRR_EDGE_DEGREE_SHARES_H
#define HRR_EDGE_DEGREE_SHARES_H

#include <heterorr/base.h>

typedef enum hrr_degree_part {
    HRR_PART_STAIRCASE,
    HRR_PART_DEGREES,
    HRR_PART_CLASSES,
    HRR_PART_TRIANGLES,
    HRR_PART_CLOSED,
    HRR_PART_COMPONENTS,
    HRR_PART_COMMUNITIES,
    HRR_N_DEGREE_PARTS
} hrr_degree_part;

/* One candidate pair moves the numbers of a part by `moves` in all (L1), so that each has noise of
 * eps/moves. The ladder moves a rung by one and draws rungs with half of its eps: 2. */
typedef struct hrr_degree_share {
    const char *name;
    uint32_t weight; /* unless others are asked for */
    uint64_t moves;
    bool may_be_none; /* the wiring can do without */
} hrr_degree_share;

extern const hrr_degree_share hrr_degree_shares[HRR_N_DEGREE_PARTS];

/* Epsilon is divided in proportion to the weights. */
typedef struct hrr_degree_division {
    uint64_t weight[HRR_N_DEGREE_PARTS];
} hrr_degree_division;

/* Noise of eps num/den on each number; num 0: the part is not bought. */
typedef struct hrr_degree_noise {
    uint64_t num, den;
} hrr_degree_noise;

static inline double hrr_degree_noise_eps(const hrr_degree_noise *noise)
{
    return (double)noise->num / (double)noise->den;
}

/* text: "communities=20,triangles=5", parts that are not named keep their weights; NULL: all do.
 * Errors: HRR_EINVAL (`edges.shares`). */
hrr_status hrr_degree_division_read(hrr_degree_division *out, const char *text, hrr_error *err);

/* All weights, as they are read. NULL: no memory. Belongs to the caller, hrr_free(). */
char *hrr_degree_division_text(const hrr_degree_division *division);

/* The noise of a part that has this much of epsilon. */
hrr_degree_noise hrr_degree_noise_of(hrr_degree_part part, uint64_t share_nano);

/* noise: of each part. Errors: HRR_EINVAL if a part that is bought gets less than 1e-9. */
hrr_status hrr_degree_divide(hrr_degree_noise *noise, const hrr_degree_division *division,
                             uint64_t eps_nano, hrr_error *err);

#endif
