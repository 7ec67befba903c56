/* traits.h: what the mechanism of a name is, where the name may be anybody's: that of options which
 * nobody checked yet, of a certificate, of a results file. */
#ifndef HRR_FEATURE_TRAITS_H
#define HRR_FEATURE_TRAITS_H

#include <heterorr/feature.h>

/* The row of that name. Of a mechanism that there is not: an empty one, which spends, needs bounds
 * and has no other trait, so that nothing is taken for public on its word. Never NULL. */
const hrr_feature_mechanism *hrr_feature_traits(const char *name);

#endif
