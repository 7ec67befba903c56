/* copy.h: parts of one graph in another that is there already. */
#ifndef HRR_GRAPH_COPY_H
#define HRR_GRAPH_COPY_H

#include <heterorr/graph.h>

/* hrr_graph_copy() for a graph that is there already; what it had of the parts is replaced, but for
 * edges, which a graph takes once. On failure it may have some of the parts. Errors: HRR_EINVAL
 * (also for another number of nodes), HRR_EDATA if an edge joins two graphs of its collection,
 * HRR_ENOMEM. */
HRR_STATUS hrr_graph_add_parts(hrr_graph *graph, const hrr_graph *from, unsigned parts,
                               hrr_error *err);

#endif
