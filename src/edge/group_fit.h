/* group_fit.h: how well a wiring has the released counts between groups of nodes (group_counts.h).
 * Post-processing: nothing here has seen a private edge. */
#ifndef HRR_EDGE_GROUP_FIT_H
#define HRR_EDGE_GROUP_FIT_H

#include "edge/found_communities.h"

typedef struct hrr_group_fit {
    double near;    /* edges within a group or between two next to each other in the order */
    double squares; /* sum of squared differences from the released counts */
} hrr_group_fit;

/* Errors: HRR_ENOMEM. */
hrr_status hrr_group_fit_measure(hrr_group_fit *out, const hrr_wires *wires,
                                 const hrr_group_table *table, hrr_error *err);

/* The same `near` of the released counts. */
double hrr_group_near(const hrr_group_table *table);

/* Squares that noise and chance alone make of a wiring by the law of the graph, or fewer: two
 * standard errors above their mean. */
double hrr_group_squares_by_noise(const hrr_group_table *table, uint64_t n_edges);

#endif
