/* symmetric_eigen.c: Jacobi's method. Each rotation makes one pair of entries zero and shrinks the
 * sum of squares off the diagonal; sweeps over all pairs converge quadratically (Golub and Van
 * Loan, Matrix Computations, 8.5). For the few dozen rows we have it is as fast as anything, needs
 * no library and gives orthogonal vectors to the last digits. */
#include "structure/symmetric_eigen.h"

#include <math.h>

enum { most_sweeps = 60 };

/* The rotation of rows and columns p, q that makes a[p, q] zero. */
static void rotate(double *a, double *vectors, int size, int p, int q)
{
    const double apart = a[q * size + q] - a[p * size + p], off = a[p * size + q];
    const double theta = apart / (2 * off);
    const double t = (theta < 0 ? -1 : 1) / (fabs(theta) + sqrt(theta * theta + 1));
    const double c = 1 / sqrt(t * t + 1), s = t * c;
    for (int k = 0; k < size; k++) {
        const double x = a[k * size + p], y = a[k * size + q];
        a[k * size + p] = c * x - s * y;
        a[k * size + q] = s * x + c * y;
    }
    for (int k = 0; k < size; k++) {
        const double x = a[p * size + k], y = a[q * size + k];
        a[p * size + k] = c * x - s * y;
        a[q * size + k] = s * x + c * y;
    }
    a[p * size + q] = a[q * size + p] = 0;
    for (int k = 0; k < size; k++) {
        const double x = vectors[k * size + p], y = vectors[k * size + q];
        vectors[k * size + p] = c * x - s * y;
        vectors[k * size + q] = s * x + c * y;
    }
}

static void sort_descending(double *value, double *vectors, int size)
{
    for (int i = 0; i < size; i++) {
        int best = i;
        for (int j = i + 1; j < size; j++)
            if (value[j] > value[best]) best = j;
        if (best == i) continue;
        const double swapped = value[i];
        value[i] = value[best];
        value[best] = swapped;
        for (int k = 0; k < size; k++) {
            const double x = vectors[k * size + i];
            vectors[k * size + i] = vectors[k * size + best];
            vectors[k * size + best] = x;
        }
    }
}

void hrr_symmetric_eigen(double *value, double *vectors, double *a, int size)
{
    double whole = 0;
    for (int i = 0; i < size; i++)
        for (int j = 0; j < size; j++) {
            vectors[i * size + j] = i == j;
            whole += a[i * size + j] * a[i * size + j];
        }
    for (int sweep = 0; sweep < most_sweeps; sweep++) {
        double off = 0;
        for (int p = 0; p < size; p++)
            for (int q = p + 1; q < size; q++)
                off += a[p * size + q] * a[p * size + q];
        if (off <= 1e-32 * whole) break;
        for (int p = 0; p < size; p++)
            for (int q = p + 1; q < size; q++)
                if (fabs(a[p * size + q]) > 1e-300) rotate(a, vectors, size, p, q);
    }
    for (int i = 0; i < size; i++)
        value[i] = a[i * size + i];
    sort_descending(value, vectors, size);
}
