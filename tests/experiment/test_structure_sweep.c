/* A sweep writes one row for each setting and run, goes on where it stopped, and its means are what
 * the rows say. */
#include "experiment/csv.h"

#include <heterorr/experiment.h>
#include <heterorr/generate.h>

#include <math.h>
#include <stdio.h>

static const char *const mechanisms[] = {"edgerr", "public-only", "none", NULL};
static const uint64_t budgets[] = {HRR_EPS_UNIT / 2, 4 * HRR_EPS_UNIT};
static const double fractions[] = {.1, .5};

static hrr_structure_sweep_options usual_options(void)
{
    hrr_structure_sweep_options options;
    hrr_structure_sweep_options_init(&options);
    options.mechanisms = mechanisms;
    options.eps_edges_nano = budgets;
    options.n_eps = 2;
    options.private_fractions = fractions;
    options.n_fractions = 2;
    options.runs = 3;
    options.hops = 2;
    options.threads = 1;
    return options;
}

static hrr_graph *small_graph(void)
{
    hrr_generate_options options;
    hrr_generate_options_init(&options);
    options.n_nodes = 120;
    options.n_features = 0;
    options.average_degree = 6;
    hrr_graph *graph;
    assert_ok(hrr_generate(&graph, NULL, &options, NULL, NULL));
    return graph;
}

/* Settings that spend nothing run once for both budgets. */
enum { n_settings = 2 * (2 + 1 + 1), n_rows = 3 * n_settings };

static void test_structure_sweep__one_row_for_each_setting_and_run(void **state)
{
    const char *path = in_dir(*state, "r.csv");
    hrr_graph *graph = small_graph();
    const hrr_structure_sweep_options options = usual_options();
    assert_ok(hrr_structure_sweep(path, graph, &options, NULL, NULL));
    assert_int_equal(count_lines(path), 1 + n_rows);
    hrr_structure_mean *means;
    size_t n;
    assert_ok(hrr_structure_means(&means, &n, path, NULL));
    assert_int_equal(n, n_settings);
    for (size_t i = 0; i < n; i++) {
        const hrr_structure_mean *mean = &means[i];
        assert_int_equal(mean->runs, 3);
        assert_int_equal(mean->hops, 2);
        assert_true(mean->rms[0] == 0);
        if (strcmp(mean->mechanism, "none") == 0) {
            assert_true(mean->rms[1] == 0 && mean->rms[2] == 0);
            assert_true(mean->private_recall == 1);
            for (int k = 0; k < HRR_N_STATISTICS; k++)
                assert_true(mean->statistic[k].mean == 0);
            assert_string_equal(mean->eps_edges, "0");
        } else {
            assert_true(mean->rms[1] > 0 && mean->rms[2] > 0);
        }
        if (strcmp(mean->mechanism, "public-only") == 0) assert_true(mean->private_recall == 0);
    }
    hrr_free(means);
    hrr_graph_free(graph);
}

static void test_structure_sweep__goes_on_and_does_not_depend_on_threads(void **state)
{
    const char *one = in_dir(*state, "one.csv"), *two = in_dir(*state, "two.csv");
    hrr_graph *graph = small_graph();
    hrr_structure_sweep_options options = usual_options();
    assert_ok(hrr_structure_sweep(one, graph, &options, NULL, NULL));
    /* An interrupted run: the header, four rows and a torn one. */
    size_t end;
    char *text = interrupted_copy(two, one, 5, &end);
    options.threads = 3;
    assert_ok(hrr_structure_sweep(two, graph, &options, NULL, NULL));
    assert_same_rows(one, two, text, end);
    free(text);
    hrr_graph_free(graph);
}

static void refused(void **state, const hrr_structure_sweep_options *options, const char *says)
{
    hrr_graph *graph = small_graph();
    hrr_error err = {0};
    assert_int_equal(hrr_structure_sweep(in_dir(*state, "r.csv"), graph, options, NULL, &err),
                     HRR_EINVAL);
    assert_says(err, says);
    assert_int_equal(count_entries(*state), 0);
    hrr_graph_free(graph);
}

