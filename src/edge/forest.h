/* forest.h: a dendrogram that grows from its leaves: clusters are joined until one is left. */
#ifndef HRR_EDGE_FOREST_H
#define HRR_EDGE_FOREST_H

#include "edge/start_coarse.h"
#include "edge/trees.h"

/* The dendrogram of a public graph, or of one made from released numbers: pairs of clusters are
 * joined round after round (start_match.c says which) while the graph shrinks with them, until no
 * edge is left between two clusters. What remains is joined in halves: no edge lies between its
 * parts, so that the order costs no likelihood. The graph is cleared, also on failure.
 *
 * Each round leaves at most five sixths of the clusters that have an edge: O(log n) rounds, and
 * a tree of that depth. The same for any number of threads. Errors: HRR_ENOMEM, HRR_ECANCEL. */
hrr_status hrr_forest_grow(hrr_dendrogram *out, hrr_coarse *graph, uint64_t seed, int threads,
                           hrr_progress *progress, hrr_error *err);

#endif
