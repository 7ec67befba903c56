/* pm_sub.c: the window of piecewise.c with a narrower, better width, PM-SUB (Zhao et al., "Local
 * differential privacy-based federated learning for internet of things", IEEE IoT Journal 2021).
 *
 *     t = e^(eps/3),   K = (e + t) / (t (e - 1)),   C = K (t + 1)
 *     density e q on [K (x t - 1), K (x t + 1)], q = t (e - 1) / (2 (t + e)^2) on the rest of [-C,
 * C]
 *
 * In window.h: the interval is 2 K of 2 C, that is 1/(t + 1). A public implementation answers with
 * one fixed end point in its last branch, an atom that gives x away; here every cell outside the
 * window has the same weight, whichever side it lies on. */
#include "feature/coordinates.h"

#include <math.h>

void hrr_pm_sub_init(hrr_coordinate *law, uint64_t eps_nano)
{
    hrr_coordinate_use_window(law, eps_nano, exp((double)eps_nano / HRR_EPS_UNIT / 3));
}

const hrr_feature_method hrr_feature_pm_sub = {.about.name = "pm-sub",
                                               .about.what = "piecewise with a better width",
                                               .about.page = "docs/mechanisms/pm-sub.md",
                                               .about.certified = true,
                                               .about.needs_bounds = true,
                                               .about.sampled_form = "pm-sub-sampled",
                                               .law = hrr_pm_sub_init,
                                               HRR_ALL_COORDINATES};

const hrr_feature_method hrr_feature_pm_sub_sampled = {
    .about.name = "pm-sub-sampled",
    .about.what = "piecewise with a better width, for some features",
    .about.page = "docs/mechanisms/pm-sub.md",
    .about.certified = true,
    .about.needs_bounds = true,
    .law = hrr_pm_sub_init,
    .eps_each_nano = HRR_EPS_PER_COORDINATE,
    HRR_SAMPLED_COORDINATES};
