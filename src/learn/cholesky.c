/* cholesky.c: U^T U = A, row by row.
 *
 * Row i of U is row i of A less the multiples of the rows above it: additions of rows to a row that
 * stays in cache, which the compiler turns into vector code without reordering any sum. */
#include "learn/cholesky.h"

#include <math.h>

/* y -= factor x */
static void subtract(double *restrict y, const double *restrict x, double factor, size_t n)
{
    for (size_t j = 0; j < n; j++)
        y[j] -= factor * x[j];
}

bool hrr_cholesky_factor(double *a, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        double *row = a + i * n;
        for (size_t k = 0; k < i; k++)
            subtract(row + i, a + k * n + i, a[k * n + i], n - i);
        if (!(row[i] > 0)) return false;
        const double pivot = sqrt(row[i]);
        for (size_t j = i; j < n; j++)
            row[j] /= pivot;
    }
    return true;
}

void hrr_cholesky_solve(double *x, const double *factor, size_t n)
{
    for (size_t i = 0; i < n; i++) { /* U^T y = x */
        x[i] /= factor[i * n + i];
        subtract(x + i + 1, factor + i * n + i + 1, x[i], n - i - 1);
    }
    for (size_t i = n; i-- > 0;) { /* U x = y */
        const double *row = factor + i * n;
        double rest = x[i];
        for (size_t j = i + 1; j < n; j++)
            rest -= row[j] * x[j];
        x[i] = rest / row[i];
    }
}
