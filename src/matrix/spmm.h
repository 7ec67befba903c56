/* spmm.h: sparse times dense with scales beside the sparse matrix, and with the work that follows
 * done on each row while the cache holds it. */
#ifndef HRR_MATRIX_SPMM_H
#define HRR_MATRIX_SPMM_H

#include "matrix/sgemm.h"

/* diag(row_scale) S diag(col_scale) X, given to `take` in blocks. A normalised adjacency is its
 * pattern between two diagonals: no value is stored for an entry. NULL scales: ones; col_scale is
 * for patterns without values. Once `progress` is cancelled the remaining rows are left out.
 * Deterministic: each row is summed by one thread. */
void hrr_spmm_rows(hrr_take_rows *take, void *user, const hrr_csr *s, const float *row_scale,
                   const float *col_scale, const hrr_dense *x, float *space, int threads,
                   const hrr_progress *progress);

/* Floats of workspace that it needs for d columns; SIZE_MAX if the number does not fit. */
size_t hrr_spmm_rows_space(uint64_t d, int threads);

#endif
