/* influence.h: influence by looking into a model, without questions. */
#ifndef HRR_ATTACK_INFLUENCE_H
#define HRR_ATTACK_INFLUENCE_H

#include <heterorr/attack.h>

/* hrr_influence_measure() in the limit of small delta, by looking into the model: forward
 * derivatives along x_v, only where the chosen nodes can see each other. probabilities: of those,
 * instead of logits. Counts of neighbours are not looked at.
 *
 * Cost:   one forward pass over the neighbourhood that the nodes see, then for each node
 *         O(neighbours h C) (two layers).
 * Errors: HRR_EDATA for a release that the model does not fit, HRR_ENOMEM, HRR_ECANCEL. */
HRR_STATUS hrr_influence_exact(hrr_dense *out, const hrr_model *model, const hrr_release *served,
                               const uint32_t *nodes, uint64_t n_nodes, bool probabilities,
                               int threads, hrr_progress *progress, hrr_error *err);

#endif
