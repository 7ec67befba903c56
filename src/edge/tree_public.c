/* tree_public.c: the tree that public edges alone suggest.
 *
 * Claim: 0-DP. No private edge is read, so the whole budget goes to the counts. The number of steps
 * is fixed before anything is looked at.
 *
 * A good start (start_public.c) and then a chain (chain.c), which takes care of what joining
 * neighbours could not see. */
#include "edge/public_tree.h"

static hrr_status prepare(hrr_tree_plan *plan, hrr_progress *progress, hrr_error *err)
{
    plan->realised_eps = 0;
    plan->evidence = "the tree is made from public edges alone";
    return hrr_public_tree(&plan->start, &plan->chain_steps, plan->known, plan->options, 0,
                           progress, err);
}

static hrr_status draw(hrr_dendrogram *out, const hrr_tree_plan *plan,
                       const hrr_edge_secret *secret, const hrr_random *random,
                       hrr_progress *progress, hrr_error *err)
{
    (void)secret, (void)random, (void)progress;
    return hrr_dendrogram_copy(out, &plan->start, err);
}

const hrr_tree_method hrr_tree_public = {.name = "public", .prepare = prepare, .draw = draw};
