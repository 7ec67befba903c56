/* parallel.h: work on nodes in blocks, each with its own random stream, so that what is drawn
 * does not depend on the number of threads. */
#ifndef HRR_GENERATE_PARALLEL_H
#define HRR_GENERATE_PARALLEL_H

#include <heterorr/random.h>

/* What a stream is for. Graphs made with a seed depend on the numbers: append only. */
typedef enum hrr_draws {
    HRR_DRAW_ORDER = 1,
    HRR_DRAW_EDGES,
    HRR_DRAW_FEATURES,
    HRR_DRAW_LABELS,
    HRR_DRAW_SPLIT,
    HRR_DRAW_TRUTH
} hrr_draws;

/* The stream of one block (or graph, or feature) of one use; index < 2^40. */
void hrr_draws_init(hrr_fast_random *random, uint64_t seed, hrr_draws draws, uint64_t index);

/* Work on nodes begin..end-1. Nothing in it can fail. */
typedef void hrr_block_work(void *user, uint64_t begin, uint64_t end, hrr_fast_random *random);

/* Call `work` for every block of the n nodes and report them to the progress.
 * Errors: HRR_ECANCEL. */
hrr_status hrr_each_block(uint64_t n, int threads, uint64_t seed, hrr_draws draws,
                          hrr_block_work *work, void *user, hrr_progress *progress, hrr_error *err);

#endif
