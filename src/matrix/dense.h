/* dense.h: dense matrices, or rows of them, in another element type. */
#ifndef HRR_MATRIX_DENSE_H
#define HRR_MATRIX_DENSE_H

#include <heterorr/matrix.h>

/* A copy with another element type; floats to u8 round and clamp to 0..255, NaN to 0. */
HRR_STATUS hrr_dense_convert(hrr_dense *out, const hrr_dense *in, hrr_dtype dtype, hrr_error *err);

/* Row i of a matrix of any type as doubles. */
void hrr_row_as_f64(double *out, const hrr_dense *matrix, uint64_t row);

#endif
