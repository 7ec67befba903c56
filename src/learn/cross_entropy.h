/* cross_entropy.h: the loss of a network and its derivatives in the logits. */
#ifndef HRR_LEARN_CROSS_ENTROPY_H
#define HRR_LEARN_CROSS_ENTROPY_H

#include "learn/targets.h"

/* The mean over the n_part nodes of the part (there must be some): of -ln softmax at the class, or
 * over all labels, too, of the binary cross-entropy of sigmoid. differentiate: the logits (n x C)
 * become the derivatives of that mean, 0 for other nodes. The same bits for any number of threads.
 */
double hrr_cross_entropy(float *logits, const hrr_targets *targets, hrr_split part, uint64_t n_part,
                         bool differentiate, int threads);

/* Logits (n x C) to probabilities. */
void hrr_to_probabilities(float *logits, uint64_t n, uint64_t n_classes, hrr_output_kind output,
                          int threads);

#endif
