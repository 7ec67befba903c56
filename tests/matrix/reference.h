/* reference.h: the kernels of matrix/, written for the reader: one element at a time, in double.
 * And random matrices to try them on. */
#ifndef TESTS_MATRIX_REFERENCE_H
#define TESTS_MATRIX_REFERENCE_H

#include "support/check.h"

#include <heterorr/matrix.h>
#include <heterorr/random.h>

void set_element(hrr_dense *matrix, uint64_t row, uint64_t col, double value);

/* Normal entries; bytes 0..255 for U8. */
hrr_dense random_dense(hrr_fast_random *fast, hrr_dtype dtype, uint64_t rows, uint64_t cols);

/* Each entry present with probability `density`; with_values: normal values. */
hrr_csr random_csr(hrr_fast_random *fast, uint64_t rows, uint64_t cols, double density,
                   bool with_values);

/* The same matrix, F64. */
hrr_dense dense_of_csr(const hrr_csr *matrix);

/* C = alpha op(A) op(B) + beta C. */
void reference_gemm(hrr_dense *c, const hrr_dense *a, bool transpose_a, const hrr_dense *b,
                    bool transpose_b, double alpha, double beta);

/* Same shape, and elements no further apart than tolerance. */
void assert_near(const hrr_dense *found, const hrr_dense *expected, double tolerance);

#endif
