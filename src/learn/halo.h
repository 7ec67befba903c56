/* halo.h: the normalised adjacency of the nodes that one rank owns, and the rows of other ranks
 * that a product with it needs.
 *
 * A rank holds a range of the rows of every matrix. A product with its rows of A needs the rows of
 * its neighbours as well: those that other ranks own are its halo, which is fetched before each
 * product. The pattern of A is symmetric, so that the transposed product needs the same rows. */
#ifndef HRR_LEARN_HALO_H
#define HRR_LEARN_HALO_H

#include "base/ranks.h"
#include "graph/aggregator.h"

typedef struct hrr_halo {
    hrr_ranks *ranks;
    hrr_aggregator edges; /* n_own rows; columns: own nodes, then the halo. No scale of its own */
    float *row_scale, *col_scale;    /* of those rows and columns; NULL in the first order */
    uint64_t n_own, n_halo, n_sent;  /* n_sent: rows that others need of this rank */
    uint32_t *sent;                  /* them, as own rows, those for rank 0 first */
    uint64_t *sent_rows, *halo_rows; /* how many for and from each rank */
    uint64_t *sent_bytes, *halo_bytes;
    float *outbox;    /* n_sent rows */
    hrr_dense joined; /* own rows and halo, at most `widest` columns */
    hrr_error failed; /* of the exchange; status HRR_OK: none. Products stop then */
} hrr_halo;

/* The own rows of D^-1/2 (A + I) D^-1/2 or its kin; widest: the widest matrix it is multiplied
 * with. Collective. Memory: that of the whole adjacency for a while, then of the rank's part.
 * Errors: HRR_ENOMEM, those of exchanging. */
hrr_status hrr_halo_init(hrr_halo *out, const hrr_graph *graph, hrr_normalisation kind,
                         uint64_t widest, hrr_ranks *ranks, hrr_error *err) HRR_CHECKED;
void hrr_halo_clear(hrr_halo *halo);

/* hrr_aggregate() of the own rows; x has n_own rows. Collective. A failure is kept in halo->failed,
 * and what was computed means nothing then. */
void hrr_halo_aggregate(hrr_take_rows *take, void *user, hrr_halo *halo, bool transposed,
                        const hrr_dense *x, float *space, int threads,
                        const hrr_progress *progress);

#endif
