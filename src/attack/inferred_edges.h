/* inferred_edges.h: the public edges and the pairs that an attack inferred, for the attack after
 * it. */
#ifndef HRR_ATTACK_INFERRED_EDGES_H
#define HRR_ATTACK_INFERRED_EDGES_H

#include <heterorr/attack.h>

/* The public edges, and as many of the likeliest pairs as there are private edges among them; n x
 * n, both directions. all_edges: none is public. seed: decides among equal scores. */
hrr_status hrr_inferred_edges(hrr_csr *out, const hrr_graph *graph, const hrr_link_pairs *pairs,
                              const double *scores, const uint32_t *nodes, bool all_edges,
                              uint64_t seed, hrr_error *err) HRR_CHECKED;

#endif
