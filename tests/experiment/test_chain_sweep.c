/* A sweep of chains writes one row for each run of each world, goes on where it stopped, and its
 * means are what the rows say. */
#include "attack/chain.h"
#include "attack/models.h"
#include "experiment/csv.h"
#include "support/brutal.h"

#include <heterorr/experiment.h>

#include <stdio.h>

static const char *const mechanisms[] = {"edgerr", "public-only", "edgerr", NULL};
static const uint64_t budgets[] = {HRR_EPS_UNIT / 10, HRR_EPS_UNIT};
/* open, two floors, edgerr twice, four guesses: what is named again is not listed again */
enum { n_worlds = 9, n_runs = 2, n_rows = n_worlds * n_runs };

static hrr_chain_sweep_options quick(void)
{
    hrr_chain_sweep_options options;
    hrr_chain_sweep_options_init(&options);
    options.mechanisms = mechanisms;
    options.eps_edges_nano = budgets;
    options.n_eps = 2;
    options.runs = n_runs;
    options.threads = 1;
    options.chain.linkteller.n_samples = 120;
    options.chain.train.n_hidden = 8;
    options.chain.train.epochs = 3;
    return options;
}

static hrr_chain_mean *means_of(const char *path, const hrr_graph *graph,
                                const hrr_chain_sweep_options *options)
{
    hrr_chain_mean *rows;
    size_t n;
    assert_ok(hrr_chain_means(&rows, &n, path, graph, options, NULL));
    assert_int_equal(n, n_worlds);
    return rows;
}

static void test_chain_sweep__means_are_those_of_the_worlds(void **state)
{
    const char *path = in_dir(*state, "r.csv");
    hrr_graph *graph = learnable(.3);
    const hrr_chain_sweep_options options = quick();
    const int auc = HRR_CHAIN_LINK_AUC;
    assert_ok(hrr_chain_sweep(path, graph, &options, NULL, NULL));
    assert_int_equal(count_lines(path), 1 + n_rows);
    hrr_chain_mean *rows = means_of(path, graph, &options);
    static const char *const order[n_worlds] = {HRR_WORLD_OPEN, HRR_WORLD_FLOOR, HRR_WORLD_TREE,
                                                "edgerr",       "edgerr",        "public-walks",
                                                "lsa2-attr",    "public-both",   HRR_WORLD_GUESS};
    for (int w = 0; w < n_worlds; w++) {
        assert_string_equal(rows[w].world, order[w]);
        double one[n_runs], sum = 0, apart = 0;
        for (uint32_t run = 0; run < n_runs; run++) { /* each world by itself */
            hrr_chain_options how = options.chain;
            hrr_chain_result found;
            how.world = rows[w].world;
            how.eps_nano = rows[w].eps_nano;
            how.seed = options.seed + run;
            how.threads = 2;
            assert_ok(hrr_chain(&found, graph, &how, NULL, NULL, NULL));
            one[run] = found.figure[auc];
            sum += one[run];
            assert_true(found.realised_eps == rows[w].realised_eps ||
                        fabs(found.realised_eps - rows[w].realised_eps) < 1e-9);
        }
        apart = one[0] - one[1];
        assert_true(fabs(rows[w].mean[auc] - sum / n_runs) < 1e-8);
        /* Student's t with one degree of freedom: 12.706 */
        assert_true(fabs(rows[w].half_width[auc] - 12.7062047 * fabs(apart) / 2) < 1e-6);
        assert_true(fabs(rows[w].excess[auc] - (rows[w].mean[auc] - rows[1].mean[auc])) < 1e-12);
        assert_true(fabs(rows[w].tree_excess[auc] - (rows[w].mean[auc] - rows[2].mean[auc])) <
                    1e-12);
    }
    assert_true(isinf(rows[0].realised_eps) && rows[1].realised_eps == 0);
    assert_int_equal(rows[3].eps_nano, budgets[0]);
    assert_true(isnan(rows[8].mean[HRR_CHAIN_ACCURACY]));
    hrr_free(rows);
    hrr_graph_free(graph);
}

