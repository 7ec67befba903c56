/* Networks trained on releases: which settings are run, that runs are paired, that a sweep goes on
 * where it stopped, and that rows depend on nothing but their settings. */
#include "experiment/csv.h"
#include "experiment/treatments.h"
#include "experiment/made_graphs.h"
#include "experiment/training_run.h"
#include "support/brutal.h"

#include <math.h>

static const char *const treatments[] = {"featurerr", "edgerr-node", "multibit+edgerr", NULL};
static const uint64_t eps_features[] = {HRR_EPS_UNIT, 4 * HRR_EPS_UNIT};
static const uint64_t eps_edges[] = {2 * HRR_EPS_UNIT};
static const double fractions[] = {.2, .5};
static const uint32_t propagate[] = {0, 2};

static hrr_training_sweep_options usual_options(void)
{
    hrr_training_sweep_options options;
    hrr_training_sweep_options_init(&options);
    options.treatments = treatments;
    options.eps_features_nano = eps_features;
    options.n_eps_features = 2;
    options.eps_edges_nano = eps_edges;
    options.n_eps_edges = 1;
    options.private_fractions = fractions;
    options.n_fractions = 2;
    options.runs = 2;
    options.train.n_hidden = 4;
    options.train.epochs = 5;
    options.threads = 1;
    return options;
}

static hrr_graph *made(uint64_t n_nodes, bool multilabel)
{
    return made_graph(n_nodes, 5, 0.5, multilabel);
}

/* ---- settings -------------------------------------------------------------------------------- */

static size_t count_of(const hrr_training_settings *all, const char *features, const char *edges)
{
    size_t n = 0;
    for (size_t i = 0; i < all->n; i++)
        n += strcmp(all->items[i].features, features) == 0 &&
             strcmp(all->items[i].edges, edges) == 0;
    return n;
}

static void test_settings__controls_are_there_unasked(void **state)
{
    (void)state;
    hrr_graph *graph = made(60, false);
    hrr_training_sweep_options options = usual_options();
    options.runs = 1;
    hrr_training_settings all;
    assert_ok(hrr_training_settings_list(&all, graph, &options, NULL));
    /* What spends nothing runs once for all budgets, what sees all edges or none once for all
     * shares of private ones. */
    assert_int_equal(count_of(&all, "majority", "majority"), 1);
    assert_int_equal(count_of(&all, "none", "none"), 1);
    assert_int_equal(count_of(&all, "none", "mlp"), 1);
    assert_int_equal(count_of(&all, "featfree", "none"), 1);
    assert_int_equal(count_of(&all, "featfree-rows", "none"), 1);
    assert_int_equal(count_of(&all, "label-propagation", "none"), 1);
    assert_int_equal(count_of(&all, "none", "public-only"), 2);
    assert_int_equal(count_of(&all, "featfree-rows", "public-only"), 2);
    assert_int_equal(count_of(&all, "label-propagation", "public-only"), 2);
    assert_int_equal(count_of(&all, "free", "none"), 1);
    assert_int_equal(count_of(&all, "free", "public-only"), 2);
    /* Budgets of features: the two that were asked for, and the one that buys nothing. */
    assert_int_equal(count_of(&all, "featurerr", "none"), 3);
    assert_int_equal(count_of(&all, "none", "edgerr-node"), 2);
    assert_int_equal(count_of(&all, "multibit", "edgerr"), 3 * 2);
    assert_int_equal(count_of(&all, "multibit", "public-only"), 3 * 2);
    assert_int_equal(count_of(&all, "multibit", "mlp"), 3);
    assert_int_equal(count_of(&all, "featfree", "public-only"), 2);
    assert_int_equal(count_of(&all, "featfree", "edgerr"), 2);
    /* What edges are compared with has the features that these have. */
    assert_int_equal(count_of(&all, "none", "predicted-links"), 2);
    assert_int_equal(count_of(&all, "none", "public-best"), 2);
    assert_int_equal(count_of(&all, "multibit", "predicted-links"), 3 * 2);
    assert_int_equal(count_of(&all, "multibit", "public-best"), 3 * 2);
    assert_int_equal(all.n, 1 + 1 + 1 + 4 + 2 + 6 + 3 + 2 + 6 + 6 + 3 + 2 + 2 + 4 + 12);
    hrr_training_settings_clear(&all);

    /* Propagation is for protected features that meet edges; random ones have the usual, too. */
    options.propagate = propagate;
    options.n_propagate = 2;
    options.runs = 3;
    assert_ok(hrr_training_settings_list(&all, graph, &options, NULL));
    assert_int_equal(count_of(&all, "featurerr", "none"), 3 * 3 * 2);
    assert_int_equal(count_of(&all, "featfree", "none"), 3 * 3);
    assert_int_equal(count_of(&all, "featfree-rows", "none"), 3 * 3);
    assert_int_equal(count_of(&all, "label-propagation", "none"), 3);
    assert_int_equal(count_of(&all, "multibit", "mlp"), 3 * 3);
    assert_int_equal(count_of(&all, "none", "edgerr-node"), 3 * 2);
    hrr_training_settings_clear(&all);

    /* Asked for or not, each is there once, and so is the budget that buys nothing. */
    options.eps_features_nano = (const uint64_t[]){HRR_EPS_NOTHING};
    options.n_eps_features = options.n_propagate = options.runs = 1;
    assert_ok(hrr_training_settings_list(&all, graph, &options, NULL));
    assert_int_equal(count_of(&all, "featurerr", "none"), 1);
    hrr_training_settings_clear(&all);
    static const char *const controls[] = {
        "mlp", "featfree", "non-private", "majority", "none+none", "none+public-only", NULL};
    options = usual_options();
    options.runs = 1;
    options.treatments = controls;
    assert_ok(hrr_training_settings_list(&all, graph, &options, NULL));
    assert_int_equal(all.n, 1 + 1 + 1 + 1 + 2);
    hrr_training_settings_clear(&all);
    hrr_graph_free(graph);
}

