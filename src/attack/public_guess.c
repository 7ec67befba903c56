/* public_guess.c: see public_guess.h.
 *
 * Walks of 2 to 4 public edges from u to v, each node on the way (not u and v) dividing by its
 * degree d: the entries of
 *
 *     A D^-1 A + A D^-1 A D^-1 A + A D^-1 A D^-1 A D^-1 A
 *
 * The first term is the index of resource allocation (Zhou, Lue, Zhang 2009); the others reach
 * pairs without a common friend. Of what was tried on Cora and Twitch (other powers of the degree,
 * longer walks counting less, fewer lengths, products of degrees) nothing is better on both. */
#include "attack/public_guess.h"
#include "attack/correlation.h"
#include "attack/ranking.h"
#include "base/memory.h"

enum { hops_on_the_way = 2 };

const char *hrr_public_guess_name(hrr_public_guess guess)
{
    static const char *const names[HRR_PUBLIC_GUESSES] = {"public-walks", "lsa2-attr",
                                                          "public-both"};
    return names[guess];
}

bool hrr_public_guess_exists(hrr_public_guess guess, const hrr_graph *truth, bool all_edges)
{
    if (guess == HRR_GUESS_FEATURES) return true;
    return !all_edges && hrr_graph_n_edges(truth) > hrr_graph_n_private_edges(truth);
}

/* ---- walks ----------------------------------------------------------------------------------- */

/* Where walks from one node are, and how many were at each node after any number of hops. */
typedef struct walker {
    double *here, *next, *passed; /* by node; 0 where no walk is */
    uint32_t *at, *then;          /* the nodes with something in here, next */
    uint64_t n_at, n_then;
    uint32_t *seen; /* the nodes with something in passed */
    uint64_t n_seen;
} walker;

static void walker_clear(walker *w)
{
    hrr_free(w->here);
    hrr_free(w->next);
    hrr_free(w->passed);
    hrr_free(w->at);
    hrr_free(w->then);
    hrr_free(w->seen);
}

static bool walker_init(walker *w, uint64_t n)
{
    *w = (walker){.here = hrr_alloc_zero(n, sizeof *w->here),
                  .next = hrr_alloc_zero(n, sizeof *w->next),
                  .passed = hrr_alloc_zero(n, sizeof *w->passed),
                  .at = hrr_alloc(n, sizeof *w->at),
                  .then = hrr_alloc(n, sizeof *w->then),
                  .seen = hrr_alloc(n, sizeof *w->seen)};
    return w->here && w->next && w->passed && w->at && w->then && w->seen;
}

static void add_amount(walker *w, uint32_t node, double amount)
{
    if (w->next[node] == 0) w->then[w->n_then++] = node;
    w->next[node] += amount;
}

/* What came becomes what is here, and has passed. */
static void finish_hop(walker *w)
{
    for (uint64_t i = 0; i < w->n_at; i++)
        w->here[w->at[i]] = 0;
    for (uint64_t i = 0; i < w->n_then; i++) {
        const uint32_t node = w->then[i];
        if (w->passed[node] == 0) w->seen[w->n_seen++] = node;
        w->passed[node] += w->next[node];
        w->here[node] = w->next[node];
        w->next[node] = 0;
    }
    uint32_t *list = w->at;
    w->at = w->then;
    w->then = list;
    w->n_at = w->n_then;
    w->n_then = 0;
}

static double share_of(const hrr_csr *edges, uint32_t node)
{
    return 1 / (double)(edges->row_start[node + 1] - edges->row_start[node]);
}

static void walk_from(walker *w, const hrr_csr *edges, uint32_t start)
{
    for (uint64_t i = 0; i < w->n_seen; i++)
        w->passed[w->seen[i]] = 0;
    w->n_seen = 0;
    for (uint64_t e = edges->row_start[start]; e < edges->row_start[start + 1]; e++)
        add_amount(w, edges->col[e], 1);
    finish_hop(w);
    for (int hop = 0; hop < hops_on_the_way; hop++) {
        for (uint64_t i = 0; i < w->n_at; i++) {
            const uint32_t node = w->at[i];
            const double amount = w->here[node] * share_of(edges, node);
            for (uint64_t e = edges->row_start[node]; e < edges->row_start[node + 1]; e++)
                add_amount(w, edges->col[e], amount);
        }
        finish_hop(w);
    }
}

