/* own_blocks.h: blocks for edgerr-node that are made from the release they belong to. */
#ifndef HRR_RELEASE_OWN_BLOCKS_H
#define HRR_RELEASE_OWN_BLOCKS_H

#include <heterorr/release.h>

/* Fill blocks[0 .. n_nodes) by options->blocks_from, which is shown what `directory` already holds
 * of the release, the public edges and the split, and nothing else of `graph`.
 *
 * Guarantee: blocks are a function of released and public data (and of the maker).
 * Cost:      the maker's, and O(n + m); features stay mapped.
 * Errors:    HRR_EINVAL for a block that is none, HRR_EIO, HRR_ENOMEM, and what the maker says. */
hrr_status hrr_own_blocks(uint32_t *blocks, const char *directory, const hrr_graph *graph,
                          const hrr_protect_options *options, hrr_progress *progress,
                          hrr_error *err);

#endif