/* Every treatment and control at every rate; as many nodes to stop by, at most a quarter. */
static void test_settings__label_rates_multiply_everything(void **state)
{
    (void)state;
    hrr_graph *graph = made(60, false);
    hrr_training_sweep_options options = usual_options();
    hrr_training_settings once, all;
    static const double rates[] = {.1, .5};
    options.runs = 1;
    assert_ok(hrr_training_settings_list(&once, graph, &options, NULL));
    options.label_rates = rates;
    options.n_label_rates = 2;
    assert_ok(hrr_training_settings_list(&all, graph, &options, NULL));
    assert_int_equal(all.n, 2 * once.n);
    assert_int_equal(count_of(&all, "majority", "majority"), 2);
    for (int k = 0; k < 2; k++) {
        const hrr_training_setting guess = {.features = "majority",
                                            .edges = "majority",
                                            .fraction = HRR_ANY_FRACTION,
                                            .label_rate = rates[k]};
        hrr_training_outcome found;
        assert_ok(hrr_training_run(&found, graph, &guess, &options, NULL, NULL, NULL));
        assert_int_equal(found.valid.n, k ? 15 : 6);
        assert_int_equal(found.test.n, k ? 15 : 48);
        char *text = hrr_training_setting_text(&guess, "g", graph, &options);
        assert_non_null(strstr(text, k ? ",0.5:0.25," : ",0.1:0.1,"));
        hrr_free(text);
    }
    hrr_training_settings_clear(&once);
    hrr_training_settings_clear(&all);
    hrr_graph_free(graph);
}

static void test_settings__names_say_what_happens(void **state)
{
    (void)state;
    char name[HRR_TREATMENT_SIZE];
    hrr_treatment_name(name, "none", "none");
    assert_string_equal(name, "non-private");
    hrr_treatment_name(name, "featfree", "none");
    assert_string_equal(name, "featfree");
    hrr_treatment_name(name, "majority", "majority");
    assert_string_equal(name, "majority");
    hrr_treatment_name(name, "none", "edgerr");
    assert_string_equal(name, "edgerr");
    hrr_treatment_name(name, "duchi", "mlp");
    assert_string_equal(name, "duchi+mlp");
}

