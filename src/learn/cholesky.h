/* cholesky.h: symmetric positive definite systems of a few thousand unknowns. */
#ifndef HRR_LEARN_CHOLESKY_H
#define HRR_LEARN_CHOLESKY_H

#include <stdbool.h>
#include <stddef.h>

/* a (n x n) = U^T U: the upper triangle of a is read and replaced by U, the rest is left alone.
 * False if a is not positive definite. Cost: n^3 / 3 operations. */
bool hrr_cholesky_factor(double *a, size_t n);

/* x (n) is replaced by the solution of U^T U x = x. */
void hrr_cholesky_solve(double *x, const double *factor, size_t n);

#endif
