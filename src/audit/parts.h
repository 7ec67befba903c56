/* parts.h: what two parts of one release say together, which neither says alone: noise that
 * they share cancels in their difference. */
#ifndef HRR_AUDIT_PARTS_H
#define HRR_AUDIT_PARTS_H

#include "audit/trials.h"
#include <heterorr/release.h>

typedef enum hrr_parts_view {
    HRR_PARTS_BITS,          /* the two labels of a node, which are to share one budget */
    HRR_PARTS_FEATURES_BITS, /* a node's features beside its labels */
    HRR_PARTS_GRAPHS,        /* a count of one graph beside the same count of another */
    HRR_PARTS_ROWS, /* a node's features beside those of a node in the next block of rows */
    HRR_PARTS_VIEWS
} hrr_parts_view;

typedef struct hrr_parts_attack {
    hrr_parts_view view;
    hrr_graph *graph[2]; /* neighbours */
    hrr_protect_options options;
    hrr_protect_summary summary; /* of one release: what it claims */
    char *directory;
    uint64_t seed;
} hrr_parts_attack;

/* Every kind of budget is eps_nano. Errors: HRR_EIO, HRR_ENOMEM. */
hrr_status hrr_parts_attack_init(hrr_parts_attack *out, hrr_parts_view view, uint64_t eps_nano,
                                 uint64_t seed, hrr_error *err);
void hrr_parts_attack_clear(hrr_parts_attack *attack);

/* The run() of hrr_trials; user is an hrr_parts_attack, width 1. */
hrr_status hrr_parts_attack_run(float *out, const void *user, int side, uint64_t first, uint64_t n,
                                hrr_error *err);

#endif