static void refused(void **state, const hrr_training_sweep_options *options, hrr_graph *graph,
                    hrr_status status, const char *says)
{
    hrr_error err = {0};
    assert_int_equal(hrr_training_sweep(in_dir(*state, "r.csv"), graph, options, NULL, &err),
                     status);
    assert_says(err, says);
    assert_int_equal(count_entries(*state), 0); /* nothing was begun */
}

static void test_settings__what_makes_no_sense_is_refused_first(void **state)
{
    static const struct {
        const char *name, *says;
    } bad[] = {{"edgerrr", "edgerrr"},
               {"edgerr+featurerr", "feature mechanism 'edgerr'"},
               {"featurerr+", "edge mechanism"},
               {"+edgerr", "feature mechanism ''"},
               {"featurerr-projected", "directions"},
               {"gaussian", "delta"}};
    hrr_graph *graph = made(60, false);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const char *const list[] = {bad[i].name, NULL};
        hrr_training_sweep_options options = usual_options();
        options.treatments = list;
        refused(state, &options, graph, HRR_EINVAL, bad[i].says);
    }
    hrr_training_sweep_options options = usual_options();
    options.n_eps_features = 0;
    refused(state, &options, graph, HRR_EINVAL, "`eps_features_nano`");
    options = usual_options();
    options.n_eps_edges = 0;
    refused(state, &options, graph, HRR_EINVAL, "`eps_edges_nano`");
    options = usual_options();
    options.runs = 0;
    refused(state, &options, graph, HRR_EINVAL, "run");
    options = usual_options();
    options.valid_share = .5;
    refused(state, &options, graph, HRR_EINVAL, "split");
    for (int k = 0; k < 2; k++) {
        options = usual_options();
        options.label_rates = (const double[2]){k ? .8 : 0};
        options.n_label_rates = 1;
        refused(state, &options, graph, HRR_EINVAL, "`label_rates`");
    }
    options.label_rates = fractions;
    options.own_split = true;
    refused(state, &options, graph, HRR_EINVAL, "own split");
    hrr_training_sweep_options_init(&options);
    refused(state, &options, graph, HRR_EINVAL, "at least one mechanism");
    options = usual_options();
    hrr_graph *bare = NULL;
    assert_ok(hrr_graph_new(&bare, "bare", 10, NULL));
    refused(state, &options, bare, HRR_EDATA, "features");
    hrr_graph_free(bare);
    hrr_graph_free(graph);
}

/* ---- rows ------------------------------------------------------------------------------------ */

static void test_sweep__goes_on_and_does_not_depend_on_threads(void **state)
{
    const char *one = in_dir(*state, "one.csv"), *two = in_dir(*state, "two.csv");
    hrr_graph *graph = made(60, false);
    hrr_training_sweep_options options = usual_options();
    assert_ok(hrr_training_sweep(one, graph, &options, NULL, NULL));
    assert_int_equal(count_lines(one), 1 + 2 * 55);
    /* An interrupted run: the header, six rows and a torn one. */
    size_t end;
    char *text = interrupted_copy(two, one, 7, &end);
    options.threads = 3;
    assert_ok(hrr_training_sweep(two, graph, &options, NULL, NULL));
    assert_same_rows(one, two, text, end);
    free(text);
    /* Finished: nothing is added. More runs: only those. */
    assert_ok(hrr_training_sweep(two, graph, &options, NULL, NULL));
    assert_int_equal(count_lines(two), 1 + 2 * 55);
    options.runs = 3;
    assert_ok(hrr_training_sweep(two, graph, &options, NULL, NULL));
    assert_int_equal(count_lines(two), 1 + 3 * 55);
    hrr_graph_free(graph);
}

