/* mechanism.h: what an edge mechanism is made of, for plan.c and draw.c, which run them all. What
 * it is for everybody else stands in `about`, a row of the public table. */
#ifndef HRR_EDGE_MECHANISM_H
#define HRR_EDGE_MECHANISM_H

#include "edge/over_ranks.h"
#include "edge/promise.h"

#include <heterorr/edge.h>

typedef struct hrr_edge_method hrr_edge_method;

struct hrr_edge_plan {
    const hrr_edge_method *mechanism;
    hrr_edge_public known; /* borrowed from the caller */
    hrr_edge_options options;
    hrr_edge_claim claim;
    hrr_edge_promise promise; /* whose texts claim points at */
    void *state;              /* the mechanism's own: a tree, tables */
    bool without_blocks;      /* they are given later (late_blocks.h) */
    hrr_ranks *ranks;         /* with which it is drawn; NULL: alone */
};

struct hrr_edge_method {
    hrr_edge_mechanism about;
    bool draws_canonical; /* its edges come in canonical form: asserted, not sorted again */
    /* Decide everything from public data: set plan->state, the terms of plan->claim (eps_nano and
     * n_candidate_pairs come preset), advice, expected_false_edges and chain_steps. */
    hrr_status (*prepare)(hrr_edge_plan *plan, hrr_progress *progress, hrr_error *err);
    void (*release)(void *state); /* may be NULL */
    /* Take blocks, need and rivals that were not there when the plan was made; NULL: it counts into
     * none.
     */
    hrr_status (*give_blocks)(hrr_edge_plan *plan, const uint32_t *blocks, const uint32_t *need,
                              const uint32_t *rivals, hrr_error *err);
    /* What follows from the terms; eps_nano is in range. out comes zeroed and is cleared by the
     * caller; a text that stays NULL is taken for lack of memory. */
    hrr_status (*promise)(hrr_edge_promise *out, const hrr_edge_method *self,
                          const hrr_edge_claim *terms, hrr_error *err);
    /* Draw with a secret that was checked: canonical, candidate pairs only. out comes zeroed; on
     * failure draw.c clears it. out->realised_eps is computed from what the samplers are handed,
     * never from the request: draw.c releases nothing if it is not what the plan promised.
     * out->edges may be in any order and repeat or hit public edges: draw.c brings them to
     * canonical form and takes public edges out. */
    hrr_status (*draw)(hrr_edge_release *out, const hrr_edge_plan *plan,
                       const hrr_edge_secret *secret, const hrr_random *random,
                       hrr_progress *progress, hrr_error *err);
    /* Whether draw() shares the work of this plan among ranks (hrr_edge_ranks()); NULL: never. */
    bool (*over_ranks)(const hrr_edge_plan *plan);
    /* What of the state ranks must have in common, if draw() shares its work; else NULL. */
    void (*digest)(hrr_hash *hash, const hrr_edge_plan *plan);
};

/* The ranks among which draw() shares its work; NULL: it does it all. */
hrr_ranks *hrr_edge_ranks(const hrr_edge_plan *plan);

/* A seed for the fast generator, for whatever is done with noisy numbers after they were drawn. It
 * stays secret: whoever knew it could tell sampled edges from public ones. */
hrr_status hrr_edge_postprocess_seed(uint64_t *seed, const hrr_random *random, hrr_error *err);

/* One more part of a release, of n_rows x n_cols items; n_cols 0: one dimension. Zeroed. Rows come
 * first, so that the parts of several graphs can be joined. `name`: a literal.
 * Errors: HRR_ENOMEM. */
hrr_status hrr_edge_add_part(hrr_edge_release *out, const char *name, hrr_array_type type,
                             size_t item_size, uint64_t n_rows, uint64_t n_cols, hrr_error *err);

/* The mechanisms, one file each. */
extern const hrr_edge_method hrr_edge_public_only, hrr_edge_none;
extern const hrr_edge_method hrr_edge_edgerr, hrr_edge_privhrg, hrr_edge_privhrg_private;
extern const hrr_edge_method hrr_edge_edgerand, hrr_edge_edgerand_private;
extern const hrr_edge_method hrr_edge_lapgraph, hrr_edge_lapgraph_private;
extern const hrr_edge_method hrr_edge_edgerr_node, hrr_edge_edgerr_links;
extern const hrr_edge_method hrr_edge_edgerr_degrees;

/* Errors: HRR_EINVAL naming the choices. */
hrr_status hrr_edge_method_choose(const hrr_edge_method **out, const char *name, hrr_error *err);

/* Whether it needs an epsilon; otherwise eps_nano is not looked at. */
static inline bool hrr_edge_spends(const hrr_edge_method *method)
{
    return method->about.effect == HRR_EFFECT_PROTECT;
}

/* Parts of a budget are integers whose sum is the whole at most; their sum as doubles may be
 * rounded up by a bit. Takes the bit back. */
double hrr_edge_without_rounding(double realised_eps, uint64_t eps_nano);

/* HRR_EINVAL unless it is a budget, or the mechanism needs none. */
hrr_status hrr_edge_eps_check(const hrr_edge_method *mechanism, uint64_t eps_nano, hrr_error *err);

/* How many edges a release may have: options.most_edges_out, or what fits this machine. */
uint64_t hrr_edge_most_edges_out(const hrr_edge_plan *plan);

#endif
