/* label_response.h: the labels of a release, as they are or through randomised response. */
#ifndef HRR_RELEASE_LABEL_RESPONSE_H
#define HRR_RELEASE_LABEL_RESPONSE_H

#include <heterorr/feature.h>
#include <heterorr/graph.h>

typedef struct hrr_label_response {
    uint64_t eps_nano;      /* 0: labels are not randomised */
    double realised_eps;    /* INFINITY if they are not */
    hrr_feature_plan *bits; /* several labels a node: a channel for every bit */
} hrr_label_response;

/* Decide, without looking at labels, how they are drawn.
 * Errors: HRR_EINVAL if there are no labels to randomise or the budget does not suit them. */
hrr_status hrr_label_response_init(hrr_label_response *out, const hrr_graph *graph,
                                   uint64_t eps_nano, hrr_error *err);
void hrr_label_response_clear(hrr_label_response *response);

/* Give the released graph its labels, and what they are called, if the private one has any.
 * Errors: HRR_ENOMEM, HRR_ECANCEL. */
hrr_status hrr_label_response_draw(hrr_graph *released, const hrr_label_response *response,
                                   const hrr_graph *graph, const hrr_random *random, int threads,
                                   hrr_progress *progress, hrr_error *err);

#endif
