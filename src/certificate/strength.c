/* strength.c: what epsilons mean for somebody, alone and together. */
#include "certificate/terms.h"

#include <math.h>

double hrr_right_at_most(double eps, double delta)
{
    const double smaller = exp(-eps);
    return fmin(100, ceil(1000 * (1 + delta * smaller) / (1 + smaller)) / 10);
}

uint64_t hrr_terms_sum_nano(const hrr_terms *terms, uint64_t n_pairs)
{
    return terms->part[HRR_PART_FEATURES].eps_nano + terms->part[HRR_PART_LABELS].eps_nano +
           n_pairs * terms->part[HRR_PART_EDGES].eps_nano;
}