static void test_structure_sweep__bad_options(void **state)
{
    static const char *const unknown[] = {"edgerrr", NULL}, *const nothing[] = {NULL};
    static const double bad[] = {NAN};
    hrr_structure_sweep_options options = usual_options();
    options.mechanisms = unknown;
    refused(state, &options, "edgerrr");
    options.mechanisms = nothing;
    refused(state, &options, "at least one mechanism");
    options = usual_options();
    options.n_eps = 0;
    refused(state, &options, "needs a budget");
    options = usual_options();
    options.hops = HRR_MAX_HOPS + 1;
    refused(state, &options, "hops");
    options = usual_options();
    options.runs = 0;
    refused(state, &options, "run");
    options = usual_options();
    options.private_fractions = bad;
    options.n_fractions = 1;
    refused(state, &options, "fraction");
}

/* Nearer in degrees, farther in walks, and neither in clustering; a seed counts once. The file is
 * one of before paths were measured. */
static void test_structure_means__every_statistic_has_its_own_verdict(void **state)
{
    char text[4096] =
        "graph,edge_mechanism,tree,eps_edges,private_fraction,run,seed,edges_released,"
        "rms_0,rms_1,degree_ks,transitivity_original,transitivity_released\n";
    for (int call = 0; call < 2; call++) /* seeds 1 to 4, then 3 to 6 */
        for (int run = 0; run < 4; run++) {
            const int seed = 1 + 2 * call + run;
            const double noise = .001 * (seed * 7 % 5);
            snprintf(text + strlen(text), sizeof text - strlen(text),
                     "g,edgerr,public,1,1,%d,%d,9,0,%.6f,%.6f,.5,%.6f\n"
                     "g,public-only,,0,1,%d,%d,0,0,%.6f,%.6f,.5,%.6f\n",
                     run, seed, .02 + noise, .3 + noise, .1 + (seed % 2 ? noise : -noise), run,
                     seed, .01, 1., .1);
        }
    const char *path = in_dir(*state, "r.csv");
    hrr_structure_mean *means;
    size_t n;
    write_text(path, text);
    assert_ok(hrr_structure_means(&means, &n, path, NULL));
    assert_int_equal(n, 2);
    assert_true(hrr_is_empty_control(&means[0]) && !means[0].spends);
    assert_int_equal(means[1].runs, 6);
    static const hrr_worth expected[HRR_N_STATISTICS] = {
        HRR_WORTH_MORE, HRR_WORTH_NO_MORE, HRR_WORTH_UNTESTED, HRR_WORTH_UNTESTED, HRR_WORTH_LESS};
    for (int k = 0; k < HRR_N_STATISTICS; k++) {
        assert_int_equal(means[1].statistic[k].test.worth, expected[k]);
        assert_int_equal(means[0].statistic[k].test.control, -1);
    }
    assert_int_equal(means[1].statistic[HRR_STATISTIC_WALKS].test.pairs, 6);
    assert_true(isnan(means[1].statistic[HRR_STATISTIC_PATHS].mean));
    assert_string_equal(hrr_nearness_word(expected[0]), "nearer");
    hrr_free(means);
}

static void test_structure_sweep__means_refuse_another_file(void **state)
{
    static const char *const texts[] = {
        "", "a,b\n1,2\n",
        "edge_mechanism,tree,eps_edges,private_fraction,rms_0\nedgerr,public,1,0.1,x\n",
        "edge_mechanism,tree,eps_edges,private_fraction,rms_0\nedgerr,public,1\n",
        "mechanism,eps_edges,test_accuracy\nedgerr,1,.5\n"};
    static const char *const says[] = {"is empty", "the columns do not show", ":2: column rms_0",
                                       ":2: the row has 3 fields",
                                       "results on structure are needed"};
    for (int i = 0; i < 5; i++) {
        hrr_structure_mean *means;
        size_t n;
        hrr_error err = {0};
        write_text(in_dir(*state, "r.csv"), texts[i]);
        assert_int_equal(hrr_structure_means(&means, &n, in_dir(*state, "r.csv"), &err), HRR_EDATA);
        assert_says(err, says[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_structure_sweep__one_row_for_each_setting_and_run,
                                        scratch_setup, scratch_teardown),
        cmocka_unit_test_setup_teardown(
            test_structure_sweep__goes_on_and_does_not_depend_on_threads, scratch_setup,
            scratch_teardown),
        cmocka_unit_test_setup_teardown(test_structure_means__every_statistic_has_its_own_verdict,
                                        scratch_setup, scratch_teardown),
        cmocka_unit_test_setup_teardown(test_structure_sweep__bad_options, scratch_setup,
                                        scratch_teardown),
        cmocka_unit_test_setup_teardown(test_structure_sweep__means_refuse_another_file,
                                        scratch_setup, scratch_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
