/* advice.h: what rehearsals with public edges share. */
#ifndef HRR_EXPERIMENT_ADVICE_H
#define HRR_EXPERIMENT_ADVICE_H

#include <heterorr/experiment.h>

/* The options in the library's own size, if a rehearsal with them on this graph makes sense.
 * Errors: HRR_EINVAL: options, private edges. */
hrr_status hrr_advise_adopt(hrr_advise_options *own, const hrr_advise_options *given,
                            const hrr_graph *known, hrr_error *err);

#endif
