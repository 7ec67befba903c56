/* ranks_engine.h: what a plug-in that connects processes provides. Nothing of heterorr's library is
 * called by it, and only the plug-in is linked with MPI.
 *
 * At most one collective operation is under way: a call begins it and poll() completes it, so that
 * the caller can look at a cancel flag while it waits. All functions return 0, or a code that
 * explain() puts into words. */
#ifndef HRR_BASE_RANKS_ENGINE_H
#define HRR_BASE_RANKS_ENGINE_H

#include <stdbool.h>
#include <stddef.h>

/* Grows with every change of this file: an engine that was built for another one is refused. */
enum { HRR_RANKS_LAYOUT = 2 };
enum { HRR_RANKS_TEXT_SIZE = 256 };

/* What reduce() computes. */
typedef enum hrr_reduction {
    HRR_SUM_U64,
    HRR_SUM_I64,
    HRR_SUM_F32,
    HRR_SUM_F64,
    HRR_MAX_U64
} hrr_reduction;

/* A block of bytes for one rank, or from one. */
typedef struct hrr_ranks_block {
    void *bytes;
    int size;
} hrr_ranks_block;

typedef struct hrr_ranks_engine {
    int rank, size;
    void *state;
    const char *name; /* of the library behind it, for people */

    int (*barrier)(void *state);
    int (*broadcast)(void *state, void *bytes, int size, int from);
    /* In place at `to`; the values of the other ranks stay as they are. */
    int (*reduce)(void *state, void *values, int n_values, hrr_reduction reduction, int to);
    /* One block for and one from each rank; blocks of size 0 are left out on both sides. */
    int (*exchange)(void *state, const hrr_ranks_block *received, const hrr_ranks_block *sent);
    int (*poll)(void *state, bool *done);

    /* A notice goes to all other ranks at any time, also in the middle of a collective operation.
     * A rank sends at most one. */
    int (*notify)(void *state, const void *bytes, int size);
    /* *from: -1 if there is no notice. */
    int (*find_notice)(void *state, int *from, void *bytes, int size);

    void (*explain)(void *state, int code, char text[HRR_RANKS_TEXT_SIZE]);
    /* Ends the connection; waits for the other ranks to do the same. lost: not for ever, since some
     * of them may be gone. */
    void (*close)(void *state, bool lost);
} hrr_ranks_engine;

/* The one symbol of a plug-in: hrr_ranks_engine_open. False: `why` tells. */
typedef bool hrr_ranks_engine_opener(hrr_ranks_engine *out, unsigned layout,
                                     char why[HRR_RANKS_TEXT_SIZE]);

#endif
