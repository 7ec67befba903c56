/* shape.h: what every comparison asks first. */
#ifndef HRR_STRUCTURE_SHAPE_H
#define HRR_STRUCTURE_SHAPE_H

#include <heterorr/matrix.h>

/* HRR_EINVAL unless both are square and have the same number of nodes. */
hrr_status hrr_same_nodes(const hrr_csr *original, const hrr_csr *released, hrr_error *err);

/* HRR_EINVAL unless 1 <= hops <= HRR_MAX_HOPS. */
hrr_status hrr_hops_fit(int hops, hrr_error *err);

static inline uint64_t hrr_degree(const hrr_csr *graph, uint64_t node)
{
    return graph->row_start[node + 1] - graph->row_start[node];
}

#endif
