/* predicted_links.h: edges that public edges suggest, for a control that spends nothing. */
#ifndef HRR_EXPERIMENT_PREDICTED_LINKS_H
#define HRR_EXPERIMENT_PREDICTED_LINKS_H

#include <heterorr/graph.h>

/* Put a graph with as many edges again in the place of *graph, which has no other parts: beside its
 * own those pairs that have most in common (edge/shortlist.h), or all pairs with a common neighbour
 * if these are fewer.
 *
 * Guarantee: a function of the edges of *graph, which are to be public ones.
 * Cost:      O(sum over nodes of degree^2). Errors: HRR_ENOMEM, HRR_ECANCEL; *graph then stays. */
hrr_status hrr_add_predicted_links(hrr_graph **graph, hrr_progress *progress,
                                   hrr_error *err) HRR_CHECKED;

#endif
