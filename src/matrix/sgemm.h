/* sgemm.h: products of float matrices with very many rows, on threads of ours, with the work that
 * follows done on each block of rows while the cache holds it. */
#ifndef HRR_MATRIX_SGEMM_H
#define HRR_MATRIX_SGEMM_H

#include <heterorr/matrix.h>

/* What becomes of rows first .. first + count - 1 of a product: row i begins at
 * block + (i - first) * stride. Called once for each row, from any thread. */
typedef void hrr_take_rows(void *user, const float *block, size_t stride, uint64_t first,
                           uint64_t count);

/* Floats of workspace that either product below needs; SIZE_MAX if the number does not fit. */
size_t hrr_sgemm_rows_space(uint64_t depth, uint64_t n, int threads);
size_t hrr_sgemm_inner_space(uint64_t m, uint64_t n, int threads);

/* X W, given to `take` in blocks: X rows x depth, F32 or U8 (read without expanding it), W
 * depth x n, or n x depth if it is to be transposed. The same bits for any number of threads.
 * Once `progress` is cancelled the remaining blocks are left out. */
void hrr_sgemm_rows(hrr_take_rows *take, void *user, const hrr_dense *x, const float *w,
                    bool transpose_w, uint64_t n, float *space, int threads,
                    const hrr_progress *progress);

/* g (m x n) = X^T D: X rows x m, F32 or U8, D rows x n. The same bits for any number of threads. */
void hrr_sgemm_inner(float *g, const hrr_dense *x, const float *d, uint64_t n, float *space,
                     int threads, const hrr_progress *progress);

#endif
