/* public_view.h: what of a graph is public, for those who put a graph together from it. */
#ifndef HRR_RELEASE_PUBLIC_VIEW_H
#define HRR_RELEASE_PUBLIC_VIEW_H

#include <heterorr/graph.h>

/* The edges that are not private; the split, if there is one. */
hrr_status hrr_take_public_edges(hrr_graph *view, const hrr_graph *graph, hrr_error *err);
hrr_status hrr_take_public_split(hrr_graph *view, const hrr_graph *graph, hrr_error *err);

#endif