static hrr_training_outcome ran(const hrr_graph *graph, hrr_training_setting setting,
                                const hrr_training_sweep_options *options)
{
    hrr_training_outcome found;
    hrr_error err = {0};
    hrr_status status = hrr_training_run(&found, graph, &setting, options, NULL, NULL, &err);
    if (status) print_error("%s\n", err.message);
    assert_int_equal(status, HRR_OK);
    return found;
}

/* With all edges private, public-only has none left: a GCN without edges is an MLP, and the same
 * split and first weights make it the same to the last digit. */
static void test_run__the_same_run_of_two_treatments_is_paired(void **state)
{
    (void)state;
    hrr_graph *graph = made(80, false);
    hrr_training_sweep_options options = usual_options();
    options.train.epochs = 20;
    for (uint32_t run = 0; run < 3; run++) {
        const hrr_training_outcome mlp =
            ran(graph, (hrr_training_setting){"none", "mlp", 0, 0, HRR_ANY_FRACTION, 0, run, 0},
                &options);
        const hrr_training_outcome without_edges =
            ran(graph, (hrr_training_setting){"none", "public-only", 0, 0, 1, 0, run, 0}, &options);
        assert_int_equal(without_edges.edges_released, 0);
        assert_memory_equal(&mlp.test, &without_edges.test, sizeof mlp.test);
        assert_int_equal(mlp.best_epoch, without_edges.best_epoch);
        /* And nothing private: all edges are there. */
        const hrr_training_outcome all =
            ran(graph, (hrr_training_setting){"none", "none", 0, 0, HRR_ANY_FRACTION, 0, run, 0},
                &options);
        const hrr_training_outcome open =
            ran(graph, (hrr_training_setting){"none", "public-only", 0, 0, 0, 0, run, 0}, &options);
        assert_int_equal(all.edges_released, hrr_graph_n_edges(graph));
        assert_memory_equal(&all.test, &open.test, sizeof all.test);
        assert_true(isinf(all.realised_eps_edges) && isinf(all.realised_eps_features));
        assert_true(mlp.realised_eps_edges == 0 && isinf(mlp.realised_eps_features));
        assert_memory_not_equal(&all.test, &mlp.test, sizeof all.test);
    }
    hrr_graph_free(graph);
}

/* Features are released once: whatever happens to edges, the noise is the same. */
static void test_run__features_do_not_know_of_edges(void **state)
{
    (void)state;
    hrr_graph *graph = made(80, false);
    hrr_training_sweep_options options = usual_options();
    const uint64_t eps = 4 * HRR_EPS_UNIT;
    const hrr_training_outcome mlp = ran(
        graph, (hrr_training_setting){"duchi", "mlp", eps, 0, HRR_ANY_FRACTION, 0, 0, 0}, &options);
    const hrr_training_outcome without_edges =
        ran(graph, (hrr_training_setting){"duchi", "public-only", eps, 0, 1, 0, 0, 0}, &options);
    assert_memory_equal(&mlp.test, &without_edges.test, sizeof mlp.test);
    assert_true(fabs(mlp.realised_eps_features - 4) < 1e-3);
    hrr_graph_free(graph);
}

/* Without private edges the counts of edgerr-node are noise, and validation finds that out or not;
 * with a huge budget they are the truth. Either way the released graph is the public one. */
static void test_run__counts_join_the_network(void **state)
{
    (void)state;
    hrr_graph *graph = made(400, false);
    hrr_training_sweep_options options = usual_options();
    options.train.epochs = 60;
    const uint64_t eps = 16 * HRR_EPS_UNIT;
    const hrr_training_outcome base =
        ran(graph, (hrr_training_setting){"featfree", "public-only", 0, 0, .9, 4, 0, 0}, &options);
    const hrr_training_outcome counts = ran(
        graph, (hrr_training_setting){"featfree", "edgerr-node", 0, eps, .9, 4, 0, 0}, &options);
    const hrr_training_outcome edges =
        ran(graph, (hrr_training_setting){"featfree", "edgerr-node-edges", 0, eps, .9, 4, 0, 0},
            &options);
    assert_int_equal(counts.edges_released, base.edges_released);
    assert_int_equal(counts.best_epoch, base.best_epoch); /* the very same network */
    assert_true(counts.test.accuracy > base.test.accuracy);
    assert_true(edges.edges_released > base.edges_released);
    assert_true(fabs(counts.realised_eps_edges - 16) < 1e-6);
    assert_true(fabs(edges.realised_eps_edges - 16) < 1e-6);
    hrr_graph_free(graph);
}

