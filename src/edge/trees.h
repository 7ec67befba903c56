/* trees.h: the ways to a dendrogram, one file each, and the tools that they share.
 *
 * A method prepares from public data and then draws with the secret, for which it may spend
 * eps_tree_nano. edgerr.c adds the noisy counts and samples the edges. */
#ifndef HRR_EDGE_TREES_H
#define HRR_EDGE_TREES_H

#include "edge/dendrogram.h"
#include <heterorr/edge.h>

/* The public side of one run of a method. */
typedef struct hrr_tree_plan {
    const hrr_edge_public *known;
    const hrr_edge_options *options;
    uint64_t eps_tree_nano;
    /* Set by prepare: */
    hrr_dendrogram start; /* from public data alone */
    uint64_t chain_steps;
    uint64_t n_candidates, most_pairs_split; /* as in hrr_edge_claim */
    void *state;
} hrr_tree_plan;

typedef struct hrr_tree_method {
    hrr_edge_tree about;
    /* What eps_tree_nano of the terms realises; NULL: 0, or nothing if it is not certified. */
    double (*realised)(const hrr_edge_claim *terms);
    const char *evidence;             /* a literal */
    const char *const *not_certified; /* as in hrr_edge_claim */
    bool one_query;     /* the tree tells nothing, so all pairs are counted together */
    bool private_nodes; /* of the nodes that have a private edge alone: the paper's V_pri instead of
                           the candidate set, which is not private */
    hrr_status (*prepare)(hrr_tree_plan *plan, hrr_progress *progress, hrr_error *err);
    void (*release)(void *state); /* may be NULL */
    /* *realised_eps: of the parameters that the samplers were handed. */
    hrr_status (*draw)(hrr_dendrogram *out, double *realised_eps, const hrr_tree_plan *plan,
                       const hrr_edge_secret *secret, const hrr_random *random,
                       hrr_progress *progress, hrr_error *err);
} hrr_tree_method;

extern const hrr_tree_method hrr_tree_public; /* the others join here */
extern const hrr_tree_method hrr_tree_single, hrr_tree_paper;
extern const hrr_tree_method hrr_tree_uniform;
extern const hrr_tree_method hrr_tree_select, hrr_tree_barker, hrr_tree_quotient;

/* ---- tools ---------------------------------------------------------------------------------- */

/* A uniformly random leaf order, halved again and again: what the paper starts from. */
hrr_status hrr_start_random(hrr_dendrogram *out, uint32_t n_leaves, uint64_t seed, hrr_error *err);

/* A good tree from public edges alone, quickly. The same for any number of threads. */
hrr_status hrr_start_public(hrr_dendrogram *out, const hrr_edge_public *known, uint64_t seed,
                            int threads, hrr_progress *progress, hrr_error *err);

/* Rearrange the tree by n_steps Metropolis steps of target exp(L_pub). The same for any number of
 * threads. On failure the tree is still a tree. */
hrr_status hrr_chain_public(hrr_dendrogram *tree, const hrr_edge_public *known, uint64_t n_steps,
                            uint64_t seed, int threads, hrr_progress *progress, hrr_error *err);

/* plan->start and plan->chain_steps by the two above; options->steps_per_node or the default. */
enum { HRR_PUBLIC_STEPS_PER_NODE = 30 };
hrr_status hrr_tree_fit_public(hrr_tree_plan *plan, uint64_t default_steps_per_node,
                               hrr_progress *progress, hrr_error *err);

/* L_pub: the sum over internal nodes of phi(e) + phi(N - e) - phi(N), N = leaves left x right. */
hrr_status hrr_dendrogram_likelihood(double *out, const hrr_dendrogram *tree, uint64_t n_edges,
                                     const uint32_t *source, const uint32_t *target,
                                     hrr_error *err);

#endif
