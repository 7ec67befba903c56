/* test_refusals.c: requests that are refused, before any file appears. */
#include "release/releases.h"

#include <math.h>

static void check_refused(void **state, const hrr_protect_options *options, const char *says)
{
    hrr_graph *graph = small_graph(7);
    hrr_error err = {0};
    assert_int_equal(try_protect(&err, in_dir(*state, "bundle"), graph, options), HRR_EINVAL);
    assert_says(err, says);
    assert_int_equal(count_entries(*state), 0);
    hrr_graph_free(graph);
}

static void test_refusals__a_budget_must_be_named(void **state)
{
    hrr_protect_options options;
    hrr_protect_options_init(&options);
    check_refused(state, &options, "epsilon of the features");
    options.features.eps_nano = HRR_EPS_MAX + 1;
    check_refused(state, &options, "epsilon of the features");
    options.features.eps_nano = HRR_EPS_UNIT;
    options.eps_labels_nano = HRR_EPS_MAX + 1;
    check_refused(state, &options, "epsilon of the labels");
}

static void test_refusals__strict_mode_takes_public_bounds_and_scores_only(void **state)
{
    const double theta[small_features] = {.5, .25, .25};
    hrr_protect_options options = usual_options();
    options.bounds_from_data = true;
    check_refused(state, &options, "bounds taken from the data");
    options = usual_options();
    options.features.theta = theta;
    check_refused(state, &options, "declared public");
}

/* The message names the field that is missing, and comes before any ledger. */
static void test_refusals__what_is_not_declared_is_refused_by_name(void **state)
{
    hrr_protect_options options = usual_options();
    options.edges.mechanism = "edgerr";
    options.edges.eps_nano = HRR_EPS_UNIT;
    options.with_ledger = true;
    options.ledger = in_dir(*state, "ledger");
    options.limit_nano = 10 * HRR_EPS_UNIT;
    hrr_graph *graph = small_graph(7);
    hrr_error err = {0};
    hrr_graph_add_inferred(graph, HRR_INFERRED_NODES);
    assert_int_equal(hrr_public_refused(graph, &options), HRR_PUBLIC_NODES);
    assert_int_equal(try_protect(&err, in_dir(*state, "bundle"), graph, &options), HRR_EINVAL);
    assert_says(err, "`declared_public` lacks HRR_PUBLIC_NODES: the nodes are those that rows");
    options.allow_undeclared = true;
    options.with_ledger = false;
    assert_int_equal(hrr_public_refused(graph, &options), 0);
    assert_false(protect(in_dir(*state, "bundle"), graph, &options).is_private);
    options.allow_undeclared = false;
    options.declared_public = HRR_PUBLIC_NODES;
    options.replace = true;
    assert_true(protect_privately(in_dir(*state, "bundle"), graph, &options).is_private);
    options.declared_public |= HRR_PUBLIC_EDGES;
    assert_int_equal(try_protect(&err, in_dir(*state, "other"), graph, &options), HRR_EINVAL);
    assert_says(err, "hrr_graph_mark_none()");
    hrr_graph_free(graph);
}

static void test_refusals__edges_that_nobody_decided_about(void **state)
{
    hrr_protect_options options = usual_options();
    hrr_graph *graph = graph_of(small_nodes, 7, small_pairs, NULL);
    hrr_error err = {0};
    options.allow_undeclared = true;
    for (int paper = 0; paper < 2; paper++) {
        options.paper_mode = paper;
        assert_int_equal(try_protect(&err, in_dir(*state, "bundle"), graph, &options), HRR_EINVAL);
        assert_says(err, "hrr_graph_mark_all()");
        assert_int_equal(count_entries(*state), 0);
    }
    hrr_graph_mark_none(graph);
    assert_int_equal(protect(in_dir(*state, "as it is"), graph, &options).edges_out, 7);
    assert_ok(hrr_graph_mark_all(graph, NULL));
    assert_int_equal(protect(in_dir(*state, "left out"), graph, &options).edges_out, 0);
    hrr_graph_free(graph);
}

static void test_refusals__unknown_mechanisms_and_bad_bounds(void **state)
{
    const double one[small_features] = {1, 1, 1};
    hrr_protect_options options = usual_options();
    options.edges.mechanism = "edgerrr";
    check_refused(state, &options, "edgerrr");
    options = usual_options();
    options.features.mechanism = "featurerrr";
    check_refused(state, &options, "featurerrr");
    options = usual_options();
    options.features.lo = options.features.hi = one;
    check_refused(state, &options, "bounds of feature 0");
    options = usual_options();
    options.features.n_bins = 1;
    check_refused(state, &options, "number of bins");
}

static void test_refusals__labels_that_are_not_there(void **state)
{
    hrr_graph *graph = graph_of(small_nodes, 7, small_pairs, small_marks);
    hrr_protect_options options = usual_options();
    hrr_error err = {0};
    options.eps_labels_nano = HRR_EPS_UNIT;
    assert_int_equal(try_protect(&err, in_dir(*state, "bundle"), graph, &options), HRR_EINVAL);
    assert_says(err, "no labels");
    assert_int_equal(count_entries(*state), 0);
    hrr_graph_free(graph);
}

/* The graph was valid when it was taken; a mapped file can change under it. */
static void test_refusals__a_value_that_stopped_being_finite(void **state)
{
    hrr_graph *graph = small_graph(7);
    ((float *)hrr_graph_features(graph)->data)[4] = NAN;
    hrr_protect_options options = usual_options();
    hrr_error err = {0};
    assert_int_equal(try_protect(&err, in_dir(*state, "bundle"), graph, &options), HRR_EDATA);
    assert_says(err, "row 1, column 1");
    assert_int_equal(count_entries(*state), 0);
    hrr_graph_free(graph);
}

static void test_refusals__existing_bundle_is_kept(void **state)
{
    hrr_graph *graph = small_graph(7);
    hrr_protect_options options = usual_options();
    const char *bundle = in_dir(*state, "bundle");
    hrr_error err = {0};
    protect(bundle, graph, &options);
    assert_int_equal(try_protect(&err, bundle, graph, &options), HRR_EINVAL);
    assert_says(err, "exists already");
    options.replace = true;
    protect(bundle, graph, &options);
    assert_int_equal(count_entries(*state), 1);
    hrr_graph_free(graph);
}

static void test_refusals__dry_run_writes_nothing(void **state)
{
    hrr_graph *graph = small_graph(7);
    hrr_protect_options options = usual_options();
    hrr_protect_summary summary = foresee(graph, &options);
    assert_int_equal(summary.edges_out, 4);
    assert_true(summary.realised_eps_features > .999 && summary.realised_eps_features <= 1);
    assert_int_equal(count_entries(*state), 0);
    hrr_graph_free(graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_SCRATCH(test_refusals__a_budget_must_be_named),
        WITH_SCRATCH(test_refusals__strict_mode_takes_public_bounds_and_scores_only),
        WITH_SCRATCH(test_refusals__what_is_not_declared_is_refused_by_name),
        WITH_SCRATCH(test_refusals__edges_that_nobody_decided_about),
        WITH_SCRATCH(test_refusals__unknown_mechanisms_and_bad_bounds),
        WITH_SCRATCH(test_refusals__labels_that_are_not_there),
        WITH_SCRATCH(test_refusals__a_value_that_stopped_being_finite),
        WITH_SCRATCH(test_refusals__existing_bundle_is_kept),
        WITH_SCRATCH(test_refusals__dry_run_writes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
