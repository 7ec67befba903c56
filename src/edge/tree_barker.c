/* tree_barker.c: a public tree, rearranged by local moves that look at private edges within a
 * budget for every pair; barker.h has the rule and its account.
 *
 * Neighbours:  secrets that differ in one candidate pair.
 * Guarantee:   eps_tree-DP for the tree, and for all answers on the way to it: no pair is ever
 *              told about by more than the budget. No assumption on how long the chain runs.
 * Not hidden:  a look takes longer where there are more private edges.
 * Cost:        a fixed number of steps, known before the secret is seen. */
#include "edge/barker.h"
#include "edge/trees.h"
#include "base/memory.h"
#include "random/barker.h"
#include "random/fast.h"

/* Every look tells the worst pair a quarter of the budget; after four looks or so a node is at
 * rest, and sixteen steps a node bring nearly all of them there. */
enum { LOOKS = 4, STEPS_PER_NODE = 16, STEPS_AT_ONCE = 4096 };

static void release(void *state)
{
    hrr_free(state);
}

static uint64_t budget_of(uint64_t eps_tree_nano)
{
    return (uint64_t)((unsigned __int128)eps_tree_nano * HRR_BARKER_NAT / HRR_EPS_UNIT);
}

static double eps_of(uint64_t budget)
{
    return (double)budget / (double)HRR_BARKER_NAT;
}

static double realised(const hrr_edge_claim *terms)
{
    return eps_of(budget_of(terms->eps_tree_nano));
}

static hrr_status prepare(hrr_tree_plan *plan, hrr_progress *progress, hrr_error *err)
{
    const uint64_t n = plan->known->n_nodes;
    hrr_status status = hrr_edge_score_check(n, "barker", err);
    if (!status) status = hrr_tree_fit_public(plan, HRR_PUBLIC_STEPS_PER_NODE, progress, err);
    if (status) return status;
    hrr_barker_rule *rule = hrr_alloc_zero(1, sizeof *rule);
    if (!rule) return hrr_no_memory(err);
    rule->score = hrr_joint_score(n); /* coarse scores leave more digits for c */
    rule->looks = LOOKS;
    rule->budget = budget_of(plan->eps_tree_nano);
    plan->chain_steps += STEPS_PER_NODE * n;
    plan->state = rule;
    return HRR_OK;
}

/* y below the root, uniformly: the schedule is public. */
static uint32_t pick(hrr_fast_random *choices, const hrr_tree *tree, uint32_t n_leaves)
{
    const uint32_t y = (uint32_t)hrr_fast_below(choices, n_leaves - 2);
    return y + (y >= hrr_tree_root(tree));
}

static hrr_status run(hrr_barker *chain, const hrr_tree_plan *plan, const hrr_random *random,
                      hrr_progress *progress, hrr_error *err)
{
    const uint32_t n = plan->start.n_leaves;
    if (n < 3) return HRR_OK; /* no move */
    const uint64_t n_steps = STEPS_PER_NODE * (uint64_t)n;
    hrr_stream *stream;
    hrr_status status = hrr_stream_new(&stream, random, err);
    if (status) return status;
    hrr_stream_seek(stream, HRR_PURPOSE_EDGE_TREE, 0);
    hrr_fast_random choices;
    hrr_fast_init(&choices, plan->options->public_seed, HRR_PURPOSE_EDGE_TREE);
    hrr_progress_begin(progress, "moving the tree towards the private edges", n_steps);
    for (uint64_t step = 0; !status && step < n_steps; step++) {
        hrr_barker_look look;
        const uint32_t y = pick(&choices, chain->joint.tree, n);
        hrr_barker_look_at(&look, chain, y, hrr_fast_u64(&choices) >> 63);
        hrr_barker_settle(chain, &look, hrr_sample_barker(stream, look.z, HRR_BARKER_NAT));
        if (step % STEPS_AT_ONCE == 0) status = hrr_progress_advance(progress, STEPS_AT_ONCE, err);
    }
    hrr_stream_free(stream);
    return status;
}

static hrr_status draw(hrr_dendrogram *out, double *realised_eps, const hrr_tree_plan *plan,
                       const hrr_edge_secret *secret, const hrr_random *random,
                       hrr_progress *progress, hrr_error *err)
{
    const hrr_barker_rule *rule = plan->state;
    hrr_barker chain;
    *realised_eps = eps_of(rule->budget);
    hrr_status status = hrr_barker_init(&chain, rule, &plan->start, plan->known, secret, err);
    if (status) return status;
    status = run(&chain, plan, random, progress, err);
    if (!status) status = hrr_tree_freeze(out, chain.joint.tree, err);
    hrr_barker_clear(&chain);
    return status;
}

const hrr_tree_method hrr_tree_barker = {
    .about.name = "barker",
    .about.what = "the public tree, rearranged by the private edges",
    .about.page = "docs/mechanisms/edgerr-trees.md",
    .about.certified = true,

    .about.default_share = 0.1,
    .realised = realised,
    .evidence = "Barker moves with exact coins; an account in integers of what every pair has been "
                "told bounds it",
    .prepare = prepare,
    .release = release,
    .draw = draw};
