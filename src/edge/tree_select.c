/* tree_select.c: several trees from public edges, one of them chosen by the private ones.
 *
 * Neighbours:  secrets that differ in one candidate pair.
 * Guarantee:   eps_tree-DP. The trees are public. The pair is split by one node of each tree, so
 *              that every score L_pri moves by Delta_int(N) at most, N = the most candidate pairs
 *              that a node of these trees splits (score.h; public, and never above the
 *              floor(n^2 / 4) of the worst tree). The choice is permute-and-flip (choose.h).
 *              L_pub of each tree is added to its score with a weight: a public number, which moves
 *              for no pair. It stands for what public edges already tell about private ones, and
 *              decides where the budget is too small to.
 * Not hidden:  how many private edges there are shows in the time it takes to count them.
 * Cost:        as many public trees as there are alternatives, before the secret is seen; O(n log n
 *              + m) for each with it. */
#include "edge/choose.h"
#include "edge/score.h"
#include "edge/trees.h"
#include "base/memory.h"

#include <math.h>

/* More alternatives gain less and less (the best of M noises grows like sqrt(2 ln M)); large graphs
 * get fewer, because each costs a whole public tree. */
enum { MOST_TREES = 16, LEAST_TREES = 4, NODES_OF_ALL_TREES = 1 << 20 };

typedef struct alternatives {
    hrr_edge_score score;
    uint64_t sensitivity, scale;
    uint32_t n_trees;
    hrr_dendrogram tree[MOST_TREES];
    double likelihood[MOST_TREES]; /* L_pub */
    int64_t bonus[MOST_TREES];     /* what it adds to the score */
    uint64_t *pairs[MOST_TREES];   /* candidate pairs that each node splits */
} alternatives;

static void release(void *state)
{
    alternatives *all = state;
    for (uint32_t t = 0; t < all->n_trees; t++) {
        hrr_dendrogram_clear(&all->tree[t]);
        hrr_free(all->pairs[t]);
    }
    hrr_free(all);
}

static uint32_t count_trees(uint64_t n_nodes)
{
    const uint64_t n = NODES_OF_ALL_TREES / n_nodes;
    return n < LEAST_TREES ? LEAST_TREES : n > MOST_TREES ? MOST_TREES : (uint32_t)n;
}

/* Far from the seeds that a user gives in a row. */
static uint64_t seed_of(const hrr_edge_options *options, uint64_t tree)
{
    return options->public_seed + tree * 0x9e3779b97f4a7c15U;
}

static hrr_status add_tree(alternatives *all, uint64_t *most_pairs, hrr_tree_plan *plan,
                           hrr_progress *progress, hrr_error *err)
{
    const uint32_t t = all->n_trees;
    hrr_edge_options options = *plan->options;
    options.public_seed = seed_of(plan->options, t);
    hrr_tree_plan one = {.known = plan->known, .options = &options};
    hrr_status status = hrr_tree_fit_public(&one, HRR_PUBLIC_STEPS_PER_NODE, progress, err);
    if (status) return status;
    all->tree[t] = one.start;
    plan->chain_steps += one.chain_steps;
    all->n_trees++; /* from here on release() clears it */
    const uint32_t n_internal = all->tree[t].n_leaves - 1;
    all->pairs[t] = hrr_alloc(n_internal, sizeof *all->pairs[t]);
    if (!all->pairs[t]) return hrr_no_memory(err);
    status = hrr_dendrogram_candidate_pairs(all->pairs[t], &all->tree[t], plan->known, err);
    if (!status)
        status = hrr_dendrogram_likelihood(&all->likelihood[t], &all->tree[t], plan->known->n_edges,
                                           plan->known->source, plan->known->target, err);
    for (uint32_t r = 0; !status && r < n_internal; r++)
        if (all->pairs[t][r] > *most_pairs) *most_pairs = all->pairs[t][r];
    return status;
}

/* The finest scale at which the coins of choose.h still fit. Returns the sensitivity. */
static uint64_t find_scale(hrr_edge_score *score, uint64_t *scale, uint64_t n_candidates,
                           uint64_t most_pairs, uint64_t eps_nano)
{
    *score = hrr_edge_score_for(n_candidates);
    for (;; score->bits--) {
        const uint64_t sensitivity = (uint64_t)hrr_edge_score_sensitivity(score, most_pairs);
        *scale = hrr_choose_scale(sensitivity, eps_nano);
        if (*scale > 0 || score->bits == HRR_EDGE_SCORE_LEAST_BITS) return sensitivity;
    }
}

static double realised(const hrr_edge_claim *terms)
{
    hrr_edge_score score;
    uint64_t scale;
    const uint64_t sensitivity = find_scale(&score, &scale, terms->n_candidates,
                                            terms->most_pairs_split, terms->eps_tree_nano);
    return hrr_choose_eps(sensitivity, scale);
}

