/* edgerr.c: EdgeRR (paper, Algorithms 2 and 3): a tree over the nodes, noisy counts of the private
 * edges that its nodes split, and a graph sampled from them.
 *
 * Neighbours:  secrets that differ in one candidate pair.
 * Claim:       eps_tree + eps_counts <= eps. The tree's part is its method's claim; given the tree,
 *              the counts are eps_counts-DP (counts.h), because which pairs are counted together
 *              is chosen without looking at them. All the rest sees released numbers and public
 *              data only.
 * Departures:  V_pri, the nodes that have a private edge, is private data; the declared candidate
 *              set takes its place. Noise is drawn once a query and never again for the same
 *              pairs (Algorithm 3 line 8 read literally would cost 3 eps and more). Estimates keep
 *              the total (estimate.c), and as many edges are drawn (sample.c). Tree `paper` does
 *              all of this as published, and is certified for nothing.
 *
 * privhrg (Xiao, Chen and Tan, KDD 2014) is the same pipeline with a tree from private edges, their
 * grouping and the even split of the budget that the examples of their program use.
 *
 * Released beside the edges: tree.npy, n x 3 numbers: the nodes in the order of the leaves; where
 * each internal node, in preorder, parts its leaves; which query it is in (the last row of these
 * two is unused). tree_counts.npy: the noisy answers, as drawn. */
#include "edge/mechanism.h"
#include "edge/advice.h"
#include "edge/counts.h"
#include "edge/estimate.h"
#include "edge/methods.h"
#include "edge/noise_law.h"
#include "edge/sample.h"
#include "edge/score.h"
#include "base/memory.h"
#include "privacy/eps.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const double privhrg_share = 0.5;

typedef struct edgerr {
    const hrr_tree_method *method;
    hrr_tree_plan tree;
    hrr_query_rule rule;
    hrr_estimator estimator;
    hrr_sampling sampling;
    uint64_t eps_counts_nano;
} edgerr;

static void release(void *state)
{
    edgerr *self = state;
    if (self->method->release && self->tree.state) self->method->release(self->tree.state);
    if (self->tree.start.leaf) hrr_dendrogram_clear(&self->tree.start);
    hrr_free(self);
}

/* ---- plan ----------------------------------------------------------------------------------- */

static void choose_counting(edgerr *self, bool as_published)
{
    self->rule = as_published ? HRR_QUERIES_PAPER : HRR_QUERIES_GROUPS;
    self->estimator = as_published ? HRR_ESTIMATE_CLAMP : HRR_ESTIMATE_POSTERIOR;
    self->sampling = as_published ? HRR_SAMPLE_INDEPENDENT : HRR_SAMPLE_ROUNDED;
    if (self->method->one_query) self->rule = HRR_QUERIES_ONE;
}

/* eps_tree = floor(share eps), the counts get the rest. */
static hrr_status split_eps(edgerr *self, hrr_edge_plan *plan, double default_share, hrr_error *err)
{
    const double asked = plan->options.tree_share;
    const double share = asked < 0 ? default_share : asked;
    uint64_t parts[2];
    hrr_status status =
        hrr_eps_split(parts, plan->options.eps_nano, (const double[]){share, 1 - share}, 2, err);
    if (status) return status;
    self->tree.eps_tree_nano = plan->claim.eps_tree_nano = parts[0];
    self->eps_counts_nano = plan->options.eps_nano - parts[0];
    if (self->method->about.default_share == 0 && parts[0] > 0)
        return hrr_fail(err, HRR_EINVAL,
                        "tree \"%s\" reads no private edges, so its share of the budget would be "
                        "wasted; leave `edges.tree_share` out or choose another `edges.tree`",
                        self->method->about.name);
    if (self->method->about.default_share > 0 && parts[0] == 0)
        return hrr_fail(err, HRR_EINVAL,
                        "tree \"%s\" reads private edges, so it needs a share of the budget "
                        "(`edges.tree_share`); give it one, or choose `edges.tree` public",
                        self->method->about.name);
    if (self->eps_counts_nano == 0)
        return hrr_fail(
            err, HRR_EINVAL,
            "no budget is left for the counts; reduce the share of the tree (`edges.tree_share`)");
    return HRR_OK;
}

/* Sum of noise, cut off at 0 and at all pairs: E max(0, X) for a normal X. An upper bound for the
 * estimates of estimate.c; those that are cut off one by one gain a / (1 - a^2) each. */
