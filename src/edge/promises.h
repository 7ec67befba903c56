/* promises.h: one promise for all graphs of a collection. */
#ifndef HRR_EDGE_PROMISES_H
#define HRR_EDGE_PROMISES_H

#include "edge/promise.h"

#include <heterorr/edge.h>

/* A pair lies in one graph only, so the largest epsilon of any graph is that of the whole (parallel
 * composition). A text that all graphs share is that of the whole; otherwise the whole has a text
 * of its own, and each graph keeps its own beside it. n >= 1; of a claim its promise and eps_nano
 * are read.
 * Ownership: *out belongs to the caller, hrr_edge_promise_clear().
 * Errors: HRR_ENOMEM. */
hrr_status hrr_edge_promise_join(hrr_edge_promise *out, const char *mechanism,
                                 const hrr_edge_claim *graphs, uint32_t n, hrr_error *err);

#endif
