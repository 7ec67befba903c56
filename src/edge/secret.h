/* secret.h: what must hold of private edges before a mechanism sees them. */
#ifndef HRR_EDGE_SECRET_H
#define HRR_EDGE_SECRET_H

#include <heterorr/edge.h>

/* Whether the secret is one: canonical, candidate pairs only. Drawing asks it first; who charges a
 * budget before drawing asks before that.
 * Errors: HRR_EDATA if a private edge is no candidate pair (which one is not said), HRR_EINVAL. */
HRR_STATUS hrr_edge_check_secret(const hrr_edge_public *known, const hrr_edge_secret *secret,
                                 hrr_error *err);

#endif
