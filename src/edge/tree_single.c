/* tree_single.c: one chain with one target, exp(L_pub(D) + c L_pri(D)).
 *
 * Claim: none for the chain as it is run. Its limit is an exponential mechanism with score L_pri
 * and the public base measure exp(L_pub): with c <= eps1 / (2 Delta), Delta the sensitivity of
 * L_pri, a draw from the limit is eps1-DP. But a chain that stops is not at its limit (one step
 * from a known start is infinitely far from private), and no bound on the distance is known for
 * dendrograms. So the certificate calls it not certified.
 *
 * Number of steps: fixed, public. Draws: secure, exact (joint.h); c is rounded down. */
#include "edge/joint.h"

enum { STEPS_PER_NODE = 30, CHUNK = 4096 };

static const char *const reasons[] = {
    "the chain stops after finitely many steps, and how far it then is from the law that would be "
    "private is not known",
    NULL};

static hrr_status prepare(hrr_tree_plan *plan, hrr_progress *progress, hrr_error *err)
{
    if (plan->known->n_nodes > HRR_EDGE_SCORE_MOST_CANDIDATES)
        return hrr_fail(err, HRR_EINVAL,
                        "tree single supports at most %llu nodes; choose `edges.tree` public",
                        (unsigned long long)HRR_EDGE_SCORE_MOST_CANDIDATES);
    return hrr_tree_fit_public(plan, STEPS_PER_NODE, progress, err);
}

/* floor(2^16 eps1 / (2 Delta)), Delta = delta / 2^bits. */
static int64_t private_weight(uint64_t eps_nano, const hrr_joint *joint)
{
    const hrr_edge_score *score = &joint->score;
    const uint64_t n_candidates = joint->n_private_leaves;
    const int64_t delta = hrr_edge_score_sensitivity(score, n_candidates * n_candidates / 4);
    const unsigned __int128 scaled = (unsigned __int128)eps_nano
                                     << (score->bits + HRR_JOINT_WEIGHT_BITS);
    return (int64_t)(scaled / ((unsigned __int128)2000000000 * (uint64_t)delta));
}

static hrr_status walk(hrr_joint *joint, int64_t weight, uint64_t n_steps, hrr_stream *stream,
                       hrr_progress *progress, hrr_error *err)
{
    hrr_status status = HRR_OK;
    for (uint64_t left = n_steps; !status && left > 0;) {
        const uint64_t chunk = left < CHUNK ? left : CHUNK;
        for (uint64_t s = 0; s < chunk; s++)
            hrr_joint_step(joint, HRR_JOINT_ONE, weight, stream);
        left -= chunk;
        status = hrr_progress_advance(progress, chunk, err);
    }
    return status;
}

static hrr_status draw(hrr_dendrogram *out, double *realised_eps, const hrr_tree_plan *plan,
                       const hrr_edge_secret *secret, const hrr_random *random,
                       hrr_progress *progress, hrr_error *err)
{
    static const hrr_joint_chain chain = {hrr_joint_init, private_weight, walk};
    return hrr_joint_draw(out, realised_eps, &chain, plan, secret, random, progress, err);
}

const hrr_tree_method hrr_tree_single = {
    .about.name = "single",
    .about.what = "a chain of single moves, as published",
    .about.page = "docs/mechanisms/edgerr-chain.md",

    .about.default_share = 0.1,
    .evidence = "the limit of the chain is private; the chain after finitely many steps is not "
                "certified",
    .not_certified = reasons,
    .prepare = prepare,
    .draw = draw};
