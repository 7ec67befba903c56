/* symmetric_eigen.h: all eigenvalues and eigenvectors of a small symmetric matrix. */
#ifndef HRR_STRUCTURE_SYMMETRIC_EIGEN_H
#define HRR_STRUCTURE_SYMMETRIC_EIGEN_H

/* a (size x size) is destroyed; value descending; column k of vectors (size x size, row-major)
 * belongs to value[k]. O(size^3) a sweep, a handful of sweeps. */
void hrr_symmetric_eigen(double *value, double *vectors, double *a, int size);

#endif
