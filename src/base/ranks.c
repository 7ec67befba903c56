/* ranks.c: see ranks.h. Operations of any size are made of the engine's, whose sizes are ints;
 * every wait looks at the cancel flag and for notices of failure, so that no rank waits for one
 * that will not come.
 *
 * A wait that ends so leaves an operation under way, which nothing can take back: the engine goes
 * on with it while it closes. So it never sees the memory of a caller, who will free it, but a room
 * that lives as long as the engine; everything is copied in and out. */
#include "base/ranks.h"
#include "base/memory.h"

#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

struct hrr_ranks {
    hrr_ranks_engine engine;
    char *room;                   /* 2 x room_size: of what is received, and of what is sent */
    const hrr_progress *progress; /* NULL: nobody cancels */
    bool told;                    /* this rank has sent its notice */
    hrr_error lost;               /* status HRR_OK: all is well */
};

enum { room_size = 1 << 24, items_at_once = room_size / sizeof(uint64_t) };

int hrr_ranks_rank(const hrr_ranks *ranks)
{
    return ranks ? ranks->engine.rank : 0;
}

int hrr_ranks_size(const hrr_ranks *ranks)
{
    return ranks ? ranks->engine.size : 1;
}

void hrr_ranks_watch(hrr_ranks *ranks, const hrr_progress *progress)
{
    if (ranks) ranks->progress = progress;
}

hrr_share hrr_ranks_share(const hrr_ranks *ranks, uint64_t n, int rank)
{
    const unsigned __int128 size = (unsigned)hrr_ranks_size(ranks);
    return (hrr_share){.begin = (uint64_t)(n * (unsigned __int128)(unsigned)rank / size),
                       .end = (uint64_t)(n * (unsigned __int128)((unsigned)rank + 1) / size)};
}

hrr_share hrr_ranks_own_share(const hrr_ranks *ranks, uint64_t n)
{
    return hrr_ranks_share(ranks, n, hrr_ranks_rank(ranks));
}

/* ---- failure --------------------------------------------------------------------------------- */

static hrr_status is_lost(const hrr_ranks *ranks, hrr_error *err)
{
    if (ranks->lost.status && err) *err = ranks->lost;
    return ranks->lost.status;
}

/* The engine itself failed. */
static hrr_status broken(hrr_ranks *ranks, int code, hrr_error *err)
{
    char why[HRR_RANKS_TEXT_SIZE] = "";
    ranks->engine.explain(ranks->engine.state, code, why);
    hrr_fail(&ranks->lost, HRR_ERANKS,
             "rank %d of %d cannot reach the other ranks: %.200s; nothing was published. Start all "
             "ranks again",
             ranks->engine.rank, ranks->engine.size, why);
    return is_lost(ranks, err);
}

void hrr_ranks_fail(hrr_ranks *ranks, const hrr_error *why)
{
    hrr_error notice = {0};
    if (!ranks || ranks->told) return;
    ranks->told = true;
    notice.status = why->status ? why->status : HRR_ERANKS;
    /* An interruption is everybody's. */
    if (ranks->engine.rank == 0 || why->status == HRR_ECANCEL)
        memcpy(notice.message, why->message, sizeof notice.message);
    else
        snprintf(notice.message, sizeof notice.message, "rank %d: %.1000s", ranks->engine.rank,
                 why->message);
    memcpy(notice.field, why->field, sizeof notice.field);
    if (!ranks->lost.status) {
        ranks->lost = notice;
        ranks->engine.notify(ranks->engine.state, &notice, sizeof notice);
    }
}

hrr_status hrr_ranks_check(hrr_ranks *ranks, hrr_error *err)
{
    hrr_error notice;
    int from = -1;
    if (!ranks) return HRR_OK;
    if (ranks->lost.status) return is_lost(ranks, err);
    if (ranks->progress && hrr_progress_cancelled(ranks->progress)) {
        hrr_fail(&notice, HRR_ECANCEL, "interrupted; nothing was left half-written");
        hrr_ranks_fail(ranks, &notice);
        return is_lost(ranks, err);
    }
    const int code = ranks->engine.find_notice(ranks->engine.state, &from, &notice, sizeof notice);
    if (code) return broken(ranks, code, err);
    if (from < 0) return HRR_OK;
    notice.message[sizeof notice.message - 1] = notice.field[sizeof notice.field - 1] = '\0';
    ranks->lost = notice;
    return is_lost(ranks, err);
}

/* Waiting takes little of the processor: ranks may share one with those that work. */
static void pause_between(unsigned n_polls)
{
    enum { busy_polls = 100, most_doublings = 6 };
    if (n_polls < busy_polls) {
        sched_yield();
        return;
    }
    const unsigned doublings = (n_polls - busy_polls) / 16;
    const long microseconds = 10L << (doublings < most_doublings ? doublings : most_doublings);
    nanosleep(&(struct timespec){.tv_nsec = 1000 * microseconds}, NULL);
}

