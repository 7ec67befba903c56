/* matrix.h: dense and sparse matrices and the few products that graph networks need. */
#ifndef HETERORR_MATRIX_H
#define HETERORR_MATRIX_H

#include <heterorr/base.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum hrr_dtype { HRR_U8 = 1, HRR_F32, HRR_F64 } hrr_dtype;

HRR_API size_t hrr_dtype_size(hrr_dtype dtype);
HRR_API const char *hrr_dtype_name(hrr_dtype dtype);

/* rows x cols, row after row without gaps. `data` lies inside `storage`, which may be a mapped
 * file: then it is read-only. All zero bytes is the empty matrix. */
typedef struct hrr_dense {
    hrr_dtype dtype;
    uint64_t rows, cols;
    void *data;
    hrr_region storage;
} hrr_dense;

/* Allocate, filled with zeros. Errors: HRR_ENOMEM (also when the size overflows). */
HRR_API HRR_STATUS hrr_dense_init(hrr_dense *out, hrr_dtype dtype, uint64_t rows, uint64_t cols,
                                  hrr_error *err);
HRR_API void hrr_dense_clear(hrr_dense *matrix);
/* The same numbers, which stay `matrix`'s: it must outlive the view. Clearing a view does nothing.
 */
HRR_API hrr_dense hrr_dense_view(const hrr_dense *matrix);
HRR_API double hrr_dense_get(const hrr_dense *matrix, uint64_t row, uint64_t col);
/* A copy with another element type; floats to u8 round and clamp to 0..255, NaN to 0. */
HRR_API HRR_STATUS hrr_dense_convert(hrr_dense *out, const hrr_dense *in, hrr_dtype dtype,
                                     hrr_error *err);
HRR_API HRR_STATUS hrr_dense_transpose(hrr_dense *out, const hrr_dense *in, hrr_error *err);

/* Compressed sparse rows: row i holds col[row_start[i] .. row_start[i+1]), columns ascending.
 * value NULL: every entry is 1. */
typedef struct hrr_csr {
    uint64_t rows, cols;
    uint64_t *row_start;
    uint32_t *col;
    float *value;
} hrr_csr;

/* Room for n_entries. row_start is zero but for its last, n_entries; the caller fills the rest. */
HRR_API HRR_STATUS hrr_csr_init(hrr_csr *out, uint64_t rows, uint64_t cols, uint64_t n_entries,
                                bool with_values, hrr_error *err);
HRR_API void hrr_csr_clear(hrr_csr *matrix);
HRR_API uint64_t hrr_csr_n_entries(const hrr_csr *matrix);
HRR_API HRR_STATUS hrr_csr_transpose(hrr_csr *out, const hrr_csr *in, hrr_error *err);

typedef enum hrr_norm { HRR_NORM_L1 = 1, HRR_NORM_L2 } hrr_norm;

/* Divide each row by its norm; a zero row stays zero. F32 and F64 only; asserts the dtype. */
HRR_API void hrr_dense_normalise_rows(hrr_dense *matrix, hrr_norm norm, int threads);
/* The same for sparse rows; the matrix must have values. */
HRR_API void hrr_csr_normalise_rows(hrr_csr *matrix, hrr_norm norm, int threads);

/* C = alpha op(A) op(B) + beta C, op is the transpose where asked. All F32 or all F64, shapes
 * m x k, k x n, m x n after op, each below 2^31: asserted. */
HRR_API void hrr_gemm(hrr_dense *c, const hrr_dense *a, bool transpose_a, const hrr_dense *b,
                      bool transpose_b, double alpha, double beta);

/* The n directions in which the rows vary most (principal components), n x cols F64, orthonormal,
 * the one with the most variance first; each points to where its largest component is positive. n
 * 0: as many as there are. Variance is about the mean if centred, else about 0; `variance` has room
 * for n, or may be NULL (smaller of rows and cols if n is 0).
 *
 * Cost:   O(rows cols m + m^3) time for m = min(rows, cols); a copy of the rows and 2 m^2 memory.
 * Errors: HRR_EINVAL when the rows do not vary in n directions, HRR_EDATA for a value that is not
 *         finite, HRR_ENOMEM. */
HRR_API HRR_STATUS hrr_dense_principal(hrr_dense *out, double *variance, const hrr_dense *rows,
                                       uint64_t n, bool centred, hrr_error *err);

/* Y = S X: S rows x n sparse, X n x d dense (F32, or U8 read without expanding), Y rows x d F32.
 * Deterministic: each output row is summed in column order by one thread. */
HRR_API void hrr_csr_mul_dense(hrr_dense *y, const hrr_csr *s, const hrr_dense *x, int threads);

#ifdef __cplusplus
}
#endif
#endif
