/* hybrid.c: Piecewise and Duchi's law by the toss of a coin (Wang et al., "Collecting and
 * analyzing multidimensional data with local differential privacy", ICDE 2019, section III-C).
 *
 * Piecewise has its largest variance at the ends of [-1, 1], Duchi's in the middle. Above eps = .61
 * a coin that does not look at x chooses Piecewise with probability 1 - e^(-eps/2), which makes the
 * variance the same for every x; below, Duchi's alone is better. */
#include "feature/coordinates.h"

#include <math.h>

static const uint64_t duchi_alone_up_to = 610000000; /* in units of 1e-9 */

void hrr_hybrid_init(hrr_coordinate *law, uint64_t eps_nano)
{
    hrr_duchi_init(law, eps_nano);
    if (eps_nano <= duchi_alone_up_to) return;
    hrr_coordinate piecewise;
    hrr_piecewise_init(&piecewise, eps_nano);
    hrr_coordinate_mix(law, &piecewise, -expm1(-(double)eps_nano / HRR_EPS_UNIT / 2));
}

const hrr_feature_method hrr_feature_hybrid = {.about.name = "hybrid",
                                               .about.what =
                                                   "piecewise or duchi by the toss of a coin",
                                               .about.page = "docs/mechanisms/hybrid.md",
                                               .about.certified = true,
                                               .about.needs_bounds = true,
                                               .about.sampled_form = "hybrid-sampled",
                                               .law = hrr_hybrid_init,
                                               HRR_ALL_COORDINATES};

const hrr_feature_method hrr_feature_hybrid_sampled = {
    .about.name = "hybrid-sampled",
    .about.what = "piecewise or duchi by a coin, for some features",
    .about.page = "docs/mechanisms/hybrid.md",
    .about.certified = true,
    .about.needs_bounds = true,
    .law = hrr_hybrid_init,
    .eps_each_nano = HRR_EPS_PER_COORDINATE,
    HRR_SAMPLED_COORDINATES};