static void test_chain_sweep__goes_on_and_does_not_depend_on_threads(void **state)
{
    const char *one = in_dir(*state, "one.csv"), *two = in_dir(*state, "two.csv");
    hrr_graph *graph = learnable(.3);
    hrr_chain_sweep_options options = quick();
    assert_ok(hrr_chain_sweep(one, graph, &options, NULL, NULL));
    /* An interrupted sweep: the header, four rows and a torn one. */
    size_t end;
    char *text = interrupted_copy(two, one, 5, &end);
    options.threads = 3;
    assert_ok(hrr_chain_sweep(two, graph, &options, NULL, NULL));
    assert_same_rows(one, two, text, end);
    free(text);
    hrr_graph_free(graph);
}

static void test_chain_sweep__stops_and_says_what_is_missing(void **state)
{
    const char *path = in_dir(*state, "r.csv");
    hrr_graph *graph = learnable(.3);
    const hrr_chain_sweep_options options = quick();
    hrr_progress *progress;
    hrr_error err = {0};
    hrr_chain_mean *rows;
    size_t n;
    assert_ok(hrr_progress_new(&progress, NULL, NULL, NULL));
    hrr_progress_cancel(progress);
    assert_int_equal(hrr_chain_sweep(path, graph, &options, progress, &err), HRR_ECANCEL);
    assert_says(err, "continues with the others");
    hrr_progress_free(progress);
    assert_int_equal(hrr_chain_means(&rows, &n, path, graph, &options, &err), HRR_EDATA);
    assert_says(err, "run 0 of none is missing");
    hrr_graph_free(graph);
}

/* The same file with other options: other rows, and means of those that were asked for. */
static void test_chain_sweep__other_options_are_other_rows(void **state)
{
    const char *path = in_dir(*state, "r.csv");
    hrr_graph *graph = learnable(.3);
    const hrr_chain_sweep_options options = quick();
    hrr_chain_sweep_options other = quick();
    other.chain.linkteller.n_samples = 60;
    assert_ok(hrr_chain_sweep(path, graph, &options, NULL, NULL));
    hrr_chain_mean *before = means_of(path, graph, &options);
    assert_ok(hrr_chain_sweep(path, graph, &other, NULL, NULL));
    assert_int_equal(count_lines(path), 1 + 2 * n_rows);
    hrr_chain_mean *after = means_of(path, graph, &options), *less = means_of(path, graph, &other);
    const int auc = HRR_CHAIN_LINK_AUC;
    for (int w = 0; w < n_worlds; w++)
        assert_true(before[w].mean[auc] == after[w].mean[auc]);
    assert_true(less[8].mean[auc] != after[8].mean[auc]);
    other = quick();
    other.split = "drawn, with \"7\"";
    assert_ok(hrr_chain_sweep(path, graph, &other, NULL, NULL));
    assert_int_equal(count_lines(path), 1 + 3 * n_rows);
    hrr_free(before);
    hrr_free(after);
    hrr_free(less);
    hrr_graph_free(graph);
}

/* Rows that are there are run again for their curves, and only then; they stay as they are. */
static void test_chain_sweep__curves_come_with_the_rows(void **state)
{
    const char *path = in_dir(*state, "r.csv"), *curves = in_dir(*state, "c.csv");
    hrr_graph *graph = learnable(.3);
    hrr_chain_sweep_options options = quick();
    assert_ok(hrr_chain_sweep(path, graph, &options, NULL, NULL));
    char *before = read_file(path, NULL);
    options.curves = curves;
    assert_ok(hrr_chain_sweep(path, graph, &options, NULL, NULL));
    const size_t n_points = count_lines(curves) - 1;
    assert_true(n_points > 2 * n_rows && n_points <= 201 * n_rows);
    options.threads = 2;
    assert_ok(hrr_chain_sweep(path, graph, &options, NULL, NULL));
    assert_int_equal(count_lines(curves), 1 + n_points);
    char *after = read_file(path, NULL);
    assert_string_equal(before, after);
    free(before);
    free(after);
    hrr_graph_free(graph);
}

