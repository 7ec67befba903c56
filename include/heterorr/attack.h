/* attack.h: what an adversary finds out about private edges and features, so that their owner can
 * find it out first. A model is reached through questions to a service; a local model may also be
 * looked into, which is faster and finds the same. For the owner of the data: truth is needed to
 * score an attack, never to run it. */
#ifndef HETERORR_ATTACK_H
#define HETERORR_ATTACK_H

#include <heterorr/base.h>
#include <heterorr/graph.h>
#include <heterorr/learn.h>
#include <heterorr/matrix.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- a prediction service -------------------------------------------------------------------- */

/* What a service says about a node: C numbers. */
typedef enum hrr_returns {
    HRR_RETURNS_LOGITS = 0,
    HRR_RETURNS_PROBABILITIES,
    HRR_RETURNS_ROUNDED, /* probabilities to so many decimals */
    HRR_RETURNS_LABELS   /* 1 for the label (those, of several, above one half), else 0 */
} hrr_returns;

/* What do you say about the nodes in `asked`, if node `changed` had these features? */
typedef struct hrr_question {
    const uint32_t *asked;
    uint64_t n_asked;
    int64_t changed;        /* -1: none */
    const double *features; /* of that node; NULL: none */
} hrr_question;

/* answer: n_asked x C. HRR_EIO says "not now" (busy, over a limit, a lost connection) and is asked
 * again after a while; any other failure ends the attack. */
typedef hrr_status hrr_query(void *user, double *answer, const hrr_question *question,
                             hrr_error *err);

typedef struct hrr_service {
    hrr_query *query;
    void *user;
    uint64_t n_nodes, n_features;
    uint32_t n_classes;
    uint32_t retries; /* after so many refusals of one question in a row the attack gives up */
    double wait;      /* seconds before the first repetition; twice as long each time after */
} hrr_service;

/* Ask, wait and ask again, and look at the answer.
 *
 * Errors: HRR_EIO when the service refused too often, HRR_EDATA for an answer that is not finite,
 *         HRR_ECANCEL (also while waiting), and what the service itself fails with. */
HRR_API hrr_status hrr_service_ask(double *answer, const hrr_service *service,
                                   const hrr_question *question, const hrr_progress *progress,
                                   hrr_error *err);

/* A model of our own behind the same door, computing in doubles on all nodes for each question, as
 * a service would. features NULL: those of the graph. Model, graph and features must outlive it.
 *
 * Cost:   a question O(m h + n h^2) time; O(n h) memory.
 * Errors: HRR_EDATA for a graph that the model does not fit, HRR_ENOMEM. */
typedef struct hrr_local_service hrr_local_service;
HRR_API hrr_status hrr_local_service_new(hrr_local_service **out, const hrr_model *model,
                                         const hrr_graph *graph, const hrr_dense *features,
                                         hrr_returns returns, int decimals, int threads,
                                         hrr_progress *progress, hrr_error *err);
HRR_API void hrr_local_service_free(hrr_local_service *local);
HRR_API hrr_service hrr_local_service_view(hrr_local_service *local);

/* ---- influence ------------------------------------------------------------------------------- */

/* LinkTeller (Wu et al., S&P 2022): influence of v on u is how far the answer about u moves when
 * the features of v grow by the factor 1 + delta:
 *
 *     || (f(X + delta e_v x_v^T) - f(X))_u / delta ||_2
 *
 * A node whose features are all 0 is moved by ones instead. out: n_nodes x n_nodes, F64; row v,
 * column u. */

/* By questions: one as things are, and one for each node.
 *
 * Errors: those of hrr_service_ask(), HRR_EINVAL, HRR_ENOMEM. */
HRR_API hrr_status hrr_influence_measure(hrr_dense *out, const hrr_service *service,
                                         const hrr_dense *features, const uint32_t *nodes,
                                         uint64_t n_nodes, double delta, hrr_progress *progress,
                                         hrr_error *err);
/* The limit of small delta, by looking into the model: forward derivatives along x_v, only where
 * the chosen nodes can see each other. probabilities: of those, instead of logits.
 *
 * Cost:   one forward pass over the neighbourhood that the nodes see, then for each node
 *         O(neighbours h C) (two layers).
 * Errors: HRR_EDATA for a graph that the model does not fit, HRR_ENOMEM, HRR_ECANCEL. */
