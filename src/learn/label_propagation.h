/* label_propagation.h: what the labels of training nodes say about the others, without a network
 * and without features: labels spread over edges. */
#ifndef HRR_LEARN_LABEL_PROPAGATION_H
#define HRR_LEARN_LABEL_PROPAGATION_H

#include "graph/aggregator.h"
#include "learn/targets.h"

/* How labels are spread, and how much of them it takes to outweigh how frequent they are. */
typedef struct hrr_label_spread {
    double alpha; /* what a node takes from its neighbours; 1 - alpha from its own label */
    uint32_t steps;
    double prior; /* so much label is seen in every node from the start, as frequent as anywhere */
} hrr_label_spread;

/* Spread the labels of training nodes over all edges of the graph, which needs labels and a split.
 * How is chosen by the loss of validation nodes; without any, alpha .8 and 16 steps. scores: n x
 * C, F32: ln of the probability of a class, or the log-odds of each label. A training node's own
 * label is in its scores. The same bits for any number of threads.
 *
 * Guarantee: post-processing of edges and labels: the features are not looked at.
 * Cost:      O((m + n) C) for each of about a hundred steps; 3 n (C + 1) floats.
 * Errors:    HRR_EDATA (no training node has a label), HRR_ENOMEM, HRR_ECANCEL. */
hrr_status hrr_label_propagation(hrr_dense *scores, hrr_label_spread *chosen,
                                 const hrr_graph *graph, int threads, hrr_progress *progress,
                                 hrr_error *err) HRR_CHECKED;

/* out (n x (C + 1), F32) = the labels that `use` (n bytes) picks after the steps of `spread`; in
 * the last column all labels together, of which several may be a node's. Every step counts one to
 * progress. */
hrr_status hrr_spread_labels(hrr_dense *out, const hrr_aggregator *edges,
                             const hrr_targets *targets, const uint8_t *use,
                             hrr_label_spread spread, int threads, hrr_progress *progress,
                             hrr_error *err) HRR_CHECKED;

/* How frequent each label is in the nodes that `use` picks, never quite 0 or 1: C numbers. */
void hrr_label_frequencies(double *frequency, const hrr_targets *targets, const uint8_t *use);

/* scores (n x C) = what labels that were spread (n x (C + 1)) say. */
void hrr_spread_scores(hrr_dense *scores, const hrr_dense *labels, const double *frequency,
                       double prior, bool one_class, int threads);

#endif
