/* successive.h: two releases in a row, and whether they tell that the data changed in between. */
#ifndef HRR_AUDIT_SUCCESSIVE_H
#define HRR_AUDIT_SUCCESSIVE_H

#include "audit/protect.h"

typedef struct hrr_successive_attack {
    const hrr_protect_attack *protect; /* its neighbours, options and scratch directory */
    bool copies_equal; /* the control: give out the stored release if the data is what it was */
} hrr_successive_attack;

/* The run() of hrr_trials; user is an hrr_successive_attack, width 1. Each trial has a ledger of
 * its own. The first release is of side 0, the second of `side`, with the same request; a third is
 * asked for under a limit that leaves no room. What comes out is all that an onlooker sees beside
 * the draws themselves: are the two certificates one, what does the ledger say, is the third
 * refused? Draws are from the secure generator, because a release with a seed is never given out
 * again; what is seen does not depend on them. */
hrr_status hrr_successive_attack_run(float *out, const void *user, int side, uint64_t first,
                                     uint64_t n, hrr_error *err);

#endif
