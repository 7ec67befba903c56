/* need.c: see need.h. */
#include "edge/need.h"

void hrr_need_of_degrees(uint32_t *need, const hrr_edge_public *known)
{
    for (uint64_t i = 0; i < known->n_nodes; i++)
        need[i] = UINT32_MAX; /* a node has fewer edges than there are nodes */
    for (uint64_t e = 0; e < known->n_edges; e++) {
        need[known->source[e]]--;
        need[known->target[e]]--;
    }
}
