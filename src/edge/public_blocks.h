/* public_blocks.h: nodes in a few blocks, from public edges alone. */
#ifndef HRR_EDGE_PUBLIC_BLOCKS_H
#define HRR_EDGE_PUBLIC_BLOCKS_H

#include <heterorr/edge.h>

/* block[i] for each of the n nodes, at most most_blocks of them, numbered from 0; *n_blocks: how
 * many. Depends on nothing but the public edges and the public seed.
 * Cost: O(n log n + m) a sweep, 20 sweeps at most. Errors: HRR_ENOMEM, HRR_ECANCEL. */
hrr_status hrr_public_blocks(uint32_t *block, uint32_t *n_blocks, const hrr_edge_public *known,
                             uint32_t most_blocks, uint64_t seed, hrr_progress *progress,
                             hrr_error *err);

#endif