/* Options of FeatureRR are FeatureRR's: others run beside it as they are. */
static void test_settings__a_mechanism_gets_the_options_it_knows(void **state)
{
    static const double theta[] = {1, 2, 3, 4, 5, 6};
    hrr_training_sweep_options options = usual_options();
    options.features.n_bins = 5;
    options.features.theta = theta;
    options.features.decoding = HRR_DECODE_POSTERIOR;
    options.features.delta = 1e-6;
    hrr_graph *graph = made(60, false);
    for (const hrr_feature_mechanism *const *row = hrr_feature_mechanisms(); *row; row++) {
        const hrr_training_setting setting = {
            (*row)->name, "none", HRR_EPS_UNIT, 0, HRR_ANY_FRACTION, 0, 0, 0};
        const hrr_feature_options how = hrr_training_feature_options(&setting, &options);
        assert_int_equal(how.n_bins, (*row)->has_bins ? 5 : 0);
        if ((*row)->needs_directions || (*row)->needs_head) continue; /* which are not given */
        hrr_feature_plan *plan = NULL;
        assert_ok(hrr_feature_plan_new(&plan, 6, &how, NULL));
        hrr_feature_plan_free(plan);
    }
    static const hrr_training_setting featurerr = {
        "featurerr", "none", HRR_EPS_UNIT, 0, HRR_ANY_FRACTION, 0, 0, 0};
    char *text = hrr_training_setting_text(&featurerr, "g", graph, &options);
    assert_non_null(strstr(text, ",given,,5,posterior,0:1,,"));
    hrr_free(text);
    hrr_graph_free(graph);
    (void)state;
}

static void test_run__several_labels_a_node(void **state)
{
    (void)state;
    hrr_graph *graph = made(80, true);
    hrr_training_sweep_options options = usual_options();
    options.own_split = true;
    static const char *const uses[] = {"edgerr-node-edges", "edgerr-node"};
    for (int i = 0; i < 2; i++) {
        const hrr_training_outcome found = ran(
            graph,
            (hrr_training_setting){"multibit", uses[i], HRR_EPS_UNIT, HRR_EPS_UNIT, .5, 2, 1, 0},
            &options);
        assert_false(found.diverged);
        assert_true(found.test.f1_micro >= 0 && found.test.f1_micro <= 1);
        assert_int_equal(found.test.n, 16); /* a fifth, as generate splits */
        assert_true(found.realised_eps_edges > 0 && found.realised_eps_edges <= 1);
    }
    hrr_graph_free(graph);
}

static void test_run__diverging_is_a_result(void **state)
{
    const char *path = in_dir(*state, "r.csv");
    hrr_graph *graph = made(60, false);
    hrr_training_sweep_options options = usual_options();
    static const char *const list[] = {"edgerr-node-edges", NULL};
    options.treatments = list;
    options.n_fractions = 1;
    options.train.optimiser = HRR_SGD;
    options.train.learning_rate = 1e30;
    assert_ok(hrr_training_sweep(path, graph, &options, NULL, NULL));
    char *text = read_file(path, NULL);
    assert_non_null(strstr(text, ",diverged,"));
    assert_int_equal(count_lines(path), 1 + 2 * 10);
    free(text);
    hrr_training_mean *means;
    size_t n;
    assert_ok(hrr_training_means(&means, &n, path, NULL, "accuracy", NULL));
    assert_int_equal(n, 10);
    for (size_t i = 0; i < n; i++) {
        const bool trains = strcmp(means[i].treatment, "majority") != 0 &&
                            strcmp(means[i].features, "label-propagation") != 0 &&
                            strcmp(means[i].features, "free") != 0;
        assert_int_equal(means[i].diverged, trains ? 2 : 0);
        assert_int_equal(isnan(means[i].mean), trains);
        assert_int_equal(means[i].test.worth, HRR_WORTH_UNTESTED);
    }
    hrr_free(means);
    hrr_graph_free(graph);
}

