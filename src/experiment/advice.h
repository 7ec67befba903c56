/* advice.h: what rehearsals of edges, of a head and of structure have in common. */
#ifndef HRR_EXPERIMENT_ADVICE_H
#define HRR_EXPERIMENT_ADVICE_H

#include <heterorr/experiment.h>

/* The options in the library's own size, if a rehearsal with them on this graph makes sense.
 * Errors: HRR_EINVAL: options, private edges. */
hrr_status hrr_advise_adopt(hrr_advise_options *own, const hrr_advise_options *given,
                            const hrr_graph *known, hrr_error *err) HRR_CHECKED;

/* Rows that are about the question stay; tests whose control goes are forgotten. */
typedef bool hrr_row_is_relevant(const hrr_training_mean *row, bool features_are_public);
void hrr_advice_keep(hrr_edge_advice *advice, hrr_row_is_relevant *meant, bool features_are_public);

/* The best row that spends nothing, and the cheapest that is better than every such row. */
void hrr_advice_choose(hrr_edge_advice *advice, bool by_features);

#endif
