/* like_public.h: edges that public data leads one to expect. */
#ifndef HRR_EDGE_LIKE_PUBLIC_H
#define HRR_EDGE_LIKE_PUBLIC_H

#include <heterorr/edge.h>

/* n_edges candidate pairs, drawn where public edges lead one to expect private ones: by the tree
 * that edgerr fits to public edges (of options: public_seed, steps_per_node, threads), each of its
 * nodes getting its share of what public edges have there. It is what edgerr draws if its counts
 * tell nothing, and everybody can draw it; to find out what a release tells beyond that. In the
 * order of the tree. Fewer if there are fewer candidate pairs.
 *
 * Guarantee: reads public data only.
 * Ownership: *out belongs to the caller, hrr_edge_list_clear().
 * Cost:      O((n + m) log n) time. Errors: HRR_EINVAL, HRR_ENOMEM, HRR_ECANCEL. */
HRR_STATUS hrr_edge_like_public(hrr_edge_list *out, const hrr_edge_public *known, uint64_t n_edges,
                                const hrr_edge_options *options, uint64_t seed,
                                hrr_progress *progress, hrr_error *err);

#endif