static void refused(void **state, const hrr_chain_sweep_options *options, const char *says)
{
    hrr_graph *graph = learnable(.3);
    hrr_error err = {0};
    assert_int_equal(hrr_chain_sweep(in_dir(*state, "r.csv"), graph, options, NULL, &err),
                     HRR_EINVAL);
    assert_says(err, says);
    assert_int_equal(count_entries(*state), 0);
    hrr_graph_free(graph);
}

static void test_chain_sweep__bad_options(void **state)
{
    static const char *const unknown[] = {"prayer", NULL};
    hrr_chain_sweep_options options = quick();
    options.mechanisms = unknown;
    refused(state, &options, "prayer");
    options = quick();
    options.n_eps = 0;
    refused(state, &options, "eps_edges_nano");
    options = quick();
    options.runs = 0;
    refused(state, &options, "runs");
    options = quick();
    options.chain.known_fraction = 0;
    refused(state, &options, "known_fraction");
}

/* A sweep that lacks its last world, a guess, in both files: what one world does is tested by
 * itself. */
typedef struct attempt {
    hrr_graph *graph;
    const char *path[2];
    char *text[2]; /* of the files */
    hrr_chain_sweep_options options;
} attempt;

static hrr_status once(void *user)
{
    const attempt *a = user;
    hrr_chain_mean *rows = NULL;
    size_t n;
    for (int i = 0; i < 2; i++)
        write_text(a->path[i], a->text[i]);
    hrr_status status = hrr_chain_sweep(a->path[0], a->graph, &a->options, NULL, NULL);
    if (!status) status = hrr_chain_means(&rows, &n, a->path[0], a->graph, &a->options, NULL);
    hrr_free(rows);
    return status;
}

static void test_chain_sweep__survives_every_failed_allocation(void **state)
{
    attempt a = {.graph = small_graph(30, HRR_F32, 4, 1, 3, false, 5),
                 .path = {in_dir(*state, "r.csv"), in_dir(*state, "c.csv")},
                 .options = quick()};
    assert_ok(hrr_graph_mark_fraction(a.graph, .4, 1, NULL));
    a.options.mechanisms = NULL;
    a.options.runs = 1;
    a.options.curves = a.path[1];
    assert_ok(hrr_chain_sweep(a.path[0], a.graph, &a.options, NULL, NULL));
    for (int i = 0; i < 2; i++) {
        a.text[i] = read_file(a.path[i], NULL);
        char *cut = strstr(a.text[i], ",guess,");
        while (cut[-1] != '\n')
            cut--;
        *cut = '\0';
    }
    assert_true(brutal(once, &a) > 50);
    free(a.text[0]);
    free(a.text[1]);
    hrr_graph_free(a.graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_chain_sweep__means_are_those_of_the_worlds,
                                        scratch_setup, scratch_teardown),
        cmocka_unit_test_setup_teardown(test_chain_sweep__goes_on_and_does_not_depend_on_threads,
                                        scratch_setup, scratch_teardown),
        cmocka_unit_test_setup_teardown(test_chain_sweep__stops_and_says_what_is_missing,
                                        scratch_setup, scratch_teardown),
        cmocka_unit_test_setup_teardown(test_chain_sweep__other_options_are_other_rows,
                                        scratch_setup, scratch_teardown),
        cmocka_unit_test_setup_teardown(test_chain_sweep__curves_come_with_the_rows, scratch_setup,
                                        scratch_teardown),
        cmocka_unit_test_setup_teardown(test_chain_sweep__bad_options, scratch_setup,
                                        scratch_teardown),
        cmocka_unit_test_setup_teardown(test_chain_sweep__survives_every_failed_allocation,
                                        scratch_setup, scratch_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
