/* test_treatments.c: what a treatment does follows from its halves, whoever names them. */
#include "experiment/references.h"
#include "experiment/treatments.h"
#include "edge/traits.h"
#include "support/check.h"

#include <stdio.h>

static void read(hrr_feature_half *features, hrr_edge_half *edges, const char *text)
{
    hrr_error err = {0};
    if (hrr_treatment_read(features, edges, text, &err)) fail_msg("%s: %s", text, err.message);
}

static void test_treatments__every_mechanism_is_a_half(void **state)
{
    (void)state;
    for (const hrr_feature_mechanism *const *row = hrr_feature_mechanisms(); *row; row++) {
        const hrr_feature_half half = hrr_feature_half_of((*row)->name);
        assert_ptr_equal(half.mechanism, *row);
        assert_ptr_equal(half.name, (*row)->name);
        assert_int_equal(hrr_features_spend(half) + hrr_features_are_kept(half) +
                             hrr_features_are_left_out(half),
                         1);
    }
    for (const hrr_edge_mechanism *const *row = hrr_edge_mechanisms(); *row; row++) {
        const hrr_edge_half half = hrr_edge_half_of((*row)->name);
        assert_ptr_equal(half.mechanism, *row);
        assert_ptr_equal(half.name, (*row)->name);
        assert_int_equal(half.learns_from,
                         (*row)->has_counts ? HRR_LEARNS_FROM_COUNTS : HRR_LEARNS_FROM_EDGES);
        assert_int_equal(
            hrr_edges_spend(half) + hrr_edges_are_kept(half) + hrr_edges_are_left_out(half), 1);
    }
}

static void test_treatments__what_experiments_alone_have_is_described(void **state)
{
    (void)state;
    hrr_edge_half half = hrr_edge_half_of("mlp");
    assert_null(half.mechanism);
    assert_int_equal(half.learns_from, HRR_LEARNS_FROM_NO_EDGES);
    assert_true(hrr_edges_are_left_out(half) && !hrr_edges_spend(half));
    half = hrr_edge_half_of("majority");
    assert_null(half.mechanism);
    assert_int_equal(half.learns_from, HRR_LEARNS_FROM_NOTHING);
    assert_true(hrr_features_are_left_out(hrr_feature_half_of("majority")));
    half = hrr_edge_half_of("edgerr-node-edges");
    assert_string_equal(half.mechanism->name, "edgerr-node");
    assert_int_equal(half.learns_from, HRR_LEARNS_FROM_COUNTED_EDGES);
    assert_true(hrr_edges_spend(half));
    const hrr_feature_half rows = hrr_feature_half_of("featfree-rows");
    assert_null(rows.mechanism);
    assert_int_equal(rows.learner, HRR_LEARNER_NODE_ROWS);
    assert_true(hrr_features_are_left_out(rows) && !hrr_features_spend(rows));
    assert_int_equal(hrr_feature_half_of("label-propagation").learner, HRR_LEARNER_LABELS);
    assert_int_equal(hrr_feature_half_of("free").learner, HRR_LEARNER_FREE);
    assert_int_equal(hrr_feature_half_of("featfree").learner, HRR_LEARNER_NETWORK);
    for (const hrr_experiment_treatment *const *row = hrr_experiment_treatments(); *row; row++) {
        hrr_feature_half features;
        hrr_edge_half edges;
        char name[HRR_TREATMENT_SIZE];
        assert_true(*(*row)->what);
        assert_null(hrr_edge_mechanism_find((*row)->name));
        assert_null(hrr_feature_mechanism_find((*row)->name));
        read(&features, &edges, (*row)->name);
        hrr_treatment_name(name, features.name, edges.name);
        assert_string_equal(name, (*row)->name);
    }
}

