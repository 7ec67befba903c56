/* operations.c: every operation of base/ranks.h among the processes that mpirun started, against
 * what one process computes. Prints "whole" at rank 0.
 *
 * operations all|large|fail|cancel: with the last two, rank 1 fails or is interrupted. */
#include "base/memory.h"
#include "base/ranks.h"
#include "random/generator.h"
#include "random/stream.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CHECK(holds)                                                                               \
    do {                                                                                           \
        if (!(holds)) {                                                                            \
            fprintf(stderr, "rank %d: line %d: %s\n", rank, __LINE__, #holds);                     \
            exit(9);                                                                               \
        }                                                                                          \
    } while (0)

static int rank, size;

static void check_shares(const hrr_ranks *ranks)
{
    for (uint64_t n = 0; n < 20; n++) {
        uint64_t at = 0;
        for (int r = 0; r < size; r++) {
            const hrr_share share = hrr_ranks_share(ranks, n, r);
            CHECK(share.begin == at && share.end >= at);
            CHECK(share.end - at <= n / (unsigned)size + 1);
            at = share.end;
        }
        CHECK(at == n);
    }
}

/* More than the engine moves at once. */
static void check_large(hrr_ranks *ranks)
{
    enum { n = (1 << 24) + 5 };
    hrr_error err;
    float *values = hrr_alloc(n, sizeof *values);
    CHECK(values);
    for (int i = 0; i < n; i++)
        values[i] = (float)(rank + 1 + (i == n - 1));
    CHECK(!hrr_ranks_reduce_all(ranks, values, n, HRR_SUM_F32, &err));
    const float sum = (float)(size * (size + 1) / 2);
    for (int i = 0; i < n; i++)
        CHECK(values[i] == sum + (i == n - 1 ? (float)size : 0));
    hrr_free(values);
}

static void check_reductions(hrr_ranks *ranks)
{
    hrr_error err;
    const int root = size - 1;
    uint64_t most = (uint64_t)rank;
    double halves[2] = {rank + .5, 1};
    int64_t down = -rank;
    CHECK(!hrr_ranks_reduce_all(ranks, &most, 1, HRR_MAX_U64, &err));
    CHECK(most == (uint64_t)size - 1);
    CHECK(!hrr_ranks_reduce(ranks, halves, 2, HRR_SUM_F64, root, &err));
    CHECK(halves[1] == (rank == root ? size : 1));
    if (rank == root) CHECK(halves[0] == size * (size - 1) / 2. + size * .5);
    CHECK(!hrr_ranks_reduce_all(ranks, &down, 1, HRR_SUM_I64, &err));
    CHECK(down == -size * (size - 1) / 2);

    enum { n = 11, columns = 3 };
    int64_t counts[n * columns];
    for (int i = 0; i < n * columns; i++)
        counts[i] = i + rank;
    CHECK(!hrr_ranks_reduce_to_owners(ranks, counts, n, columns, HRR_SUM_I64, &err));
    const hrr_share own = hrr_ranks_own_share(ranks, n);
    for (uint64_t i = own.begin * columns; i < own.end * columns; i++)
        CHECK(counts[i] == (int64_t)i * size + size * (size - 1) / 2);
    for (int to = -1; to < size; to++) {
        CHECK(!hrr_ranks_collect_rows(ranks, counts, counts + own.begin * columns, n,
                                      sizeof *counts * columns, to, &err));
        if (to >= 0 && to != rank) continue;
        for (int i = 0; i < n * columns; i++)
            CHECK(counts[i] == (int64_t)i * size + size * (size - 1) / 2);
    }
}

/* Rank i sends i + j bytes to rank j, each i * 16 + j. */
static void check_blocks(hrr_ranks *ranks)
{
    enum { most = 16 };
    hrr_error err;
    uint64_t out[most], in[most], told[most];
    uint8_t sent[most * 2 * most], received[most * 2 * most], *at = sent;
    for (int j = 0; j < size; j++) {
        out[j] = (uint64_t)(rank + j);
        in[j] = (uint64_t)(rank + j);
        memset(at, rank * 16 + j, out[j]);
        at += out[j];
    }
    CHECK(!hrr_ranks_exchange_sizes(ranks, told, out, &err));
    for (int j = 0; j < size; j++)
        CHECK(told[j] == in[j]);
    CHECK(!hrr_ranks_exchange(ranks, received, in, sent, out, &err));
    at = received;
    for (int j = 0; j < size; j++)
        for (uint64_t i = 0; i < in[j]; i++)
            CHECK(*at++ == j * 16 + rank);

    char own[most], *all;
    uint64_t length;
    memset(own, 'a' + rank, sizeof own);
    CHECK(!hrr_ranks_gather((void **)&all, &length, ranks, own, (uint64_t)rank, 0, &err));
    CHECK((all != NULL) == (rank == 0));
    CHECK(length == (rank ? 0 : (uint64_t)(size * (size - 1) / 2)));
    for (uint64_t i = 0, r = 0, left = 0; i < length; i++, left--) {
        while (!left)
            left = ++r;
        CHECK(all[i] == (char)('a' + r));
    }
    hrr_free(all);

    char word[8] = "";
    bool same;
    if (rank == size - 1) strcpy(word, "secret");
    CHECK(!hrr_ranks_broadcast(ranks, word, sizeof word, size - 1, &err));
    CHECK(strcmp(word, "secret") == 0);
    CHECK(!hrr_ranks_same(&same, ranks, word, sizeof word, &err) && same);
    if (rank == size - 1) word[5] = 'T';
    CHECK(!hrr_ranks_same(&same, ranks, word, sizeof word, &err) && same == (size == 1));
}

/* Every rank draws as rank 0 does, from a key that the system gave. */
static void check_key(hrr_ranks *ranks)
{
    hrr_error err;
    hrr_random *random;
    hrr_stream *stream;
    bool same;
    CHECK(!hrr_random_new(&random, &err));
    CHECK(!hrr_random_share(random, ranks, &err));
    CHECK(!hrr_stream_new(&stream, random, &err));
    hrr_stream_seek(stream, HRR_PURPOSE_LABELS, 5);
    const uint64_t drawn = hrr_stream_u64(stream);
    CHECK(!hrr_ranks_same(&same, ranks, &drawn, sizeof drawn, &err) && same);
    hrr_stream_free(stream);
    hrr_random_free(random);
}

/* Rank 1 fails while the others wait or work. */
static void fail_at_rank_1(hrr_ranks *ranks)
{
    hrr_error err = {0};
    hrr_status status = HRR_OK;
    if (rank == 1) {
        usleep(200000);
        status = hrr_fail(&err, HRR_EIO, "the disk is full");
    }
    if (rank == 2) /* works */
        while (!(status = hrr_ranks_check(ranks, &err)))
            usleep(1000);
    status = hrr_ranks_agree(ranks, status, &err);
    CHECK(status == HRR_EIO && err.status == HRR_EIO);
    CHECK(strcmp(err.message, "rank 1: the disk is full") == 0);
    /* Lost once, lost for good. */
    CHECK(hrr_ranks_barrier(ranks, &err) == HRR_EIO);
    CHECK(hrr_ranks_broadcast(ranks, &status, sizeof status, 0, &err) == HRR_EIO);
}

static void cancel_at_rank_1(hrr_ranks *ranks)
{
    hrr_progress *progress;
    hrr_error err = {0};
    CHECK(!hrr_progress_new(&progress, NULL, NULL, &err));
    hrr_ranks_watch(ranks, progress);
    if (rank == 1) hrr_progress_cancel(progress);
    if (rank != 1) usleep(100000);
    CHECK(hrr_ranks_barrier(ranks, &err) == HRR_ECANCEL);
    hrr_ranks_watch(ranks, NULL);
    hrr_progress_free(progress);
}

int main(int n_words, char **words)
{
    hrr_ranks *ranks;
    hrr_error err = {0};
    const char *what = n_words > 1 ? words[1] : "all";
    if (hrr_ranks_open(&ranks, &err)) {
        fprintf(stderr, "%s\n", err.message);
        return 1;
    }
    rank = hrr_ranks_rank(ranks);
    size = hrr_ranks_size(ranks);
    /* All have joined before one fails; a fast failure may end this wait already. */
    (void)!hrr_ranks_barrier(ranks, NULL);
    if (strcmp(what, "fail") == 0)
        fail_at_rank_1(ranks);
    else if (strcmp(what, "cancel") == 0)
        cancel_at_rank_1(ranks);
    else if (strcmp(what, "large") == 0)
        check_large(ranks);
    else {
        check_shares(ranks);
        check_reductions(ranks);
        check_blocks(ranks);
        check_key(ranks);
    }
    if (rank == 0) printf("whole: %d\n", size);
    hrr_ranks_free(ranks);
    return 0;
}
