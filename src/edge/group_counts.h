/* group_counts.h: private edges between groups of nodes that stand next to each other in a public
 * order. Where neighbours in this order tend to know each other, communities can be read off the
 * counts, and each count adds up many pairs under the noise of one. */
#ifndef HRR_EDGE_GROUP_COUNTS_H
#define HRR_EDGE_GROUP_COUNTS_H

#include <heterorr/edge.h>

/* How many groups: so many that the edges of one are as many as the noise of all its counts
 * together, about. Public or released numbers in, a public number out; 0: too few edges for any. */
uint32_t hrr_group_number(uint64_t n_candidates, uint64_t n_edges, double eps);

/* group, place: n_nodes. Candidates stand in the order of the communities of the public edges, and
 * within one of them in that of their numbers; without public edges in that of their numbers alone.
 * They are cut into n_groups of about the same size; place is that in the order, from 0 to 2^32.
 * Others are in group 0: no candidate pair has them. Reads public data only. Errors: HRR_ENOMEM,
 * HRR_ECANCEL. */
hrr_status hrr_group_nodes(uint32_t *group, uint32_t *place, uint32_t n_groups,
                           uint64_t n_candidates, const hrr_edge_public *known,
                           hrr_progress *progress, hrr_error *err);

/* Add the edges to count, n_groups x n_groups, upper triangle. A pair lies in one cell. */
void hrr_group_count(int64_t *count, const uint32_t *group, uint32_t n_groups,
                     const hrr_edge_secret *secret);

#endif
