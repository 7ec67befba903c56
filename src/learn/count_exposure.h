/* count_exposure.h: how much of its private edges a node sees in its own counts, where a pair is
 * counted at the end that needs it. */
#ifndef HRR_LEARN_COUNT_EXPOSURE_H
#define HRR_LEARN_COUNT_EXPOSURE_H

#include <heterorr/edge.h>

/* A node counts its edges to nodes in lesser need. So its exposure to a block is the share of the
 * block's other nodes that are: 1 for the node in greatest need, 0 for the one in least. Nodes of
 * another graph of a collection are no candidates and do not count. What is public decides it;
 * edges are not looked at. */
typedef struct hrr_exposure {
    uint32_t n_blocks;
    double *share; /* n_nodes x n_blocks; NULL: every node is exposed alike */
} hrr_exposure;

/* graph_ids: the graph of each node; NULL: there is one graph.
 * Cost: O(n log n + n blocks). Errors: HRR_ENOMEM. */
hrr_status hrr_exposure_init(hrr_exposure *out, const hrr_block_counts *counts,
                             const uint32_t *graph_ids, hrr_error *err) HRR_CHECKED;
void hrr_exposure_clear(hrr_exposure *exposure);

/* The node's row; NULL: 1 for each block. */
static inline const double *hrr_exposure_of(const hrr_exposure *exposure, uint64_t node)
{
    return exposure->share ? exposure->share + node * exposure->n_blocks : NULL;
}

#endif
