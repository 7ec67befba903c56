/* piecewise.c: a window around a number (Wang et al., "Collecting and analyzing multidimensional
 * data with local differential privacy", ICDE 2019, algorithm 2).
 *
 *     z = e^(eps/2),   C = (z + 1)/(z - 1),   l = (C + 1) x/2 - (C - 1)/2,   r = l + C - 1
 *     density p = (e - z)/(2 z + 2) on [l, r], p / e on the rest of [-C, C]
 *
 * In window.h: [l, r] is 1/(z + 1) of [-C, C], so t = z. We depart from the paper in answering with
 * the middle of one of 2^20 cells instead of a real number, which no computer can draw; the mean
 * stays exact and the variance changes by less than 1e-5 of itself (from eps 1e-6 to 8). */
#include "feature/coordinates.h"

#include <math.h>

void hrr_piecewise_init(hrr_coordinate *law, uint64_t eps_nano)
{
    hrr_coordinate_use_window(law, eps_nano, exp((double)eps_nano / HRR_EPS_UNIT / 2));
}

const hrr_feature_method hrr_feature_piecewise = {
    .about.name = "piecewise",
    .about.what = "mostly a value near the true one, for each feature",
    .about.page = "docs/mechanisms/piecewise.md",
    .about.certified = true,
    .about.needs_bounds = true,
    .about.sampled_form = "piecewise-sampled",
    .law = hrr_piecewise_init,
    HRR_ALL_COORDINATES};

const hrr_feature_method hrr_feature_piecewise_sampled = {
    .about.name = "piecewise-sampled",
    .about.what = "mostly a value near the true one, for some features",
    .about.page = "docs/mechanisms/piecewise.md",
    .about.certified = true,
    .about.needs_bounds = true,
    .law = hrr_piecewise_init,
    .eps_each_nano = HRR_EPS_PER_COORDINATE,
    HRR_SAMPLED_COORDINATES};
