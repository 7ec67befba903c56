/* sample.h: synthetic private edges from a tree and the edges expected at its nodes.
 * Post-processing: it sees nothing private. */
#ifndef HRR_EDGE_SAMPLE_H
#define HRR_EDGE_SAMPLE_H

#include "edge/queries.h"
#include "base/ranks.h"

typedef enum hrr_sampling {
    HRR_SAMPLE_ROUNDED,    /* as many edges as expected, to less than one in every subtree */
    HRR_SAMPLE_INDEPENDENT /* every pair by itself, as the paper does */
} hrr_sampling;

/* Edges in the order of the tree: each candidate pair of a node with the same probability, no pair
 * twice, no public edge. expected[r] lies between 0 and queries' node_pairs[r]. The same for any
 * number of threads.
 *
 * Cost:   O(n + public edges + edges out), in expectation. Errors: HRR_ENOMEM, HRR_ECANCEL. */
hrr_status hrr_sample_edges(hrr_edge_list *out, const hrr_dendrogram *tree,
                            const hrr_edge_public *known, const uint64_t *node_pairs,
                            const double *expected, hrr_sampling sampling, uint64_t seed,
                            int threads, hrr_progress *progress, hrr_error *err);

/* The same by several ranks, each the nodes of about as many edges; rank 0 gets them all, and the
 * others a list with gaps. Ranks have the same arguments. */
hrr_status hrr_sample_edges_over(hrr_edge_list *out, const hrr_dendrogram *tree,
                                 const hrr_edge_public *known, const uint64_t *node_pairs,
                                 const double *expected, hrr_sampling sampling, uint64_t seed,
                                 int threads, hrr_ranks *ranks, hrr_progress *progress,
                                 hrr_error *err);

#endif
