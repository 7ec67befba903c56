/* found_communities.h: communities read off noisy counts between groups of nodes (group_counts.h),
 * if there are any. Post-processing: nothing here has seen a private edge. */
#ifndef HRR_EDGE_FOUND_COMMUNITIES_H
#define HRR_EDGE_FOUND_COMMUNITIES_H

#include "edge/wire.h"

typedef struct hrr_group_table {
    uint64_t n_nodes;
    uint32_t n_groups;
    const uint32_t *group;  /* n_nodes */
    const uint32_t *place;  /* n_nodes: in the order of the groups */
    const uint32_t *degree; /* n_nodes: released */
    const int64_t *count;   /* n_groups x n_groups, upper triangle: noisy */
    double eps;             /* of the noise of one count */
} hrr_group_table;

/* out->n: 0 if the counts show no more communities than those of graphs without any would.
 * Errors: HRR_ENOMEM. */
hrr_status hrr_communities_in_counts(hrr_wire_communities *out, const hrr_group_table *table,
                                     uint64_t seed, hrr_error *err);
void hrr_wire_communities_clear(hrr_wire_communities *communities);

#endif
