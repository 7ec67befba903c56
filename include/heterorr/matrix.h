/* matrix.h: dense and sparse matrices: how arrays go in and come out. */
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

/* Compressed sparse rows: row i holds col[row_start[i] .. row_start[i+1]), columns ascending.
 * value NULL: every entry is 1. */
typedef struct hrr_csr {
    uint64_t rows, cols;
    uint64_t *row_start;
    uint32_t *col;
    float *value;
} hrr_csr;

HRR_API void hrr_csr_clear(hrr_csr *matrix);

#ifdef __cplusplus
}
#endif
#endif