static double false_edges(const edgerr *self, uint32_t n_queries, uint64_t n_pairs)
{
    const double eps = (double)self->eps_counts_nano / HRR_EPS_UNIT;
    const double variance = hrr_noise_variance(eps);
    double edges = sqrt(n_queries * variance / (2 * acos(-1)));
    if (self->estimator == HRR_ESTIMATE_CLAMP) edges = n_queries * exp(-eps) / -expm1(-2 * eps);
    return fmin(edges, (double)n_pairs);
}

static hrr_status expect_edges(edgerr *self, hrr_edge_plan *plan, hrr_error *err)
{
    uint32_t n_queries = (uint32_t)plan->known.n_nodes - 1;
    if (self->tree.start.leaf) { /* the tree that is drawn may differ; its number hardly does */
        hrr_queries queries;
        hrr_status status = hrr_queries_init(&queries, &self->tree.start, &plan->known, self->rule,
                                             self->eps_counts_nano, err);
        if (status) return status;
        n_queries = queries.n_queries;
        hrr_queries_clear(&queries);
    }
    plan->claim.expected_false_edges = false_edges(self, n_queries, plan->claim.n_candidate_pairs);
    if (plan->claim.expected_false_edges <= (double)hrr_edge_most_edges_out(plan)) return HRR_OK;
    return hrr_fail(err, HRR_EINVAL,
                    "at this budget, noise alone adds %.3g edges, more than the graph has room "
                    "for; raise `edges.eps_nano`, name fewer nodes in `candidates`, or leave the "
                    "private edges out (`edges.mechanism` public-only)",
                    plan->claim.expected_false_edges);
}

/* Terms that no plan has: a tree that reads no private edge and is paid for it, or the reverse. */
static hrr_status check_terms(const hrr_tree_method *method, const hrr_edge_claim *terms,
                              hrr_error *err)
{
    const uint64_t n = terms->n_candidates;
    if ((method->about.default_share > 0) != (terms->eps_tree_nano > 0) ||
        terms->eps_tree_nano >= terms->eps_nano)
        return hrr_fail(err, HRR_EINVAL, "tree %s cannot have this share of the budget",
                        method->about.name);
    if (method == &hrr_tree_select
            ? n > HRR_EDGE_SCORE_MOST_CANDIDATES || terms->most_pairs_split > n * n / 4
            : n > 0 || terms->most_pairs_split > 0)
        return hrr_fail(err, HRR_EINVAL, "tree %s cannot split this many pairs",
                        method->about.name);
    return HRR_OK;
}

static double realise(const hrr_tree_method *method, const hrr_edge_claim *terms)
{
    uint64_t num, den;
    if (method->not_certified) return INFINITY;
    hrr_eps_fraction(&num, &den, terms->eps_nano - terms->eps_tree_nano);
    return (method->realised ? method->realised(terms) : 0) + (double)num / (double)den;
}

static hrr_status promise(hrr_edge_promise *out, const hrr_edge_method *mechanism,
                          const hrr_edge_claim *terms, hrr_error *err)
{
    const hrr_tree_method *method;
    hrr_status status = hrr_tree_method_choose(&method, terms->tree, err);
    if (!status) status = check_terms(method, terms, err);
    if (!status && !mechanism->about.chooses_tree && method != &hrr_tree_single)
        status =
            hrr_fail(err, HRR_EINVAL, "%s supports only the tree single", mechanism->about.name);
    if (status) return status;
    char eps[HRR_EPS_TEXT_SIZE], eps_tree[HRR_EPS_TEXT_SIZE], pairs[96] = "";
    hrr_eps_format(eps, terms->eps_nano);
    hrr_eps_format(eps_tree, terms->eps_tree_nano);
    if (terms->n_candidates > 0)
        snprintf(pairs, sizeof pairs, " (%llu candidates, at most %llu pairs at one node)",
                 (unsigned long long)terms->n_candidates,
                 (unsigned long long)terms->most_pairs_split);
    out->realised_eps = realise(method, terms);
    out->not_certified = method->not_certified;
    out->statement =
        hrr_format_text("%s with tree %s: eps = %s for one candidate pair, %s of it for the tree%s",
                        mechanism->about.name, method->about.name, eps, eps_tree,
                        method->not_certified ? "; NOT CERTIFIED" : "");
    out->evidence =
        hrr_format_text("each candidate pair is in one count, which gets exact discrete Laplace "
                        "noise; the tree: %s%s",
                        method->evidence, pairs);
    return HRR_OK;
}

