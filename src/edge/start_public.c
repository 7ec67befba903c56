/* start_public.c: a good tree from public edges alone: every node is a cluster, and clusters are
 * joined by the edges between them (forest.h).
 *
 * Workload: 12 thousand nodes and 118 thousand edges take 30 ms, a million nodes and 7 million
 * edges of a block model 18 s on one core. */
#include "edge/forest.h"

hrr_status hrr_start_public(hrr_dendrogram *out, const hrr_edge_public *known, uint64_t seed,
                            int threads, hrr_progress *progress, hrr_error *err)
{
    hrr_coarse graph;
    hrr_status status = hrr_coarse_init(&graph, known, err);
    if (status) return status;
    hrr_progress_begin(progress, "joining nodes by public edges", known->n_nodes);
    return hrr_forest_grow(out, &graph, seed, threads, progress, err);
}
