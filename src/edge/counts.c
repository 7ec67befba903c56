/* counts.c: see counts.h. The only place where the strict mechanism reads private edges, unless
 * the tree does. */
#include "edge/counts.h"
#include "base/memory.h"
#include "privacy/eps.h"

#include <string.h>

/* noisy[q] += the noise of query q, whatever thread draws it, for the queries of the streams
 * `blocks`. */
static hrr_status add_noise(int64_t *noisy, double *realised_eps, uint32_t n_queries,
                            hrr_share blocks, uint64_t eps_nano, const hrr_random *random,
                            int threads, hrr_error *err)
{
    uint64_t num, den;
    hrr_eps_fraction(&num, &den, eps_nano);
    *realised_eps = (double)num / (double)den;
    const int64_t n_blocks = (int64_t)(blocks.end - blocks.begin);
    threads = hrr_threads(threads);
    if (threads > n_blocks) threads = n_blocks > 0 ? (int)n_blocks : 1;
    hrr_status status = HRR_OK;
    hrr_stream **streams = hrr_alloc_zero((size_t)threads, sizeof(hrr_stream *));
    int64_t *noise = hrr_alloc((size_t)threads, HRR_COUNTS_BLOCK * sizeof *noise);
    if (!streams || !noise) status = hrr_no_memory(err);
    for (int i = 0; !status && i < threads; i++)
        status = hrr_stream_new(&streams[i], random, err);
    if (status) goto done;
        /* Thread i takes blocks i, i + threads, ... */
#pragma omp parallel for num_threads(threads) schedule(static, 1)
    for (int i = 0; i < threads; i++)
        for (int64_t block = (int64_t)blocks.begin + i; block < (int64_t)blocks.end;
             block += threads) {
            const uint32_t begin = (uint32_t)block * HRR_COUNTS_BLOCK, rest = n_queries - begin;
            const uint32_t n = rest < HRR_COUNTS_BLOCK ? rest : HRR_COUNTS_BLOCK;
            int64_t *own = noise + (size_t)i * HRR_COUNTS_BLOCK;
            hrr_stream_seek(streams[i], HRR_PURPOSE_EDGE_COUNTS, (uint64_t)block);
            hrr_sample_laplace_fill(own, n, streams[i], num, den);
            for (uint32_t q = 0; q < n; q++)
                noisy[begin + q] += own[q]; /* |noise| < 2^62, counts < 2^61 */
        }
done:
    for (int i = 0; streams && i < threads; i++)
        hrr_stream_free(streams[i]);
    hrr_free(streams);
    hrr_free(noise);
    return status;
}

/* count[q] += the edges of this rank's share. */
static hrr_status count_share(int64_t *count, const hrr_queries *queries,
                              const hrr_dendrogram *tree, const hrr_edge_secret *secret,
                              const hrr_ranks *ranks, hrr_error *err)
{
    const hrr_share edges = hrr_ranks_own_share(ranks, secret->n_edges);
    uint64_t *at_node = hrr_alloc(queries->n_internal, sizeof *at_node);
    if (!at_node) return hrr_no_memory(err);
    hrr_status status =
        hrr_dendrogram_count(at_node, tree, edges.end - edges.begin, secret->source + edges.begin,
                             secret->target + edges.begin, err);
    for (uint32_t r = 0; r < queries->n_internal && !status; r++)
        count[queries->query[r]] += (int64_t)at_node[r];
    hrr_free(at_node);
    return status;
}

hrr_status hrr_noisy_counts_over(int64_t *noisy, double *realised_eps, const hrr_queries *queries,
                                 const hrr_dendrogram *tree, const hrr_edge_secret *secret,
                                 uint64_t eps_nano, const hrr_random *random, int threads,
                                 hrr_ranks *ranks, hrr_error *err)
{
    const uint32_t n = queries->n_queries;
    const uint64_t n_blocks = ((uint64_t)n + HRR_COUNTS_BLOCK - 1) / HRR_COUNTS_BLOCK;
    const size_t block_size = HRR_COUNTS_BLOCK * sizeof(int64_t);
    const hrr_share own = hrr_ranks_own_share(ranks, n_blocks);
    int64_t *count = hrr_alloc_zero(n_blocks, block_size); /* whole blocks: ranks own such */
    hrr_status status = count ? HRR_OK : hrr_no_memory(err);
    if (!status) status = count_share(count, queries, tree, secret, ranks, err);
    status = hrr_ranks_agree(ranks, status, err);
    if (!status)
        status =
            hrr_ranks_reduce_to_owners(ranks, count, n_blocks, HRR_COUNTS_BLOCK, HRR_SUM_I64, err);
    if (!status) status = add_noise(count, realised_eps, n, own, eps_nano, random, threads, err);
    status = hrr_ranks_agree(ranks, status, err);
    if (!status)
        status = hrr_ranks_collect_rows(ranks, count, count + own.begin * HRR_COUNTS_BLOCK,
                                        n_blocks, block_size, 0, err);
    if (!status) memcpy(noisy, count, n * sizeof *noisy);
    hrr_free(count);
    return status;
}

hrr_status hrr_noisy_counts(int64_t *noisy, double *realised_eps, const hrr_queries *queries,
                            const hrr_dendrogram *tree, const hrr_edge_secret *secret,
                            uint64_t eps_nano, const hrr_random *random, int threads,
                            hrr_error *err)
{
    return hrr_noisy_counts_over(noisy, realised_eps, queries, tree, secret, eps_nano, random,
                                 threads, NULL, err);
}
