/* inferred_edges.c: see inferred_edges.h. */
#include "attack/inferred_edges.h"
#include "base/memory.h"
#include "random/fast.h"

#include <heterorr/random.h>

#include <stdlib.h>

typedef struct candidate {
    double score;
    uint64_t lot; /* decides among equals */
    uint64_t pair;
} candidate;

static int likeliest_first(const void *a, const void *b)
{
    const candidate *x = a, *y = b;
    if (x->score != y->score) return x->score < y->score ? 1 : -1;
    return (x->lot > y->lot) - (x->lot < y->lot);
}

hrr_status hrr_inferred_edges(hrr_csr *out, const hrr_graph *graph, const hrr_link_pairs *pairs,
                              const double *scores, const uint32_t *nodes, bool all_edges,
                              uint64_t seed, hrr_error *err)
{
    const uint64_t m = hrr_graph_n_edges(graph), n_pairs = pairs->n;
    const uint8_t *is_private = hrr_graph_is_private(graph);
    uint64_t n_edges = 0;
    hrr_fast_random random;
    hrr_edge_list edges = {0};
    hrr_graph *inferred = NULL;
    hrr_fast_init(&random, seed, UINT64_C(0x6c6f7473));
    candidate *order = hrr_alloc(n_pairs, sizeof *order);
    hrr_status status = order ? HRR_OK : hrr_no_memory(err);
    if (!status) status = hrr_edge_list_init(&edges, m + pairs->n_positive, false, err);
    if (status) goto done;
    for (uint64_t p = 0; p < n_pairs; p++)
        order[p] = (candidate){scores[p], hrr_fast_u64(&random), p};
    qsort(order, n_pairs, sizeof *order, likeliest_first);
    for (uint64_t e = 0; e < m; e++) {
        if (all_edges || (is_private && is_private[e])) continue;
        edges.source[n_edges] = hrr_graph_sources(graph)[e];
        edges.target[n_edges++] = hrr_graph_targets(graph)[e];
    }
    for (uint64_t i = 0; i < pairs->n_positive; i++) {
        edges.source[n_edges] = nodes[pairs->i[order[i].pair]];
        edges.target[n_edges++] = nodes[pairs->j[order[i].pair]];
    }
    edges.n_edges = n_edges;
    if ((status = hrr_graph_new(&inferred, "inferred", hrr_graph_n_nodes(graph), err))) goto done;
    if ((status = hrr_graph_take_edges(inferred, &edges, NULL, 0, NULL, err))) goto done;
    status = hrr_graph_adjacency(out, inferred, NULL, err);
done:
    hrr_graph_free(inferred);
    hrr_edge_list_clear(&edges);
    hrr_free(order);
    return status;
}
