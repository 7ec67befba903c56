/* over_ranks.h: one draw by several processes. Every rank has the same plan and the same secret,
 * and reads its share of the private edges. A count is reduced at one rank, its owner, which alone
 * adds noise to it. Rank 0 gets all that is released; the others get nothing but realised_eps.
 *
 * Mechanisms that are not made for it are drawn by rank 0 alone. */
#ifndef HRR_EDGE_OVER_RANKS_H
#define HRR_EDGE_OVER_RANKS_H

#include "base/ranks.h"
#include "io/hash.h"

#include <heterorr/edge.h>

/* hrr_edge_plan_draw() becomes collective. The ranks are borrowed; NULL: as without this call. */
void hrr_edge_plan_share(hrr_edge_plan *plan, hrr_ranks *ranks);

/* What was decided from public data and every rank must have decided alike. */
void hrr_edge_plan_digest(hrr_hash *hash, const hrr_edge_plan *plan);

#endif
