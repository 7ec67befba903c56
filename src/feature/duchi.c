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

static hrr_status prepare_all(hrr_feature_plan *plan, const hrr_feature_options *options,
                              hrr_error *err)
{
    (void)options;
    return hrr_coordinates_prepare_all(plan, hrr_duchi_init, err);
}

static hrr_status prepare_sampled(hrr_feature_plan *plan, const hrr_feature_options *options,
                                  hrr_error *err)
{
    return hrr_coordinates_prepare_sampled(plan, options, hrr_duchi_init, HRR_EPS_PER_COORDINATE,
                                           err);
}

const hrr_mechanism hrr_mechanism_duchi = {.name = "duchi",
                                           .prepare = prepare_all,
                                           .release = hrr_coordinates_release,
                                           .scratch_size = hrr_coordinates_scratch_size,
                                           .randomise = hrr_coordinates_randomise_all};

const hrr_mechanism hrr_mechanism_duchi_sampled = {.name = "duchi-sampled",
                                                   .sampled = true,
                                                   .prepare = prepare_sampled,
                                                   .release = hrr_coordinates_release,
                                                   .scratch_size = hrr_coordinates_scratch_size,
                                                   .randomise_finite =
                                                       hrr_coordinates_randomise_sampled};
