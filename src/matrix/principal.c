/* principal.c: the directions in which the rows of a matrix vary most (principal components).
 *
 *     A = the rows, less their mean where asked;   A^T A v = lambda v,   largest lambda first.
 *
 * Of A^T A (d x d) and A A^T (n x n) the smaller one is made and solved: both have the same
 * lambdas, and v = A^T u / sqrt(lambda). The solver is LAPACK's dsyevr, which comes with OpenBLAS.
 *
 * Workload: a public sample of hundreds to thousands of rows, or the weights of a head, once. */
#include <heterorr/matrix.h>

#include "base/memory.h"
#include "matrix/products.h"

#include <assert.h>
#include <cblas.h>
#include <limits.h>
#include <math.h>
#include <string.h>

/* OpenBLAS exports LAPACK but Debian ships no header with it. Fortran: everything by address, and
 * behind the last argument the lengths of the texts. */
extern void dsyevr_(const char *jobz, const char *range, const char *uplo, const int *n, double *a,
                    const int *lda, const double *vl, const double *vu, const int *il,
                    const int *iu, const double *abstol, int *found, double *w, double *z,
                    const int *ldz, int *support, double *work, const int *lwork, int *iwork,
                    const int *liwork, int *info, size_t, size_t, size_t);

/* Below this share of the largest lambda a direction is rounding, not data: products lose half of
 * the digits. */
static const double smallest_share = 1e-12;

static hrr_status copy_rows(double *a, const hrr_dense *rows, bool centred, hrr_error *err)
{
    const uint64_t n = rows->rows, d = rows->cols;
    for (uint64_t i = 0; i < n; i++)
        for (uint64_t j = 0; j < d; j++) {
            const double x = a[i * d + j] = hrr_dense_get(rows, i, j);
            if (!isfinite(x))
                return hrr_fail(err, HRR_EDATA, "row %llu, column %llu is not a finite number",
                                (unsigned long long)i, (unsigned long long)j);
        }
    for (uint64_t j = 0; centred && j < d; j++) {
        double mean = 0;
        for (uint64_t i = 0; i < n; i++)
            mean += (a[i * d + j] - mean) / (double)(i + 1); /* no sum that could overflow */
        for (uint64_t i = 0; i < n; i++)
            a[i * d + j] -= mean;
    }
    return HRR_OK;
}

/* The largest `want` eigenvalues of the symmetric `gram` (m x m, destroyed), ascending, and their
 * vectors, one after the other. */
static hrr_status solve(double *value, double *vector, double *gram, int m, int want,
                        hrr_error *err)
{
    const int first = m - want + 1;
    const double none = 0, tolerance = 0;
    int found = 0, info = 0, iwork_size = -1, work_size = -1;
    double best_work = 0;
    int best_iwork = 0;
    hrr_status status = HRR_OK;
    double *work = NULL;
    int *iwork = NULL, *support = hrr_alloc(2 * (size_t)m, sizeof *support);
    if (!support) return hrr_no_memory(err);
    for (int pass = 0; pass < 2; pass++) { /* the first one asks how much memory it takes */
        dsyevr_("V", "I", "U", &m, gram, &m, &none, &none, &first, &m, &tolerance, &found, value,
                vector, &m, support, pass ? work : &best_work, &work_size,
                pass ? iwork : &best_iwork, &iwork_size, &info, 1, 1, 1);
        if (pass) break;
        work_size = (int)best_work, iwork_size = best_iwork;
        work = hrr_alloc((size_t)work_size, sizeof *work);
        iwork = hrr_alloc((size_t)iwork_size, sizeof *iwork);
        if (!work || !iwork) {
            status = hrr_no_memory(err);
            goto done;
        }
    }
    if (info != 0 || found != want)
        status = hrr_fail(
            err, HRR_EDATA,
            "the principal directions cannot be computed; check the values for extreme numbers");
done:
    hrr_free(work);
    hrr_free(iwork);
    hrr_free(support);
    return status;
}

