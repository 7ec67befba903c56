/* node_edges.h: a graph that looks like the noisy counts of nodes into blocks. */
#ifndef HRR_EDGE_NODE_EDGES_H
#define HRR_EDGE_NODE_EDGES_H

#include <heterorr/edge.h>

/* Everything in here is public or released. */
typedef struct hrr_node_counts {
    uint64_t n_nodes;
    uint32_t n_blocks;
    const uint8_t *candidates; /* NULL: all nodes */
    const uint32_t *block;     /* of each node */
    const int64_t *count;      /* n_nodes x n_blocks, noisy */
    int ends;                  /* at how many of its ends an edge was counted */
    double eps;                /* of the noise of one count */
} hrr_node_counts;

/* Post-processing, from `seed` alone. At most `most` edges, in any order, repetitions included.
 * Errors: HRR_ENOMEM. */
hrr_status hrr_node_edges(hrr_edge_list *out, const hrr_node_counts *counts, uint64_t most,
                          uint64_t seed, hrr_error *err);

#endif
