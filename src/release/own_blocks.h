/* own_blocks.h: blocks for edgerr-node that are made from the release they belong to. */
#ifndef HRR_RELEASE_OWN_BLOCKS_H
#define HRR_RELEASE_OWN_BLOCKS_H

#include "learn/predicted_blocks.h"

#include <heterorr/release.h>

/* Who makes them, once for a release. The result must depend on nothing but what is shown, which
 * may be changed. Name and version are part of the request, so that nobody who asks for a stored
 * release gets one with another maker's blocks. */
typedef struct hrr_block_maker {
    const char *name;
    uint32_t version;
    const char *what; /* for the certificate: one clause that says what the blocks are */
    uint32_t n_blocks;
    double expected_seconds;
    /* Fills blocks[0 .. n) with numbers below n_blocks. */
    hrr_status (*make)(uint32_t *blocks, const hrr_shown *shown, void *user, int threads,
                       hrr_progress *progress, hrr_error *err);
    void *user;
} hrr_block_maker;

/* The maker of HRR_BLOCKS_PREDICTED. Errors: HRR_EINVAL if there is nothing to predict from. */
hrr_status hrr_block_maker_init(hrr_block_maker *out, const hrr_graph *graph, hrr_error *err);

/* Fill blocks[0 .. n_nodes) by the maker, who is shown what `directory` already holds of the
 * release, the public edges and the split, and nothing else of `graph`. features NULL: there are
 * none.
 *
 * Guarantee: blocks are a function of released and public data (and of the maker).
 * Cost:      the maker's, and O(n + m); features stay mapped.
 * Errors:    HRR_EIO, HRR_ENOMEM, and what the maker says. */
hrr_status hrr_own_blocks(uint32_t *blocks, const hrr_block_maker *maker, const char *directory,
                          const hrr_graph *graph, const hrr_protect_options *options,
                          const hrr_feature_claim *features, hrr_progress *progress,
                          hrr_error *err);

#endif
