/* training_learner.h: what learns in a run of a training sweep: a network on released features, one
 * on node rows, or labels that are spread. */
#ifndef HRR_EXPERIMENT_TRAINING_LEARNER_H
#define HRR_EXPERIMENT_TRAINING_LEARNER_H

#include "experiment/training_run.h"

/* Learn from a release and measure. logits: n x C, F32, what the learner says of every node; left
 * empty if training diverged; NULL: nobody asks. n_features: of the graph before release. shown:
 * what volunteers show, spread over the released edges; NULL: nobody volunteers. */
hrr_status hrr_training_learn(hrr_dense *logits, hrr_training_outcome *found,
                              const hrr_release *released, const hrr_training_setting *setting,
                              const hrr_training_sweep_options *options, uint64_t n_features,
                              const hrr_dense *shown, hrr_kept *kept, hrr_progress *progress,
                              hrr_error *err) HRR_CHECKED;

/* Logits of a network that learnt from public edges become those of all that is free
 * (learn/public_base.h), and are measured. Learners that are no network stay as they are. */
hrr_status hrr_training_join_base(hrr_dense *logits, hrr_training_outcome *found,
                                  const hrr_release *released, const hrr_training_setting *setting,
                                  const hrr_training_sweep_options *options, uint64_t n_features,
                                  hrr_progress *progress, hrr_error *err) HRR_CHECKED;

/* Measure logits on validation and test nodes. */
hrr_status hrr_training_measure(hrr_training_outcome *found, const hrr_dense *logits,
                                const hrr_graph *graph, hrr_error *err) HRR_CHECKED;

#endif
