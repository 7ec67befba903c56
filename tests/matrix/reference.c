#include "matrix/csr.h"
#include "matrix/reference.h"
#include "random/fast.h"

#include <math.h>

void set_element(hrr_dense *matrix, uint64_t row, uint64_t col, double value)
{
    size_t at = row * matrix->cols + col;
    switch (matrix->dtype) {
    case HRR_U8:
        ((uint8_t *)matrix->data)[at] = (uint8_t)value;
        break;
    case HRR_F32:
        ((float *)matrix->data)[at] = (float)value;
        break;
    case HRR_F64:
        ((double *)matrix->data)[at] = value;
        break;
    }
}

hrr_dense random_dense(hrr_fast_random *fast, hrr_dtype dtype, uint64_t rows, uint64_t cols)
{
    hrr_dense made;
    assert_ok(hrr_dense_init(&made, dtype, rows, cols, NULL));
    for (uint64_t i = 0; i < rows; i++)
        for (uint64_t j = 0; j < cols; j++)
            set_element(&made, i, j,
                        dtype == HRR_U8 ? (double)hrr_fast_below(fast, 256)
                                        : hrr_fast_normal(fast));
    return made;
}

hrr_csr random_csr(hrr_fast_random *fast, uint64_t rows, uint64_t cols, double density,
                   bool with_values)
{
    hrr_csr made;
    assert_ok(hrr_csr_init(&made, rows, cols, rows * cols, with_values, NULL));
    uint64_t n_entries = 0;
    for (uint64_t i = 0; i < rows; i++) {
        made.row_start[i] = n_entries;
        for (uint64_t j = 0; j < cols; j++) {
            if (hrr_fast_uniform(fast) >= density) continue;
            made.col[n_entries] = (uint32_t)j;
            if (with_values) made.value[n_entries] = (float)hrr_fast_normal(fast);
            n_entries++;
        }
    }
    made.row_start[rows] = n_entries;
    return made;
}

hrr_dense dense_of_csr(const hrr_csr *matrix)
{
    hrr_dense made;
    assert_ok(hrr_dense_init(&made, HRR_F64, matrix->rows, matrix->cols, NULL));
    for (uint64_t i = 0; i < matrix->rows; i++)
        for (uint64_t e = matrix->row_start[i]; e < matrix->row_start[i + 1]; e++)
            set_element(&made, i, matrix->col[e], matrix->value ? (double)matrix->value[e] : 1);
    return made;
}

void reference_gemm(hrr_dense *c, const hrr_dense *a, bool transpose_a, const hrr_dense *b,
                    bool transpose_b, double alpha, double beta)
{
    const uint64_t inner = transpose_a ? a->rows : a->cols;
    for (uint64_t i = 0; i < c->rows; i++)
        for (uint64_t j = 0; j < c->cols; j++) {
            double sum = 0;
            for (uint64_t k = 0; k < inner; k++) {
                double left = transpose_a ? hrr_dense_get(a, k, i) : hrr_dense_get(a, i, k);
                double right = transpose_b ? hrr_dense_get(b, j, k) : hrr_dense_get(b, k, j);
                sum += left * right;
            }
            double before = beta == 0 ? 0 : beta * hrr_dense_get(c, i, j);
            set_element(c, i, j, alpha * sum + before);
        }
}

void assert_near(const hrr_dense *found, const hrr_dense *expected, double tolerance)
{
    assert_int_equal(found->rows, expected->rows);
    assert_int_equal(found->cols, expected->cols);
    for (uint64_t i = 0; i < found->rows; i++)
        for (uint64_t j = 0; j < found->cols; j++) {
            double a = hrr_dense_get(found, i, j), b = hrr_dense_get(expected, i, j);
            if (!(fabs(a - b) <= tolerance))
                print_error("(%d, %d): %.17g, expected %.17g\n", (int)i, (int)j, a, b);
            assert_true(fabs(a - b) <= tolerance);
        }
}
