/* count_model.h: a count model beside the network that it belongs to, in answers and on disk. */
#ifndef HRR_LEARN_COUNT_MODEL_H
#define HRR_LEARN_COUNT_MODEL_H

#include <heterorr/learn.h>

/* The counts of neighbours that the model answers with. NULL: it has learnt from none, the release
 * has none, or they are ignored. */
const hrr_block_counts *hrr_counts_in_use(const hrr_model *model, const hrr_release *release,
                                          bool ignored);

/* out: n x C, F32: ln P(noisy counts of the node | class), up to a term that classes share. */
HRR_STATUS hrr_count_log_likelihood(hrr_dense *out, const hrr_count_model *model,
                                    const hrr_block_counts *counts, int threads, hrr_error *err);

/* counts.npz in the directory; nothing is written without one, and none is read if there is none.
 * Errors: HRR_EDATA for a file that does not fit n_classes or holds what cannot be. */
hrr_status hrr_count_model_write(const hrr_count_model *model, const char *directory,
                                 hrr_error *err) HRR_CHECKED;
hrr_status hrr_count_model_read(hrr_count_model *out, const char *directory, uint32_t n_classes,
                                hrr_error *err) HRR_CHECKED;

#endif