static void test_sweep__can_be_cancelled(void **state)
{
    hrr_graph *graph = made(60, false);
    hrr_training_sweep_options options = usual_options();
    hrr_progress *progress;
    hrr_error err = {0};
    assert_ok(hrr_progress_new(&progress, NULL, NULL, NULL));
    hrr_progress_cancel(progress);
    assert_int_equal(hrr_training_sweep(in_dir(*state, "r.csv"), graph, &options, progress, &err),
                     HRR_ECANCEL);
    assert_says(err, "the same request continues");
    assert_int_equal(count_lines(in_dir(*state, "r.csv")), 1);
    hrr_progress_free(progress);
    hrr_graph_free(graph);
}

/* ---- memory ---------------------------------------------------------------------------------- */

typedef struct attempt {
    const hrr_graph *graph;
    const hrr_training_sweep_options *options;
    hrr_training_setting setting;
    const char *path;
} attempt;

static hrr_status run_once(void *user)
{
    const attempt *a = user;
    hrr_training_outcome found;
    return hrr_training_run(&found, a->graph, &a->setting, a->options, NULL, NULL, NULL);
}

static hrr_status sweep_and_sum_up(void *user)
{
    const attempt *a = user;
    hrr_training_mean *means;
    size_t n;
    hrr_status status = hrr_training_sweep(a->path, a->graph, a->options, NULL, NULL);
    if (!status) status = hrr_training_means(&means, &n, a->path, NULL, "auc", NULL);
    if (!status) hrr_free(means);
    return status;
}

static void test_sweep__survives_running_out_of_memory(void **state)
{
    static const char *const list[] = {"duchi+lapgraph-private", NULL};
    static const hrr_training_setting settings[] = {
        {"featurerr", "edgerr-node", HRR_EPS_UNIT, HRR_EPS_UNIT, .5, 1, 0, 0},
        {"duchi", "edgerr-node-edges", HRR_EPS_UNIT, HRR_EPS_UNIT, .5, 0, 0, 0},
        {"none", "mlp", 0, 0, HRR_ANY_FRACTION, 0, 0, 0}};
    hrr_graph *graph = made(20, false);
    hrr_training_sweep_options options = usual_options();
    options.treatments = list;
    options.n_eps_features = options.n_fractions = options.runs = 1;
    options.train.epochs = 1;
    attempt a = {graph, &options, settings[0], in_dir(*state, "r.csv")};
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        a.setting = settings[i];
        assert_true(brutal(run_once, &a) > 20);
    }
    assert_true(brutal(sweep_and_sum_up, &a) > 20);
    hrr_graph_free(graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {

        cmocka_unit_test(test_settings__controls_are_there_unasked),
        cmocka_unit_test(test_settings__label_rates_multiply_everything),
        cmocka_unit_test(test_settings__names_say_what_happens),
        WITH_SCRATCH(test_settings__what_makes_no_sense_is_refused_first),
        WITH_SCRATCH(test_sweep__goes_on_and_does_not_depend_on_threads),
        cmocka_unit_test(test_run__the_same_run_of_two_treatments_is_paired),
        cmocka_unit_test(test_run__features_do_not_know_of_edges),
        cmocka_unit_test(test_run__counts_join_the_network),
        cmocka_unit_test(test_settings__a_mechanism_gets_the_options_it_knows),
        cmocka_unit_test(test_run__several_labels_a_node),
        WITH_SCRATCH(test_run__diverging_is_a_result),
        WITH_SCRATCH(test_sweep__can_be_cancelled),
        WITH_SCRATCH(test_sweep__survives_running_out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
