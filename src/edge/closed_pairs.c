/* closed_pairs.c: see closed_pairs.h. */
#include "edge/closed_pairs.h"
#include "base/memory.h"
#include "matrix/csr.h"
#include "structure/measures.h"

#include <stdlib.h>

static uint64_t among(uint64_t degree)
{
    const uint64_t pairs = degree < 2 ? 0 : degree * (degree - 1) / 2;
    return pairs > HRR_CLOSED_LEAST ? pairs : HRR_CLOSED_LEAST;
}

/* What a further triangle adds to the term of a node, rounded up. */
static uint64_t weight(uint64_t degree)
{
    const uint64_t divisor = among(degree);
    return (HRR_CLOSED_UNIT + divisor - 1) / divisor;
}

hrr_status hrr_closed_pairs_count(hrr_closed_pairs *out, const hrr_csr *graph, int threads,
                                  hrr_progress *progress, hrr_error *err)
{
    *out = (hrr_closed_pairs){0};
    uint64_t *triangles = hrr_alloc(graph->rows, sizeof *triangles);
    if (!triangles) return hrr_no_memory(err);
    hrr_status status = hrr_triangles_at(triangles, graph, threads, progress, err);
    for (uint64_t i = 0; i < graph->rows && !status; i++) {
        const uint64_t degree = graph->row_start[i + 1] - graph->row_start[i];
        out->triangles += triangles[i];
        out->closed += (uint64_t)((unsigned __int128)HRR_CLOSED_UNIT * triangles[i] /
                                  among(degree)); /* t <= C(d, 2): below 2^16 a node */
    }
    out->triangles /= 3;
    hrr_free(triangles);
    return status;
}

/* ---- the largest sum over common neighbours -------------------------------------------------- */

typedef struct reach {
    uint64_t weight; /* of all neighbours: no pair with this node has more in common */
    uint32_t node;
} reach;

typedef struct pair_search {
    reach *order;     /* nodes, the largest reach first */
    uint32_t *at;     /* m2 places: neighbours of each node as places in `order`, ascending */
    uint64_t *begin;  /* n: where the next place of a node goes */
    uint64_t *common; /* n: of the node in hand with each before it */
} pair_search;

static int largest_first(const void *a, const void *b)
{
    const reach *x = a, *y = b;
    if (x->weight != y->weight) return x->weight < y->weight ? 1 : -1;
    return (x->node > y->node) - (x->node < y->node);
}

static void sort_by_reach(pair_search *s, const hrr_csr *graph, const uint64_t *node_weight)
{
    const uint64_t n = graph->rows;
    for (uint64_t v = 0; v < n; v++) {
        s->order[v] = (reach){.node = (uint32_t)v};
        s->begin[v] = graph->row_start[v];
        for (uint64_t e = graph->row_start[v]; e < graph->row_start[v + 1]; e++)
            s->order[v].weight += node_weight[graph->col[e]];
    }
    qsort(s->order, n, sizeof *s->order, largest_first);
    for (uint64_t i = 0; i < n; i++) {
        const uint32_t v = s->order[i].node;
        for (uint64_t e = graph->row_start[v]; e < graph->row_start[v + 1]; e++)
            s->at[s->begin[graph->col[e]]++] = (uint32_t)i;
    }
}

/* Nodes in order, each with those before it; a node whose whole reach is no more than the best
 * ends it. At worst the sum of squared degrees, so it can be cancelled. */
static hrr_status largest_common(uint64_t *out, pair_search *s, const hrr_csr *graph,
                                 const uint64_t *node_weight, hrr_progress *progress,
                                 hrr_error *err)
{
    uint64_t best = 0;
    hrr_status status = HRR_OK;
    sort_by_reach(s, graph, node_weight);
    for (uint64_t i = 1; i < graph->rows && s->order[i].weight > best; i++) {
        if ((status = hrr_progress_advance(progress, 0, err))) return status;
        const uint32_t v = s->order[i].node;
        for (int pass = 0; pass < 2; pass++) /* add up, then wipe */
            for (uint64_t e = graph->row_start[v]; e < graph->row_start[v + 1]; e++) {
                const uint32_t w = graph->col[e];
                for (uint64_t f = graph->row_start[w]; s->at[f] < i; f++) {
                    uint64_t *sum = &s->common[s->at[f]];
                    *sum = pass == 0 ? *sum + node_weight[w] : 0;
                    if (*sum > best) best = *sum;
                }
            }
    }
    *out = best;
    return HRR_OK;
}

/* slope: the weight of a new common neighbour, or what two degrees that change by one change. */
static uint64_t closed_slope(void)
{
    uint64_t change = 0;
    for (uint64_t d = 2; d < 8; d++) /* from C(d, 2) = 3 on, changes shrink */
        if (weight(d) - weight(d + 1) > change) change = weight(d) - weight(d + 1);
    return 2 * change > weight(2) ? 2 * change : weight(2);
}

hrr_status hrr_closed_pairs_ladders(hrr_ladder *of_triangles, hrr_ladder *of_closed,
                                    const hrr_csr *graph, hrr_progress *progress, hrr_error *err)
{
    uint64_t common = 0;
    const uint64_t n = graph->rows, m2 = hrr_csr_n_entries(graph);
    const uint64_t others = n > 3 ? n - 2 : 1;
    /* d / C(d + 1, 2) for the end of a pair, at most 2/3 (d = 2), and one for rounding. */
    const uint64_t own = (2 * HRR_CLOSED_UNIT + 2) / 3 + 1;
    hrr_status status = HRR_OK;
    pair_search s = {.order = hrr_alloc(n, sizeof *s.order),
                     .at = hrr_alloc(m2 + 1, sizeof *s.at),
                     .begin = hrr_alloc(n, sizeof *s.begin),
                     .common = hrr_alloc_zero(n, sizeof *s.common)};
    uint64_t *node_weight = hrr_alloc(n, sizeof *node_weight);
    if (!s.order || !s.at || !s.begin || !s.common || !node_weight) {
        status = hrr_no_memory(err);
        goto done;
    }
    /* A node of one edge is nobody's common neighbour; hubs with many such are not searched. */
    for (uint64_t v = 0; v < n; v++)
        node_weight[v] = graph->row_start[v + 1] - graph->row_start[v] > 1;
    if ((status = largest_common(&common, &s, graph, node_weight, progress, err))) goto done;
    *of_triangles = (hrr_ladder){.first = common, .slope = 1, .most = others};
    for (uint64_t v = 0; v < n; v++)
        node_weight[v] *= weight(graph->row_start[v + 1] - graph->row_start[v]);
    if ((status = largest_common(&common, &s, graph, node_weight, progress, err))) goto done;
    *of_closed = (hrr_ladder){
        .first = 2 * own + common, .slope = closed_slope(), .most = 2 * own + others * weight(2)};
done:
    hrr_free(s.order);
    hrr_free(s.at);
    hrr_free(s.begin);
    hrr_free(s.common);
    hrr_free(node_weight);
    return status;
}
