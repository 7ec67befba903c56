/* service.h: asking a prediction service that may be busy or wrong. */
#ifndef HRR_ATTACK_SERVICE_H
#define HRR_ATTACK_SERVICE_H

#include <heterorr/attack.h>

/* Ask, wait and ask again, and look at the answer.
 *
 * Errors: HRR_EIO when the service refused too often, HRR_EDATA for an answer that is not finite,
 *         HRR_ECANCEL (also while waiting), and what the service itself fails with. */
HRR_STATUS hrr_service_ask(double *answer, const hrr_service *service, const hrr_question *question,
                           const hrr_progress *progress, hrr_error *err);

/* About every node of the graph, in probabilities where it tells logits; out: a new F64 matrix,
 * n x C. */
HRR_STATUS hrr_service_ask_all(hrr_dense *out, const hrr_service *service, hrr_returns returns,
                               const hrr_graph *graph, hrr_progress *progress, hrr_error *err);

#endif
