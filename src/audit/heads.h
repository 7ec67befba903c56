/* heads.h: reports of a head's answers, as an experiment: a row that the head answers one way, and
 * one that it answers another way, released again and again. A trial is the whole report, as one
 * number. */
#ifndef HRR_AUDIT_HEADS_H
#define HRR_AUDIT_HEADS_H

#include <heterorr/feature.h>

/* Two classes, which is a coin; seven, of which a report names some; three labels, all of which
 * change, some of which are asked about: all of them where the budget is large. */
enum { HRR_HEAD_VIEWS = 3, HRR_HEAD_MOST_ANSWERS = 7 };

typedef struct hrr_head_attack {
    hrr_feature_plan *plan;
    const hrr_random *random;
    char what[48];
} hrr_head_attack;

/* Errors: HRR_EINVAL for a budget that cannot be, HRR_ENOMEM. */
hrr_status hrr_head_attack_init(hrr_head_attack *out, int view, uint64_t eps_nano,
                                const hrr_random *random, hrr_error *err);
void hrr_head_attack_clear(hrr_head_attack *attack);

/* The run() of hrr_trials; user is an hrr_head_attack, width 1. */
hrr_status hrr_head_attack_run(float *out, const void *user, int side, uint64_t first, uint64_t n,
                               hrr_error *err);

#endif
