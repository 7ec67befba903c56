/* tree_public.c: the tree that public edges alone suggest.
 *
 * Claim: 0-DP. No private edge is read, so the whole budget goes to the counts. The number of steps
 * is fixed before anything is looked at.
 *
 * A good start (start_public.c) and then a chain (chain.c), which takes care of what merging
 * neighbours could not see. 30 steps a node gain half of what 300 do. */
#include "edge/trees.h"

static hrr_status prepare(hrr_tree_plan *plan, hrr_progress *progress, hrr_error *err)
{
    return hrr_tree_fit_public(plan, HRR_PUBLIC_STEPS_PER_NODE, progress, err);
}

hrr_status hrr_tree_fit_public(hrr_tree_plan *plan, uint64_t default_steps_per_node,
                               hrr_progress *progress, hrr_error *err)
{
    const hrr_edge_options *options = plan->options;
    const uint64_t n = plan->known->n_nodes;
    const uint64_t per_node =
        options->steps_per_node ? options->steps_per_node : default_steps_per_node;
    if (__builtin_mul_overflow(per_node, n, &plan->chain_steps))
        return hrr_fail(err, HRR_EINVAL,
                        "%llu chain steps (`edges.steps_per_node`) for each of %llu nodes are too "
                        "many; use fewer",
                        (unsigned long long)per_node, (unsigned long long)n);
    hrr_status status = hrr_start_public(&plan->start, plan->known, options->public_seed,
                                         options->threads, progress, err);
    if (status) return status;
    status = hrr_chain_public(&plan->start, plan->known, plan->chain_steps, options->public_seed,
                              options->threads, progress, err);
    if (status) hrr_dendrogram_clear(&plan->start);
    return status;
}

static hrr_status draw(hrr_dendrogram *out, double *realised_eps, const hrr_tree_plan *plan,
                       const hrr_edge_secret *secret, const hrr_random *random,
                       hrr_progress *progress, hrr_error *err)
{
    (void)secret, (void)random, (void)progress;
    *realised_eps = 0;
    return hrr_dendrogram_copy(out, &plan->start, err);
}

const hrr_tree_method hrr_tree_public = {.about.name = "public",
                                         .about.what = "fitted to the public edges",
                                         .about.page = "docs/mechanisms/edgerr-trees.md",
                                         .about.certified = true,

                                         .evidence = "the tree is made from public edges alone",
                                         .prepare = prepare,
                                         .draw = draw};