/* Complete what was begun with that code. */
static hrr_status wait(hrr_ranks *ranks, int code, hrr_error *err)
{
    for (unsigned n_polls = 0; !code; n_polls++) {
        bool done = false;
        code = ranks->engine.poll(ranks->engine.state, &done);
        if (done && !code) return HRR_OK;
        if (n_polls % 16 == 0) {
            hrr_status status = hrr_ranks_check(ranks, err);
            if (status) return status;
        }
        pause_between(n_polls);
    }
    return broken(ranks, code, err);
}

hrr_status hrr_ranks_agree(hrr_ranks *ranks, hrr_status status, hrr_error *err)
{
    hrr_error unnamed = {.status = status};
    if (!ranks) return status;
    if (!status) return hrr_ranks_barrier(ranks, err);
    hrr_ranks_fail(ranks, err ? err : &unnamed);
    return is_lost(ranks, err);
}

/* ---- operations ------------------------------------------------------------------------------ */

hrr_status hrr_ranks_barrier(hrr_ranks *ranks, hrr_error *err)
{
    hrr_status status = hrr_ranks_check(ranks, err);
    if (status || !ranks) return status;
    return wait(ranks, ranks->engine.barrier(ranks->engine.state), err);
}

hrr_status hrr_ranks_broadcast(hrr_ranks *ranks, void *bytes, size_t size, int from, hrr_error *err)
{
    hrr_status status = hrr_ranks_check(ranks, err);
    if (!ranks) return status;
    const bool gives = ranks->engine.rank == from;
    for (size_t done = 0; done < size && !status; done += room_size) {
        const size_t left = size - done, now = left < room_size ? left : room_size;
        char *const part = (char *)bytes + done;
        if (gives) memcpy(ranks->room, part, now);
        const int code = ranks->engine.broadcast(ranks->engine.state, ranks->room, (int)now, from);
        status = wait(ranks, code, err);
        if (!status && !gives) memcpy(part, ranks->room, now);
    }
    return status;
}

static size_t size_of_value(hrr_reduction reduction)
{
    return reduction == HRR_SUM_F32 ? sizeof(float) : sizeof(uint64_t);
}

hrr_status hrr_ranks_reduce(hrr_ranks *ranks, void *values, size_t n, hrr_reduction reduction,
                            int to, hrr_error *err)
{
    const size_t value_size = size_of_value(reduction);
    hrr_status status = hrr_ranks_check(ranks, err);
    if (!ranks) return status;
    for (size_t done = 0; done < n && !status; done += items_at_once) {
        const size_t now = n - done < items_at_once ? n - done : items_at_once;
        char *const part = (char *)values + done * value_size;
        memcpy(ranks->room, part, now * value_size);
        const int code =
            ranks->engine.reduce(ranks->engine.state, ranks->room, (int)now, reduction, to);
        status = wait(ranks, code, err);
        if (!status && ranks->engine.rank == to) memcpy(part, ranks->room, now * value_size);
    }
    return status;
}

hrr_status hrr_ranks_reduce_all(hrr_ranks *ranks, void *values, size_t n, hrr_reduction reduction,
                                hrr_error *err)
{
    hrr_status status = hrr_ranks_reduce(ranks, values, n, reduction, 0, err);
    if (status) return status;
    return hrr_ranks_broadcast(ranks, values, n * size_of_value(reduction), 0, err);
}

hrr_status hrr_ranks_reduce_to_owners(hrr_ranks *ranks, void *values, uint64_t n, size_t row_values,
                                      hrr_reduction reduction, hrr_error *err)
{
    const size_t row_size = row_values * size_of_value(reduction);
    hrr_status status = HRR_OK;
    for (int owner = 0; owner < hrr_ranks_size(ranks) && !status; owner++) {
        const hrr_share share = hrr_ranks_share(ranks, n, owner);
        status = hrr_ranks_reduce(ranks, (char *)values + share.begin * row_size,
                                  (share.end - share.begin) * row_values, reduction, owner, err);
    }
    return status;
}

hrr_status hrr_ranks_same(bool *same, hrr_ranks *ranks, const void *bytes, size_t size,
                          hrr_error *err)
{
    uint64_t n_others = 0;
    *same = true;
    if (!ranks) return HRR_OK;
    void *first = hrr_alloc(size, 1);
    hrr_status status = hrr_ranks_agree(ranks, first ? HRR_OK : hrr_no_memory(err), err);
    if (!status) {
        if (ranks->engine.rank == 0) memcpy(first, bytes, size);
        status = hrr_ranks_broadcast(ranks, first, size, 0, err);
        n_others = !status && memcmp(first, bytes, size) != 0;
    }
    if (!status) status = hrr_ranks_reduce_all(ranks, &n_others, 1, HRR_SUM_U64, err);
    *same = !n_others;
    hrr_free(first);
    return status;
}

