/* chain.h: a chain before it is run: its options, and what can be wrong with them. */
#ifndef HRR_ATTACK_CHAIN_H
#define HRR_ATTACK_CHAIN_H

#include <heterorr/attack.h>

/* The options inside options that were adopted (base/options.h).
 * Errors: HRR_EINVAL. */
hrr_status hrr_chain_options_adopt_inner(hrr_chain_options *own, hrr_error *err) HRR_CHECKED;

/* Whether the graph has what a chain needs, and the options make sense in any world.
 * Errors: HRR_EINVAL, HRR_EDATA. */
hrr_status hrr_chain_check(const hrr_graph *graph, const hrr_chain_options *options,
                           hrr_error *err) HRR_CHECKED;

#endif
