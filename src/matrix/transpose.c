/* transpose.c: out (cols x rows) = in^T.
 *
 * Dense: by square tiles, so that the lines of the side that is walked column-wise are used up
 * while still in the cache. Sparse: a counting sort of the entries by column, stable, so that each
 * row of the result comes out ascending. */
#include <heterorr/matrix.h>

#include "base/memory.h"
#include "matrix/csr.h"
#include "matrix/products.h"

#include <assert.h>

enum { tile = 32 };

/* out[j rows + i] = in[i cols + j], elements of type T. */
#define TRANSPOSE(T)                                                                               \
    static void transpose_##T(T *restrict out, const T *restrict in, size_t rows, size_t cols)     \
    {                                                                                              \
        for (size_t row = 0; row < rows; row += tile)                                              \
            for (size_t col = 0; col < cols; col += tile) {                                        \
                size_t row_end = row + tile < rows ? row + tile : rows;                            \
                size_t col_end = col + tile < cols ? col + tile : cols;                            \
                for (size_t j = col; j < col_end; j++)                                             \
                    for (size_t i = row; i < row_end; i++)                                         \
                        out[j * rows + i] = in[i * cols + j];                                      \
            }                                                                                      \
    }
TRANSPOSE(uint8_t)
TRANSPOSE(float)
TRANSPOSE(double)

hrr_status hrr_dense_transpose(hrr_dense *out, const hrr_dense *in, hrr_error *err)
{
    hrr_dense made;
    *out = (hrr_dense){0};
    if (in->rows == 0 && in->cols == 0) return HRR_OK; /* the empty matrix, which has no dtype */
    hrr_status status = hrr_dense_init(&made, in->dtype, in->cols, in->rows, err);
    if (status) return status;
    switch (in->dtype) {
    case HRR_U8:
        transpose_uint8_t(made.data, in->data, in->rows, in->cols);
        break;
    case HRR_F32:
        transpose_float(made.data, in->data, in->rows, in->cols);
        break;
    case HRR_F64:
        transpose_double(made.data, in->data, in->rows, in->cols);
        break;
    }
    *out = made;
    return HRR_OK;
}

hrr_status hrr_csr_transpose(hrr_csr *out, const hrr_csr *in, hrr_error *err)
{
    assert(in->rows <= (uint64_t)UINT32_MAX + 1); /* they become column numbers */
    const uint64_t n_entries = hrr_csr_n_entries(in);
    hrr_csr made;
    *out = (hrr_csr){0};
    hrr_status status = hrr_csr_init(&made, in->cols, in->rows, n_entries, in->value != NULL, err);
    if (status) return status;

    /* Count, and sum so that start[j] is where row j of the result begins. */
    uint64_t *start = made.row_start;
    for (uint64_t j = 0; j <= made.rows; j++)
        start[j] = 0;
    for (uint64_t e = 0; e < n_entries; e++)
        start[in->col[e] + (uint64_t)1]++;
    for (uint64_t j = 0; j < made.rows; j++)
        start[j + 1] += start[j];

    /* Place. Each start moves to the end of its row, which is the start of the next... */
    for (uint64_t i = 0; i < in->rows; i++)
        for (uint64_t e = in->row_start[i]; e < in->row_start[i + 1]; e++) {
            uint64_t place = start[in->col[e]]++;
            made.col[place] = (uint32_t)i;
            if (made.value) made.value[place] = in->value[e];
        }
    /* ...so that shifting them by one row puts them back. */
    for (uint64_t j = made.rows; j > 0; j--)
        start[j] = start[j - 1];
    start[0] = 0;
    *out = made;
    return HRR_OK;
}
