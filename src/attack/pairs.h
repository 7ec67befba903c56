/* pairs.h: which nodes an attack looks at, and which of their pairs it ranks. */
#ifndef HRR_ATTACK_PAIRS_H
#define HRR_ATTACK_PAIRS_H

#include <heterorr/attack.h>

/* n_wanted nodes of the pool, ascending: degrees at most `low`, at least `high`, or any. A pool
 * with fewer gives them all.
 *
 * Ownership: *nodes is hrr memory of the caller. Errors: HRR_EDATA for a pool with fewer than two
 *            nodes, HRR_ENOMEM. */
hrr_status hrr_attack_nodes(uint32_t **nodes, uint64_t *n_nodes, const hrr_graph *graph,
                            hrr_pool pool, uint32_t low, uint32_t high, uint64_t n_wanted,
                            uint64_t seed, hrr_error *err);

/* Private edges are positive, pairs without an edge negative; public edges are known to everybody
 * and left out. all_edges: every edge is positive, whatever its mark.
 * Errors: HRR_EDATA if nothing is positive or nothing negative, HRR_ENOMEM. */
hrr_status hrr_link_pairs_init(hrr_link_pairs *out, const hrr_graph *truth, const uint32_t *nodes,
                               uint64_t n_nodes, bool all_edges, hrr_error *err);
void hrr_link_pairs_clear(hrr_link_pairs *pairs);

#endif
