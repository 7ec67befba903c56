/* parallel.c: blocks of nodes shared out among threads. */
#include "generate/parallel.h"

enum { BLOCK = 1024 }; /* about a millisecond of work. Graphs made with a seed depend on it. */

void hrr_draws_init(hrr_fast_random *random, uint64_t seed, hrr_draws draws, uint64_t index)
{
    hrr_fast_init(random, seed, (uint64_t)draws << 40 | index);
}

hrr_status hrr_each_block(uint64_t n, int threads, uint64_t seed, hrr_draws draws,
                          hrr_block_work *work, void *user, hrr_progress *progress, hrr_error *err)
{
    int64_t n_blocks = (int64_t)((n + BLOCK - 1) / BLOCK);
    threads = hrr_threads(threads);
    if (threads > n_blocks) threads = (int)n_blocks; /* idle ones would only wait, busily */
#ifdef _OPENMP
#pragma omp parallel for schedule(dynamic) num_threads(threads)
#endif
    for (int64_t block = 0; block < n_blocks; block++) {
        if (hrr_progress_cancelled(progress)) continue;
        uint64_t begin = (uint64_t)block * BLOCK;
        uint64_t end = n - begin < BLOCK ? n : begin + BLOCK;
        hrr_fast_random random;
        hrr_draws_init(&random, seed, draws, (uint64_t)block);
        work(user, begin, end, &random);
        (void)hrr_progress_advance(progress, end - begin, NULL);
    }
    return hrr_progress_advance(progress, 0, err);
}
