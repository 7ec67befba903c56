/* free_model.h: the best that can be said of nodes for nothing: from edges and labels that are
 * public or released anyway, and features only as far as some nodes show theirs. What is bought
 * with a budget has to beat it, and is fused with it. */
#ifndef HRR_LEARN_FREE_MODEL_H
#define HRR_LEARN_FREE_MODEL_H

#include "learn/fusion.h"
#include "learn/label_propagation.h"

/* What it is made of. */
typedef enum hrr_free_part {
    HRR_FREE_LABELS,   /* labels that are spread */
    HRR_FREE_ROWS,     /* a network on node rows */
    HRR_FREE_LOGISTIC, /* a linear model on the inputs of free_inputs.h */
    HRR_FREE_MLP,      /* a network without edges on the same */
    HRR_FREE_SHOWN,    /* a network on features that volunteers show, spread over edges */
    HRR_N_FREE_PARTS
} hrr_free_part;

/* Without meaning outside the graph that it was fitted to: the scores are the model. */
typedef struct hrr_free_model {
    hrr_dense scores; /* n x C, F32: ln P(class), or the log-odds of each label */
    double valid_loss[HRR_N_FREE_PARTS]; /* of each part; NAN: it diverged, or is not there */
    hrr_free_part best;                  /* the part with the lowest */
    hrr_fusion fusion; /* term 0 is the best part, the others follow in their order; without
                          validation nodes labels are spread, and that is all */
} hrr_free_model;

void hrr_free_model_clear(hrr_free_model *model);

/* Fit all parts to the labels of training nodes and put them together by those of validation nodes,
 * with weights that may be 0. Every edge of the graph is used: give it the public or released ones
 * alone. shown: n x d, F32, features that cost nothing, such as hrr_graph_diffuse() makes of
 * volunteers'; NULL: there are none. options: width, epochs, optimiser, label_eps, seed and threads
 * are looked at. The same for any number of threads.
 *
 * Guarantee: post-processing of edges and labels; features of the graph are not looked at, and
 *            labels of test nodes are not either.
 * Cost:      an epoch of node rows is O(6 m h); the rest is small beside it. n (3 h + 6 C) floats
 *            beside the graph, and n h weights.
 * Ownership: hrr_free_model_clear(); empty on failure.
 * Errors:    HRR_EDATA (no labels or split), HRR_ENOMEM, HRR_ECANCEL. */
hrr_status hrr_free_model_fit(hrr_free_model *out, const hrr_graph *graph, const hrr_dense *shown,
                              const hrr_train_options *options, hrr_progress *progress,
                              hrr_error *err) HRR_CHECKED;

#endif