static hrr_status prepare_tree(hrr_edge_plan *plan, const char *tree, bool as_published,
                               hrr_progress *progress, hrr_error *err)
{
    const hrr_tree_method *method;
    hrr_status status =
        hrr_tree_method_choose(&method, tree ? tree : hrr_edge_tree_find(NULL)->name, err);
    if (status) return status;
    edgerr *self = hrr_alloc_zero(1, sizeof *self);
    if (!self) return hrr_no_memory(err);
    plan->state = self;
    self->method = method;
    self->tree.known = &plan->known;
    self->tree.options = &plan->options;
    choose_counting(self, as_published || method->private_nodes);
    const double default_share = as_published ? privhrg_share : method->about.default_share;
    if ((status = split_eps(self, plan, default_share, err))) return status;
    if ((status = method->prepare(&self->tree, progress, err))) return status;
    plan->claim.tree = method->about.name;
    plan->claim.chain_steps = self->tree.chain_steps;
    plan->claim.n_candidates = self->tree.n_candidates;
    plan->claim.most_pairs_split = self->tree.most_pairs_split;
    if ((status = expect_edges(self, plan, err))) return status;
    if (self->rule == HRR_QUERIES_GROUPS &&
        (status = hrr_edge_advise(&plan->claim.advice, &plan->known, plan->options.public_seed,
                                  plan->options.threads, progress, err)))
        return status;
    return HRR_OK;
}

static hrr_status prepare_edgerr(hrr_edge_plan *plan, hrr_progress *progress, hrr_error *err)
{
    return prepare_tree(plan, plan->options.tree, false, progress, err);
}

static hrr_status prepare_privhrg(hrr_edge_plan *plan, hrr_progress *progress, hrr_error *err)
{
    const char *const single = hrr_tree_single.about.name;
    if (plan->options.tree && strcmp(plan->options.tree, single) != 0)
        return hrr_fail(err, HRR_EINVAL,
                        "privhrg supports only the tree single; leave `edges.tree` out, or use "
                        "`edges.mechanism` edgerr");
    return prepare_tree(plan, single, true, progress, err);
}

/* ---- draw ----------------------------------------------------------------------------------- */

/* The paper's view: only nodes with a private edge count, and public edges take no pairs away. */
static hrr_status see_private_nodes(hrr_edge_public *out, uint8_t **storage,
                                    const hrr_edge_secret *secret, uint64_t n_nodes, hrr_error *err)
{
    uint8_t *has_edge = *storage = hrr_alloc_zero(n_nodes, 1);
    if (!has_edge) return hrr_no_memory(err);
    for (uint64_t e = 0; e < secret->n_edges; e++)
        has_edge[secret->source[e]] = has_edge[secret->target[e]] = 1;
    *out = (hrr_edge_public){.n_nodes = n_nodes, .candidates = has_edge};
    return HRR_OK;
}

static hrr_status release_parts(hrr_edge_release *out, const hrr_dendrogram *tree,
                                const hrr_queries *queries, const int64_t *noisy, hrr_error *err)
{
    const size_t n = tree->n_leaves;
    hrr_status status =
        hrr_edge_add_part(out, "tree.npy", HRR_ARRAY_U32, sizeof(uint32_t), n, 3, err);
    if (status) return status;
    uint32_t *row = out->parts[out->n_parts - 1].array.data;
    for (size_t i = 0; i < n; i++, row += 3) {
        row[0] = tree->leaf[i];
        if (i + 1 == n) break;
        row[1] = tree->middle[i];
        row[2] = queries->query[i];
    }
    status = hrr_edge_add_part(out, "tree_counts.npy", HRR_ARRAY_I64, sizeof *noisy,
                               queries->n_queries, 0, err);
    if (status) return status;
    memcpy(out->parts[out->n_parts - 1].array.data, noisy, queries->n_queries * sizeof *noisy);
    return HRR_OK;
}

/* A tree that reads private edges is drawn by one rank. */
static bool over_ranks(const hrr_edge_plan *plan)
{
    const edgerr *self = plan->state;
    return self->method->about.default_share == 0 && self->method->about.certified &&
           !plan->claim.eps_tree_nano;
}

static void digest(hrr_hash *hash, const hrr_edge_plan *plan)
{
    const hrr_dendrogram *tree = &((const edgerr *)plan->state)->tree.start;
    if (!tree->leaf) return;
    hrr_hash_part(hash, tree->leaf, tree->n_leaves * sizeof *tree->leaf);
    hrr_hash_part(hash, tree->middle, (tree->n_leaves - 1) * sizeof *tree->middle);
}

/* Which queries there are follows from public data, but through floating point: processors of
 * another kind may round otherwise. Rank 0 decides. */
static hrr_status share_queries(hrr_queries *queries, hrr_ranks *ranks, hrr_error *err)
{
    hrr_status status =
        hrr_ranks_broadcast(ranks, &queries->n_queries, sizeof queries->n_queries, 0, err);
    if (status) return status;
    return hrr_ranks_broadcast(ranks, queries->query, queries->n_internal * sizeof *queries->query,
                               0, err);
}

