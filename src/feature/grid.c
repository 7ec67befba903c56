/* grid.c: to the grid and back; see grid.h. */
#include "feature/grid.h"

uint64_t hrr_grid_steps(double noise)
{
    uint64_t steps = HRR_GRID_FINEST;
    while (steps > 0 && noise * (double)steps > 0x1p31)
        steps /= 2;
    return steps;
}

void hrr_grid_release(hrr_dense *out, const hrr_feature_plan *plan, const hrr_dense *in,
                      uint64_t row, uint64_t steps, const int64_t *noise, double *unit)
{
    float *released = (float *)out->data + row * plan->n_features;
    hrr_feature_unit_row(unit, plan, in, row);
    for (uint64_t i = 0; i < plan->n_features; i++) {
        const int64_t level = (int64_t)(unit[i] * (double)steps + 0.5) + noise[i];
        released[i] = (float)(plan->lo[i] + plan->range[i] * (double)level / (double)steps);
    }
}

size_t hrr_grid_scratch_size(const hrr_feature_plan *plan, uint64_t n_rows)
{
    (void)n_rows;
    return plan->n_features * (sizeof(double) + sizeof(int64_t));
}
