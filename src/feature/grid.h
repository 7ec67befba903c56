/* grid.h: features as whole numbers of steps, for mechanisms that add integer noise.
 *
 * A feature's public range is cut into G steps, G a power of two, so one feature changes by at most
 * G steps, and d features by at most d G together (L1) or G sqrt(d) (L2). Noise is drawn in steps:
 * what is released is an integer until it is scaled for output, so the low bits of a floating-point
 * number cannot give the input away (Mironov, CCS 2012). */
#ifndef HRR_FEATURE_GRID_H
#define HRR_FEATURE_GRID_H

#include "feature/mechanism.h"

#define HRR_GRID_FINEST (UINT64_C(1) << 20)

/* The finest grid on which noise that spans `noise` ranges stays below 2^31 steps; 0 if none does.
 */
uint64_t hrr_grid_steps(double noise);

/* Row `row` of `out` = row of `in` moved to the grid, plus noise[i] steps for feature i. `unit` has
 * room for a row of doubles. */
void hrr_grid_release(hrr_dense *out, const hrr_feature_plan *plan, const hrr_dense *in,
                      uint64_t row, uint64_t steps, const int64_t *noise, double *unit);

/* What one thread needs for one row: n_features doubles of unit values, then as many int64 of
 * noise. */
size_t hrr_grid_scratch_size(const hrr_feature_plan *plan, uint64_t n_rows);

#endif
