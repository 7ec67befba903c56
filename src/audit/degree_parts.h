/* degree_parts.h: the numbers that edgerr-degrees buys, part by part, as an experiment. Edges that
 * are wired to all of them together show little of one part; an onlooker who is handed the part
 * itself sees what its share of the budget is said to hide. */
#ifndef HRR_AUDIT_DEGREE_PARTS_H
#define HRR_AUDIT_DEGREE_PARTS_H

#include "audit/trials.h"
#include "edge/degree_numbers.h"

typedef struct hrr_degree_attack {
    hrr_degree_part part;
    hrr_degree_noise noise[HRR_N_DEGREE_PARTS];
    uint64_t seed;
    uint32_t width;  /* how many numbers of the part the pair moves */
    double realised; /* what the noise of the part amounts to */
} hrr_degree_attack;

/* eps_nano: what the part's share is to be. Small shares show nothing in any number of trials. */
hrr_degree_attack hrr_degree_attack_on(hrr_degree_part part, uint64_t eps_nano, uint64_t seed);

/* The run() of hrr_trials; user is an hrr_degree_attack, width its own. */
hrr_status hrr_degree_attack_run(float *out, const void *user, int side, uint64_t first, uint64_t n,
                                 hrr_error *err);

#endif
