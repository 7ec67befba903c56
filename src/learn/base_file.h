/* base_file.h: what counts join beside the network (public_base.h), in the directory of a model:
 * base.npz with part_weights (of the network, of one without edges, of what is free without
 * features), best (the number of the best part) and free_scores (n x C), and no_edges.npz, laid out
 * like weights.npz. Parts that say nothing are left out. */
#ifndef HRR_LEARN_BASE_FILE_H
#define HRR_LEARN_BASE_FILE_H

#include "learn/model.h"

hrr_status hrr_base_write(const hrr_public_base *base, const char *directory,
                          hrr_error *err) HRR_CHECKED;
/* beside: the network. Errors: HRR_EDATA for files that do not fit it or hold what cannot be,
 * HRR_EIO, HRR_ENOMEM. */
hrr_status hrr_base_read(hrr_public_base *out, const hrr_model *beside, const char *directory,
                         hrr_error *err) HRR_CHECKED;

/* Weights, biases and standards of a network. Reading: into a model of the shape that the file must
 * have. Errors: as above. */
hrr_status hrr_weights_write(const hrr_model *model, const char *directory, const char *file,
                             hrr_error *err) HRR_CHECKED;
hrr_status hrr_weights_read(hrr_model *model, bool standardised, const char *directory,
                            const char *file, hrr_error *err) HRR_CHECKED;

#endif
