/* same_input.h: ranks that protect a graph together read the same graph and have the same plan.
 * Checked before anything is charged: a mixture of two inputs or two plans has no guarantee. */
#ifndef HRR_RELEASE_SAME_INPUT_H
#define HRR_RELEASE_SAME_INPUT_H

#include "base/ranks.h"
#include "io/hash.h"

#include <heterorr/graph.h>

/* What one rank has read of the features that it will draw from. */
typedef struct hrr_own_input {
    uint8_t features[hrr_sha256_size];
} hrr_own_input;

/* Collective. plan: a digest of everything that was decided. Every rank reads all edges, but only
 * its share of the features and that of the next rank: what a rank draws from is then what another
 * rank sees, too. HRR_OK at once for one process.
 * Errors: HRR_ERANKS, HRR_ENOMEM, HRR_ECANCEL. */
hrr_status hrr_same_input(hrr_own_input *own, hrr_ranks *ranks, const uint8_t plan[hrr_sha256_size],
                          const hrr_graph *graph, hrr_error *err);

/* HRR_EDATA if this rank's share of the features changed since. Not collective. */
hrr_status hrr_same_input_still(const hrr_own_input *own, const hrr_ranks *ranks,
                                const hrr_graph *graph, hrr_error *err);

#endif
