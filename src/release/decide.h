/* decide.h: what a request comes to, from public data: which are refused, and the plans of the
 * others. All of it happens before anything is charged. */
#ifndef HRR_RELEASE_DECIDE_H
#define HRR_RELEASE_DECIDE_H

#include "release/edge_protection.h"
#include "release/own_blocks.h"

#include <heterorr/release.h>

/* Options against each other and against the graph. maker: who makes blocks from the release; NULL:
 * nobody. Errors: HRR_EINVAL. */
hrr_status hrr_decide_request(const hrr_graph *graph, const hrr_protect_options *options,
                              const hrr_block_maker *maker, hrr_error *err);

/* Plans of the edges. What is not certified has no place in strict mode. Blocks of a maker are
 * given later (hrr_edge_protection_give_blocks): epsilons and texts do not depend on them. */
hrr_status hrr_decide_edges(hrr_edge_protection *out, const hrr_graph *graph,
                            const hrr_protect_options *options, const hrr_block_maker *maker,
                            hrr_progress *progress, hrr_error *err);

/* HRR_EINVAL if the plan expects far more edges than a graph has and nobody said how many may be
 * written (edges.most_edges_out). Decided by the number of nodes and epsilon alone. */
hrr_status hrr_decide_edges_out(const hrr_edge_protection *edges, const hrr_graph *graph,
                                const hrr_edge_options *options, hrr_error *err);

/* The plan for the features, NULL if there are none. Bounds are copied into the plan. */
hrr_status hrr_decide_features(hrr_feature_plan **out, const hrr_graph *graph,
                               const hrr_feature_options *options, bool bounds_from_data,
                               hrr_progress *progress, hrr_error *err);

#endif
