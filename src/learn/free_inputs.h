/* free_inputs.h: what a graph tells for nothing about each node: how many neighbours it has, and
 * which labels are around it. No feature is looked at. */
#ifndef HRR_LEARN_FREE_INPUTS_H
#define HRR_LEARN_FREE_INPUTS_H

#include "learn/label_propagation.h"

/* out (n x d, F32): logarithms of the degree, of the neighbours' mean degree and of how many labels
 * are one and two steps away; for each label its number among neighbours, its share one and two
 * steps away and its score after spreading, as `spread` says.
 *
 * A node's own label is in none of its inputs: walks of two steps that come back are left out, and
 * the labels that are spread for a training node are those of other folds than its own. So a
 * network without edges that learns from them meets training nodes as it will meet others. One with
 * edges would not: the inputs of neighbours have the node's label.
 *
 * Guarantee: post-processing of edges and labels of training nodes.
 * Cost:      O((m + n) C) for each of six times the steps of spreading; six matrices n x C.
 * Errors:    HRR_ENOMEM, HRR_ECANCEL. */
hrr_status hrr_free_inputs(hrr_dense *out, const hrr_graph *graph, hrr_label_spread spread,
                           int threads, hrr_progress *progress, hrr_error *err) HRR_CHECKED;

#endif
