/* controls.h: mechanisms that are wrong on purpose. Each claims an epsilon that it does not
 * keep, by a mistake that was made somewhere before; an audit that does not catch them is blind. */
#ifndef HRR_AUDIT_CONTROLS_H
#define HRR_AUDIT_CONTROLS_H

#include "audit/trials.h"

#include <heterorr/random.h>

/* What every control claims: at 1 the mistakes show within 10^4 trials. */
#define HRR_CONTROL_EPS 1.0

/* The run() of a control that is one draw a trial: trial i of a side has a stream of its own. */
typedef float hrr_control_draw(int side, hrr_stream *stream);
hrr_status hrr_control_draws(float *out, hrr_control_draw *draw, const hrr_random *random, int side,
                             uint64_t first, uint64_t n, hrr_error *err);

typedef struct hrr_control {
    const char *name;
    const char *mistake; /* one sentence */
    uint32_t width;
    bool is_release; /* a trial is a whole release of edges, not one draw */
    hrr_status (*run)(float *out, const void *random, int side, uint64_t first, uint64_t n,
                      hrr_error *err); /* as in hrr_trials; user is the hrr_random */
} hrr_control;

extern const hrr_control hrr_controls[];
extern const int hrr_n_controls;

#endif