/* An eigenvector is known up to its sign; of the two the one whose largest component is positive.
 */
static void point_forward(double *v, uint64_t d)
{
    uint64_t largest = 0;
    for (uint64_t j = 1; j < d; j++)
        if (fabs(v[j]) > fabs(v[largest])) largest = j;
    const double sign = v[largest] < 0 ? -1 : 1;
    for (uint64_t j = 0; j < d; j++)
        v[j] *= sign;
}

hrr_status hrr_dense_principal(hrr_dense *out, double *variance, const hrr_dense *rows, uint64_t n,
                               bool centred, hrr_error *err)
{
    *out = (hrr_dense){0};
    const uint64_t d = rows->cols, m = rows->rows < d ? rows->rows : d;
    if (m < 1 || rows->rows > INT_MAX || d > INT_MAX)
        return hrr_fail(err, HRR_EINVAL,
                        "principal directions need at least one row, and not more rows than the "
                        "library supports");
    if (n > m)
        return hrr_fail(
            err, HRR_EINVAL,
            "cannot compute %llu directions: %llu rows of %llu numbers have at most %llu",
            (unsigned long long)n, (unsigned long long)rows->rows, (unsigned long long)d,
            (unsigned long long)m);
    const int want = (int)(n ? n : m);
    const bool by_columns = d <= rows->rows; /* solve A^T A */
    hrr_status status = HRR_OK;
    hrr_dense a = {0}, gram = {0}, u = {0}, made = {0};
    double *value = hrr_alloc(m, sizeof *value);
    if (!value) return hrr_no_memory(err);
    if ((status = hrr_dense_init(&a, HRR_F64, rows->rows, d, err)) ||
        (status = hrr_dense_init(&gram, HRR_F64, m, m, err)) ||
        (status = hrr_dense_init(&u, HRR_F64, (uint64_t)want, m, err)) ||
        (status = copy_rows(a.data, rows, centred, err)))
        goto done;
    hrr_gemm(&gram, &a, by_columns, &a, !by_columns, 1, 0);
    for (uint64_t i = 0; i < m * m; i++)
        if (!isfinite(((const double *)gram.data)[i])) {
            status = hrr_fail(err, HRR_EDATA,
                              "the values are too large to compute principal directions");
            goto done;
        }
    if ((status = solve(value, u.data, gram.data, (int)m, want, err))) goto done;

    uint64_t real = 0;
    while (real < (uint64_t)want && value[want - 1 - (int)real] > 0 &&
           value[want - 1 - (int)real] > smallest_share * value[want - 1])
        real++;
    if (real < 1 || real < n) {
        status =
            hrr_fail(err, HRR_EINVAL, "cannot compute %llu directions: the rows vary in only %llu",
                     (unsigned long long)(n ? n : 1), (unsigned long long)real);
        goto done;
    }
    if ((status = hrr_dense_init(&made, HRR_F64, real, d, err))) goto done;
    /* LAPACK's are ascending: the largest one comes last. */
    for (uint64_t r = 0; r < real; r++) {
        const uint64_t from = (uint64_t)want - 1 - r;
        double *v = (double *)made.data + r * d;
        const double *found = (const double *)u.data + from * m;
        if (by_columns)
            memcpy(v, found, d * sizeof *v);
        else
            cblas_dgemv(CblasRowMajor, CblasTrans, (int)rows->rows, (int)d, 1 / sqrt(value[from]),
                        a.data, (int)d, found, 1, 0, v, 1);
        point_forward(v, d);
        if (variance) variance[r] = value[from] / (double)rows->rows;
    }
    *out = made;
    made = (hrr_dense){0};
done:
    hrr_free(value);
    hrr_dense_clear(&a);
    hrr_dense_clear(&gram);
    hrr_dense_clear(&u);
    hrr_dense_clear(&made);
    return status;
}
