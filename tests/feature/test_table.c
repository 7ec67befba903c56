/* test_table.c: every row says of its mechanism what the mechanism does. */
#include "feature/features.h"
#include "feature/traits.h"
#include "support/public_head.h"

#include <math.h>

enum { n_features = 6 };
static const float along[] = {1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0}; /* two directions */

/* What the mechanism needs beside a budget, by its row. */
static hrr_feature_options options_of(const hrr_feature_mechanism *row, hrr_dense *directions)
{
    hrr_feature_options options = options_for(row->name, 3 * HRR_EPS_UNIT, 0);
    *directions = view(HRR_F32, 2, n_features, along);
    if (row->needs_directions) options.directions = directions;
    if (row->needs_delta) options.delta = 1e-6;
    if (row->needs_head) options.head = public_head(n_features, n_features, HRR_OUTPUT_SOFTMAX);
    return options;
}

static bool is_accepted(const hrr_feature_options *options)
{
    hrr_feature_plan *plan = NULL;
    const hrr_status status = hrr_feature_plan_new(&plan, n_features, options, NULL);
    hrr_feature_plan_free(plan);
    return status == HRR_OK;
}

static void test_table__every_row_is_found_by_its_name_and_has_its_words(void **state)
{
    (void)state;
    for (const hrr_feature_mechanism *const *row = hrr_feature_mechanisms(); *row; row++) {
        assert_ptr_equal(hrr_feature_mechanism_find((*row)->name), *row);
        assert_ptr_equal(hrr_feature_traits((*row)->name), *row);
        assert_true(*(*row)->what);
        assert_ptr_equal(strstr((*row)->page, "docs/mechanisms/"), (*row)->page);
    }
    assert_null(hrr_feature_mechanism_find("featurer"));
    assert_null(hrr_feature_mechanism_find(NULL));
}

static void test_table__a_name_that_nobody_has_spends_and_needs_bounds(void **state)
{
    (void)state;
    const hrr_feature_mechanism *unknown = hrr_feature_traits("nothing");
    assert_string_equal(unknown->name, "");
    assert_int_equal(unknown->effect, HRR_EFFECT_PROTECT);
    assert_true(unknown->needs_bounds);
    assert_false(unknown->certified || unknown->has_bins || unknown->needs_delta);
}

static void test_table__floor_and_reference_are_the_rows_one_expects(void **state)
{
    (void)state;
    assert_string_equal(hrr_feature_mechanism_with(HRR_EFFECT_LEAVE_OUT)->name, "featfree");
    assert_string_equal(hrr_feature_mechanism_with(HRR_EFFECT_KEEP)->name, "none");
    assert_null(hrr_feature_mechanism_with((hrr_effect)99));
}

static void test_table__effects_are_what_plans_promise(void **state)
{
    (void)state;
    for (const hrr_feature_mechanism *const *row = hrr_feature_mechanisms(); *row; row++) {
        hrr_dense directions;
        hrr_feature_options options = options_of(*row, &directions);
        hrr_feature_plan *plan = plan_for(n_features, &options);
        const hrr_feature_claim claim = hrr_feature_plan_claim(plan);
        assert_int_equal(isfinite(claim.realised_eps) != 0, (*row)->certified);
        assert_int_equal(claim.realised_eps == 0, (*row)->effect == HRR_EFFECT_LEAVE_OUT);
        assert_int_equal(isinf(claim.realised_eps) != 0, (*row)->effect == HRR_EFFECT_KEEP);
        assert_int_equal(claim.n_bins > 0, (*row)->has_bins);
        assert_int_equal(claim.n_sampled > 0, (*row)->samples);
        assert_int_equal(claim.delta > 0, (*row)->needs_delta);
        hrr_feature_plan_free(plan);
        options.eps_nano = 0;
        assert_int_equal(!is_accepted(&options), (*row)->effect == HRR_EFFECT_PROTECT);
    }
}

