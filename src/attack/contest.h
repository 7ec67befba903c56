/* contest.h: does an attack on a model find more than public knowledge does? */
#ifndef HRR_ATTACK_CONTEST_H
#define HRR_ATTACK_CONTEST_H

#include "attack/public_guess.h"

/* Which two AUCs are compared: */
enum {
    HRR_CONTEST_ALONE = 0, /* that of the attack with that of a guess */
    HRR_CONTEST_TOGETHER,  /* that of the two together with that of the guess */
    HRR_CONTESTS
};

/* What the samples so far say. */
typedef struct hrr_contest {
    uint64_t n_nodes; /* of the graph */
    uint32_t runs;    /* samples in all */
    struct hrr_rival {
        bool present;
        double value, guess; /* the two AUCs, means over samples */
        double *pull;        /* by node: how far its pairs pull the difference */
        double squares;      /* of the pulls of single pairs */
    } rival[HRR_CONTESTS][HRR_PUBLIC_GUESSES];
} hrr_contest;

hrr_status hrr_contest_init(hrr_contest *out, uint64_t n_nodes, uint32_t runs,
                            hrr_error *err) HRR_CHECKED;
void hrr_contest_clear(hrr_contest *contest);

/* One more sample. */
hrr_status hrr_contest_add(hrr_contest *contest, const hrr_link_pairs *pairs, const uint32_t *nodes,
                           const double *scores, const hrr_public_guesses *guesses,
                           hrr_error *err) HRR_CHECKED;
/* After all samples. */
void hrr_contest_judge(hrr_link_verdict *out, const hrr_contest *contest);

#endif
