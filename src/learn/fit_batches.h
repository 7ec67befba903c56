/* fit_batches.h: training of a sign network, or an MLP, a few nodes at a time. */
#ifndef HRR_LEARN_FIT_BATCHES_H
#define HRR_LEARN_FIT_BATCHES_H

#include <heterorr/learn.h>

/* The model has its first weights and standards; it gets the best. Of the summary: epochs and
 * their time, the best epoch, and whether training diverged. There are training nodes.
 * Errors: those of hrr_hop_rows(), and HRR_EDATA if training diverged. */
hrr_status hrr_fit_batches(hrr_model *model, hrr_train_summary *summary, const hrr_graph *graph,
                           const hrr_train_options *options, hrr_progress *progress,
                           hrr_error *err) HRR_CHECKED;

#endif
