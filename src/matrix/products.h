/* products.h: products, transposes and principal directions. */
#ifndef HRR_MATRIX_PRODUCTS_H
#define HRR_MATRIX_PRODUCTS_H

#include <heterorr/matrix.h>

HRR_STATUS hrr_dense_transpose(hrr_dense *out, const hrr_dense *in, hrr_error *err);
HRR_STATUS hrr_csr_transpose(hrr_csr *out, const hrr_csr *in, hrr_error *err);

/* C = alpha op(A) op(B) + beta C, op is the transpose where asked. All F32 or all F64, shapes
 * m x k, k x n, m x n after op, each below 2^31: asserted. */
void hrr_gemm(hrr_dense *c, const hrr_dense *a, bool transpose_a, const hrr_dense *b,
              bool transpose_b, double alpha, double beta);

/* The n directions in which the rows vary most (principal components), n x cols F64, orthonormal,
 * the one with the most variance first; each points to where its largest component is positive. n
 * 0: as many as there are. Variance is about the mean if centred, else about 0; `variance` has room
 * for n, or may be NULL (smaller of rows and cols if n is 0).
 *
 * Cost:   O(rows cols m + m^3) time for m = min(rows, cols); a copy of the rows and 2 m^2 memory.
 * Errors: HRR_EINVAL when the rows do not vary in n directions, HRR_EDATA for a value that is not
 *         finite, HRR_ENOMEM. */
HRR_STATUS hrr_dense_principal(hrr_dense *out, double *variance, const hrr_dense *rows, uint64_t n,
                               bool centred, hrr_error *err);

#endif
