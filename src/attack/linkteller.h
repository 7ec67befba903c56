/* linkteller.h: the steps of LinkTeller, for attacks that go on with what it finds. */
#ifndef HRR_ATTACK_LINKTELLER_H
#define HRR_ATTACK_LINKTELLER_H

#include <heterorr/attack.h>

#include "attack/local_service.h"

/* Options that make no sense, graphs of different nodes, nothing private. */
hrr_status hrr_linkteller_check(const hrr_graph *served, const hrr_graph *truth,
                                const hrr_linkteller_options *options, hrr_error *err) HRR_CHECKED;

/* How the service answers. */
hrr_serve_options hrr_linkteller_serves(const hrr_linkteller_options *options);

/* One score for each pair of positions among the nodes. */
hrr_status hrr_linkteller_scores(double *scores, const hrr_link_pairs *pairs,
                                 const hrr_model *model, const hrr_release *served,
                                 const uint32_t *nodes, uint64_t n_nodes,
                                 const hrr_linkteller_options *options, hrr_progress *progress,
                                 hrr_error *err) HRR_CHECKED;

/* Mean and deviation of every figure over runs, which are `apart` from one to the next. */
void hrr_link_summarise(hrr_link_quality *mean, hrr_link_quality *deviation,
                        const hrr_link_quality *samples, uint32_t runs, uint32_t apart);

#endif
