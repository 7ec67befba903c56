/* wiring.h: the edges of a degree-corrected block model. */
#ifndef HRR_GENERATE_WIRING_H
#define HRR_GENERATE_WIRING_H

#include "generate/blocks.h"

/* HRR_EINVAL, with the largest average degree, if the classes have too few pairs for the edges
 * that are asked for. */
hrr_status hrr_wiring_check(const hrr_generate_options *options, hrr_error *err);

/* Draw the edges, in canonical order.
 * Cost:   O(n + m) time, m edges and 12 bytes a node of memory.
 * Errors: HRR_ENOMEM, HRR_ECANCEL; *out is then empty. */
hrr_status hrr_wiring_draw(hrr_edge_list *out, const hrr_blocks *blocks,
                           const hrr_generate_options *options, hrr_progress *progress,
                           hrr_error *err);

#endif