static hrr_status draw(hrr_edge_release *out, const hrr_edge_plan *plan,
                       const hrr_edge_secret *secret, const hrr_random *random,
                       hrr_progress *progress, hrr_error *err)
{
    const edgerr *self = plan->state;
    hrr_ranks *ranks = hrr_edge_ranks(plan);
    const bool takes = hrr_ranks_rank(ranks) == 0;
    const int threads = plan->options.threads;
    hrr_dendrogram tree = {0};
    hrr_queries queries = {0};
    hrr_edge_public known = plan->known;
    uint8_t *private_nodes = NULL;
    int64_t *noisy = NULL;
    double *expected = NULL;
    uint64_t seed = 0;
    double eps_tree = 0, eps_counts = 0;

    hrr_status status =
        self->method->draw(&tree, &eps_tree, &self->tree, secret, random, progress, err);
    if (status) goto done;
    if (self->method->private_nodes &&
        (status = see_private_nodes(&known, &private_nodes, secret, plan->known.n_nodes, err)))
        goto done;
    status = hrr_queries_init(&queries, &tree, &known, self->rule, self->eps_counts_nano, err);
    if ((status = hrr_ranks_agree(ranks, status, err))) goto done;
    if ((status = share_queries(&queries, ranks, err))) goto done;
    noisy = hrr_alloc(queries.n_queries, sizeof *noisy);
    expected = hrr_alloc(queries.n_internal, sizeof *expected);
    status = hrr_ranks_agree(ranks, noisy && expected ? HRR_OK : hrr_no_memory(err), err);
    if (status) goto done;
    if ((status = hrr_noisy_counts_over(noisy, &eps_counts, &queries, &tree, secret,
                                        self->eps_counts_nano, random, threads, ranks, err)))
        goto done;
    out->realised_eps = eps_tree + eps_counts;
    if (takes)
        status = hrr_estimate_edges(expected, &queries, noisy, self->eps_counts_nano,
                                    self->estimator, err);
    if (!status) status = hrr_edge_postprocess_seed(&seed, random, err);
    if ((status = hrr_ranks_agree(ranks, status, err))) goto done;
    if ((status =
             hrr_ranks_broadcast(ranks, expected, queries.n_internal * sizeof *expected, 0, err)))
        goto done;
    if ((status = hrr_sample_edges_over(&out->edges, &tree, &known, queries.node_pairs, expected,
                                        self->sampling, seed, threads, ranks, progress, err)))
        goto done;
    if (takes) status = release_parts(out, &tree, &queries, noisy, err);
done:
    if (tree.leaf) hrr_dendrogram_clear(&tree);
    hrr_queries_clear(&queries);
    hrr_free(private_nodes);
    hrr_free(noisy);
    hrr_free(expected);
    return status;
}

/* Both mechanisms sample edges from the counts of a tree. */
static const char bias[] =
    "Negative counts are replaced by 0, which adds edges where there are few. Synthetic edges "
    "follow groups, not individuals: a node that differs from its group looks like its group.";

const hrr_edge_method hrr_edge_edgerr = {
    .about.name = "edgerr",
    .about.what = "edges sampled from noisy counts at the nodes of a tree",
    .about.page = "docs/mechanisms/edgerr.md",
    .about.bias = bias,
    .about.certified = true,
    .about.has_tree = true,
    .about.chooses_tree = true,
    .prepare = prepare_edgerr,
    .promise = promise,
    .release = release,
    .draw = draw,
    .over_ranks = over_ranks,
    .digest = digest};

const hrr_edge_method hrr_edge_privhrg = {.about.name = "privhrg",
                                          .about.what = "edgerr with a tree of the private edges",
                                          .about.page = "docs/mechanisms/privhrg.md",
                                          .about.bias = bias,
                                          .about.whole_graph = true,
                                          .about.private_form = "privhrg-private",
                                          .about.has_tree = true,
                                          .prepare = prepare_privhrg,
                                          .promise = promise,
                                          .release = release,
                                          .draw = draw};

const hrr_edge_method hrr_edge_privhrg_private = {.about.name = "privhrg-private",
                                                  .about.what =
                                                      "privhrg on the private pairs alone",
                                                  .about.page = "docs/mechanisms/privhrg.md",
                                                  .about.bias = bias,
                                                  .about.has_tree = true,
                                                  .prepare = prepare_privhrg,
                                                  .promise = promise,
                                                  .release = release,
                                                  .draw = draw};
