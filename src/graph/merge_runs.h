/* merge_runs.h: the canonical form of edges that do not fit into memory. */
#ifndef HRR_GRAPH_MERGE_RUNS_H
#define HRR_GRAPH_MERGE_RUNS_H

#include <heterorr/graph.h>

/* Edges of a run: 19 MB are used to sort it. */
enum { HRR_RUN_EDGES = 1 << 20 };

/* As hrr_edges_canonicalise() in every result, message and report to progress, in runs of
 * run_length edges, of which m / run_length are merged at once.
 * Cost: O(m log(m / run_length)) time. Beside input and result, 9 m bytes (8 m without marks),
 *       written and read once, in order; 18 bytes for each edge of a run. None for a node. */
hrr_status hrr_edges_merge_runs(hrr_edge_list *out, hrr_removed *removed,
                                const hrr_edge_list *edges, uint64_t n_nodes, const char *what,
                                uint64_t run_length, hrr_progress *progress, hrr_error *err);

#endif
