/* promise.h: what a plan promises, from its terms alone. */
#ifndef HRR_EDGE_PROMISE_H
#define HRR_EDGE_PROMISE_H

#include <heterorr/edge.h>

/* What follows from the terms of a claim, and from nothing else. */
typedef struct hrr_edge_promise {
    double realised_eps;
    char *statement, *evidence;
    const char *const *not_certified;
} hrr_edge_promise;

/* The promise that a plan with these terms makes; for whoever checks one that was recorded. Only
 * the terms of `terms` are read.
 * Ownership: *out belongs to the caller, hrr_edge_promise_clear().
 * Errors: HRR_EINVAL if no plan has such terms, HRR_ENOMEM; HRR_ECHECK if it were more than
 * eps_nano, which is a fault of the program. */
HRR_STATUS hrr_edge_promise_init(hrr_edge_promise *out, const char *mechanism,
                                 const hrr_edge_claim *terms, hrr_error *err);
void hrr_edge_promise_clear(hrr_edge_promise *promise);

#endif
