/* data_bounds.c: bounds as the paper takes them, from the data. One node at the edge of a feature
 * moves the bins of all others, so the cost is up to n eps_f, and infinity once bounds can be read
 * off the released values. Paper mode offers it to reproduce figures, NOT PRIVATE. */
#include "release/data_bounds.h"

#include <math.h>

hrr_status hrr_data_bounds(double *lo, double *hi, const hrr_dense *features,
                           hrr_progress *progress, hrr_error *err)
{
    const uint64_t d = features->cols;
    for (uint64_t i = 0; i < d; i++) {
        lo[i] = INFINITY;
        hi[i] = -INFINITY;
    }
    hrr_progress_begin(progress, "finding bounds", features->rows);
    for (uint64_t row = 0; row < features->rows; row++) {
        for (uint64_t i = 0; i < d; i++) {
            double value = hrr_dense_get(features, row, i);
            lo[i] = fmin(lo[i], value);
            hi[i] = fmax(hi[i], value);
        }
        hrr_status status = hrr_progress_advance(progress, 1, err);
        if (status) return status;
    }
    for (uint64_t i = 0; i < d; i++) {
        if (lo[i] < hi[i]) continue;
        lo[i] -= 0.5;
        hi[i] += 0.5;
    }
    return HRR_OK;
}