/* ---- blocks ---------------------------------------------------------------------------------- */

/* Blocks in the memory of a caller: one for each rank, one behind the other. */
typedef struct blocks {
    char *bytes;
    const uint64_t *sizes;
} blocks;

/* What moves of each block in a round, as it lies in the room. The own block is copied at once: it
 * stays where it is. */
static void take_parts(hrr_ranks_block *parts, const blocks *all, const hrr_ranks *ranks,
                       char *room, uint64_t done, size_t most)
{
    char *block = all->bytes;
    for (int i = 0; i < ranks->engine.size; i++) {
        const uint64_t left = all->sizes[i] > done ? all->sizes[i] - done : 0;
        const size_t now = left < most ? (size_t)left : most;
        parts[i] = (hrr_ranks_block){.size = (int)now};
        if (now) parts[i].bytes = i == ranks->engine.rank ? block + done : room + (size_t)i * most;
        block += all->sizes[i];
    }
}

/* Between the blocks and their parts in the room. */
static void copy_parts(const hrr_ranks_block *parts, const blocks *all, const hrr_ranks *ranks,
                       uint64_t done, bool to_room)
{
    char *block = all->bytes;
    for (int i = 0; i < ranks->engine.size; i++) {
        if (parts[i].size && i != ranks->engine.rank) {
            char *const at = block + done;
            memcpy(to_room ? parts[i].bytes : at, to_room ? at : parts[i].bytes,
                   (size_t)parts[i].size);
        }
        block += all->sizes[i];
    }
}

static uint64_t largest(const uint64_t *sizes, int n)
{
    uint64_t most = 0;
    for (int i = 0; i < n; i++)
        if (sizes[i] > most) most = sizes[i];
    return most;
}

/* A round that has nothing for this rank is left out by both sides: blocks of size 0 are not
 * sent. */
hrr_status hrr_ranks_exchange(hrr_ranks *ranks, void *received, const uint64_t *received_sizes,
                              const void *sent, const uint64_t *sent_sizes, hrr_error *err)
{
    const int n = hrr_ranks_size(ranks);
    if (!ranks) {
        if (sent_sizes[0]) memmove(received, sent, sent_sizes[0]);
        return HRR_OK;
    }
    const blocks in = {received, received_sizes}, out = {(char *)(uintptr_t)sent, sent_sizes};
    const size_t at_once = (size_t)(room_size / n ? room_size / n : 1);
    const uint64_t most_in = largest(in.sizes, n), most_out = largest(out.sizes, n);
    hrr_ranks_block *parts = hrr_alloc(2 * (size_t)n, sizeof *parts);
    if (!parts) return hrr_ranks_agree(ranks, hrr_no_memory(err), err);
    hrr_status status = hrr_ranks_check(ranks, err);
    for (uint64_t done = 0; (done < most_in || done < most_out) && !status; done += at_once) {
        take_parts(parts, &in, ranks, ranks->room, done, at_once);
        take_parts(parts + n, &out, ranks, ranks->room + room_size, done, at_once);
        copy_parts(parts + n, &out, ranks, done, true);
        status = wait(ranks, ranks->engine.exchange(ranks->engine.state, parts, parts + n), err);
        if (!status) copy_parts(parts, &in, ranks, done, false);
    }
    hrr_free(parts);
    return status;
}

hrr_status hrr_ranks_exchange_sizes(hrr_ranks *ranks, uint64_t *received_sizes,
                                    const uint64_t *sent_sizes, hrr_error *err)
{
    const int n = hrr_ranks_size(ranks);
    uint64_t *size_of_one = hrr_alloc((size_t)n, sizeof *size_of_one);
    if (!size_of_one) return hrr_ranks_agree(ranks, hrr_no_memory(err), err);
    for (int i = 0; i < n; i++)
        size_of_one[i] = sizeof *sent_sizes;
    hrr_status status =
        hrr_ranks_exchange(ranks, received_sizes, size_of_one, sent_sizes, size_of_one, err);
    hrr_free(size_of_one);
    return status;
}

/* sizes: 2 n numbers, what is received from each rank and then what is sent to each; *total: what
 * is received in all. */
static hrr_status sizes_of_gathering(uint64_t *sizes, uint64_t *total, hrr_ranks *ranks,
                                     uint64_t own_size, int to, hrr_error *err)
{
    const int n = hrr_ranks_size(ranks);
    for (int i = 0; i < n; i++)
        sizes[n + i] = i == to ? own_size : 0;
    hrr_status status = hrr_ranks_exchange_sizes(ranks, sizes, sizes + n, err);
    *total = 0;
    for (int i = 0; i < n && !status; i++)
        *total += sizes[i];
    return status;
}

