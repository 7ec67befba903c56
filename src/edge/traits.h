/* traits.h: what the mechanism of a name is, where the name may be anybody's: that of options which
 * nobody checked yet, of a certificate, of a results file. */
#ifndef HRR_EDGE_TRAITS_H
#define HRR_EDGE_TRAITS_H

#include <heterorr/edge.h>

/* The row of that name. Of a mechanism that there is not: an empty one, which spends and has no
 * trait, so that nothing is taken for public on its word. Never NULL. */
const hrr_edge_mechanism *hrr_edge_traits(const char *name);

#endif
