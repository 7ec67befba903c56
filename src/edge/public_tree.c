/* public_tree.c: see public_tree.h. */
#include "edge/public_tree.h"

/* Held-out likelihood on polblogs, CA-HepPh, ppi, Cora and Facebook hardly grows beyond. */
static const uint64_t default_steps_per_node = 100;

/* Far from the seeds that a user gives in a row. */
static uint64_t seed_of(const hrr_edge_options *options, uint64_t number)
{
    return options->public_seed + number * 0x9e3779b97f4a7c15U;
}

hrr_status hrr_public_tree(hrr_dendrogram *out, uint64_t *steps, const hrr_edge_public *known,
                           const hrr_edge_options *options, uint64_t number, hrr_progress *progress,
                           hrr_error *err)
{
    const uint64_t seed = seed_of(options, number);
    const uint64_t per_node =
        options->steps_per_node ? options->steps_per_node : default_steps_per_node;
    *steps = per_node * known->n_nodes;
    hrr_dendrogram tree;
    hrr_status status = hrr_start_public(&tree, known, seed, options->threads, progress, err);
    if (status) return status;
    status = hrr_chain_public(&tree, known, *steps, seed, options->threads, progress, err);
    if (status)
        hrr_dendrogram_clear(&tree);
    else
        *out = tree;
    return status;
}

uint64_t hrr_count_candidates(const hrr_edge_public *known)
{
    if (!known->candidates) return known->n_nodes;
    uint64_t n = 0;
    for (uint64_t i = 0; i < known->n_nodes; i++)
        n += known->candidates[i];
    return n;
}
