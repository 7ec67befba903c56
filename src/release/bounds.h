/* bounds.h: public bounds of the features: given, stated by the input, or asked for. */
#ifndef HRR_RELEASE_BOUNDS_H
#define HRR_RELEASE_BOUNDS_H

#include <heterorr/release.h>

/* Who stated the bounds that a release clips to, in the certificate. */
extern const char hrr_bounds_by_owner[], hrr_bounds_by_format[];

#endif
