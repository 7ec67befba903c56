/* The claims of all baselines, tried from outside: two inputs as far apart as the bounds allow,
 * many releases of each, and a lower bound of epsilon from the frequencies. Wrong streams, scales
 * or splits would show here whatever the tables say. */
#include "feature/features.h"
#include "privacy/eps_lower_bound.h"

#include <math.h>
#include <stdlib.h>

/* A bound exceeds the truth with probability at most 4 alpha 9 = 4e-6 for each mechanism; the seeds
 * are fixed. */
static const double alpha = 1e-7;
enum { rows = 200000, cols = 2, n_outcomes = 9 };

/* Each feature is below, at or above the middle of its bounds. */
static void count_outcomes(uint64_t count[n_outcomes], const hrr_feature_plan *plan, float x,
                           uint64_t seed)
{
    float *in = malloc(rows * cols * sizeof *in), *out = malloc(rows * cols * sizeof *out);
    for (int i = 0; i < rows * cols; i++)
        in[i] = x;
    hrr_dense private_rows = view(HRR_F32, rows, cols, in),
              released = view(HRR_F32, rows, cols, out);
    hrr_random *random = seeded(seed);
    assert_ok(hrr_feature_plan_apply(&released, plan, &private_rows, 0, random, 2, NULL, NULL));
    hrr_random_free(random);
    for (int o = 0; o < n_outcomes; o++)
        count[o] = 0;
    for (int r = 0; r < rows; r++) {
        const float a = out[2 * r], b = out[2 * r + 1];
        count[3 * ((a >= .5f) + (a > .5f)) + (b >= .5f) + (b > .5f)]++;
    }
    free(in);
    free(out);
}

static double eps_seen(const char *mechanism, uint64_t eps_nano, double *claimed)
{
    hrr_feature_options options = options_for(mechanism, eps_nano, 0);
    options.delta = 1e-6;
    hrr_feature_plan *plan = plan_for(cols, &options);
    *claimed = hrr_feature_plan_claim(plan).realised_eps;
    uint64_t lowest[n_outcomes], highest[n_outcomes];
    count_outcomes(lowest, plan, 0, 41);
    count_outcomes(highest, plan, 1, 43);
    hrr_feature_plan_free(plan);
    return hrr_audit_lower_bound(lowest, highest, n_outcomes, rows, alpha);
}

static void test_audit__no_mechanism_shows_more_than_it_claims(void **state)
{
    (void)state;
    static const uint64_t eps_grid[] = {HRR_EPS_UNIT / 2, HRR_EPS_UNIT, 6 * HRR_EPS_UNIT};
    for (const hrr_feature_mechanism *const *row = hrr_feature_mechanisms(); *row; row++) {
        if (strncmp((*row)->name, "featurerr", 9) == 0) continue; /* not baselines */
        for (int e = 0; e < 3; e++) {
            double claimed, seen = eps_seen((*row)->name, eps_grid[e], &claimed);
            if (isinf(claimed)) continue; /* none: see the last test */
            const double requested = (double)eps_grid[e] / HRR_EPS_UNIT;
            if (seen > claimed || seen > requested)
                fail_msg("%s: asked for %g, claims %g, shows %g", (*row)->name, requested, claimed,
                         seen);
        }
    }
}

/* Where the worst event is among the nine, the audit must come close: it is not blind. */
static void test_audit__sees_nearly_all_of_what_two_answers_reveal(void **state)
{
    (void)state;
    static const char *const names[] = {"duchi", "duchi-sampled", "multibit", "three-output",
                                        "hybrid"};
    for (int i = 0; i < 5; i++) {
        double claimed, seen = eps_seen(names[i], HRR_EPS_UNIT, &claimed);
        if (seen < .93) fail_msg("%s shows only %g", names[i], seen);
    }
}

static void test_audit__catches_an_epsilon_a_tenth_too_large(void **state)
{
    (void)state;
    double claimed;
    assert_true(eps_seen("duchi", HRR_EPS_UNIT * 11 / 10, &claimed) > 1);
    assert_true(eps_seen("multibit", HRR_EPS_UNIT * 11 / 10, &claimed) > 1);
    assert_true(eps_seen("none", HRR_EPS_UNIT, &claimed) > 9); /* all that 200,000 rows can show */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_audit__no_mechanism_shows_more_than_it_claims),
        cmocka_unit_test(test_audit__sees_nearly_all_of_what_two_answers_reveal),
        cmocka_unit_test(test_audit__catches_an_epsilon_a_tenth_too_large),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
