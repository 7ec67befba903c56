/* chain.h: the chain in one world, once, and what can be said of it before it is run. */
#ifndef HRR_ATTACK_CHAIN_H
#define HRR_ATTACK_CHAIN_H

#include "attack/chain_pictures.h"

#include <heterorr/attack.h>

/* The options inside options that were adopted (base/options.h).
 * Errors: HRR_EINVAL. */
hrr_status hrr_chain_options_adopt_inner(hrr_chain_options *own, hrr_error *err) HRR_CHECKED;

/* Whether the graph has what a chain needs, and the options make sense in any world.
 * Errors: HRR_EINVAL, HRR_EDATA. */
hrr_status hrr_chain_check(const hrr_graph *graph, const hrr_chain_options *options,
                           hrr_error *err) HRR_CHECKED;

typedef struct hrr_chain_result {
    double figure[HRR_CHAIN_FIGURES]; /* NAN: a world without a model has no accuracy, features that
                                         are not binary no AUC */
    double realised_eps;              /* of the edges; 0: nothing is spent */
} hrr_chain_result;

/* The chain in one world, once; hrr_chain_sweep() of <heterorr/experiment.h> has it in many, many
 * times. For the owner of the graph: the release is drawn with a seed, and never leaves the
 * function. pictures: for the last step; NULL: none.
 *
 * Errors: HRR_EINVAL, HRR_EDATA (no labels, features, split or private edges; or no public ones to
 *         guess from), HRR_ENOMEM, HRR_ECANCEL. */
HRR_STATUS hrr_chain(hrr_chain_result *out, const hrr_graph *graph,
                     const hrr_chain_options *options, const hrr_chain_pictures *pictures,
                     hrr_progress *progress, hrr_error *err);

#endif
