/* public_only.c: the two floors.
 *
 * public-only drops the private edges. It reads none of them, so it is 0-DP, and free: a mechanism
 * that does no better than this spends its budget for nothing.
 * none keeps them as they are: the reference run, which protects nothing. */
#include "edge/mechanism.h"
#include "base/memory.h"

#include <math.h>
#include <string.h>

/* Nothing to decide. */
static hrr_status prepare(hrr_edge_plan *plan, hrr_progress *progress, hrr_error *err)
{
    (void)plan, (void)progress, (void)err;
    return HRR_OK;
}

static hrr_status promise_nothing_read(hrr_edge_promise *out, const hrr_edge_method *self,
                                       const hrr_edge_claim *terms, hrr_error *err)
{
    (void)self, (void)terms, (void)err;
    out->realised_eps = 0;
    out->statement = hrr_copy_text("private edges are left out");
    out->evidence = hrr_copy_text("no private edge is read");
    return HRR_OK;
}

static hrr_status draw_nothing(hrr_edge_release *out, const hrr_edge_plan *plan,
                               const hrr_edge_secret *secret, const hrr_random *random,
                               hrr_progress *progress, hrr_error *err)
{
    (void)plan, (void)secret, (void)random, (void)progress;
    return hrr_edge_list_init(&out->edges, 0, false, err);
}

const hrr_edge_method hrr_edge_public_only = {
    .about.name = "public-only",
    .about.what = "the public edges alone",
    .about.page = "docs/mechanisms/public-only.md",
    .about.bias =
        "Without private edges, nodes that have many of them look less connected than they are.",
    .about.effect = HRR_EFFECT_LEAVE_OUT,
    .about.certified = true,
    .prepare = prepare,
    .promise = promise_nothing_read,
    .draw = draw_nothing};

static hrr_status promise_nothing(hrr_edge_promise *out, const hrr_edge_method *self,
                                  const hrr_edge_claim *terms, hrr_error *err)
{
    (void)self, (void)terms, (void)err;
    out->realised_eps = INFINITY;
    out->statement = hrr_copy_text("private edges are released as they are");
    out->evidence = hrr_copy_text("nothing is protected");
    return HRR_OK;
}

static hrr_status copy_secret(hrr_edge_release *out, const hrr_edge_plan *plan,
                              const hrr_edge_secret *secret, const hrr_random *random,
                              hrr_progress *progress, hrr_error *err)
{
    (void)plan, (void)random, (void)progress;
    out->realised_eps = INFINITY;
    hrr_status status = hrr_edge_list_init(&out->edges, secret->n_edges, false, err);
    if (status) return status;
    memcpy(out->edges.source, secret->source, secret->n_edges * sizeof *secret->source);
    memcpy(out->edges.target, secret->target, secret->n_edges * sizeof *secret->target);
    return HRR_OK;
}

const hrr_edge_method hrr_edge_none = {.about.name = "none",
                                       .about.what = "all edges as they are",
                                       .about.page = "docs/mechanisms/none.md",
                                       .about.effect = HRR_EFFECT_KEEP,
                                       .prepare = prepare,
                                       .promise = promise_nothing,
                                       .draw = copy_secret};
