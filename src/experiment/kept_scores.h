/* kept_scores.h: scores that several settings of a run need are learnt once and kept for the next
 * one that asks: the free model, and all that is free together. They are most of what such a
 * setting costs. */
#ifndef HRR_EXPERIMENT_KEPT_SCORES_H
#define HRR_EXPERIMENT_KEPT_SCORES_H

#include "experiment/training_settings.h"

/* Whose scores they are, and so which settings share them. */
typedef enum hrr_kept_kind {
    HRR_KEPT_FREE_MODEL, /* learn/free_model.h: settings with the same split and edges */
    HRR_KEPT_BASE        /* learn/public_base.h: with the same split, marks and features */
} hrr_kept_kind;

typedef struct hrr_kept_scores {
    hrr_kept_kind kind;
    hrr_training_setting of;
    hrr_dense scores; /* n x C, F32; empty: none are kept here */
    uint32_t epochs, best_epoch;
} hrr_kept_scores;

/* The last few; settings come run by run. Begins as zeros. Several threads may use it. */
typedef struct hrr_kept {
    hrr_kept_scores items[8];
    unsigned next;
} hrr_kept;

void hrr_kept_clear(hrr_kept *kept);

/* A copy of what is kept for the setting; out->scores stays empty if nothing is. kept NULL: nothing
 * is. Errors: HRR_ENOMEM. */
hrr_status hrr_kept_find(hrr_kept_scores *out, hrr_kept *kept, hrr_kept_kind kind,
                         const hrr_training_setting *setting, hrr_error *err) HRR_CHECKED;
/* Keep a copy; the oldest makes room. Errors: HRR_ENOMEM. */
hrr_status hrr_kept_add(hrr_kept *kept, const hrr_kept_scores *added, hrr_error *err) HRR_CHECKED;

#endif
