/* chain.h: what can be said of a chain before it is run. */
#ifndef HRR_ATTACK_CHAIN_H
#define HRR_ATTACK_CHAIN_H

#include <heterorr/attack.h>

/* Whether the graph has what a chain needs, and the options make sense in any world.
 * Errors: HRR_EINVAL, HRR_EDATA. */
hrr_status hrr_chain_check(const hrr_graph *graph, const hrr_chain_options *options,
                           hrr_error *err) HRR_CHECKED;

#endif
