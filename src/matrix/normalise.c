/* normalise.c: x_i := x_i / |x_i|, row by row; a zero row stays zero.
 *
 * Sums are in double and quotients rounded once. The double L2 norm is taken of x / max|x|, which
 * neither overflows nor vanishes; floats need no such care, their squares fit a double. */
#include <heterorr/matrix.h>

#include <assert.h>
#include <math.h>

static void normalise_f32(float *x, size_t n, hrr_norm norm)
{
    double sum = 0;
    if (norm == HRR_NORM_L1)
        for (size_t i = 0; i < n; i++)
            sum += fabs((double)x[i]);
    else
        for (size_t i = 0; i < n; i++)
            sum += (double)x[i] * (double)x[i];
    if (sum == 0) return;
    double size = norm == HRR_NORM_L1 ? sum : sqrt(sum);
    for (size_t i = 0; i < n; i++)
        x[i] = (float)((double)x[i] / size);
}

static void normalise_f64(double *x, size_t n, hrr_norm norm)
{
    double largest = 0, sum = 0;
    for (size_t i = 0; i < n; i++)
        largest = fmax(largest, fabs(x[i]));
    if (largest == 0) return;
    for (size_t i = 0; i < n; i++) {
        double share = x[i] / largest;
        sum += norm == HRR_NORM_L1 ? fabs(share) : share * share;
    }
    double size = norm == HRR_NORM_L1 ? sum : sqrt(sum);
    for (size_t i = 0; i < n; i++)
        x[i] = x[i] / largest / size;
}

void hrr_dense_normalise_rows(hrr_dense *matrix, hrr_norm norm, int threads)
{
    assert(matrix->dtype == HRR_F32 || matrix->dtype == HRR_F64);
    const size_t cols = matrix->cols;
    threads = hrr_threads(threads);
#pragma omp parallel for schedule(static) num_threads(threads)
    for (uint64_t i = 0; i < matrix->rows; i++) {
        if (matrix->dtype == HRR_F32)
            normalise_f32((float *)matrix->data + i * cols, cols, norm);
        else
            normalise_f64((double *)matrix->data + i * cols, cols, norm);
    }
}

void hrr_csr_normalise_rows(hrr_csr *matrix, hrr_norm norm, int threads)
{
    assert(matrix->value || matrix->rows == 0);
    const uint64_t *start = matrix->row_start;
    threads = hrr_threads(threads);
#pragma omp parallel for schedule(dynamic, 256) num_threads(threads)
    for (uint64_t i = 0; i < matrix->rows; i++)
        normalise_f32(matrix->value + start[i], start[i + 1] - start[i], norm);
}
