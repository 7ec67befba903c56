/* public_base.h: the best that can be said of nodes from features, labels and edges that cost
 * nothing. What private edges are paid for has to beat it, and joins it: in sweeps, in models, and
 * where a release predicts blocks. */
#ifndef HRR_LEARN_PUBLIC_BASE_H
#define HRR_LEARN_PUBLIC_BASE_H

#include "learn/fusion.h"

/* What it is made of. */
typedef enum hrr_base_part {
    HRR_BASE_EDGES,    /* the network on the features and the edges */
    HRR_BASE_NO_EDGES, /* a network on the features alone */
    HRR_BASE_FREE,     /* edges and labels, no features (free_model.h) */
    HRR_N_BASE_PARTS
} hrr_base_part;

/* What stands beside the network on features and edges, which whoever has the base has, too. */
typedef struct hrr_public_base {
    hrr_output_kind output;
    hrr_base_part best;                  /* the part with the lowest loss on validation nodes */
    double valid_loss[HRR_N_BASE_PARTS]; /* of each part while it was fitted; NAN: it diverged */
    double weight[HRR_N_BASE_PARTS];     /* all 0: there is nothing beside the network */
    hrr_model *no_edges;                 /* NULL: it says nothing */
    hrr_dense free; /* n x C, F32: of the nodes of the graph that it was fitted to; empty: it says
                       nothing */
} hrr_public_base;

void hrr_public_base_clear(hrr_public_base *base);

/* Whether there is more to it than the network as it is. */
static inline bool hrr_public_base_is_more(const hrr_public_base *base)
{
    return base->weight[HRR_BASE_EDGES] > 0 || base->weight[HRR_BASE_NO_EDGES] > 0 ||
           base->weight[HRR_BASE_FREE] > 0;
}

/* Whether a part has to be kept: it has a weight, or what others say is added to it. */
static inline bool hrr_base_needs(const hrr_public_base *base, hrr_base_part part)
{
    return base->weight[part] > 0 || base->best == part;
}

/* What a part adds to the scores of a class is its weight times its score, for one class a node
 * less its score of the first class, unless it is the best part: see hrr_fusion_apply(). */
static inline bool hrr_base_is_relative(const hrr_public_base *base, hrr_base_part part)
{
    return part != base->best && base->output == HRR_OUTPUT_SOFTMAX;
}

/* logits (n x C, F32), those of a network that learnt from the features and all edges of the graph
 * with these options, become those of all parts together: the part whose loss is lowest on
 * validation nodes, and what the others add to it, with weights that may be 0 (fusion.h). Without
 * validation nodes they stay as they are. Where they stay as they are, the base has no weights.
 *
 * Guarantee: a function of the graph, which must not have private edges; labels of test nodes are
 *            not looked at.
 * Cost:      a network without edges, and hrr_free_model_fit().
 * Ownership: hrr_public_base_clear(); empty on failure.
 * Errors:    HRR_EDATA (no labels or split), HRR_ENOMEM, HRR_ECANCEL. */
hrr_status hrr_public_base_fit(hrr_public_base *out, hrr_dense *logits, const hrr_graph *graph,
                               const hrr_train_options *options, hrr_progress *progress,
                               hrr_error *err) HRR_CHECKED;

/* Errors: HRR_EDATA for a graph with another number of nodes than the base was fitted to. */
hrr_status hrr_public_base_check(const hrr_public_base *base, const hrr_graph *graph,
                                 hrr_error *err) HRR_CHECKED;

/* logits of the network become those of all parts together, on the nodes that the base was fitted
 * to. features NULL: those of the graph. An empty base leaves them as they are.
 * Errors: those of hrr_public_base_check() and hrr_forward(). */
hrr_status hrr_public_base_apply(hrr_dense *logits, const hrr_public_base *base,
                                 const hrr_graph *graph, const hrr_dense *features, int threads,
                                 hrr_progress *progress, hrr_error *err) HRR_CHECKED;

#endif
