/* metrics.h: counts of what a service does, as Prometheus reads them. */
#ifndef HRR_SERVE_METRICS_H
#define HRR_SERVE_METRICS_H

#include "report/text.h"
#include "serve/route.h"
#include "serve/tokens.h"

#include <stdatomic.h>

enum { HRR_STATUS_CLASSES = 6, HRR_TIME_BINS = 10 };

/* Written by many threads; each number is right, the whole is no snapshot. */
typedef struct hrr_counters {
    atomic_uint_fast64_t requests[HRR_ROUTES][HRR_STATUS_CLASSES]; /* 2xx is the third */
    atomic_uint_fast64_t nodes;                                    /* that were told about */
    atomic_uint_fast64_t infer_bins[HRR_TIME_BINS + 1], infer_nanoseconds;
    atomic_uint_fast64_t connections, slow_closed, log_lost, reloads, reloads_failed;
    atomic_uint_fast64_t computed, waiting; /* waiting: a gauge */
    atomic_uint_fast64_t body_bytes;        /* taken by requests at this time */
} hrr_counters;

void hrr_count_request(hrr_counters *counters, hrr_route route, unsigned status, double seconds);
/* viewer: who asks. They see what they used themselves, and what others did if their token says so.
 */
void hrr_metrics_write(hrr_text *out, const hrr_counters *counters, const hrr_tokens *tokens,
                       const hrr_caller *viewer, bool is_private);

#endif
