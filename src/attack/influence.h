/* influence.h: influence by looking into a model, without questions. */
#ifndef HRR_ATTACK_INFLUENCE_H
#define HRR_ATTACK_INFLUENCE_H

#include <heterorr/attack.h>

/* LinkTeller (Wu et al., S&P 2022): influence of v on u is how far the answer about u moves when
 * the features of v grow by the factor 1 + delta:
 *
 *     || (f(X + delta e_v x_v^T) - f(X))_u / delta ||_2
 *
 * A node whose features are all 0 is moved by ones instead. out: n_nodes x n_nodes, F64; row v,
 * column u. */

/* By questions: one as things are, and one for each node.
 *
 * Errors: HRR_EIO when the service refused too often, HRR_EDATA for an answer that is not finite,
 *         HRR_ECANCEL (also while waiting), what the service itself fails with, HRR_EINVAL,
 *         HRR_ENOMEM. */
hrr_status hrr_influence_measure(hrr_dense *out, const hrr_service *service,
                                 const hrr_dense *features, const uint32_t *nodes, uint64_t n_nodes,
                                 double delta, hrr_progress *progress, hrr_error *err);

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
