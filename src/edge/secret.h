/* secret.h: what must hold of private edges before a mechanism sees them. */
#ifndef HRR_EDGE_SECRET_H
#define HRR_EDGE_SECRET_H

#include <heterorr/edge.h>

/* Checks that the private edges are canonical and are all candidate pairs. Drawing calls it first.
 * A caller that charges a budget must call it before the charge.
 * Errors: HRR_EDATA if a private edge is not a candidate pair (the message does not name it),
 *         HRR_EINVAL. */
HRR_STATUS hrr_edge_check_secret(const hrr_edge_public *known, const hrr_edge_secret *secret,
                                 hrr_error *err);

#endif
