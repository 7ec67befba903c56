/* communities.h: Louvain's method on a graph with weights, for those who have counts between groups
 * instead of edges between nodes. */
#ifndef HRR_STRUCTURE_COMMUNITIES_H
#define HRR_STRUCTURE_COMMUNITIES_H

#include <heterorr/base.h>

typedef struct hrr_weighted_links {
    uint32_t n_nodes;
    const uint64_t *start;  /* n_nodes + 1: links of node i are those from start[i] to start[i+1] */
    const uint32_t *to;     /* both directions of a link, none to the node itself */
    const uint64_t *weight; /* of each, not 0; NULL: 1 */
    const uint64_t *loops;  /* n_nodes: weight within a node; NULL: none */
} hrr_weighted_links;

/* community: n_nodes, numbered by their first nodes. Errors: HRR_ENOMEM, HRR_ECANCEL. */
hrr_status hrr_communities_of_links(uint32_t *community, uint32_t *n_communities,
                                    const hrr_weighted_links *links, uint64_t seed,
                                    hrr_progress *progress, hrr_error *err);

#endif
