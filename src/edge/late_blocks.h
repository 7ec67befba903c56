/* late_blocks.h: a plan of edgerr-node whose blocks, and need, are made later: what it claims
 * follows from how many blocks there are; which node is in which one, and which end of a pair
 * counts it, matters to the draw alone. */
#ifndef HRR_EDGE_LATE_BLOCKS_H
#define HRR_EDGE_LATE_BLOCKS_H

#include <heterorr/edge.h>

/* hrr_edge_plan_new() without blocks: options->n_blocks of them are given before the draw.
 * Errors: HRR_EINVAL for a mechanism that counts into none. */
hrr_status hrr_edge_plan_new_without_blocks(hrr_edge_plan **out, const hrr_edge_public *known,
                                            const hrr_edge_options *options, hrr_progress *progress,
                                            hrr_error *err);

/* Where a plan counts: options->count_ends, or what is usual with blocks that come later or not. */
hrr_count_ends hrr_edge_count_ends(const hrr_edge_options *options, bool blocks_later);

/* Give them, once: n_nodes numbers below n_blocks, and, if the plan counts at the end that needs it
 * (HRR_ENDS_NEEDED), the need of each node, or NULL: the fewer public edges it has, the more; and
 * its rivals as in hrr_edge_options, or NULL. All are copied. They must be public.
 * Errors: HRR_EINVAL for a block that is none, HRR_ENOMEM. */
hrr_status hrr_edge_plan_give_blocks(hrr_edge_plan *plan, const uint32_t *blocks,
                                     const uint32_t *need, const uint32_t *rivals, hrr_error *err);

#endif
