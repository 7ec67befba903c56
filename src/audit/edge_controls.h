/* edge_controls.h: mistakes that were made with edges, as controls of controls.h. */
#ifndef HRR_AUDIT_EDGE_CONTROLS_H
#define HRR_AUDIT_EDGE_CONTROLS_H

#include "audit/trials.h"

typedef hrr_status hrr_control_run(float *out, const void *random, int side, uint64_t first,
                                   uint64_t n, hrr_error *err);

/* Side 0: a graph without the pair in question; side 1: with it. */
hrr_control_run hrr_control_counted_twice, hrr_control_noise_again, hrr_control_metropolis_step,
    hrr_control_truth_or_coin, hrr_control_barker_twice, hrr_control_select_tree,
    hrr_control_not_halved, hrr_control_shared_noise, hrr_control_shared_coin,
    hrr_control_private_list, hrr_control_asked_twice, hrr_control_rivals_apart,
    hrr_control_private_need, hrr_control_private_nodes, hrr_control_one_degree,
    hrr_control_groups_twice, hrr_control_local_noise;

#endif
