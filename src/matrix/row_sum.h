/* row_sum.h: rows of a sparse matrix times a dense one. */
#ifndef HRR_MATRIX_ROW_SUM_H
#define HRR_MATRIX_ROW_SUM_H

#include <heterorr/matrix.h>

/* Rows first .. first + count - 1 of diag(row_scale) S diag(col_scale) X, one after another in y.
 * X n x d; NULL scales are ones, and col_scale is for matrices without values. Each column of a row
 * is summed on its own, in the order of the entries: the same bits whatever the vectors. */
void hrr_row_sums_f32(float *y, const hrr_csr *s, uint64_t first, uint64_t count,
                      const float *row_scale, const float *col_scale, const float *x, size_t d);
void hrr_row_sums_u8(float *y, const hrr_csr *s, uint64_t first, uint64_t count,
                     const float *row_scale, const float *col_scale, const uint8_t *x, size_t d);

#endif
