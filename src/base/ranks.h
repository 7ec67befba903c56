/* ranks.h: the processes that share one task, numbered 0..size-1. Everything takes NULL for a
 * process that works alone: then it does what one rank does, which is mostly nothing. All functions
 * but hrr_ranks_fail() and hrr_ranks_check() are collective: every rank calls them, in the same
 * order and with the same sizes.
 *
 * Failure: a rank that fails tells the others (hrr_ranks_fail), and they learn it in the next
 * collective call or in hrr_ranks_check(), which long local work calls every second or so. From
 * then on the ranks are lost: every call returns the same failure at once. hrr_ranks_agree() is the
 * usual way: at the end of each phase, every rank tells whether it succeeded.
 * A rank that dies is noticed by what started it (mpirun), which ends the others with a signal; a
 * cancelled progress (hrr_ranks_watch) ends every wait. */
#ifndef HRR_BASE_RANKS_H
#define HRR_BASE_RANKS_H

#include <heterorr/base.h>

#include "base/ranks_engine.h"

/* Ranks over an engine, which becomes theirs also if this fails. version: refused where another
 * rank has a different one. */
hrr_status hrr_ranks_join(hrr_ranks **out, const hrr_ranks_engine *engine, const char *version,
                          hrr_error *err) HRR_CHECKED;

/* The cancel flag of this progress ends waiting; it is borrowed until another is given or NULL. */
void hrr_ranks_watch(hrr_ranks *ranks, const hrr_progress *progress);

/* ---- shares ---------------------------------------------------------------------------------- */

typedef struct hrr_share {
    uint64_t begin, end;
} hrr_share;

/* The part of 0..n-1 that belongs to `rank`: ranges in the order of the ranks, whose sizes differ
 * by at most 1. */
hrr_share hrr_ranks_share(const hrr_ranks *ranks, uint64_t n, int rank);
/* That of this process. */
hrr_share hrr_ranks_own_share(const hrr_ranks *ranks, uint64_t n);

/* ---- failure --------------------------------------------------------------------------------- */

/* HRR_OK, or what another rank failed with; not collective. */
hrr_status hrr_ranks_check(hrr_ranks *ranks, hrr_error *err) HRR_CHECKED;

/* HRR_OK if every rank came with HRR_OK; otherwise, on every rank, the failure of one of them.
 * status, *err: those of this rank. */
hrr_status hrr_ranks_agree(hrr_ranks *ranks, hrr_status status, hrr_error *err) HRR_CHECKED;

/* HRR_OK if the bytes are the same on every rank; *same tells. */
hrr_status hrr_ranks_same(bool *same, hrr_ranks *ranks, const void *bytes, size_t size,
                          hrr_error *err) HRR_CHECKED;

/* ---- collective operations ------------------------------------------------------------------- */

hrr_status hrr_ranks_broadcast(hrr_ranks *ranks, void *bytes, size_t size, int from,
                               hrr_error *err) HRR_CHECKED;

/* values = the sum (or maximum) over ranks, at `to` only; elsewhere they stay as they are. */
hrr_status hrr_ranks_reduce(hrr_ranks *ranks, void *values, size_t n, hrr_reduction reduction,
                            int to, hrr_error *err) HRR_CHECKED;
/* The same at every rank, with the same bits: reduced at rank 0 and broadcast. */
hrr_status hrr_ranks_reduce_all(hrr_ranks *ranks, void *values, size_t n, hrr_reduction reduction,
                                hrr_error *err) HRR_CHECKED;
/* The items of every rank's share of n (rows of row_values values) are reduced at that rank;
 * other items are left undefined. */
hrr_status hrr_ranks_reduce_to_owners(hrr_ranks *ranks, void *values, uint64_t n, size_t row_values,
                                      hrr_reduction reduction, hrr_error *err) HRR_CHECKED;

/* Blocks of bytes: sent has one for each rank, one after another, of sent_sizes bytes; received
 * likewise. Both sides know the sizes. */
hrr_status hrr_ranks_exchange(hrr_ranks *ranks, void *received, const uint64_t *received_sizes,
                              const void *sent, const uint64_t *sent_sizes,
                              hrr_error *err) HRR_CHECKED;
/* How much each rank will send to this one, for whoever does not know it. */
hrr_status hrr_ranks_exchange_sizes(hrr_ranks *ranks, uint64_t *received_sizes,
                                    const uint64_t *sent_sizes, hrr_error *err) HRR_CHECKED;

/* The blocks of all ranks at `to`, in their order. *out (hrr_free(), NULL elsewhere) and *size are
 * those of the whole. Alone: a copy. */
hrr_status hrr_ranks_gather(void **out, uint64_t *size, hrr_ranks *ranks, const void *own,
                            uint64_t own_size, int to, hrr_error *err) HRR_CHECKED;

/* all = n rows, each from its owner, at rank `to`; at every rank if `to` is -1. own: the rows of
 * this rank's share, which may be in their place in `all` already. all may be NULL where nothing is
 * received. */
hrr_status hrr_ranks_collect_rows(hrr_ranks *ranks, void *all, const void *own, uint64_t n,
                                  size_t row_size, int to, hrr_error *err) HRR_CHECKED;

#endif
