/* mpi.c: the plug-in heterorr-mpi.so: ranks_engine.h on top of MPI. Nothing else of heterorr is
 * linked with MPI, and this file uses nothing else of heterorr.
 *
 * Two communicators, so that a notice of failure never meets a block of data. All operations are
 * non-blocking ones of MPI; whoever waits polls. */
#include "base/ranks_engine.h"

#include <mpi.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { tag_data = 1, tag_notice = 2 };

typedef struct engine {
    MPI_Comm data, notices;
    int rank, size;
    MPI_Request *requests; /* 2 size: those of the operation that is under way */
    int n_requests;
    void *notice; /* what was sent; kept until the end, because nobody may ever receive it */
    MPI_Request *notice_requests;
} engine;

/* ---- operations ------------------------------------------------------------------------------ */

static MPI_Request *next_request(engine *e)
{
    return &e->requests[e->n_requests++];
}

static int barrier(void *state)
{
    engine *e = state;
    return MPI_Ibarrier(e->data, next_request(e));
}

static int broadcast(void *state, void *bytes, int size, int from)
{
    engine *e = state;
    return MPI_Ibcast(bytes, size, MPI_BYTE, from, e->data, next_request(e));
}

static int reduce(void *state, void *values, int n_values, hrr_reduction reduction, int to)
{
    engine *e = state;
    const MPI_Datatype type = reduction == HRR_SUM_F32   ? MPI_FLOAT
                              : reduction == HRR_SUM_F64 ? MPI_DOUBLE
                              : reduction == HRR_SUM_I64 ? MPI_INT64_T
                                                         : MPI_UINT64_T;
    const MPI_Op operation = reduction == HRR_MAX_U64 ? MPI_MAX : MPI_SUM;
    const bool here = e->rank == to;
    return MPI_Ireduce(here ? MPI_IN_PLACE : values, here ? values : NULL, n_values, type,
                       operation, to, e->data, next_request(e));
}

/* A rank's block for itself is copied; the two may overlap, or be the same. */
static int exchange(void *state, const hrr_ranks_block *received, const hrr_ranks_block *sent)
{
    engine *e = state;
    int code = MPI_SUCCESS;
    for (int i = 0; i < e->size && !code; i++)
        if (received[i].size && i != e->rank)
            code = MPI_Irecv(received[i].bytes, received[i].size, MPI_BYTE, i, tag_data, e->data,
                             next_request(e));
    for (int i = 0; i < e->size && !code; i++)
        if (sent[i].size && i != e->rank)
            code = MPI_Isend(sent[i].bytes, sent[i].size, MPI_BYTE, i, tag_data, e->data,
                             next_request(e));
    if (sent[e->rank].size)
        memmove(received[e->rank].bytes, sent[e->rank].bytes, (size_t)sent[e->rank].size);
    return code;
}

static int poll(void *state, bool *done)
{
    engine *e = state;
    int all = 0;
    int code = MPI_Testall(e->n_requests, e->requests, &all, MPI_STATUSES_IGNORE);
    if (all) e->n_requests = 0;
    *done = all;
    return code;
}

/* ---- notices --------------------------------------------------------------------------------- */

static int notify(void *state, const void *bytes, int size)
{
    engine *e = state;
    int code = MPI_SUCCESS;
    e->notice = malloc((size_t)size);
    if (!e->notice) return MPI_ERR_NO_MEM;
    memcpy(e->notice, bytes, (size_t)size);
    for (int i = 0; i < e->size && !code; i++)
        if (i != e->rank)
            code = MPI_Isend(e->notice, size, MPI_BYTE, i, tag_notice, e->notices,
                             &e->notice_requests[i]);
    return code;
}

static int find_notice(void *state, int *from, void *bytes, int size)
{
    engine *e = state;
    MPI_Status status;
    int there = 0;
    *from = -1;
    int code = MPI_Iprobe(MPI_ANY_SOURCE, tag_notice, e->notices, &there, &status);
    if (code || !there) return code;
    *from = status.MPI_SOURCE;
    return MPI_Recv(bytes, size, MPI_BYTE, *from, tag_notice, e->notices, MPI_STATUS_IGNORE);
}

static void explain(void *state, int code, char text[HRR_RANKS_TEXT_SIZE])
{
    char full[MPI_MAX_ERROR_STRING] = "";
    int length;
    (void)state;
    MPI_Error_string(code, full, &length);
    snprintf(text, HRR_RANKS_TEXT_SIZE, "%.*s", HRR_RANKS_TEXT_SIZE - 1, full);
}

/* ---- beginning and end ----------------------------------------------------------------------- */

/* After a failure operations may be under way that nobody will complete. The launcher ends ranks
 * whose partners died; the alarm is for launchers that do not. Rank 0 removes files and tells the
 * user before it comes here. */
static void close_engine(void *state, bool lost)
{
    enum { most_seconds = 30 };
    engine *e = state;
    if (lost) alarm(most_seconds);
    MPI_Finalize();
    alarm(0);
    if (!e->n_requests) free(e->requests);
    free(e->notice);
    free(e->notice_requests);
    free(e);
}

static engine *new_engine(void)
{
    engine *e = calloc(1, sizeof *e);
    if (!e) return NULL;
    MPI_Comm_rank(MPI_COMM_WORLD, &e->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &e->size);
    e->requests = calloc(2 * (size_t)e->size, sizeof *e->requests);
    e->notice_requests = calloc((size_t)e->size, sizeof *e->notice_requests);
    if (e->requests && e->notice_requests && !MPI_Comm_dup(MPI_COMM_WORLD, &e->data) &&
        !MPI_Comm_dup(MPI_COMM_WORLD, &e->notices)) {
        MPI_Comm_set_errhandler(e->data, MPI_ERRORS_RETURN);
        MPI_Comm_set_errhandler(e->notices, MPI_ERRORS_RETURN);
        return e;
    }
    free(e->requests);
    free(e->notice_requests);
    free(e);
    return NULL;
}

hrr_ranks_engine_opener hrr_ranks_engine_open;

__attribute__((visibility("default"))) bool
hrr_ranks_engine_open(hrr_ranks_engine *out, unsigned layout, char why[HRR_RANKS_TEXT_SIZE])
{
    int provided;
    if (layout != HRR_RANKS_LAYOUT) {
        snprintf(why, HRR_RANKS_TEXT_SIZE,
                 "the plug-in and the library have different versions of heterorr");
        return false;
    }
    if (MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided) ||
        provided < MPI_THREAD_FUNNELED) {
        snprintf(why, HRR_RANKS_TEXT_SIZE, "MPI does not support threads here");
        return false;
    }
    engine *e = new_engine();
    if (!e) {
        snprintf(why, HRR_RANKS_TEXT_SIZE, "out of memory");
        return false;
    }
    *out = (hrr_ranks_engine){.rank = e->rank,
                              .size = e->size,
                              .state = e,
                              .name = "MPI",
                              .barrier = barrier,
                              .broadcast = broadcast,
                              .reduce = reduce,
                              .exchange = exchange,
                              .poll = poll,
                              .notify = notify,
                              .find_notice = find_notice,
                              .explain = explain,
                              .close = close_engine};
    return true;
}
