/* removed.h: what a reader took away before the graph saw it. */
#ifndef HRR_GRAPH_REMOVED_H
#define HRR_GRAPH_REMOVED_H

#include <heterorr/graph.h>

void hrr_graph_add_removed(hrr_graph *graph, const hrr_removed *more);

#endif