/* What has no trait refuses the option, what needs one refuses to be without. */
static void test_table__options_are_looked_at_as_the_rows_say(void **state)
{
    (void)state;
    static const double theta[n_features] = {1, 2, 3, 4, 5, 6};
    for (const hrr_feature_mechanism *const *row = hrr_feature_mechanisms(); *row; row++) {
        hrr_dense directions;
        const hrr_feature_options usual = options_of(*row, &directions);
        hrr_feature_options options = usual;
        options.n_bins = 4;
        assert_int_equal(is_accepted(&options), (*row)->has_bins);
        options = usual;
        options.theta = theta;
        assert_int_equal(is_accepted(&options), (*row)->has_bins);
        options = usual;
        options.decoding = HRR_DECODE_POSTERIOR;
        assert_int_equal(is_accepted(&options), (*row)->has_decodings);
        options = usual;
        options.n_sampled = 2;
        assert_int_equal(is_accepted(&options), (*row)->samples);
        options = usual;
        options.delta = 0;
        assert_int_equal(is_accepted(&options), !(*row)->needs_delta);
        options = usual;
        options.directions = NULL;
        assert_int_equal(is_accepted(&options), !(*row)->needs_directions);
        options = usual;
        options.head =
            options.head ? NULL : public_head(n_features, n_features, HRR_OUTPUT_SOFTMAX);
        assert_false(is_accepted(&options));
    }
}

/* Values beyond the bounds are released as if they were at them. */
static void test_table__who_needs_bounds_clips_to_them(void **state)
{
    (void)state;
    const float at_bounds[n_features] = {1, 1, 1, 1, 1, 1};
    const float beyond[n_features] = {9, 9, 9, 9, 9, 9};
    for (const hrr_feature_mechanism *const *row = hrr_feature_mechanisms(); *row; row++) {
        hrr_dense directions;
        const hrr_feature_options options = options_of(*row, &directions);
        hrr_feature_plan *plan = plan_for(n_features, &options);
        float released[2][n_features];
        for (int i = 0; i < 2; i++) {
            const hrr_dense in = view(HRR_F32, 1, n_features, i ? beyond : at_bounds);
            hrr_dense out = view(HRR_F32, 1, n_features, released[i]);
            hrr_random *random = seeded(5);
            assert_ok(hrr_feature_plan_apply(&out, plan, &in, 0, random, 1, NULL, NULL));
            hrr_random_free(random);
        }
        const bool same = memcmp(released[0], released[1], sizeof released[0]) == 0;
        assert_int_equal(same, (*row)->needs_bounds || (*row)->effect == HRR_EFFECT_LEAVE_OUT);
        hrr_feature_plan_free(plan);
    }
}

static void test_table__sampled_forms_sample(void **state)
{
    (void)state;
    for (const hrr_feature_mechanism *const *row = hrr_feature_mechanisms(); *row; row++) {
        if (!(*row)->sampled_form) continue;
        const hrr_feature_mechanism *form = hrr_feature_mechanism_find((*row)->sampled_form);
        assert_non_null(form);
        assert_true(form->samples && !(*row)->samples && !form->sampled_form);
        assert_int_equal(form->has_bins, (*row)->has_bins);
    }
    assert_string_equal(hrr_feature_mechanism_find("duchi")->sampled_form, "duchi-sampled");
    assert_null(hrr_feature_mechanism_find("multibit")->sampled_form);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_table__every_row_is_found_by_its_name_and_has_its_words),
        cmocka_unit_test(test_table__a_name_that_nobody_has_spends_and_needs_bounds),
        cmocka_unit_test(test_table__floor_and_reference_are_the_rows_one_expects),
        cmocka_unit_test(test_table__effects_are_what_plans_promise),
        cmocka_unit_test(test_table__options_are_looked_at_as_the_rows_say),
        cmocka_unit_test(test_table__who_needs_bounds_clips_to_them),
        cmocka_unit_test(test_table__sampled_forms_sample),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
