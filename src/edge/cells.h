/* cells.h: all pairs of candidate nodes as one row of numbered cells, and rare picks among them.
 *
 * Cells are numbered like canonical edges are sorted: (0,1), (0,2), ..., (1,2), ... in ranks among
 * the candidate nodes. Public edges are cells too; whoever picks passes over them.
 *
 * Workload: half a trillion cells (a million nodes) of which millions are picked, or millions of
 * cells of which a third is. Memory follows the picks, time follows them too once they are rare. */
#ifndef HRR_EDGE_CELLS_H
#define HRR_EDGE_CELLS_H

#include <heterorr/edge.h>

/* ---- pairs, as many as come ------------------------------------------------------------------ */

typedef struct hrr_pairs {
    uint32_t *source, *target;
    size_t n, capacity;
} hrr_pairs;

/* Room for `more` pairs after the n that are there. On failure nothing is lost. */
hrr_status hrr_pairs_reserve(hrr_pairs *pairs, size_t more, hrr_error *err);
void hrr_pairs_clear(hrr_pairs *pairs);
/* The pairs become an edge list (they are left empty). */
void hrr_pairs_into_edges(hrr_edge_list *out, hrr_pairs *pairs);

static inline void hrr_pairs_push(hrr_pairs *pairs, uint32_t source, uint32_t target)
{
    pairs->source[pairs->n] = source;
    pairs->target[pairs->n++] = target;
}

/* ---- cells ----------------------------------------------------------------------------------- */

typedef struct hrr_cells {
    uint64_t n_ranks; /* candidate nodes */
    uint32_t *node;   /* of each rank, ascending; NULL: every node is a candidate */
    uint64_t n_cells;
} hrr_cells;

hrr_status hrr_cells_init(hrr_cells *out, const hrr_edge_public *known, hrr_error *err);
void hrr_cells_clear(hrr_cells *cells);

/* Pick each cell with probability num/den, independently and exactly; den 0 stands for 2^64. The
 * draws are those of `random` at HRR_PURPOSE_EDGE_CHANNEL, rows first_row and up (fewer than 2^48
 * of them); the result does not depend on the threads. `take` gets the picks, piece by piece in
 * ascending order, from one thread at a time. */
typedef struct hrr_cell_picking {
    uint64_t num, den;
    uint64_t first_row;
    const hrr_random *random;
    int threads;
    hrr_status (*take)(void *user, const hrr_pairs *picked, hrr_error *err);
    void *user;
} hrr_cell_picking;

/* Errors: HRR_ENOMEM, HRR_ECANCEL, and what `take` says. */
hrr_status hrr_cells_pick(const hrr_cells *cells, const hrr_cell_picking *picking,
                          hrr_progress *progress, hrr_error *err);

#endif
