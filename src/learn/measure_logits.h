/* measure_logits.h: how good logits are, in each part of a split. */
#ifndef HRR_LEARN_MEASURE_LOGITS_H
#define HRR_LEARN_MEASURE_LOGITS_H

#include <heterorr/learn.h>

/* Scores of classes (n x C, F32) become logarithms of probabilities: what the classes of a row
 * share is taken away. */
void hrr_to_log_probabilities(hrr_dense *scores, int threads);

/* hrr_measure() of training, validation and test nodes, on the labels and split of the graph. One
 * class a node: nodes are ranked by the logarithm of a class's probability. A logit alone ranks
 * them by what all its classes share as well, which is an accident of the first weights.
 * Errors: HRR_EDATA for a logit that is not finite, HRR_ENOMEM. */
hrr_status hrr_measure_logits(hrr_metrics parts[3], const hrr_dense *logits, const hrr_graph *graph,
                              hrr_error *err) HRR_CHECKED;

#endif
