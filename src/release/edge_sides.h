/* edge_sides.h: the edges of a private graph, cut into what is known and what is secret: once for
 * each graph of the collection, in that graph's own node numbers. */
#ifndef HRR_RELEASE_EDGE_SIDES_H
#define HRR_RELEASE_EDGE_SIDES_H

#include <heterorr/edge.h>

typedef struct hrr_edge_side {
    uint32_t first_node; /* node i of this graph is first_node + i of the collection */
    hrr_edge_public known;
    hrr_edge_secret secret;
} hrr_edge_side;

typedef struct hrr_edge_sides {
    uint32_t n_graphs;
    hrr_edge_side *graph;
    uint32_t *ends; /* of all edges, where known and secret point to */
} hrr_edge_sides;

/* whole_graph: every edge is secret, whatever its mark.
 * Errors: HRR_ENOMEM. */
hrr_status hrr_edge_sides_init(hrr_edge_sides *out, const hrr_graph *graph, bool whole_graph,
                               hrr_error *err);
void hrr_edge_sides_clear(hrr_edge_sides *sides);

#endif
