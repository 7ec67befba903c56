/* public_blocks.h: the public block of each node, from the file that --blocks names. */
#ifndef HRR_CLI_PUBLIC_BLOCKS_H
#define HRR_CLI_PUBLIC_BLOCKS_H

#include <heterorr/base.h>

/* An npy file of n whole numbers from 0 up, or of n rows, in which the largest number tells the
 * block (predictions). *blocks: free(). Errors: HRR_EDATA, HRR_EIO, HRR_ENOMEM. */
hrr_status cli_blocks_read(uint32_t **blocks, uint32_t *n_blocks, const char *path,
                           uint64_t n_nodes, hrr_error *err);

#endif
