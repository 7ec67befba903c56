/* edge.h: protect private edges with EdgeRR or any of its alternatives, through one interface: plan
 * with public data, then draw with the private edges. One call handles one graph; for a collection,
 * call once for each of its graphs. */
#ifndef HETERORR_EDGE_H
#define HETERORR_EDGE_H

#include <heterorr/base.h>
#include <heterorr/graph.h>
#include <heterorr/io.h>
#include <heterorr/privacy.h>
#include <heterorr/random.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- public and secret data ------------------------------------------------------- */

/* Public data: the nodes 0..n-1, the public edges (canonical: source < target, sorted,
 * each once) and the candidate set V_c. The arrays belong to the caller and must outlive the plan.
 */
typedef struct hrr_edge_public {
    uint64_t n_nodes;
    uint64_t n_edges;
    const uint32_t *source, *target;
    const uint8_t *candidates; /* n bytes of 0 and 1; NULL: all nodes */
} hrr_edge_public;

/* The secret: which candidate pairs have an edge. Both ends of a candidate pair are in V_c, and no
 * public edge joins them. Canonical. Two inputs are neighbours if they differ in one such pair. */
typedef struct hrr_edge_secret {
    uint64_t n_edges;
    const uint32_t *source, *target;
} hrr_edge_secret;

/* ---- mechanisms ----------------------------------------------------------------------------- */

/* The properties of a mechanism, for code that chooses a mechanism, checks options or reads a
 * release. The rows and their texts belong to the library and never change while it runs. New
 * members are added at the end and are 0 in rows that do not set them. */
typedef struct hrr_edge_mechanism {
    const char *name;
    const char *what; /* it does, in one clause: "randomised response on every candidate pair" */
    const char *page; /* of the documentation: "docs/mechanisms/edgerand.md" */
    const char *bias; /* the systematic error of its releases; NULL: none, because edges are
                         released as they are */
    hrr_effect effect;
    bool certified; /* its epsilon is proved (it is 0 if the mechanism reads nothing). With a tree,
                       the epsilon of the tree must be proved as well (hrr_edge_tree) */
    bool whole_graph; /* protects all edges: the caller passes public edges as secret ones (n_edges
                         = 0 in hrr_edge_public), and no edge is kept */
    const char *private_form; /* the name of the same mechanism for private pairs only, which keeps
                                 the public edges: the fair comparison with other mechanisms. NULL:
                                 there is none, or this is it */
    bool has_tree;            /* its release has a tree: tree.npy, tree_counts.npy */
    bool chooses_tree;        /* uses the options tree and tree_share */
    bool has_counts;  /* its release has counts of neighbours: block_counts.npy, blocks.npy, and
                         counted.npy if there is a candidate set, need.npy if a pair is counted at
                         the end with the greater need, rivals.npy if blocks share a count. It uses
                         the options blocks, n_blocks, count_ends, need, rivals and sample_edges. It
                         releases synthetic edges only with sample_edges */
    bool flips_pairs; /* noise is added to each pair separately, so the number of false edges grows
                         with the number of pairs */
    bool has_shares;  /* uses the option shares */
} hrr_edge_mechanism;

/* The rows, NULL-terminated, in the order in which they are shown. */
HRR_API const hrr_edge_mechanism *const *hrr_edge_mechanisms(void);
/* The row of that name; NULL if there is none. name may be NULL. */
HRR_API const hrr_edge_mechanism *hrr_edge_mechanism_find(const char *name);
/* The first row with that effect: public-only (leaves out), none (keeps). */
HRR_API const hrr_edge_mechanism *hrr_edge_mechanism_with(hrr_effect effect);

/* A method to build the tree of mechanisms that have one. */
typedef struct hrr_edge_tree {
    const char *name;
    const char *what;     /* it is, in one clause */
    const char *page;     /* of the documentation */
    double default_share; /* the share of the budget that the tree gets by default; 0: it reads no
                             private edge */
    bool certified;       /* its epsilon is proved */
    bool of_paper_mode;   /* the default in paper mode */
} hrr_edge_tree;

