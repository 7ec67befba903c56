/* audit_trials.h: an experiment that tries to prove a claim wrong: run something on two
 * neighbouring inputs, many times, and look for an event that is too likely on one side. */
#ifndef HRR_RELEASE_AUDIT_TRIALS_H
#define HRR_RELEASE_AUDIT_TRIALS_H

#include <heterorr/base.h>

enum { HRR_TRIAL_WIDTH = 2 }; /* most numbers that one trial gives */

typedef struct hrr_trials {
    /* Run trials [first, first + n) on neighbour `side` (0 or 1), n * width numbers into out. The
     * same trial gives the same numbers; the sides draw independently. */
    hrr_status (*run)(float *out, const void *user, int side, uint64_t first, uint64_t n,
                      hrr_error *err);
    const void *user;
    uint32_t width; /* 1 or 2 */
    double delta;   /* of the claim; 0 for pure epsilon */
    uint64_t pilot; /* trials a side that choose the events; 0: as many as the main run has, up to
                       65536 */
} hrr_trials;

/* Most trials that one call of run() is asked for. */
#define HRR_TRIALS_PER_BLOCK ((uint64_t)1 << 16)

/* A lower bound of epsilon from `trials` trials a side. *n_outcomes: how many outcomes were told
 * apart. Errors: those of run(), HRR_ENOMEM, HRR_ECANCEL. */
hrr_status hrr_audit_trials(double *lower_bound, uint32_t *n_outcomes, const hrr_trials *experiment,
                            uint64_t trials, hrr_progress *progress, hrr_error *err);

#endif
