/* duchi.c: one bit for one number (Duchi, Jordan, Wainwright, "Minimax optimal procedures for
 * locally private estimation", JASA 2018).
 *
 *     P(C | x) = 1/2 + x (e - 1) / (2 (e + 1)),   else -C,   C = (e + 1) / (e - 1),   e = e^eps
 *
 * In atoms.h: no weight on 0. The variance is largest at x = 0, where it is C^2. */
#include "feature/coordinates.h"

void hrr_duchi_init(hrr_coordinate *law, uint64_t eps_nano)
{
    hrr_coordinate_use_atoms(law, eps_nano, 0);
}

const hrr_feature_method hrr_feature_duchi = {.about.name = "duchi",
                                              .about.what = "one of two values for each feature",
                                              .about.page = "docs/mechanisms/duchi.md",
                                              .about.certified = true,
                                              .about.needs_bounds = true,
                                              .about.sampled_form = "duchi-sampled",
                                              .law = hrr_duchi_init,
                                              HRR_ALL_COORDINATES};

const hrr_feature_method hrr_feature_duchi_sampled = {
    .about.name = "duchi-sampled",
    .about.what = "one of two values for some features of each node",
    .about.page = "docs/mechanisms/duchi.md",
    .about.certified = true,
    .about.needs_bounds = true,
    .law = hrr_duchi_init,
    .eps_each_nano = HRR_EPS_PER_COORDINATE,
    HRR_SAMPLED_COORDINATES};
