/* uniform.c: the tree that says nothing, nodes in a random order, halved again and again, and one
 * count for all candidate pairs (edgerr.c), spread evenly.
 *
 * When public edges say nothing about private ones, every other tree divides the pairs into blocks
 * that are alike, and pays for it with noise in each. */
#include "edge/trees.h"

static hrr_status prepare(hrr_tree_plan *plan, hrr_progress *progress, hrr_error *err)
{
    (void)progress;
    return hrr_start_random(&plan->start, (uint32_t)plan->known->n_nodes,
                            plan->options->public_seed, err);
}

static hrr_status draw(hrr_dendrogram *out, double *realised_eps, const hrr_tree_plan *plan,
                       const hrr_edge_secret *secret, const hrr_random *random,
                       hrr_progress *progress, hrr_error *err)
{
    (void)secret, (void)random, (void)progress;
    *realised_eps = 0;
    return hrr_dendrogram_copy(out, &plan->start, err);
}

const hrr_tree_method hrr_tree_uniform = {.about.name = "uniform",
                                          .about.what =
                                              "a random one: all pairs are counted together",
                                          .about.page = "docs/mechanisms/edgerr.md",
                                          .about.certified = true,
                                          .one_query = true,
                                          .evidence = "a random one",
                                          .prepare = prepare,
                                          .draw = draw};
