/* queries.c: see queries.h.
 *
 * Noise is drawn once a query, so fewer queries make the total exacter and the parts coarser.
 *
 * Subtrees (PRIVACY.md): a subtree whose candidate pairs, times eps, are 400 or fewer is one query.
 * In a balanced tree that leaves about n eps / 14 queries. Trees that fit public edges are far from
 * balanced: hubs are split off one by one from large blocks, and such nodes are in no small
 * subtree. On PPI trees this rule joins next to nothing, and the total is off by 3 to 16 percent.
 *
 * Groups: nodes are joined with their parent until public edges let expect enough private ones.
 * The number of queries is bounded so that the standard deviation of the total,
 * sqrt(queries * variance), is 2 percent of the private edges, if these are a twentieth of the
 * public ones or a quarter of the candidates, whichever is more. These are guesses, and public
 * ones: nothing but accuracy hangs on them. With the budget at hand there is room for a query at
 * every node from some ten thousand public edges on at eps = 4, a hundred thousand at eps = 1. */
#include "edge/queries.h"
#include "edge/noise_law.h"
#include "base/memory.h"

#include <math.h>

/* tau_1 and tau_2 of Algorithm 3, which gives them no values. With these the bias of grouping is
 * what tests/edge/test_estimate.c has for it. */
static const double paper_threshold_block = 0.05, paper_threshold_subtree = 0.01;

static const double most_pairs_times_eps = 400;
static const double wanted_deviation = 0.02; /* of the total, as a share of it */
static const double private_per_public = 0.05, private_per_candidate = 0.25;
static const double fewest_queries = 4;

/* A node's public rate is drawn towards the overall rate as if so many pairs with that rate
 * were added. 1, 4 and 16 did equally well on PPI graphs. */
static const double smoothing_pairs = 4;

void hrr_queries_clear(hrr_queries *queries)
{
    hrr_free(queries->query);
    hrr_free(queries->node_pairs);
    hrr_free(queries->pairs);
    hrr_free(queries->weight);
    *queries = (hrr_queries){0};
}

/* The public side of a choice. */
typedef struct sizes {
    const hrr_dendrogram *tree;
    const uint32_t *before; /* candidates before each position */
    const uint64_t *pairs;  /* candidate pairs at each node */
    double eps;
} sizes;

static uint64_t left_of(const sizes *s, uint32_t r)
{
    return s->before[s->tree->middle[r]] - s->before[s->tree->begin[r]];
}

static uint64_t right_of(const sizes *s, uint32_t r)
{
    return s->before[s->tree->end[r]] - s->before[s->tree->middle[r]];
}

/* ---- subtrees ------------------------------------------------------------------------------- */

static bool is_small(const sizes *s, uint32_t r, uint64_t pairs_inside)
{
    (void)r;
    return (double)pairs_inside * s->eps <= most_pairs_times_eps;
}

/* lambda_b >= tau_1 and lambda_c >= tau_2. */
static bool is_small_in_paper(const sizes *s, uint32_t r, uint64_t pairs_inside)
{
    (void)pairs_inside;
    const double left = (double)left_of(s, r), right = (double)right_of(s, r), all = left + right;
    return s->eps * left * right * paper_threshold_block <= 1 &&
           s->eps * all * (all - 1) * paper_threshold_subtree <= 1;
}

static bool is_any(const sizes *s, uint32_t r, uint64_t pairs_inside)
{
    (void)s, (void)r, (void)pairs_inside;
    return true;
}

static bool is_none(const sizes *s, uint32_t r, uint64_t pairs_inside)
{
    (void)s, (void)r, (void)pairs_inside;
    return false;
}

typedef bool collapse_rule(const sizes *s, uint32_t r, uint64_t pairs_inside);

/* inside[r] = pairs of the whole subtree: a subtree is a run of internal nodes, so running sums
 * tell. */
static hrr_status collapse_subtrees(hrr_queries *out, const sizes *s, collapse_rule *rule,
                                    hrr_error *err)
{
    const uint32_t n = out->n_internal;
    uint64_t *sum = hrr_alloc((size_t)n + 1, sizeof *sum);
    if (!sum) return hrr_no_memory(err);
    sum[0] = 0;
    for (uint32_t r = 0; r < n; r++)
        sum[r + 1] = sum[r] + s->pairs[r];
    uint32_t q = 0, r = 0;
    while (r < n) {
        const uint32_t size = s->tree->end[r] - s->tree->begin[r] - 1;
        const uint32_t next = rule(s, r, sum[r + size] - sum[r]) ? r + size : r + 1;
        for (; r < next; r++)
            out->query[r] = q;
        q++;
    }
    out->n_queries = q;
    hrr_free(sum);
    return HRR_OK;
}

/* ---- groups --------------------------------------------------------------------------------- */