/* The rows, NULL-terminated; the first is the default. */
HRR_API const hrr_edge_tree *const *hrr_edge_trees(void);
/* The row of that name; NULL if there is none. name NULL: the default. */
HRR_API const hrr_edge_tree *hrr_edge_tree_find(const char *name);

/* ---- plan ----------------------------------------------------------------------------------- */

/* At which of its ends edgerr-node counts a private edge. */
typedef enum hrr_count_ends {
    HRR_ENDS_USUAL, /* HRR_ENDS_NEEDED if need is given, or predicted with the blocks, and no edges
                       are sampled; otherwise HRR_ENDS_BOTH */
    HRR_ENDS_ONE,   /* one end, chosen by a public coin that depends on the pair and public_seed */
    HRR_ENDS_BOTH,
    HRR_ENDS_NEEDED /* the end with the greater need, by a public rank */
} hrr_count_ends;

/* Counts that two blocks share are read with tables of pairs of blocks, which would take too much
 * memory for more blocks. */
enum { HRR_MOST_RIVAL_BLOCKS = 16 };

typedef struct hrr_edge_options {
    size_t size;             /* set by hrr_edge_options_init() */
    const char *mechanism;   /* the name of a row of hrr_edge_mechanisms() */
    uint64_t eps_nano;       /* for one candidate pair */
    const char *tree;        /* edgerr: the name of a row of hrr_edge_trees(); NULL: the first */
    double tree_share;       /* share of the budget that goes to the tree; negative: the default */
    uint64_t steps_per_node; /* of the chain; 0: the default */
    uint64_t most_edges_out; /* refuse a plan that expects more; 0: what fits memory, and
                                hrr_protect() stops at 50 a node or a million */
    uint64_t public_seed; /* the seed of choices that are made from public data: the same seed gives
                             the same tree */
    const uint32_t *blocks; /* edgerr-node: the public block of each node, below n_blocks; borrowed
                               for the life of the plan. NULL: communities of the public edges */
    uint32_t n_blocks;      /* without blocks: how many communities at most; 0: the default */
    hrr_count_ends count_ends; /* edgerr-node */
    const uint32_t *need; /* edgerr-node, HRR_ENDS_NEEDED: the need of each node. A pair is counted
                             at the end with the greater need, or at the end with the larger number
                             if both are equal. Public; borrowed for the life of the plan. NULL:
                             nodes with fewer public edges have a greater need */
    bool sample_edges;    /* edgerr-node: also draw synthetic edges from the counts; not with
                             HRR_ENDS_NEEDED */
    int threads;
    const uint32_t *rivals; /* edgerr-node, HRR_ENDS_NEEDED: two blocks of each node, n_nodes x 2,
                               of at most HRR_MOST_RIVAL_BLOCKS.
                               Neighbours in the second block are subtracted from the count of the
                               first block, and the count of the second block is always 0. If both
                               are the same block, all neighbours are counted. Public; borrowed for
                               the life of the plan. NULL: all neighbours are counted */
    const char *shares;     /* edgerr-degrees: weights by which epsilon is divided, such as
                               "communities=20,triangles=5", from 1 to 1000; communities may be 0.
                               The parts are staircase, degrees, classes, triangles, closed, components
                               and communities. A part that is not named keeps its default weight. NULL:
                               all defaults */
} hrr_edge_options;

HRR_API void hrr_edge_options_init_sized(hrr_edge_options *options, size_t size);
static inline void hrr_edge_options_init(hrr_edge_options *options)
{
    hrr_edge_options_init_sized(options, sizeof *options);
}

/* Everything a mechanism decides before it sees a private edge. */
typedef struct hrr_edge_plan hrr_edge_plan;

