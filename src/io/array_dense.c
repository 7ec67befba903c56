/* array_dense.c: arrays as files hold them to matrices as the rest of the library uses them, and
 * back. Types that a matrix can have move with their storage, mapped or not; others are widened. */
#include "base/memory.h"

#include <heterorr/io.h>
#include <math.h>

/* IEEE 754 binary16. */
static float from_half(uint16_t half)
{
    int exponent = half >> 10 & 31;
    float fraction = (float)(half & 1023);
    float magnitude = exponent == 31  ? (fraction > 0 ? NAN : INFINITY)
                      : exponent == 0 ? ldexpf(fraction, -24)
                                      : ldexpf(1024 + fraction, exponent - 25);
    return half >> 15 ? -magnitude : magnitude;
}

#define WIDEN(to_type, from_type, convert)                                                         \
    do {                                                                                           \
        to_type *to = matrix->data;                                                                \
        const from_type *from = array->data;                                                       \
        for (uint64_t i = 0; i < array->n_items; i++)                                              \
            to[i] = convert(from[i]);                                                              \
    } while (0)

static void widen(hrr_dense *matrix, const hrr_array *array)
{
    switch (array->type) {
    case HRR_ARRAY_I8:
        WIDEN(double, int8_t, (double));
        break;
    case HRR_ARRAY_I16:
        WIDEN(double, int16_t, (double));
        break;
    case HRR_ARRAY_I32:
        WIDEN(double, int32_t, (double));
        break;
    case HRR_ARRAY_I64:
        WIDEN(double, int64_t, (double));
        break;
    case HRR_ARRAY_U16:
        WIDEN(double, uint16_t, (double));
        break;
    case HRR_ARRAY_U32:
        WIDEN(double, uint32_t, (double));
        break;
    case HRR_ARRAY_U64:
        WIDEN(double, uint64_t, (double));
        break;
    case HRR_ARRAY_F16:
        WIDEN(float, uint16_t, from_half);
        break;
    default:
        break; /* moved, or refused */
    }
}

hrr_status hrr_array_into_dense(hrr_dense *out, hrr_array *array, const char *what, hrr_error *err)
{
    *out = (hrr_dense){0};
    if (array->n_dims != 1 && array->n_dims != 2)
        return hrr_fail(err, HRR_EDATA, "%s: has %d dimensions, but a matrix has 2; reshape it",
                        what, array->n_dims);
    hrr_dense matrix = {.rows = array->shape[0], .cols = array->n_dims == 2 ? array->shape[1] : 1};
    switch (array->type) {
    case HRR_ARRAY_BYTES:
    case HRR_ARRAY_UCS4:
        return hrr_fail(err, HRR_EDATA, "%s: contains text where numbers are needed", what);
    case HRR_ARRAY_BOOL:
    case HRR_ARRAY_U8:
        matrix.dtype = HRR_U8;
        break;
    case HRR_ARRAY_F32:
        matrix.dtype = HRR_F32;
        break;
    case HRR_ARRAY_F64:
        matrix.dtype = HRR_F64;
        break;
    default:
        break;
    }
    if (matrix.dtype) {
        matrix.data = array->data;
        matrix.storage = array->storage;
        array->storage = (hrr_region){0};
    } else {
        hrr_dtype dtype = array->type == HRR_ARRAY_F16 ? HRR_F32 : HRR_F64;
        hrr_status status = hrr_dense_init(&matrix, dtype, matrix.rows, matrix.cols, err);
        if (status) return status;
        widen(&matrix, array);
    }
    hrr_array_clear(array);
    *out = matrix;
    return HRR_OK;
}

hrr_status hrr_dense_write(const hrr_dense *matrix, const char *npy_path, hrr_error *err)
{
    hrr_array array = {
        .type = matrix->dtype == HRR_U8    ? HRR_ARRAY_U8
                : matrix->dtype == HRR_F32 ? HRR_ARRAY_F32
                                           : HRR_ARRAY_F64,
        .item_size = hrr_dtype_size(matrix->dtype),
        .n_dims = 2,
        .shape = {matrix->rows, matrix->cols},
        .n_items = matrix->rows * matrix->cols,
        .data = matrix->data,
    };
    return hrr_array_write(&array, npy_path, err);
}
