/* trials.h: an experiment that tries to prove a claim wrong: run something on two
 * neighbouring inputs, many times, and look for an event that is too likely on one side. */
#ifndef HRR_AUDIT_TRIALS_H
#define HRR_AUDIT_TRIALS_H

#include <heterorr/base.h>

enum { HRR_TRIAL_WIDTH = 2 }; /* most numbers that one trial gives */

typedef struct hrr_trials {
    /* Run trials [first, first + n) on neighbour `side` (0 or 1), n * width numbers into out. The
     * same call gives the same numbers; the sides draw independently. Called by several threads at
     * once. */
    hrr_status (*run)(float *out, const void *user, int side, uint64_t first, uint64_t n,
                      hrr_error *err);
    const void *user;
    uint32_t width; /* 1 or 2 */
    double delta;   /* of the claim; 0 for pure epsilon */
    uint64_t pilot; /* trials a side that choose the events; 0: as many as the main run has, up to
                       65536 */
} hrr_trials;

/* Most trials that one call of run() is asked for. Few enough that Ctrl-C is answered while whole
 * bundles are made, and the same for any number of threads, so that the numbers are too. */
enum { HRR_TRIALS_PER_CALL = 256 };

/* Wrong with probability 1e-3 at most, all of it together. */
typedef struct hrr_trials_finding {
    double lower_bound; /* of epsilon */
    /* P(yes on side 1) - P(yes on side 0) for one test, chosen by the pilot: is one of the numbers
     * at least (or below) some value? */
    double advantage, least_advantage, most_advantage;
    uint32_t n_outcomes; /* that were told apart */
} hrr_trials_finding;

/* From `trials` trials a side. The result does not depend on the number of threads; 0: all there
 * are.
 * Errors: those of run(), HRR_ENOMEM, HRR_ECANCEL. */
hrr_status hrr_audit_trials(hrr_trials_finding *out, const hrr_trials *experiment, uint64_t trials,
                            int threads, hrr_progress *progress, hrr_error *err);

#endif
