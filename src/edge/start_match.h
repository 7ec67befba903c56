/* start_match.h: which clusters of a public graph to join next. */
#ifndef HRR_EDGE_START_MATCH_H
#define HRR_EDGE_START_MATCH_H

#include "edge/start_coarse.h"

/* mate[c]: the cluster that c is joined with, or HRR_NO_CLUSTER. Symmetric. If the graph has an
 * edge, the clusters that have one become at least a sixth fewer. The same for any number of
 * threads. Cost: O(entries x 64) time at most, 4 bytes an entry. Errors: HRR_ENOMEM, HRR_ECANCEL.
 */
hrr_status hrr_coarse_match(uint32_t *mate, const hrr_coarse *graph, uint64_t seed, int threads,
                            hrr_progress *progress, hrr_error *err);

#endif