typedef struct hrr_edge_claim {
    /* The terms: public numbers from which the promise follows. */
    uint64_t eps_nano;         /* requested */
    const char *tree;          /* the tree's name; NULL: the mechanism has none */
    uint64_t eps_tree_nano;    /* how much of it may be spent on the shape of the tree */
    uint64_t n_candidates;     /* tree select: |V_c|; else 0 */
    uint64_t most_pairs_split; /* tree select: by one node of any of its trees; else 0 */
    uint64_t most_edges;       /* lapgraph: what the number of edges is clamped to; else 0 */
    uint32_t n_blocks;         /* edgerr-node: into how many blocks it counts; else 0 */
    hrr_count_ends count_ends; /* edgerr-node: at which of its ends a pair is counted, never
                                  HRR_ENDS_USUAL; else 0 */
    uint64_t n_candidate_pairs;

    /* The promise: */
    double realised_eps;              /* proved for the integers that are drawn; INFINITY if
                                         nothing is proved */
    const char *statement;            /* one sentence; belongs to the plan */
    const char *evidence;             /* how realised_eps is known; one sentence */
    const char *const *not_certified; /* NULL-terminated reasons why realised_eps is INFINITY, or
                                         NULL */

    const char *shares; /* edgerr-degrees, a term like those above: the weights of all its parts,
                           as hrr_edge_options has them; else NULL */

    const char *advice; /* why the chosen options may not pay, judged by public data, and what to
                           do; or NULL */
    double expected_false_edges; /* edges that noise alone adds, on average */
    uint64_t chain_steps;        /* public: known before anything is drawn */
} hrr_edge_claim;

/* Reads public data only. Errors: HRR_EINVAL for options that are not valid, HRR_ENOMEM,
 * HRR_ECANCEL. */
HRR_API HRR_STATUS hrr_edge_plan_new(hrr_edge_plan **out, const hrr_edge_public *known,
                                     const hrr_edge_options *options, hrr_progress *progress,
                                     hrr_error *err);
HRR_API void hrr_edge_plan_free(hrr_edge_plan *plan);
HRR_API hrr_edge_claim hrr_edge_plan_claim(const hrr_edge_plan *plan);

/* ---- draw ----------------------------------------------------------------------------------- */

/* What may be published. Everything in it is drawn by the mechanism or computed from its draws. */
typedef struct hrr_edge_release {
    hrr_edge_list edges; /* the synthetic private edges: canonical, none of them a public edge */
    struct hrr_edge_part {
        const char *name; /* a literal, the name of its .npy file */
        hrr_array array;
    } parts[6]; /* what else the mechanism releases: the tree, noisy counts */
    int n_parts;
    double realised_eps; /* computed from the parameters that the samplers used; INFINITY if nothing
                            is proved */
} hrr_edge_release;

HRR_API void hrr_edge_release_clear(hrr_edge_release *release);

/* Draw a release. The draws come from `random` at the purposes HRR_PURPOSE_EDGE_*: use a separate
 * generator for each graph and each release (hrr_random_new_child). The result does not depend on
 * the number of threads. Progress and messages depend on the secret only through what is released;
 * the running time may depend on the secret.
 *
 * Errors: HRR_EDATA if a private edge is not a candidate pair (the message does not name it),
 * HRR_ENOMEM, HRR_ECANCEL; HRR_ECHECK if the draws do not match the promise of the plan, which is a
 * bug.
 */
HRR_API HRR_STATUS hrr_edge_plan_draw(hrr_edge_release *out, const hrr_edge_plan *plan,
                                      const hrr_edge_secret *secret, const hrr_random *random,
                                      hrr_progress *progress, hrr_error *err);

/* ---- reading what was released ----------------------------------------------------------------
 */

/* What edgerr-node releases: noisy counts of a node's private neighbours in public blocks. */
typedef struct hrr_block_counts {
    uint64_t n_nodes;
    uint32_t n_blocks;
    const int64_t *count;   /* n_nodes x n_blocks */
    const uint8_t *counted; /* n_nodes of 0 and 1: whose neighbours were counted; NULL: all */
    double eps; /* the epsilon of the noise of one count: eps_edges, or half of it if pairs were
                   counted at both ends */
    const uint32_t *need; /* n_nodes: a pair was counted at the end with the greater need, or at the
                             end with the larger number if both are equal; NULL: pairs were counted
                             at both ends, or at one end by a coin */
    const uint32_t *block; /* n_nodes: the block of each node; used only if there is need */
    const uint32_t
        *rivals; /* n_nodes x 2: neighbours in the second block were subtracted from the count of
                    the first block and have no count of their own. If both are the same block, all
                    neighbours were counted. NULL: all neighbours were counted */
} hrr_block_counts;

#ifdef __cplusplus
}
#endif
#endif