static void test_treatments__what_is_whole_is_no_half(void **state)
{
    (void)state;
    for (const hrr_experiment_treatment *const *row = hrr_experiment_treatments(); *row; row++) {
        hrr_feature_half features;
        hrr_edge_half edges;
        hrr_error err = {0};
        char text[HRR_TREATMENT_SIZE];
        snprintf(text, sizeof text, "duchi+%s", (*row)->name);
        const hrr_status status = hrr_treatment_read(&features, &edges, text, &err);
        assert_int_equal(status != HRR_OK, (*row)->whole || (*row)->of_features);
        if (status) assert_says(err, "there is no edge mechanism");
        snprintf(text, sizeof text, "%s+edgerr", (*row)->name);
        assert_int_equal(hrr_treatment_read(&features, &edges, text, &err) == HRR_OK,
                         (*row)->of_features);
    }
}

static void test_treatments__without_features_there_still_are_edges(void **state)
{
    (void)state;
    hrr_feature_half features;
    hrr_edge_half edges;
    char name[HRR_TREATMENT_SIZE];
    read(&features, &edges, "label-propagation+public-only");
    assert_string_equal(features.name, "label-propagation");
    assert_string_equal(edges.name, "public-only");
    hrr_treatment_name(name, features.name, edges.name);
    assert_string_equal(name, "label-propagation+public-only");
    /* As edges, in a file of others, it is nothing that is known. */
    assert_true(hrr_edges_spend(hrr_edge_half_of("label-propagation")));
}

static void test_treatments__names_of_nobody_spend(void **state)
{
    (void)state;
    assert_true(hrr_edges_spend(hrr_edge_half_of("theirs")));
    assert_true(hrr_features_spend(hrr_feature_half_of("theirs")));
    assert_string_equal(hrr_edge_half_of("theirs").name, "theirs");
    hrr_feature_half features;
    hrr_edge_half edges;
    hrr_error err = {0};
    assert_int_equal(hrr_treatment_read(&features, &edges, "theirs", &err), HRR_EINVAL);
    assert_says(err, "there is no mechanism for features or edges 'theirs'");
    assert_int_equal(hrr_treatment_read(&features, &edges, "theirs+edgerr", &err), HRR_EINVAL);
    assert_says(err, "there is no feature mechanism 'theirs'");
}

/* Results files write them, reports read them. */
static void test_references__are_treatments_that_spend_nothing(void **state)
{
    (void)state;
    size_t n_treatments = 0;
    for (size_t i = 0; i < hrr_n_references; i++) {
        const hrr_reference *row = &hrr_references[i];
        assert_ptr_equal(hrr_reference_find(row->name, strlen(row->name)), row);
        assert_true(*row->label);
        hrr_feature_half features;
        hrr_edge_half edges;
        if (hrr_treatment_read(&features, &edges, row->name, NULL)) continue; /* of an attack */
        assert_false(hrr_features_spend(features) || hrr_edges_spend(edges));
        n_treatments++;
    }
    assert_true(n_treatments >= 6);
    assert_null(hrr_reference_find("mlps", 4));
    assert_ptr_equal(hrr_reference_find("mlp, bins 3", 3), hrr_reference_find("mlp", 3));
    const hrr_reference *floor = &hrr_references[HRR_REFERENCE_PUBLIC_EDGES];
    assert_int_equal(hrr_edge_traits(floor->name)->effect, HRR_EFFECT_LEAVE_OUT);
    char name[HRR_TREATMENT_SIZE];
    hrr_treatment_name(name, "none", "none");
    assert_string_equal(hrr_references[HRR_REFERENCE_NON_PRIVATE].name, name);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_treatments__every_mechanism_is_a_half),
        cmocka_unit_test(test_treatments__what_experiments_alone_have_is_described),
        cmocka_unit_test(test_treatments__what_is_whole_is_no_half),
        cmocka_unit_test(test_treatments__without_features_there_still_are_edges),
        cmocka_unit_test(test_treatments__names_of_nobody_spend),
        cmocka_unit_test(test_references__are_treatments_that_spend_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
