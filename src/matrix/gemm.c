/* gemm.c: C = alpha op(A) op(B) + beta C, by the BLAS.
 *
 * OpenBLAS wakes its threads for products that take microseconds, and on a machine that has other
 * work their meeting takes milliseconds: a head that trains in 2 s of processor time took 40 s. So
 * small products get one thread. Another BLAS has no such call, and is left to itself. */
#include "matrix/products.h"

#include <heterorr/matrix.h>

#include <assert.h>
#include <cblas.h>
#include <limits.h>

extern void openblas_set_num_threads(int threads) __attribute__((weak));

static void choose_threads(uint64_t m, uint64_t n, uint64_t k)
{
    static const double worth_a_meeting = 1 << 25; /* multiplications: some milliseconds */
    if (!openblas_set_num_threads) return;
    openblas_set_num_threads((double)m * (double)n * (double)k < worth_a_meeting ? 1
                                                                                 : hrr_threads(0));
}

void hrr_gemm(hrr_dense *c, const hrr_dense *a, bool transpose_a, const hrr_dense *b,
              bool transpose_b, double alpha, double beta)
{
    const uint64_t m = transpose_a ? a->cols : a->rows, k = transpose_a ? a->rows : a->cols;
    const uint64_t n = transpose_b ? b->rows : b->cols;
    assert(c->rows == m && c->cols == n && (transpose_b ? b->cols : b->rows) == k);
    assert(c->dtype == a->dtype && c->dtype == b->dtype && c->dtype != HRR_U8);
    assert(m <= INT_MAX && n <= INT_MAX && k <= INT_MAX); /* what this BLAS counts in */
    if (m == 0 || n == 0) return;

    choose_threads(m, n, k);
    const CBLAS_TRANSPOSE op_a = transpose_a ? CblasTrans : CblasNoTrans;
    const CBLAS_TRANSPOSE op_b = transpose_b ? CblasTrans : CblasNoTrans;
    /* A row's stride. The BLAS asks for 1 at least, also of a matrix without columns. */
    const int stride_a = a->cols ? (int)a->cols : 1, stride_b = b->cols ? (int)b->cols : 1;
    if (c->dtype == HRR_F32)
        cblas_sgemm(CblasRowMajor, op_a, op_b, (int)m, (int)n, (int)k, (float)alpha, a->data,
                    stride_a, b->data, stride_b, (float)beta, c->data, (int)n);
    else
        cblas_dgemm(CblasRowMajor, op_a, op_b, (int)m, (int)n, (int)k, alpha, a->data, stride_a,
                    b->data, stride_b, beta, c->data, (int)n);
}
