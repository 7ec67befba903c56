/* plan.c: what any edge mechanism decides before it sees a private edge.
 *
 * A plan is made from public data alone: options that are common to all mechanisms are checked
 * here, the rest by the mechanism itself. draw.c takes the private edges through it. */
#include "edge/late_blocks.h"
#include "edge/mechanism.h"
#include "base/memory.h"
#include "base/options.h"

#include <assert.h>
#include <math.h>

void hrr_edge_options_init_sized(hrr_edge_options *options, size_t size)
{
    const hrr_edge_options own = {
        .mechanism = hrr_edge_public_only.about.name, .tree_share = -1, .public_seed = 1};
    hrr_options_init(options, size, &own, sizeof own);
}

/* An edge out takes 8 bytes while it is drawn, 8 in canonical form, and as many again for whoever
 * writes it. */
uint64_t hrr_edge_most_edges_out(const hrr_edge_plan *plan)
{
    if (plan->options.most_edges_out > 0) return plan->options.most_edges_out;
    const uint64_t memory = hrr_physical_memory();
    return memory > 0 ? memory / 32 : UINT64_MAX;
}

hrr_status hrr_edge_eps_check(const hrr_edge_method *mechanism, uint64_t eps_nano, hrr_error *err)
{
    if (!hrr_edge_spends(mechanism) || (eps_nano > 0 && eps_nano <= HRR_EPS_MAX)) return HRR_OK;
    return hrr_fail(err, HRR_EINVAL,
                    "the epsilon of one candidate pair (`edges.eps_nano`) must lie in (0, 20]");
}

static hrr_status check_options(const hrr_edge_method *mechanism, const hrr_edge_options *options,
                                hrr_error *err)
{
    hrr_status status = hrr_edge_eps_check(mechanism, options->eps_nano, err);
    if (status) return status;
    if (isnan(options->tree_share) || options->tree_share > 1)
        return hrr_fail(err, HRR_EINVAL,
                        "the share of the tree (`edges.tree_share`) must lie between 0 and 1");
    return HRR_OK;
}

static uint64_t count_candidate_pairs(const hrr_edge_public *known)
{
    uint64_t n = known->n_nodes, n_public = known->n_edges;
    if (known->candidates) {
        n = n_public = 0;
        for (uint64_t i = 0; i < known->n_nodes; i++)
            n += known->candidates[i];
        for (uint64_t e = 0; e < known->n_edges; e++)
            n_public += known->candidates[known->source[e]] && known->candidates[known->target[e]];
    }
    return n < 2 ? 0 : n * (n - 1) / 2 - n_public;
}

static hrr_status make_plan(hrr_edge_plan **out, const hrr_edge_public *known,
                            const hrr_edge_options *options, bool without_blocks,
                            hrr_progress *progress, hrr_error *err)
{
    const hrr_edge_method *mechanism;
    hrr_status status = hrr_edge_method_choose(&mechanism, options->mechanism, err);
    if (!status) status = check_options(mechanism, options, err);
    if (!status && without_blocks && !mechanism->give_blocks)
        status =
            hrr_fail(err, HRR_EINVAL, "%s does not count edges in blocks", mechanism->about.name);
    if (status) return status;
    hrr_edge_plan *plan = hrr_alloc_zero(1, sizeof *plan);
    if (!plan) return hrr_no_memory(err);
    plan->mechanism = mechanism;
    plan->known = *known;
    plan->options = *options;
    plan->without_blocks = without_blocks;
    plan->claim.eps_nano = hrr_edge_spends(mechanism) ? options->eps_nano : 0;
    plan->claim.n_candidate_pairs = count_candidate_pairs(known);
    status = mechanism->prepare(plan, progress, err);
    if (!status)
        status = hrr_edge_promise_init(&plan->promise, mechanism->about.name, &plan->claim, err);
    if (status) {
        hrr_edge_plan_free(plan);
        return status;
    }
    plan->claim.realised_eps = plan->promise.realised_eps;
    plan->claim.statement = plan->promise.statement;
    plan->claim.evidence = plan->promise.evidence;
    plan->claim.not_certified = plan->promise.not_certified;
    *out = plan;
    return HRR_OK;
}

hrr_status hrr_edge_plan_new(hrr_edge_plan **out, const hrr_edge_public *known,
                             const hrr_edge_options *options, hrr_progress *progress,
                             hrr_error *err)
{
    hrr_edge_options own;
    hrr_status status = HRR_ADOPT(hrr_edge_options, &own, options, err);
    return status ? status : make_plan(out, known, &own, false, progress, err);
}

hrr_status hrr_edge_plan_new_without_blocks(hrr_edge_plan **out, const hrr_edge_public *known,
                                            const hrr_edge_options *options, hrr_progress *progress,
                                            hrr_error *err)
{
    return make_plan(out, known, options, true, progress, err);
}

hrr_status hrr_edge_plan_give_blocks(hrr_edge_plan *plan, const uint32_t *blocks,
                                     const uint32_t *need, const uint32_t *rivals, hrr_error *err)
{
    assert(plan->without_blocks);
    plan->without_blocks = false;
    return plan->mechanism->give_blocks(plan, blocks, need, rivals, err);
}

void hrr_edge_plan_free(hrr_edge_plan *plan)
{
    if (!plan) return;
    if (plan->mechanism->release && plan->state) plan->mechanism->release(plan->state);
    hrr_edge_promise_clear(&plan->promise);
    hrr_free(plan);
}

void hrr_edge_plan_share(hrr_edge_plan *plan, hrr_ranks *ranks)
{
    plan->ranks = ranks;
}

hrr_ranks *hrr_edge_ranks(const hrr_edge_plan *plan)
{
    const hrr_edge_method *mechanism = plan->mechanism;
    return mechanism->over_ranks && mechanism->over_ranks(plan) ? plan->ranks : NULL;
}

void hrr_edge_plan_digest(hrr_hash *hash, const hrr_edge_plan *plan)
{
    hrr_hash_text(hash, plan->claim.statement);
    hrr_hash_add(hash, &plan->claim.realised_eps, sizeof plan->claim.realised_eps);
    hrr_hash_u64(hash, plan->claim.n_candidate_pairs);
    if (plan->mechanism->digest) plan->mechanism->digest(hash, plan);
}

hrr_edge_claim hrr_edge_plan_claim(const hrr_edge_plan *plan)
{
    return plan->claim;
}
