/* pairs.c: nodes drawn from a pool, and the pairs among them that an attack is scored on. */
#include "attack/pairs.h"
#include "base/memory.h"
#include "random/fast.h"

#include <heterorr/attack.h>
#include <heterorr/random.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- nodes ----------------------------------------------------------------------------------- */

static bool in_pool(hrr_pool pool, uint32_t degree, uint32_t low, uint32_t high)
{
    if (pool == HRR_POOL_LOW) return degree <= low;
    if (pool == HRR_POOL_HIGH) return degree >= high;
    return true;
}

static int ascending(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

hrr_status hrr_attack_nodes(uint32_t **nodes, uint64_t *n_nodes, const hrr_graph *graph,
                            hrr_pool pool, uint32_t low, uint32_t high, uint64_t n_wanted,
                            uint64_t seed, hrr_error *err)
{
    const uint64_t n = hrr_graph_n_nodes(graph), m = hrr_graph_n_edges(graph);
    const uint32_t *source = hrr_graph_sources(graph), *target = hrr_graph_targets(graph);
    uint64_t n_pool = 0;
    *nodes = NULL;
    *n_nodes = 0;
    uint32_t *degree = hrr_alloc_zero(n, sizeof *degree);
    uint32_t *chosen = hrr_alloc(n, sizeof *chosen);
    if (!degree || !chosen) {
        hrr_free(degree);
        hrr_free(chosen);
        return hrr_no_memory(err);
    }
    for (uint64_t e = 0; e < m; e++)
        degree[source[e]]++, degree[target[e]]++;
    for (uint64_t v = 0; v < n; v++)
        if (in_pool(pool, degree[v], low, high)) chosen[n_pool++] = (uint32_t)v;
    hrr_free(degree);
    if (n_pool < 2) {
        hrr_free(chosen);
        return hrr_fail(
            err, HRR_EDATA,
            "the pool (`pool`) has %" PRIu64
            " %s, but a pair needs two; choose another pool, or other degrees (`low`, `high`)",
            n_pool, hrr_plural(n_pool, "node", "nodes"));
    }
    if (n_wanted > n_pool) n_wanted = n_pool;
    hrr_fast_random random;
    hrr_fast_init(&random, seed, UINT64_C(0x6e6f646573)); /* a stream of its own */
    for (uint64_t i = 0; i < n_wanted; i++) {
        const uint64_t k = i + hrr_fast_below(&random, n_pool - i);
        const uint32_t kept = chosen[i];
        chosen[i] = chosen[k];
        chosen[k] = kept;
    }
    qsort(chosen, n_wanted, sizeof *chosen, ascending);
    *nodes = chosen;
    *n_nodes = n_wanted;
    return HRR_OK;
}

/* ---- pairs ----------------------------------------------------------------------------------- */

enum { no_edge = 0, public_edge, private_edge };

/* kind: n x n over positions, upper half */
static void mark_edges(uint8_t *kind, const hrr_graph *truth, const uint32_t *place,
                       uint64_t n_nodes, bool all_edges)
{
    const uint64_t m = hrr_graph_n_edges(truth);
    const uint32_t *source = hrr_graph_sources(truth), *target = hrr_graph_targets(truth);
    const uint8_t *is_private = hrr_graph_is_private(truth);
    for (uint64_t e = 0; e < m; e++) {
        const uint32_t a = place[source[e]], b = place[target[e]];
        if (a == UINT32_MAX || b == UINT32_MAX) continue;
        const uint64_t i = a < b ? a : b, j = a < b ? b : a;
        const bool positive = all_edges || (is_private && is_private[e]);
        kind[i * n_nodes + j] = positive ? private_edge : public_edge;
    }
}

static hrr_status list_pairs(hrr_link_pairs *out, const uint8_t *kind, uint64_t n_nodes,
                             hrr_error *err)
{
    uint64_t at = 0;
    for (uint64_t i = 0; i < n_nodes; i++)
        for (uint64_t j = i + 1; j < n_nodes; j++) {
            out->n += kind[i * n_nodes + j] != public_edge;
            out->n_positive += kind[i * n_nodes + j] == private_edge;
        }
    if (!out->n_positive)
        return hrr_fail(
            err, HRR_EDATA,
            "no private edge joins two of the %" PRIu64
            " nodes of the sample; draw more nodes (`n_samples`), use another seed (`seed`), or, "
            "if the graph marks no edge as private, treat every edge as private (`all_edges`)",
            n_nodes);
    if (out->n_positive == out->n)
        return hrr_fail(err, HRR_EDATA,
                        "every pair of the sample has an edge, so there is nothing to distinguish; "
                        "draw more nodes");
    out->i = hrr_alloc(out->n, sizeof *out->i);
    out->j = hrr_alloc(out->n, sizeof *out->j);
    out->positive = hrr_alloc(out->n, 1);
    if (!out->i || !out->j || !out->positive) return hrr_no_memory(err);
    for (uint64_t i = 0; i < n_nodes; i++)
        for (uint64_t j = i + 1; j < n_nodes; j++) {
            if (kind[i * n_nodes + j] == public_edge) continue;
            out->i[at] = (uint32_t)i;
            out->j[at] = (uint32_t)j;
            out->positive[at++] = kind[i * n_nodes + j] == private_edge;
        }
    return HRR_OK;
}

hrr_status hrr_link_pairs_init(hrr_link_pairs *out, const hrr_graph *truth, const uint32_t *nodes,
                               uint64_t n_nodes, bool all_edges, hrr_error *err)
{
    const uint64_t n = hrr_graph_n_nodes(truth);
    hrr_link_pairs made = {0};
    *out = made;
    uint32_t *place = hrr_alloc(n, sizeof *place);
    uint8_t *kind = hrr_alloc_zero(n_nodes, n_nodes);
    hrr_status status = place && kind ? HRR_OK : hrr_no_memory(err);
    if (!status) {
        memset(place, 0xff, n * sizeof *place);
        for (uint64_t i = 0; i < n_nodes; i++)
            place[nodes[i]] = (uint32_t)i;
        mark_edges(kind, truth, place, n_nodes, all_edges);
        status = list_pairs(&made, kind, n_nodes, err);
    }
    hrr_free(place);
    hrr_free(kind);
    if (status)
        hrr_link_pairs_clear(&made);
    else
        *out = made;
    return status;
}

void hrr_link_pairs_clear(hrr_link_pairs *pairs)
{
    hrr_free(pairs->i);
    hrr_free(pairs->j);
    hrr_free(pairs->positive);
    *pairs = (hrr_link_pairs){0};
}
