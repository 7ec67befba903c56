/* data_bounds.h: the smallest and largest value of each feature: PRIVATE, for paper mode. */
#ifndef HRR_RELEASE_DATA_BOUNDS_H
#define HRR_RELEASE_DATA_BOUNDS_H

#include <heterorr/matrix.h>

/* lo, hi: cols doubles each. A constant feature gets bounds half a unit to either side.
 * Errors: HRR_ECANCEL. */
hrr_status hrr_data_bounds(double *lo, double *hi, const hrr_dense *features,
                           hrr_progress *progress, hrr_error *err);

#endif