hrr_status hrr_ranks_gather(void **out, uint64_t *size, hrr_ranks *ranks, const void *own,
                            uint64_t own_size, int to, hrr_error *err)
{
    const int n = hrr_ranks_size(ranks);
    const bool takes = hrr_ranks_rank(ranks) == to;
    uint64_t total = 0;
    void *all = NULL;
    *out = NULL;
    *size = 0;
    uint64_t *sizes = hrr_alloc(2 * (size_t)n, sizeof *sizes);
    hrr_status status = hrr_ranks_agree(ranks, sizes ? HRR_OK : hrr_no_memory(err), err);
    if (!status) status = sizes_of_gathering(sizes, &total, ranks, own_size, to, err);
    if (!status && takes) all = hrr_alloc(total, 1);
    if (!status) status = hrr_ranks_agree(ranks, takes && !all ? hrr_no_memory(err) : HRR_OK, err);
    if (!status) status = hrr_ranks_exchange(ranks, all, sizes, own, sizes + n, err);
    hrr_free(sizes);
    if (status) {
        hrr_free(all);
        return status;
    }
    *out = all;
    *size = total;
    return HRR_OK;
}

hrr_status hrr_ranks_collect_rows(hrr_ranks *ranks, void *all, const void *own, uint64_t n,
                                  size_t row_size, int to, hrr_error *err)
{
    const int size = hrr_ranks_size(ranks), rank = hrr_ranks_rank(ranks);
    const bool takes = to < 0 || rank == to;
    uint64_t *sizes = hrr_alloc_zero(2 * (size_t)size, sizeof *sizes);
    hrr_status status = hrr_ranks_agree(ranks, sizes ? HRR_OK : hrr_no_memory(err), err);
    if (status) goto done;
    const hrr_share mine = hrr_ranks_own_share(ranks, n);
    const uint64_t own_size = (mine.end - mine.begin) * row_size;
    char *place = takes ? (char *)all + mine.begin * row_size : NULL;
    if (takes && own_size && place != own) memmove(place, own, own_size);
    if (!ranks) goto done;
    if (to < 0) {
        for (int owner = 0; owner < size && !status; owner++) {
            const hrr_share share = hrr_ranks_share(ranks, n, owner);
            status = hrr_ranks_broadcast(ranks, (char *)all + share.begin * row_size,
                                         (share.end - share.begin) * row_size, owner, err);
        }
        goto done;
    }
    for (int i = 0; takes && i < size; i++) {
        const hrr_share share = hrr_ranks_share(ranks, n, i);
        sizes[i] = (share.end - share.begin) * row_size;
    }
    sizes[size + to] = own_size;
    status = hrr_ranks_exchange(ranks, all, sizes, own, sizes + size, err);
done:
    hrr_free(sizes);
    return status;
}

/* ---- beginning and end ----------------------------------------------------------------------- */

/* Before anything else is said: ranks of another version may mean something else by it. */
static hrr_status check_version(hrr_ranks *ranks, const char *version, hrr_error *err)
{
    char text[64] = "";
    bool same;
    snprintf(text, sizeof text, "%s", version);
    hrr_status status = hrr_ranks_same(&same, ranks, text, sizeof text, err);
    if (status || same) return status;
    return hrr_fail(err, HRR_ERANKS,
                    "the ranks do not run the same version of heterorr (rank %d runs %s); install "
                    "one version everywhere. Nothing was read or charged",
                    ranks->engine.rank, text);
}

hrr_status hrr_ranks_join(hrr_ranks **out, const hrr_ranks_engine *engine, const char *version,
                          hrr_error *err)
{
    *out = NULL;
    hrr_ranks *ranks = hrr_alloc_zero(1, sizeof *ranks);
    char *room = hrr_alloc(2, room_size);
    if (!ranks || !room) {
        hrr_free(ranks);
        hrr_free(room);
        engine->close(engine->state, true);
        return hrr_no_memory(err);
    }
    ranks->engine = *engine;
    ranks->room = room;
    hrr_status status = check_version(ranks, version, err);
    if (status) {
        ranks->lost.status = status;
        hrr_ranks_free(ranks);
        return status;
    }
    *out = ranks;
    return HRR_OK;
}

void hrr_ranks_free(hrr_ranks *ranks)
{
    if (!ranks) return;
    ranks->engine.close(ranks->engine.state, ranks->lost.status != HRR_OK);
    explicit_bzero(ranks->room, 2 * (size_t)room_size); /* a key may have passed through it */
    hrr_free(ranks->room);
    hrr_free(ranks);
}
