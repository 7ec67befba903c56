/* promise.c: what a mechanism promises, as a function of public numbers alone.
 *
 * A plan finds the numbers and asks here what follows from them; whoever reads a certificate has
 * the same numbers and asks the same question. So a recorded promise can be recomputed to the last
 * digit and word, without the graph. */
#include "edge/mechanism.h"
#include "base/memory.h"

#include <math.h>

void hrr_edge_promise_clear(hrr_edge_promise *promise)
{
    hrr_free(promise->statement);
    hrr_free(promise->evidence);
    *promise = (hrr_edge_promise){0};
}

double hrr_edge_without_rounding(double realised_eps, uint64_t eps_nano)
{
    const double requested = (double)eps_nano / HRR_EPS_UNIT;
    const bool rounded = realised_eps > requested && realised_eps <= requested * (1 + 0x1p-50);
    return rounded ? requested : realised_eps;
}

/* The last gate: no promise leaves that spends more than was asked for, whatever a mechanism did.
 */
static hrr_status check_realised(hrr_edge_promise *promise, const char *mechanism,
                                 uint64_t eps_nano, hrr_error *err)
{
    const double requested = (double)eps_nano / HRR_EPS_UNIT;
    promise->realised_eps = hrr_edge_without_rounding(promise->realised_eps, eps_nano);
    if (!isfinite(promise->realised_eps) || promise->realised_eps <= requested) return HRR_OK;
    return hrr_fail(err, HRR_ECHECK,
                    "%s would spend epsilon %.17g, but %.17g was requested; this is a bug in "
                    "heterorr, please report it",
                    mechanism, promise->realised_eps, requested);
}

hrr_status hrr_edge_promise_init(hrr_edge_promise *out, const char *mechanism,
                                 const hrr_edge_claim *terms, hrr_error *err)
{
    const hrr_edge_method *found;
    *out = (hrr_edge_promise){0};
    hrr_status status = hrr_edge_method_choose(&found, mechanism, err);
    if (!status) status = hrr_edge_eps_check(found, terms->eps_nano, err);
    if (!status && !hrr_edge_spends(found) && terms->eps_nano > 0)
        status = hrr_fail(err, HRR_EINVAL, "%s does not use an epsilon", mechanism);
    if (!status) status = found->promise(out, found, terms, err);
    if (!status && !(out->statement && out->evidence)) status = hrr_no_memory(err);
    if (!status) status = check_realised(out, mechanism, terms->eps_nano, err);
    if (status) hrr_edge_promise_clear(out);
    return status;
}
