/* training_run.h: one run of a training sweep: release, train, measure. */
#ifndef HRR_EXPERIMENT_TRAINING_RUN_H
#define HRR_EXPERIMENT_TRAINING_RUN_H

#include "experiment/kept_scores.h"

typedef struct hrr_training_outcome {
    bool diverged; /* then nothing was measured */
    double realised_eps_features, realised_eps_edges;
    hrr_metrics valid, test;
    uint32_t epochs, best_epoch;
    uint64_t edges_released;
} hrr_training_outcome;

/* What comes out depends on graph, setting and options alone. kept: by other settings of the same
 * sweep, so that nothing is learnt twice; NULL: everything is learnt here.
 * Errors: those of releasing and training; diverging is none. */
hrr_status hrr_training_run(hrr_training_outcome *out, const hrr_graph *graph,
                            const hrr_training_setting *setting,
                            const hrr_training_sweep_options *options, hrr_kept *kept,
                            hrr_progress *progress, hrr_error *err);

#endif
