/* block_search.h: trees over blocks of nodes, found from counts between the blocks. The counts are
 * public or released, so this is post-processing: any amount of it costs no budget. */
#ifndef HRR_EDGE_BLOCK_SEARCH_H
#define HRR_EDGE_BLOCK_SEARCH_H

#include "edge/dendrogram.h"

typedef struct hrr_blocks {
    uint32_t n;
    const uint32_t *size;    /* n: nodes in a block */
    const uint32_t *members; /* n: candidates among them */
    const uint64_t *known;   /* n x n, symmetric: public edges; within a block on the diagonal */
    const uint64_t *hidden;  /* the same for private edges, as far as they are known */
} hrr_blocks;

/* A tree that is grown from the edges of both kinds (forest.h). */
hrr_status hrr_blocks_join(hrr_dendrogram *out, const hrr_blocks *blocks, uint64_t seed,
                           hrr_progress *progress, hrr_error *err);

/* Local moves that raise L_pub + L_pri, for a fixed number of random tries; *likelihood: where that
 * leads. Candidate pairs are taken as all pairs of candidates: there are few public edges among
 * them. */
hrr_status hrr_blocks_climb(hrr_dendrogram *tree, double *likelihood, const hrr_blocks *blocks,
                            uint64_t n_steps, uint64_t seed, hrr_error *err);

#endif
