/* counts.c: see counts.h. The only place where the strict mechanism reads private edges, unless
 * the tree does. */
#include "edge/counts.h"
#include "base/memory.h"
#include "privacy/eps.h"

/* noisy[q] += the noise of query q, whatever thread draws it. */
static hrr_status add_noise(int64_t *noisy, double *realised_eps, uint32_t n_queries,
                            uint64_t eps_nano, const hrr_random *random, int threads,
                            hrr_error *err)
{
    uint64_t num, den;
    hrr_eps_fraction(&num, &den, eps_nano);
    *realised_eps = (double)num / (double)den;
    const int64_t n_blocks = ((int64_t)n_queries + HRR_COUNTS_BLOCK - 1) / HRR_COUNTS_BLOCK;
    threads = hrr_threads(threads);
    if (threads > n_blocks) threads = n_blocks > 0 ? (int)n_blocks : 1;
    hrr_status status = HRR_OK;
    hrr_stream **streams = hrr_alloc_zero((size_t)threads, sizeof(hrr_stream *));
    int64_t *noise = hrr_alloc(n_queries, sizeof *noise);
    if (!streams || !noise) status = hrr_no_memory(err);
    for (int i = 0; !status && i < threads; i++)
        status = hrr_stream_new(&streams[i], random, err);
    if (status) goto done;
        /* Thread i takes blocks i, i + threads, ... */
#pragma omp parallel for num_threads(threads) schedule(static, 1)
    for (int i = 0; i < threads; i++)
        for (int64_t block = i; block < n_blocks; block += threads) {
            const uint32_t begin = (uint32_t)block * HRR_COUNTS_BLOCK, rest = n_queries - begin;
            hrr_stream_seek(streams[i], HRR_PURPOSE_EDGE_COUNTS, (uint64_t)block);
            hrr_sample_laplace_fill(noise + begin,
                                    rest < HRR_COUNTS_BLOCK ? rest : HRR_COUNTS_BLOCK, streams[i],
                                    num, den);
        }
    for (uint32_t q = 0; q < n_queries; q++)
        noisy[q] += noise[q]; /* |noise| < 2^62, counts < 2^61 */
done:
    for (int i = 0; streams && i < threads; i++)
        hrr_stream_free(streams[i]);
    hrr_free(streams);
    hrr_free(noise);
    return status;
}

hrr_status hrr_noisy_counts(int64_t *noisy, double *realised_eps, const hrr_queries *queries,
                            const hrr_dendrogram *tree, const hrr_edge_secret *secret,
                            uint64_t eps_nano, const hrr_random *random, int threads,
                            hrr_error *err)
{
    uint64_t *counts = hrr_alloc(queries->n_internal, sizeof *counts);
    if (!counts) return hrr_no_memory(err);
    hrr_status status =
        hrr_dendrogram_count(counts, tree, secret->n_edges, secret->source, secret->target, err);
    if (!status) {
        for (uint32_t q = 0; q < queries->n_queries; q++)
            noisy[q] = 0;
        for (uint32_t r = 0; r < queries->n_internal; r++)
            noisy[queries->query[r]] += (int64_t)counts[r];
        status = add_noise(noisy, realised_eps, queries->n_queries, eps_nano, random, threads, err);
    }
    hrr_free(counts);
    return status;
}
