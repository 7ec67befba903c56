/* public_blocks.h: what --blocks says: the public block of each node, from a file or predicted from
 * the release itself. */
#ifndef HRR_CLI_PUBLIC_BLOCKS_H
#define HRR_CLI_PUBLIC_BLOCKS_H

#include <heterorr/release.h>

/* An npy file of n whole numbers from 0 up, or of n rows, in which the largest number tells the
 * block (predictions). *blocks: free(). Errors: HRR_EDATA, HRR_EIO, HRR_ENOMEM. */
hrr_status cli_blocks_read(uint32_t **blocks, uint32_t *n_blocks, const char *path,
                           uint64_t n_nodes, hrr_error *err);

/* Whether there are features, and one class a node that is known of some, to train a network on. */
bool cli_blocks_can_predict(const hrr_graph *graph);

/* Blocks are the classes that a network predicts, once this release has features to train it on.
 * Errors: HRR_EINVAL if there is nothing to train on, or several labels a node. */
hrr_status cli_blocks_predict(hrr_block_source *out, const hrr_graph *graph, hrr_error *err);

#endif
