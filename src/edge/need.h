/* need.h: at which of its ends a candidate pair is counted: at that of the node which needs it
 * more. Whoever decides the need sees no private edge, so neither does who decides the end. */
#ifndef HRR_EDGE_NEED_H
#define HRR_EDGE_NEED_H

#include <heterorr/edge.h>

/* A strict order of the nodes, whatever the numbers are: every pair has one end that counts it. */
static inline bool hrr_need_is_greater(const uint32_t *need, uint32_t node, uint32_t than)
{
    return need[node] != need[than] ? need[node] > need[than] : node > than;
}

/* need[0 .. n): the fewer public edges a node has, the more. */
void hrr_need_of_degrees(uint32_t *need, const hrr_edge_public *known);

#endif
