/* local_service.h: a model of our own behind the door of a prediction service. */
#ifndef HRR_ATTACK_LOCAL_SERVICE_H
#define HRR_ATTACK_LOCAL_SERVICE_H

#include "attack/f64_model.h"

#include <heterorr/attack.h>

typedef struct hrr_serve_options {
    hrr_returns returns;
    int decimals;       /* of rounded probabilities */
    bool ignore_counts; /* of neighbours (edgerr-node): otherwise answers are those of the model
                           with counts, if both model and release have them, as hrr_model_predict()
                           gives them */
    int threads;
} hrr_serve_options;
/* Logits; two decimals, if they are rounded. */
void hrr_serve_options_init(hrr_serve_options *options);

/* A model of our own behind the same door, computing in doubles on all nodes for each question, as
 * a service would. Model and release must outlive it.
 *
 * Cost:   a question O(m h + n h^2) time; O(n h) memory.
 * Errors: HRR_EDATA for a release that the model does not fit, HRR_ENOMEM. */
typedef struct hrr_local_service hrr_local_service;
HRR_STATUS hrr_local_service_new(hrr_local_service **out, const hrr_model *model,
                                 const hrr_release *served, const hrr_serve_options *options,
                                 hrr_progress *progress, hrr_error *err);
void hrr_local_service_free(hrr_local_service *local);
hrr_service hrr_local_service_view(hrr_local_service *local);

/* Nobody watches or cancels it any more. */
void hrr_local_service_forget_progress(hrr_local_service *local);
/* Its weights, and what the first layer makes of every node, before any hop. */
const hrr_f64_model *hrr_local_service_model(const hrr_local_service *local);
const hrr_dense *hrr_local_service_first(const hrr_local_service *local);

#endif
