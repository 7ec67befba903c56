/* aggregator.h: the normalised adjacency that a layer multiplies with. */
#ifndef HRR_GRAPH_AGGREGATOR_H
#define HRR_GRAPH_AGGREGATOR_H

#include "matrix/spmm.h"

#include <heterorr/graph.h>

/* Which nodes have an entry on the diagonal. */
typedef enum hrr_diagonal { HRR_DIAGONAL_ALL, HRR_DIAGONAL_LONELY } hrr_diagonal;

/* diag(scale) A diag(scale), or diag(scale) A for means; A a pattern of ones, symmetric. In the
 * first order A itself, with values. */
typedef struct hrr_aggregator {
    hrr_csr pattern;
    float *scale; /* degree^-1/2, or degree^-1; NULL in the first order */
    hrr_normalisation kind;
} hrr_aggregator;

/* Over all edges of the graph. HRR_DIAGONAL_ALL adds I, HRR_DIAGONAL_LONELY only for nodes without
 * edges, which then keep what they have; not in the first order. */
hrr_status hrr_aggregator_init(hrr_aggregator *out, const hrr_graph *graph, hrr_normalisation kind,
                               hrr_diagonal diagonal, hrr_error *err) HRR_CHECKED;
void hrr_aggregator_clear(hrr_aggregator *aggregator);

/* The product with X, or (transposed) of the transpose with X, in blocks. */
void hrr_aggregate(hrr_take_rows *take, void *user, const hrr_aggregator *aggregator,
                   bool transposed, const hrr_dense *x, float *space, int threads,
                   const hrr_progress *progress);

/* X (F32, n x d) becomes the aggregate of itself, `steps` times over. Memory for one more X. */
hrr_status hrr_aggregate_steps(hrr_dense *x, const hrr_aggregator *aggregator, uint32_t steps,
                               int threads, hrr_progress *progress, hrr_error *err) HRR_CHECKED;

/* KProp of LPGNN: features averaged over the graph's edges, D^-1/2 A D^-1/2 without self-loops; a
 * node without edges keeps its own. out: a new F32 matrix. */
hrr_status hrr_graph_propagate(hrr_dense *out, const hrr_graph *graph, const hrr_dense *features,
                               uint32_t steps, int threads, hrr_progress *progress,
                               hrr_error *err) HRR_CHECKED;

/* What hrr_aggregate() and its kin give, kept: user is an hrr_dense of F32 with room for it. */
void hrr_keep_rows(void *user, const float *block, size_t stride, uint64_t first, uint64_t count);

#endif
