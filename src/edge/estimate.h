/* estimate.h: from noisy counts to expected edges at every internal node. Post-processing: it sees
 * public data and noisy counts only, so it costs no budget and may use floating point. */
#ifndef HRR_EDGE_ESTIMATE_H
#define HRR_EDGE_ESTIMATE_H

#include "edge/queries.h"

typedef enum hrr_estimator {
    HRR_ESTIMATE_CLAMP,    /* the noisy count cut off at 0 and at all pairs, spread evenly over the
                              query's pairs: what the paper does; adds edges */
    HRR_ESTIMATE_POSTERIOR /* see estimate.c: keeps the total */
} hrr_estimator;

/* expected[r], n_internal numbers: edges to put at internal node r, between 0 and its candidate
 * pairs. O(n) time. Errors: HRR_ENOMEM. */
hrr_status hrr_estimate_edges(double *expected, const hrr_queries *queries, const int64_t *noisy,
                              uint64_t eps_nano, hrr_estimator estimator, hrr_error *err);

/* The same without any count: n_edges in all, or as many as there are pairs, in proportion to the
 * weights of the nodes; to their pairs if there are no weights. */
hrr_status hrr_estimate_like_public(double *expected, const hrr_queries *queries, uint64_t n_edges,
                                    hrr_error *err);

#endif
