/* embedder.h: a network and its profile as one thing: pictures in, rows of features out. */
#ifndef HRR_VISION_EMBEDDER_H
#define HRR_VISION_EMBEDDER_H

#include "vision/profile.h"
#include "vision/runtime.h"

typedef struct hrr_embedder hrr_embedder;

/* `batch`: how many pictures at once, unless the network itself says it.
 * Errors: HRR_EDATA for a network whose input or output does not fit the profile, saying both;
 *         those of hrr_network_read(). */
HRR_STATUS hrr_embedder_read(hrr_embedder **out, const hrr_runtime *runtime, const char *model,
                             const hrr_profile *profile, uint32_t batch, hrr_error *err);
void hrr_embedder_free(hrr_embedder *embedder);

const hrr_profile *hrr_embedder_profile(const hrr_embedder *embedder);
uint64_t hrr_embedder_n_features(const hrr_embedder *embedder);
uint32_t hrr_embedder_batch(const hrr_embedder *embedder);
/* Numbers that hrr_profile_apply() makes of one picture. */
size_t hrr_embedder_input_size(const hrr_embedder *embedder);

/* Rows of features of the first n pictures in `input`, n being at most the batch, for which it has
 * room. Safe from several threads at a time.
 * Errors: HRR_EDATA with *bad the picture (0..n-1) whose features are not finite, or n. */
HRR_STATUS hrr_embedder_run(float *features, uint32_t *bad, const hrr_embedder *embedder,
                            float *input, uint32_t n, hrr_error *err);

#endif
