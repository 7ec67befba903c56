/* inputs.h: the features as the first layer multiplies with them. */
#ifndef HRR_LEARN_INPUTS_H
#define HRR_LEARN_INPUTS_H

#include "graph/aggregator.h"

#include <heterorr/learn.h>

/* Dense, sparse with its transpose for the gradient, or the rows of I: which node it is. */
typedef struct hrr_inputs {
    uint64_t n, d;
    hrr_dense dense; /* F32 or U8; may be a view of the features */
    hrr_csr sparse, sparse_transposed;
    bool is_sparse;
    bool is_hops; /* [X, S X, ..., S^steps X] instead of X, which is never made: see inputs.c */
    bool is_rows; /* S^steps instead of features, which is never made: it is multiplied out */
    hrr_aggregator spread; /* S */
    uint32_t steps;
    hrr_dense between[2]; /* room for products on the way */
    bool is_aggregated;   /* A X instead of X: done once, the first layer need not do it again */
} hrr_inputs;

/* Decide by sizes: features of which at most a tenth is not 0 become sparse; of others, not wider
 * than the first layer, A X is computed here; the rest is used where it is, bytes as bytes.
 * aggregator NULL: a network without edges. The features must outlive the inputs. */
hrr_status hrr_inputs_init(hrr_inputs *out, const hrr_dense *features, uint64_t n_out,
                           const hrr_aggregator *aggregator, int threads, hrr_progress *progress,
                           hrr_error *err) HRR_CHECKED;
/* Features that say nothing but which node it is: X = S^steps, S as hrr_graph_propagate() has it,
 * n x n. Memory: two more matrices of n x n_out. Errors: HRR_ENOMEM. */
hrr_status hrr_inputs_init_rows(hrr_inputs *out, const hrr_graph *graph, uint64_t n_out,
                                uint32_t steps, hrr_error *err) HRR_CHECKED;
/* The hops of a sign network, for products alone: there is no gradient. S has self-loops. Memory:
 * two more matrices of n x n_out. Errors: HRR_ENOMEM, HRR_ECANCEL. */
hrr_status hrr_inputs_init_hops(hrr_inputs *out, const hrr_dense *features, const hrr_graph *graph,
                                hrr_normalisation kind, uint64_t n_out, uint32_t steps, int threads,
                                hrr_progress *progress, hrr_error *err) HRR_CHECKED;
void hrr_inputs_clear(hrr_inputs *inputs);

size_t hrr_inputs_space(const hrr_inputs *inputs, uint64_t n_out, int threads);

/* X W in blocks; W d x n_out, or (steps + 1) d x n_out for hops. */
void hrr_inputs_times(hrr_take_rows *take, void *user, const hrr_inputs *inputs, const float *w,
                      uint64_t n_out, float *space, int threads, const hrr_progress *progress);
/* gradient (d x n_out) = X^T delta; delta n x n_out. */
void hrr_inputs_gradient(float *gradient, const hrr_inputs *inputs, const float *delta,
                         uint64_t n_out, float *space, int threads, const hrr_progress *progress);

#endif
