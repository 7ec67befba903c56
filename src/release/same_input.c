/* same_input.c: see same_input.h. Digests of private data go to other ranks, which see the data
 * anyway, and nowhere else. */
#include "release/same_input.h"
#include "base/memory.h"

#include <string.h>

enum { bytes_at_once = 16 << 20 };

static hrr_status hash_edges(uint8_t digest[hrr_sha256_size], const hrr_graph *graph,
                             hrr_error *err)
{
    const uint64_t n = hrr_graph_n_edges(graph);
    hrr_hash hash;
    hrr_hash_init(&hash);
    hrr_hash_part(&hash, hrr_graph_sources(graph), n * sizeof(uint32_t));
    hrr_hash_part(&hash, hrr_graph_targets(graph), n * sizeof(uint32_t));
    hrr_hash_part(&hash, hrr_graph_is_private(graph), n);
    return hrr_hash_finish(digest, &hash, err);
}

/* The features of that rank as this one sees them. */
static hrr_status hash_features(uint8_t digest[hrr_sha256_size], const hrr_ranks *ranks, int rank,
                                const hrr_graph *graph, hrr_error *err)
{
    const hrr_dense *features = hrr_graph_features(graph);
    hrr_hash hash;
    hrr_hash_init(&hash);
    if (features) {
        const hrr_share rows = hrr_ranks_share(ranks, features->rows, rank);
        const size_t row_size = features->cols * hrr_dtype_size(features->dtype);
        const char *at = (const char *)features->data + rows.begin * row_size;
        size_t left = (rows.end - rows.begin) * row_size;
        hrr_hash_u64(&hash, features->dtype);
        hrr_hash_u64(&hash, features->cols);
        for (size_t now; left > 0; left -= now, at += now) {
            now = left < bytes_at_once ? left : bytes_at_once;
            hrr_hash_add(&hash, at, now);
        }
    }
    return hrr_hash_finish(digest, &hash, err);
}

static hrr_status refuse(const char *what, int rank, hrr_error *err)
{
    return hrr_fail(err, HRR_ERANKS,
                    "%s at rank %d than at the other ranks; start all ranks with the same command, "
                    "program and files. Nothing was charged or drawn",
                    what, rank);
}

/* Whether the bytes are what rank 0 has. Every rank learns of one that has others. */
static hrr_status compare_with_first(hrr_ranks *ranks, const uint8_t own[hrr_sha256_size],
                                     const char *what, hrr_error *err)
{
    uint8_t first[hrr_sha256_size];
    memcpy(first, own, sizeof first);
    hrr_status status = hrr_ranks_broadcast(ranks, first, sizeof first, 0, err);
    if (!status && memcmp(first, own, sizeof first) != 0)
        status = refuse(what, hrr_ranks_rank(ranks), err);
    return hrr_ranks_agree(ranks, status, err);
}

/* The digest that this rank has of the next one's share goes there, to be compared. */
static hrr_status compare_with_next(hrr_ranks *ranks, const uint8_t own[hrr_sha256_size],
                                    const uint8_t next[hrr_sha256_size], hrr_error *err)
{
    const int n = hrr_ranks_size(ranks), rank = hrr_ranks_rank(ranks);
    uint8_t seen[hrr_sha256_size];
    uint64_t *sizes = hrr_alloc_zero(2 * (size_t)n, sizeof *sizes);
    hrr_status status = hrr_ranks_agree(ranks, sizes ? HRR_OK : hrr_no_memory(err), err);
    if (status) goto done;
    sizes[(rank + n - 1) % n] = sizeof seen;
    sizes[n + (rank + 1) % n] = sizeof seen;
    status = hrr_ranks_exchange(ranks, seen, sizes, next, sizes + n, err);
    if (!status && memcmp(seen, own, sizeof seen) != 0)
        status = refuse("the features are different", rank, err);
    status = hrr_ranks_agree(ranks, status, err);
done:
    hrr_free(sizes);
    return status;
}

hrr_status hrr_same_input(hrr_own_input *own, hrr_ranks *ranks, const uint8_t plan[hrr_sha256_size],
                          const hrr_graph *graph, hrr_error *err)
{
    uint8_t edges[hrr_sha256_size], next[hrr_sha256_size];
    *own = (hrr_own_input){0};
    if (!ranks) return HRR_OK;
    const int after = (hrr_ranks_rank(ranks) + 1) % hrr_ranks_size(ranks);
    hrr_status status =
        compare_with_first(ranks, plan, "options or public data are different", err);
    if (status) return status;
    status = hash_edges(edges, graph, err);
    if (!status) status = hash_features(own->features, ranks, hrr_ranks_rank(ranks), graph, err);
    if (!status) status = hash_features(next, ranks, after, graph, err);
    status = hrr_ranks_agree(ranks, status, err);
    if (!status) status = compare_with_first(ranks, edges, "the edges are different", err);
    return status ? status : compare_with_next(ranks, own->features, next, err);
}

hrr_status hrr_same_input_still(const hrr_own_input *own, const hrr_ranks *ranks,
                                const hrr_graph *graph, hrr_error *err)
{
    uint8_t now[hrr_sha256_size];
    if (!ranks) return HRR_OK;
    hrr_status status = hash_features(now, ranks, hrr_ranks_rank(ranks), graph, err);
    if (status || memcmp(now, own->features, sizeof now) == 0) return status;
    return hrr_fail(err, HRR_EDATA,
                    "the input changed while it was being protected, so nothing was released. Wait "
                    "until the files no longer change, and try again");
}
