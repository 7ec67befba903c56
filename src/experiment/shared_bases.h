/* shared_bases.h: what is free is the same for all budgets of a run: it is learnt once and kept for
 * the next setting that asks. */
#ifndef HRR_EXPERIMENT_SHARED_BASES_H
#define HRR_EXPERIMENT_SHARED_BASES_H

#include "experiment/training_settings.h"

/* Logits of one run, and how long its first network learnt. */
typedef struct hrr_shared_base {
    hrr_training_setting of; /* whatever it spends on edges, and whichever mechanism does */
    hrr_dense logits;        /* n x C, F32; empty: none is kept here */
    uint32_t epochs, best_epoch;
} hrr_shared_base;

/* The last few; settings come run by run. Begins as zeros. May be asked by several threads. */
typedef struct hrr_shared_bases {
    hrr_shared_base kept[16];
    unsigned next;
} hrr_shared_bases;

void hrr_shared_bases_clear(hrr_shared_bases *bases);

/* A copy of what is kept for the setting; out->logits stays empty if nothing is. bases NULL:
 * nothing is. Errors: HRR_ENOMEM. */
hrr_status hrr_shared_bases_find(hrr_shared_base *out, hrr_shared_bases *bases,
                                 const hrr_training_setting *setting, hrr_error *err) HRR_CHECKED;
/* Keep a copy. Errors: HRR_ENOMEM. */
hrr_status hrr_shared_bases_keep(hrr_shared_bases *bases, const hrr_shared_base *base,
                                 hrr_error *err) HRR_CHECKED;

#endif