HRR_API hrr_status hrr_influence_exact(hrr_dense *out, const hrr_model *model,
                                       const hrr_graph *graph, const hrr_dense *features,
                                       const uint32_t *nodes, uint64_t n_nodes, bool probabilities,
                                       int threads, hrr_progress *progress, hrr_error *err);

/* ---- which pairs, and how well they are ranked ----------------------------------------------- */

typedef enum hrr_pool { HRR_POOL_ALL = 0, HRR_POOL_LOW, HRR_POOL_HIGH } hrr_pool;

/* n_wanted nodes of the pool, ascending: degrees at most `low`, at least `high`, or any. A pool
 * with fewer gives them all.
 *
 * Ownership: *nodes is hrr memory of the caller. Errors: HRR_EDATA for a pool with fewer than two
 *            nodes, HRR_ENOMEM. */
HRR_API hrr_status hrr_attack_nodes(uint32_t **nodes, uint64_t *n_nodes, const hrr_graph *graph,
                                    hrr_pool pool, uint32_t low, uint32_t high, uint64_t n_wanted,
                                    uint64_t seed, hrr_error *err);

/* Pairs i < j of positions among the nodes, with the answer. */
typedef struct hrr_link_pairs {
    uint64_t n, n_positive;
    uint32_t *i, *j;
    uint8_t *positive;
} hrr_link_pairs;

/* Private edges are positive, pairs without an edge negative; public edges are known to everybody
 * and left out. all_edges: every edge is positive, whatever its mark.
 * Errors: HRR_EDATA if nothing is positive or nothing negative, HRR_ENOMEM. */
HRR_API hrr_status hrr_link_pairs_init(hrr_link_pairs *out, const hrr_graph *truth, const uint32_t *nodes,
                                  uint64_t n_nodes, bool all_edges, hrr_error *err);
HRR_API void hrr_link_pairs_clear(hrr_link_pairs *pairs);

#define HRR_K_HATS 5
/* The adversary believes in so many times the true density: 1/4, 1/2, 1, 2, 4. */
HRR_API extern const double hrr_k_hats[HRR_K_HATS];

typedef struct hrr_link_quality {
    double auc, average_precision;
    double precision[HRR_K_HATS], recall[HRR_K_HATS]; /* of the highest k-hat pairs */
    double n_pairs, n_positive;
} hrr_link_quality;

/* scores: one for each pair, high: edge. Among equal scores every order is as likely. */
HRR_API hrr_status hrr_link_measure(hrr_link_quality *out, const hrr_link_pairs *pairs,
                                    const double *scores, hrr_error *err);

/* ---- LinkTeller ------------------------------------------------------------------------------ */

typedef struct hrr_linkteller_options {
    uint64_t n_samples; /* nodes in a sample; a smaller pool is taken whole */
    hrr_pool pool;
    uint32_t low, high; /* degrees of the pools */
    uint32_t runs;      /* samples */
    bool all_edges;
    hrr_returns returns;
    int decimals;     /* of rounded probabilities */
    double delta;     /* 0: 1e-4, or 1 where small changes are rounded away */
    bool differences; /* ask, as published, also where looking into the model gives the same */
    uint64_t seed;
    int threads;
} hrr_linkteller_options;
/* 500 nodes of all, three samples, logits; degrees up to 5 are low, from 10 on high. */
HRR_API void hrr_linkteller_options_init(hrr_linkteller_options *options);

typedef struct hrr_linkteller_result {
    hrr_link_quality mean, deviation; /* over samples; the deviation is 0 for one */
    uint64_t n_nodes;                 /* in a sample */
    uint32_t runs;
    bool exact; /* no differences were taken */
    double delta;
} hrr_linkteller_result;

/* Attack a model that is served on one graph; truth, with the same nodes, says what was private.
 * samples: room for options->runs, or NULL.
 *
 * Errors: HRR_EINVAL, HRR_EDATA (nothing private in a sample, graphs of different nodes, a model of
 *         another shape), HRR_ENOMEM, HRR_ECANCEL. */
HRR_API hrr_status hrr_linkteller(hrr_linkteller_result *out, hrr_link_quality *samples,
                                  const hrr_model *model, const hrr_graph *served,
                                  const hrr_graph *truth, const hrr_linkteller_options *options,
                                  hrr_progress *progress, hrr_error *err);

#ifdef __cplusplus
}
#endif
#endif
