/* mechanism.h: what an edge mechanism is made of, for plan.c and draw.c, which run them all. */
#ifndef HRR_EDGE_MECHANISM_H
#define HRR_EDGE_MECHANISM_H

#include <heterorr/edge.h>

typedef struct hrr_edge_mechanism hrr_edge_mechanism;

struct hrr_edge_plan {
    const hrr_edge_mechanism *mechanism;
    hrr_edge_public known; /* borrowed from the caller */
    hrr_edge_options options;
    hrr_edge_claim claim;
    char *statement, *evidence; /* what claim points at */
    void *state;                /* the mechanism's own: a tree, tables */
};

struct hrr_edge_mechanism {
    const char *name;
    bool without_eps; /* reads no private data, or protects none: eps_nano is not looked at */
    /* Decide everything from public data: set plan->state, plan->statement, plan->evidence and the
     * numbers of plan->claim (eps_nano and n_candidate_pairs come preset). */
    hrr_status (*prepare)(hrr_edge_plan *plan, hrr_progress *progress, hrr_error *err);
    void (*release)(void *state); /* may be NULL */
    /* Draw with a secret that was checked: canonical, candidate pairs only. out comes zeroed; on
     * failure draw.c clears it. out->edges may be in any order and repeat or hit public edges:
     * draw.c brings them to canonical form and takes public edges out. */
    hrr_status (*draw)(hrr_edge_release *out, const hrr_edge_plan *plan,
                       const hrr_edge_secret *secret, const hrr_random *random,
                       hrr_progress *progress, hrr_error *err);
};

/* The mechanisms, one file each. */
extern const hrr_edge_mechanism hrr_edge_public_only, hrr_edge_none;
extern const hrr_edge_mechanism hrr_edge_edgerr, hrr_edge_privhrg;

#endif
