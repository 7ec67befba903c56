/* tree_paper.c: the published chain (Algorithm 2), for reproducing its figures.
 *
 * From a random dendrogram, in turn: one step of target exp(L_pub), one of target
 * exp((eps1 / Delta_e) L_pri), Delta_e = ln N + ln(1 + 1/(N - 1)), N = floor(|V_pri|^2 / 4) as in
 * the lemma; leaves count for a family if they have an edge of it. The public step looks at public
 * edges alone. "Converged" is not defined in the paper; as in the programs that it builds on (A.
 * Clauset's hierarchical random graphs), the chain has converged when the mean log-likelihood of
 * 65536 steps differs by less than one nat from the mean of the 65536 before. steps_per_node, or
 * 1000, bounds it.
 *
 * Claim: none; the reasons below are what the certificate says. Never the default. */
#include "edge/joint.h"

#include <math.h>

enum { STEPS_PER_NODE = 1000, WINDOW = 65536, CHUNK = 4096 };
_Static_assert(WINDOW % CHUNK == 0, "a window is whole chunks");

static const char *const reasons[] = {
    "which nodes have a private edge is private itself, and the likelihood depends on it",
    "the coefficient eps1 / Delta_e misses a factor of 2, and the lemma's Delta_e a factor of "
    "N - 1 in one term: in the limit the loss is about twice eps1",
    "steps that look at public edges and steps that look at private ones in turn have neither law "
    "as their limit",
    "the chain stops after finitely many steps, and how far it then is from its limit is not known",
    "the chain stops when its likelihood settles, so that the number of steps depends on private "
    "edges",
    NULL};

static hrr_status prepare(hrr_tree_plan *plan, hrr_progress *progress, hrr_error *err)
{
    (void)progress;
    const uint64_t n = plan->known->n_nodes;
    const uint64_t per_node =
        plan->options->steps_per_node ? plan->options->steps_per_node : STEPS_PER_NODE;
    if (n > HRR_EDGE_SCORE_MOST_CANDIDATES ||
        __builtin_mul_overflow(per_node, n, &plan->chain_steps))
        return hrr_fail(err, HRR_EINVAL,
                        "tree paper supports at most %llu nodes; choose `edges.tree` public",
                        (unsigned long long)HRR_EDGE_SCORE_MOST_CANDIDATES);
    return hrr_start_random(&plan->start, (uint32_t)n, plan->options->public_seed, err);
}

/* eps1 / Delta_e in units of 2^-16. The lemma has no finite Delta_e below three private nodes. */
static int64_t published_weight(uint64_t eps_nano, const hrr_joint *joint)
{
    const double n_private_nodes = (double)joint->n_private_leaves;
    const double n_most = floor(n_private_nodes * n_private_nodes / 4);
    if (n_most < 2) return 0;
    const double delta = log(n_most) + log1p(1 / (n_most - 1));
    return llround((double)eps_nano * 1e-9 / delta * (double)HRR_JOINT_ONE);
}

static hrr_status walk(hrr_joint *joint, int64_t weight, uint64_t n_steps, hrr_stream *stream,
                       hrr_progress *progress, hrr_error *err)
{
    const double nat = ldexp(1, (int)joint->score.bits);
    double sum = 0, mean_before = NAN;
    hrr_status status = HRR_OK;
    for (uint64_t step = 0; !status && step < n_steps;) {
        for (int s = 0; s < CHUNK && step < n_steps; s++, step++) {
            if (step % 2 == 0)
                hrr_joint_step(joint, HRR_JOINT_ONE, 0, stream);
            else
                hrr_joint_step(joint, 0, weight, stream);
            sum += (double)joint->likelihood;
        }
        status = hrr_progress_advance(progress, CHUNK, err);
        if (step % WINDOW != 0) continue;
        const double mean = sum / WINDOW / nat;
        if (fabs(mean - mean_before) < 1) break; /* false against NAN */
        mean_before = mean;
        sum = 0;
    }
    return status;
}

static hrr_status draw(hrr_dendrogram *out, double *realised_eps, const hrr_tree_plan *plan,
                       const hrr_edge_secret *secret, const hrr_random *random,
                       hrr_progress *progress, hrr_error *err)
{
    static const hrr_joint_chain chain = {hrr_joint_init_published, published_weight, walk};
    return hrr_joint_draw(out, realised_eps, &chain, plan, secret, random, progress, err);
}

const hrr_tree_method hrr_tree_paper = {.about.name = "paper",
                                        .about.what = "the paper's chain, as published",
                                        .about.page = "docs/mechanisms/edgerr-chain.md",
                                        .about.of_paper_mode = true,
                                        .private_nodes = true,

                                        .about.default_share = 0.5,
                                        .evidence =
                                            "the published algorithm; its claim does not hold",
                                        .not_certified = reasons,
                                        .prepare = prepare,
                                        .draw = draw};
