/* public_base.h: the best that can be said of nodes from features, labels and edges that cost
 * nothing. What private edges are paid for has to beat it, and joins it. */
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

typedef struct hrr_public_base {
    double valid_loss[HRR_N_BASE_PARTS]; /* of each part; NAN: it diverged */
    hrr_base_part best;                  /* the part with the lowest */
    hrr_fusion fusion; /* term 0 is the best part, the others follow in their order */
} hrr_public_base;

/* logits (n x C, F32), those of a network that learnt from the features and all edges of the graph
 * with these options, become those of all parts together: the part whose loss is lowest on
 * validation nodes, and what the others add to it, with weights that may be 0 (fusion.h). Without
 * validation nodes they stay as they are.
 *
 * Guarantee: a function of the graph, which must not have private edges; labels of test nodes are
 *            not looked at.
 * Cost:      a network without edges, and hrr_free_model_fit().
 * Errors:    HRR_EDATA (no labels or split), HRR_ENOMEM, HRR_ECANCEL. */
hrr_status hrr_public_base_join(hrr_dense *logits, hrr_public_base *out, const hrr_graph *graph,
                                const hrr_train_options *options, hrr_progress *progress,
                                hrr_error *err) HRR_CHECKED;

#endif
