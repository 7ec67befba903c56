/* chain_pictures.h: the chain's last step: pictures from features that were inferred. */
#ifndef HRR_ATTACK_CHAIN_PICTURES_H
#define HRR_ATTACK_CHAIN_PICTURES_H

#include "learn/decoder_train.h"

#include <heterorr/attack.h>

/* The decoder that every world has in common, and the true pictures. */
typedef struct hrr_chain_pictures {
    hrr_trained_decoder decoder; /* no features: there are no pictures */
    const hrr_thumbnails *truth; /* of every node of the graph */
} hrr_chain_pictures;

/* Whether the pictures of the options suit the graph; none do. Errors: HRR_EINVAL, HRR_EDATA. */
hrr_status hrr_chain_pictures_check(const hrr_graph *graph, const hrr_chain_options *options,
                                    hrr_error *err) HRR_CHECKED;

/* Learn from the public pictures of the options; nothing is done without. The same for every run of
 * one `seed`. Errors: HRR_ENOMEM, HRR_ECANCEL. */
hrr_status hrr_chain_pictures_init(hrr_chain_pictures *out, const hrr_chain_options *options,
                                   uint64_t seed, int threads, hrr_progress *progress,
                                   hrr_error *err) HRR_CHECKED;
void hrr_chain_pictures_clear(hrr_chain_pictures *pictures);

/* figure[HRR_CHAIN_PICTURE_*]: of pictures decoded from features (a row for each of the nodes).
 * Errors: HRR_ENOMEM. */
hrr_status hrr_chain_pictures_judge(double figure[], const hrr_chain_pictures *pictures,
                                    const hrr_dense *features, const uint32_t *nodes,
                                    hrr_error *err) HRR_CHECKED;

#endif
