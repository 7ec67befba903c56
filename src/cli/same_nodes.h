/* same_nodes.h: two graphs on the same nodes, whatever order their files have them in. */
#ifndef CLI_SAME_NODES_H
#define CLI_SAME_NODES_H

#include <heterorr/graph.h>

/* The adjacency of `released` with its nodes numbered as in `original` (hrr_graph_match_nodes()).
 * Nodes that are missing from `released` have no edges. Errors: HRR_EDATA if `released` has a node
 * that `original` has not, HRR_ENOMEM. */
hrr_status cli_released_adjacency(hrr_csr *out, const hrr_graph *original,
                                  const hrr_graph *released, hrr_error *err);

#endif
