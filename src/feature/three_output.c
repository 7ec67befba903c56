/* three_output.c: Duchi's two answers and a third, 0 (Zhao et al., "Local differential
 * privacy-based federated learning for internet of things", IEEE IoT Journal 2021).
 *
 * With a = P(0 | 0), b = a (e - 1)/e and d = (a + 1)(e - 1)/(2 (e + 1)), for x >= 0 (mirrored below
 * 0): P(C) = (1 - a)/2 + d x,   P(-C) = (1 - a)/2 - (d - b) x,   P(0) = a - b x. That is atoms.h
 * with A = 2^64 a: b and d are the steepest slopes that e^eps allows, which hrr_atoms_init() finds
 * in integers. Here only a is chosen, the value with the least worst-case variance; whatever
 * floating point makes of it, the guarantee does not depend on it. */
#include "feature/coordinates.h"

#include <math.h>

/* 0 below ln 2; at ln 5.53 the slope of the variance has its last root. Between them, the root of a
 * cubic by Viete's formula. */
static double best_share_of_zero(double eps)
{
    const double e = exp(eps);
    if (e < 2) return 0;
    if (e >= 5.53) return e / (e + 2);
    const double e2 = e * e, e3 = e2 * e, e4 = e3 * e;
    const double delta0 = e4 + 14 * e3 + 50 * e2 - 2 * e + 25;
    const double delta1 =
        -2 * e4 * e2 - 42 * e4 * e - 270 * e4 - 404 * e3 - 918 * e2 + 30 * e - 250;
    const double third_of_pi = acos(0.5);
    const double angle = third_of_pi + acos(-delta1 / (2 * delta0 * sqrt(delta0))) / 3;
    return (e2 + 4 * e + 5 - 2 * sqrt(delta0) * cos(angle)) / 6;
}

void hrr_three_output_init(hrr_coordinate *law, uint64_t eps_nano)
{
    const double share = best_share_of_zero((double)eps_nano / HRR_EPS_UNIT);
    hrr_coordinate_use_atoms(law, eps_nano, (uint64_t)(share * 0x1p63) * 2);
}

const hrr_feature_method hrr_feature_three_output = {
    .about.name = "three-output",
    .about.what = "one of three values for each feature",
    .about.page = "docs/mechanisms/three-output.md",
    .about.certified = true,
    .about.needs_bounds = true,
    .about.sampled_form = "three-output-sampled",
    .law = hrr_three_output_init,
    HRR_ALL_COORDINATES};

const hrr_feature_method hrr_feature_three_output_sampled = {
    .about.name = "three-output-sampled",
    .about.what = "one of three values for some features of each node",
    .about.page = "docs/mechanisms/three-output.md",
    .about.certified = true,
    .about.needs_bounds = true,
    .law = hrr_three_output_init,
    .eps_each_nano = HRR_EPS_PER_COORDINATE,
    HRR_SAMPLED_COORDINATES};
