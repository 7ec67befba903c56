/* adjacency.h: the adjacency of bare edge arrays, for rooms that have edges and no hrr_graph. */
#ifndef HRR_GRAPH_ADJACENCY_H
#define HRR_GRAPH_ADJACENCY_H

#include <heterorr/matrix.h>

/* n x n, both directions of each edge, no values. The edges are canonical: source < target, sorted.
 * O(n + m). Errors: HRR_ENOMEM. */
hrr_status hrr_adjacency_of_edges(hrr_csr *out, uint64_t n_nodes, uint64_t n_edges,
                                  const uint32_t *source, const uint32_t *target, hrr_error *err);

#endif