/* The last hop, to one node. */
static double step_to(const walker *w, const hrr_csr *edges, uint32_t end)
{
    double sum = 0;
    for (uint64_t e = edges->row_start[end]; e < edges->row_start[end + 1]; e++)
        sum += w->passed[edges->col[e]] * share_of(edges, edges->col[e]);
    return sum;
}

static hrr_status score_walks(double *scores, const hrr_link_pairs *pairs, const hrr_graph *truth,
                              const uint32_t *nodes, uint64_t n_nodes, int threads,
                              hrr_progress *progress, hrr_error *err)
{
    const uint64_t n = hrr_graph_n_nodes(truth);
    hrr_adjacency_options which;
    hrr_adjacency_options_init(&which);
    which.edges = HRR_EDGES_PUBLIC;
    hrr_csr edges = {0};
    walker *walkers = NULL;
    uint64_t *first = NULL; /* pairs come by their earlier node: where each node's begin */
    threads = hrr_threads(threads);
    hrr_status status = hrr_graph_adjacency(&edges, truth, &which, err);
    if (status) return status;
    walkers = hrr_alloc_zero((size_t)threads, sizeof *walkers);
    first = hrr_alloc_zero(n_nodes + 1, sizeof *first);
    if (!walkers || !first) status = hrr_no_memory(err);
    for (int t = 0; t < threads && !status; t++)
        if (!walker_init(&walkers[t], n)) status = hrr_no_memory(err);
    if (status) goto done;
    for (uint64_t p = 0; p < pairs->n; p++)
        first[pairs->i[p] + 1]++;
    for (uint64_t i = 0; i < n_nodes; i++)
        first[i + 1] += first[i];
#pragma omp parallel for schedule(static, 1) num_threads(threads)
    for (int t = 0; t < threads; t++)
        for (uint64_t i = (uint64_t)t; i < n_nodes; i += (uint64_t)threads) {
            if (hrr_progress_cancelled(progress)) break;
            walk_from(&walkers[t], &edges, nodes[i]);
            for (uint64_t p = first[i]; p < first[i + 1]; p++)
                scores[p] = step_to(&walkers[t], &edges, nodes[pairs->j[p]]);
        }
    status = hrr_progress_advance(progress, 0, err);
done:
    for (int t = 0; walkers && t < threads; t++)
        walker_clear(&walkers[t]);
    hrr_free(walkers);
    hrr_free(first);
    hrr_csr_clear(&edges);
    return status;
}

/* ---- both ------------------------------------------------------------------------------------ */

static hrr_status score_both(hrr_public_guesses *made, const hrr_link_pairs *pairs, hrr_error *err)
{
    double *both = made->scores[HRR_GUESS_BOTH] = hrr_alloc_zero(pairs->n, sizeof *both);
    if (!both) return hrr_no_memory(err);
    hrr_status status = hrr_add_ranks(both, made->scores[HRR_GUESS_WALKS], pairs, err);
    if (!status) status = hrr_add_ranks(both, made->scores[HRR_GUESS_FEATURES], pairs, err);
    return status;
}

/* ---- all of them ----------------------------------------------------------------------------- */

void hrr_public_guesses_clear(hrr_public_guesses *guesses)
{
    for (int g = 0; g < HRR_PUBLIC_GUESSES; g++)
        hrr_free(guesses->scores[g]);
    *guesses = (hrr_public_guesses){0};
}

hrr_status hrr_public_guesses_init(hrr_public_guesses *out, const hrr_link_pairs *pairs,
                                   const hrr_graph *truth, const hrr_dense *features,
                                   const uint32_t *nodes, uint64_t n_nodes, bool all_edges,
                                   int threads, hrr_progress *progress, hrr_error *err)
{
    hrr_public_guesses made = {0};
    *out = made;
    double *alike = made.scores[HRR_GUESS_FEATURES] = hrr_alloc(pairs->n, sizeof *alike);
    hrr_status status = alike ? HRR_OK : hrr_no_memory(err);
    if (!status) status = hrr_correlate(alike, pairs, features, nodes, n_nodes, threads, err);
    if (!status && hrr_public_guess_exists(HRR_GUESS_WALKS, truth, all_edges)) {
        double *walks = made.scores[HRR_GUESS_WALKS] = hrr_alloc(pairs->n, sizeof *walks);
        status = walks ? score_walks(walks, pairs, truth, nodes, n_nodes, threads, progress, err)
                       : hrr_no_memory(err);
        if (!status) status = score_both(&made, pairs, err);
    }
    if (status)
        hrr_public_guesses_clear(&made);
    else
        *out = made;
    return status;
}
