/* dense.c: row-major matrices of bytes, floats or doubles. */
#include <heterorr/matrix.h>

#include "base/memory.h"
#include "base/size.h"
#include "matrix/dense.h"

#include <assert.h>
#include <math.h>
#include <string.h>

size_t hrr_dtype_size(hrr_dtype dtype)
{
    switch (dtype) {
    case HRR_U8:
        return 1;
    case HRR_F32:
        return 4;
    case HRR_F64:
        return 8;
    }
    assert(!"a dtype");
    return 0;
}

const char *hrr_dtype_name(hrr_dtype dtype)
{
    switch (dtype) {
    case HRR_U8:
        return "u8";
    case HRR_F32:
        return "f32";
    case HRR_F64:
        return "f64";
    }
    return "unknown";
}

hrr_status hrr_dense_init(hrr_dense *out, hrr_dtype dtype, uint64_t rows, uint64_t cols,
                          hrr_error *err)
{
    *out = (hrr_dense){0};
    size_t count, bytes;
    if (!hrr_mul_fits(rows, cols, &count) || !hrr_mul_fits(count, hrr_dtype_size(dtype), &bytes))
        return hrr_no_memory(err);
    hrr_region storage = {0};
    hrr_status status = hrr_region_alloc(&storage, bytes, 1, true, err);
    if (status) return status;
    *out = (hrr_dense){dtype, rows, cols, storage.start, storage};
    return HRR_OK;
}

void hrr_dense_clear(hrr_dense *matrix)
{
    hrr_region_clear(&matrix->storage);
    *matrix = (hrr_dense){0};
}

hrr_dense hrr_dense_view(const hrr_dense *matrix)
{
    hrr_dense view = *matrix;
    view.storage = (hrr_region){0};
    return view;
}

static double element(const hrr_dense *matrix, size_t index)
{
    switch (matrix->dtype) {
    case HRR_U8:
        return ((const uint8_t *)matrix->data)[index];
    case HRR_F32:
        return (double)((const float *)matrix->data)[index];
    case HRR_F64:
        return ((const double *)matrix->data)[index];
    }
    return 0;
}

double hrr_dense_get(const hrr_dense *matrix, uint64_t row, uint64_t col)
{
    assert(row < matrix->rows && col < matrix->cols);
    return element(matrix, row * matrix->cols + col);
}

/* To the nearest integer of 0..255, halves to even; NaN to 0, because the comparison is false. */
static uint8_t to_u8(double x)
{
    return x > 0 ? (uint8_t)lrint(fmin(x, 255)) : 0;
}

hrr_status hrr_dense_convert(hrr_dense *out, const hrr_dense *in, hrr_dtype dtype, hrr_error *err)
{
    hrr_dense made;
    *out = (hrr_dense){0};
    hrr_status status = hrr_dense_init(&made, dtype, in->rows, in->cols, err);
    if (status) return status;
    const size_t count = in->rows * in->cols;
    if (dtype == HRR_U8)
        for (size_t i = 0; i < count; i++)
            ((uint8_t *)made.data)[i] = to_u8(element(in, i));
    else if (dtype == HRR_F32)
        for (size_t i = 0; i < count; i++)
            ((float *)made.data)[i] = (float)element(in, i);
    else
        for (size_t i = 0; i < count; i++)
            ((double *)made.data)[i] = element(in, i);
    *out = made;
    return HRR_OK;
}

void hrr_row_as_f64(double *out, const hrr_dense *matrix, uint64_t row)
{
    const size_t cols = matrix->cols, start = row * cols;
    switch (matrix->dtype) {
    case HRR_U8:
        for (size_t j = 0; j < cols; j++)
            out[j] = ((const uint8_t *)matrix->data)[start + j];
        break;
    case HRR_F32:
        for (size_t j = 0; j < cols; j++)
            out[j] = (double)((const float *)matrix->data)[start + j];
        break;
    case HRR_F64:
        memcpy(out, (const double *)matrix->data + start, cols * sizeof *out);
        break;
    }
}