static uint32_t best_public(const alternatives *all)
{
    uint32_t best = 0;
    for (uint32_t t = 1; t < all->n_trees; t++)
        if (all->likelihood[t] > all->likelihood[best]) best = t;
    return best;
}

/* L_pri follows L_pub, with a variance of about V / 10 around it, where V is the variance of L_pub
 * among the trees (polblogs, ppi, Cora, CA-HepPh). Seen through noise of s nats, the best guess of
 * L_pri weighs L_pub 10 s^2 / V to 1. */
static void set_bonus(alternatives *all)
{
    const double units = ldexp(1, (int)all->score.bits), noise = (double)all->scale / units;
    const double best = all->likelihood[best_public(all)], least = -0x1p55;
    double mean = 0, variance = 1; /* one nat: trees that are all alike get no bonus worth noting */
    for (uint32_t t = 0; t < all->n_trees; t++)
        mean += all->likelihood[t] / all->n_trees;
    for (uint32_t t = 0; t < all->n_trees; t++)
        variance += (all->likelihood[t] - mean) * (all->likelihood[t] - mean) / all->n_trees;
    for (uint32_t t = 0; t < all->n_trees; t++) {
        const double gap = 10 * (all->likelihood[t] - best) * noise * noise / variance;
        all->bonus[t] = (int64_t)fmax(gap * units, least);
    }
}

static hrr_status prepare(hrr_tree_plan *plan, hrr_progress *progress, hrr_error *err)
{
    const uint64_t n_candidates = hrr_edge_score_candidates(plan->known);
    hrr_status status = hrr_edge_score_check(n_candidates, "select", err);
    if (status) return status;
    alternatives *all = hrr_alloc_zero(1, sizeof *all);
    if (!all) return hrr_no_memory(err);
    uint64_t most_pairs = 0;
    const uint32_t n_trees = count_trees(plan->known->n_nodes);
    while (!status && all->n_trees < n_trees)
        status = add_tree(all, &most_pairs, plan, progress, err);
    if (!status) status = hrr_dendrogram_copy(&plan->start, &all->tree[best_public(all)], err);
    if (status) {
        release(all);
        return status;
    }
    all->sensitivity =
        find_scale(&all->score, &all->scale, n_candidates, most_pairs, plan->eps_tree_nano);
    set_bonus(all);
    plan->n_candidates = n_candidates;
    plan->most_pairs_split = most_pairs;
    plan->state = all;
    return HRR_OK;
}

static hrr_status score_trees(int64_t *scores, const alternatives *all,
                              const hrr_edge_secret *secret, hrr_error *err)
{
    const uint32_t n_internal = all->tree[0].n_leaves - 1;
    uint64_t *edges = hrr_alloc(n_internal, sizeof *edges);
    hrr_status status = edges ? HRR_OK : hrr_no_memory(err);
    for (uint32_t t = 0; !status && t < all->n_trees; t++) {
        status = hrr_dendrogram_count(edges, &all->tree[t], secret->n_edges, secret->source,
                                      secret->target, err);
        if (status) break;
        scores[t] = hrr_edge_score_tree(&all->score, n_internal, edges, all->pairs[t]);
        scores[t] += all->bonus[t];
    }
    hrr_free(edges);
    return status;
}

static hrr_status draw(hrr_dendrogram *out, double *realised_eps, const hrr_tree_plan *plan,
                       const hrr_edge_secret *secret, const hrr_random *random,
                       hrr_progress *progress, hrr_error *err)
{
    (void)progress;
    const alternatives *all = plan->state;
    *realised_eps = hrr_choose_eps(all->sensitivity, all->scale);
    /* A budget that no coin can show: the most likely public tree, and no private edge is read. */
    if (all->scale == 0) return hrr_dendrogram_copy(out, &plan->start, err);
    int64_t scores[MOST_TREES];
    uint32_t order[MOST_TREES];
    hrr_stream *stream = NULL;
    hrr_status status = score_trees(scores, all, secret, err);
    if (!status) status = hrr_stream_new(&stream, random, err);
    if (status) return status;
    hrr_stream_seek(stream, HRR_PURPOSE_EDGE_TREE, 0);
    const uint32_t chosen = hrr_choose(order, stream, scores, all->n_trees, all->scale);
    hrr_stream_free(stream);
    return hrr_dendrogram_copy(out, &all->tree[chosen], err);
}

const hrr_tree_method hrr_tree_select = {
    .about.name = "select",
    .about.what = "the best of several trees of the public edges",
    .about.page = "docs/mechanisms/edgerr-trees.md",
    .about.certified = true,

    .about.default_share = 0.1,
    .realised = realised,
    .evidence = "permute-and-flip over public trees, with integer scores of proved sensitivity and "
                "exact coins",
    .prepare = prepare,
    .release = release,
    .draw = draw};
