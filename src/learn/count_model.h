/* count_model.h: the law of counts apart from the weights that it gets beside a network, and a
 * count model beside the network that it belongs to, in answers and on disk. */
#ifndef HRR_LEARN_COUNT_MODEL_H
#define HRR_LEARN_COUNT_MODEL_H

#include "learn/targets.h"

/* What is known about the labels of training and validation nodes. */
typedef struct hrr_count_labels {
    hrr_targets targets;
    const hrr_dense *belief; /* n x C, F32: how probable each class of a node is, where its label
                                went through randomised response; NULL: labels are as they are */
    bool train_only;         /* learn from training nodes alone: validation nodes are to judge */
    const uint32_t
        *graph_ids; /* of a collection, between whose graphs nothing is counted; or NULL */
} hrr_count_labels;

/* Rates, shape and shares of levels; no weights.
 * Errors: HRR_EDATA if no counted node has a label, HRR_ENOMEM, HRR_ECANCEL. */
hrr_status hrr_count_law_fit(hrr_count_model *out, const hrr_block_counts *counts,
                             const hrr_count_labels *labels, hrr_progress *progress,
                             hrr_error *err) HRR_CHECKED;

/* The rates alone, found anew; all else of the model stays. Errors: as above. */
hrr_status hrr_count_rates_fit(hrr_count_model *model, const hrr_block_counts *counts,
                               const hrr_count_labels *labels, hrr_error *err) HRR_CHECKED;

/* Errors: HRR_EDATA and HRR_EINVAL for counts that cannot be of n_nodes nodes. */
hrr_status hrr_counts_check(const hrr_block_counts *counts, uint64_t n_nodes,
                            hrr_error *err) HRR_CHECKED;

/* The counts of neighbours that the model answers with. NULL: it has learnt from none, the release
 * has none, or they are ignored. */
const hrr_block_counts *hrr_counts_in_use(const hrr_model *model, const hrr_release *release,
                                          bool ignored);

/* out: n x C, F32: ln P(noisy counts of the node | class), up to a term that classes share; with
 * several labels a node ln P(counts | has the label) - ln P(counts | has it not). graph_ids: as
 * above. */
HRR_STATUS hrr_count_log_likelihood(hrr_dense *out, const hrr_count_model *model,
                                    const hrr_block_counts *counts, const uint32_t *graph_ids,
                                    int threads, hrr_error *err);

/* counts.npz in the directory; nothing is written without one, and none is read if there is none.
 * Errors: HRR_EDATA for a file that does not fit n_classes or holds what cannot be. */
hrr_status hrr_count_model_write(const hrr_count_model *model, const char *directory,
                                 hrr_error *err) HRR_CHECKED;
hrr_status hrr_count_model_read(hrr_count_model *out, const char *directory, uint32_t n_classes,
                                hrr_output_kind output, hrr_error *err) HRR_CHECKED;

#endif