/* weight[r] = N_r times the smoothed share of r's pairs that are public edges. */
static hrr_status weigh(hrr_queries *out, const sizes *s, double *n_public, hrr_error *err)
{
    double all = 0, joined = 0;
    for (uint32_t r = 0; r < out->n_internal; r++) {
        const uint64_t cells = left_of(s, r) * right_of(s, r);
        all += (double)cells;
        joined += (double)(cells - s->pairs[r]);
    }
    *n_public = joined;
    if (joined == 0) return HRR_OK;
    out->weight = hrr_alloc(out->n_internal, sizeof *out->weight);
    if (!out->weight) return hrr_no_memory(err);
    const double rate = joined / all;
    for (uint32_t r = 0; r < out->n_internal; r++) {
        const uint64_t cells = left_of(s, r) * right_of(s, r);
        out->weight[r] = (double)s->pairs[r] *
                         ((double)(cells - s->pairs[r]) + smoothing_pairs * rate) /
                         ((double)cells + smoothing_pairs);
    }
    return HRR_OK;
}

static double most_queries(double n_public, double n_candidates, double eps)
{
    const double n_private =
        fmax(private_per_public * n_public, private_per_candidate * n_candidates);
    const double deviation = wanted_deviation * n_private;
    return fmax(fewest_queries, deviation * deviation / hrr_noise_variance(eps));
}

/* From the leaves up, a node that has not gathered enough joins its parent. */
static hrr_status group(hrr_queries *out, const sizes *s, double n_public, hrr_error *err)
{
    const uint32_t n = out->n_internal;
    const hrr_dendrogram *tree = s->tree;
    double total = 0, *gathered = hrr_alloc(n, sizeof *gathered);
    uint32_t *parent = hrr_alloc(n, sizeof *parent);
    if (!gathered || !parent) {
        hrr_free(gathered);
        hrr_free(parent);
        return hrr_no_memory(err);
    }
    for (uint32_t r = 0; r < n; r++) {
        const uint32_t n_left = tree->middle[r] - tree->begin[r];
        if (n_left > 1) parent[r + 1] = r;
        if (tree->end[r] - tree->middle[r] > 1) parent[r + n_left] = r;
        gathered[r] = out->weight[r];
        total += out->weight[r];
    }
    const double limit = most_queries(n_public, (double)s->before[tree->n_leaves], s->eps);
    const double enough = limit < n ? total / limit : 0;
    for (uint32_t r = n - 1; r > 0; r--) {
        if (gathered[r] >= enough) continue;
        gathered[parent[r]] += gathered[r];
        gathered[r] = -1; /* asked for with the parent */
    }
    uint32_t q = 0;
    for (uint32_t r = 0; r < n; r++)
        out->query[r] = r > 0 && gathered[r] < 0 ? out->query[parent[r]] : q++;
    out->n_queries = q;
    hrr_free(gathered);
    hrr_free(parent);
    return HRR_OK;
}

/* ---- choosing ------------------------------------------------------------------------------- */

static hrr_status choose(hrr_queries *out, const sizes *s, hrr_query_rule rule, hrr_error *err)
{
    double n_public = 0;
    hrr_status status = HRR_OK;
    if (rule == HRR_QUERIES_ONE) return collapse_subtrees(out, s, is_any, err);
    if ((status = weigh(out, s, &n_public, err))) return status;
    if (rule == HRR_QUERIES_EACH) return collapse_subtrees(out, s, is_none, err);
    if (rule == HRR_QUERIES_PAPER) return collapse_subtrees(out, s, is_small_in_paper, err);
    if (rule == HRR_QUERIES_GROUPS && n_public > 0) return group(out, s, n_public, err);
    return collapse_subtrees(out, s, is_small, err);
}

static hrr_status sum_pairs(hrr_queries *out, hrr_error *err)
{
    out->pairs = hrr_alloc_zero(out->n_queries, sizeof *out->pairs);
    if (!out->pairs) return hrr_no_memory(err);
    for (uint32_t r = 0; r < out->n_internal; r++)
        out->pairs[out->query[r]] += out->node_pairs[r];
    return HRR_OK;
}

hrr_status hrr_queries_init(hrr_queries *out, const hrr_dendrogram *tree,
                            const hrr_edge_public *known, hrr_query_rule rule, uint64_t eps_nano,
                            hrr_error *err)
{
    const uint32_t n = tree->n_leaves - 1;
    uint32_t *before = NULL;
    *out = (hrr_queries){.n_internal = n,
                         .query = hrr_alloc(n, sizeof *out->query),
                         .node_pairs = hrr_alloc(n, sizeof *out->node_pairs)};
    hrr_status status = HRR_OK;
    if (!out->query || !out->node_pairs) status = hrr_no_memory(err);
    if (!status) status = hrr_dendrogram_candidate_pairs(out->node_pairs, tree, known, err);
    if (!status) status = hrr_dendrogram_candidates_before(&before, tree, known, err);
    const sizes s = {tree, before, out->node_pairs, (double)eps_nano / HRR_EPS_UNIT};
    if (!status) status = choose(out, &s, rule, err);
    if (!status) status = sum_pairs(out, err);
    hrr_free(before);
    if (status) hrr_queries_clear(out);
    return status;
}
