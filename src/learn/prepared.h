/* prepared.h: a graph made ready for a model: edges to aggregate over, and inputs of the first
 * layer. Training and prediction prepare alike. */
#ifndef HRR_LEARN_PREPARED_H
#define HRR_LEARN_PREPARED_H

#include "learn/halo.h"
#include "learn/inputs.h"
#include "learn/model.h"

typedef struct hrr_prepared {
    hrr_aggregator aggregator;
    const hrr_aggregator *edges; /* NULL: the model has none */
    hrr_dense standardised, propagated;
    hrr_inputs inputs;
} hrr_prepared;

/* features: n x d, as the model takes them before standardising and propagating; they must outlive
 * `out`, which must stay where it is. NULL for a model of node rows. Errors: HRR_ENOMEM,
 * HRR_ECANCEL. */
hrr_status hrr_prepare(hrr_prepared *out, const hrr_model *model, const hrr_graph *graph,
                       const hrr_dense *features, int threads, hrr_progress *progress,
                       hrr_error *err) HRR_CHECKED;
/* The part of this rank; halo: its edges, empty for a model without. Collective. Standardising and
 * propagating beforehand are done by every rank for all nodes. */
hrr_status hrr_prepare_share(hrr_prepared *out, hrr_halo *halo, const hrr_model *model,
                             const hrr_graph *graph, const hrr_dense *features, hrr_ranks *ranks,
                             int threads, hrr_progress *progress, hrr_error *err) HRR_CHECKED;
void hrr_prepared_clear(hrr_prepared *prepared);

#endif
