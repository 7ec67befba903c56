/* The report as a whole: it appears or it does not. */
#include "support/brutal.h"
#include "support/check.h"
#include "support/files.h"

#include <heterorr/io.h>
#include <heterorr/report.h>

#include <stdio.h>
#include <stdlib.h>

static const char utility[] = "graph,mechanism,eps_edges,private_fraction,run,test_accuracy\n"
                              "g,edgerr,1,0.5,0,0.8\ng,edgerr,1,0.5,1,0.82\n"
                              "g,edgerr,2,0.5,0,0.84\ng,edgerr,2,0.5,1,0.85\n"
                              "g,lapgraph,1,0.5,0,0.6\ng,lapgraph,1,0.5,1,0.65\n"
                              "g,lapgraph,2,0.5,0,0.7\ng,lapgraph,2,0.5,1,0.71\n"
                              "g,mlp,0,any,0,0.75\ng,mlp,0,any,1,0.74\n";

static hrr_report_options options_for(const char *const *results, size_t n)
{
    hrr_report_options options;
    hrr_report_options_init(&options);
    options.results = results;
    options.n_results = n;
    return options;
}

static bool page_has(const char *directory, const char *words)
{
    char *text = read_file(in_dir(directory, "index.html"), NULL);
    assert_non_null(text);
    const bool found = strstr(text, words) != NULL;
    free(text);
    return found;
}

static void test_report__is_a_page_and_its_files(void **state)
{
    const char *results[] = {in_dir(*state, "u.csv")}, *out = in_dir(*state, "out");
    hrr_report_options options = options_for(results, 1);
    hrr_report_summary summary;
    write_text(results[0], utility);
    assert_ok(hrr_report_write(&summary, out, &options, NULL, NULL));
    assert_int_equal(summary.n_rows, 10);
    assert_int_equal(summary.n_charts, 2);
    assert_int_equal(count_entries(out), 7); /* page, list, charts, their data, p-values */
    assert_true(page_has(out, "What pays, at which epsilon?"));
    assert_true(page_has(out, "No budget pays here"));
    assert_true(page_has(out, "Test accuracy against epsilon of edges"));
    assert_non_null(strstr(summary.sentence[0], "Of 4 mechanisms at their budgets, none is"));
    assert_non_null(strstr(summary.sentence[0],
                           "edgerr at epsilon of edges 2. Its test accuracy is 0.845; "
                           "that of the best free baseline (no edges (MLP)) is 0.745."));
}

static void test_report__replaces_only_a_report(void **state)
{
    const char *results[] = {in_dir(*state, "u.csv")}, *out = in_dir(*state, "out");
    hrr_report_options options = options_for(results, 1);
    hrr_report_summary summary;
    hrr_error err;
    write_text(results[0], utility);
    assert_ok(hrr_report_write(&summary, out, &options, NULL, NULL));
    assert_int_equal(hrr_report_write(&summary, out, &options, NULL, &err), HRR_EINVAL);
    assert_says(err, "exists already");
    options.replace = true;
    options.title = "<b>&";
    assert_ok(hrr_report_write(&summary, out, &options, NULL, NULL));
    assert_true(page_has(out, "<h1>&lt;b&gt;&amp;</h1>"));
    assert_int_equal(hrr_report_write(&summary, *state, &options, NULL, &err), HRR_EINVAL);
    assert_says(err, "choose another path");
}

static void test_report__nothing_to_say_is_an_error(void **state)
{
    hrr_report_options options = options_for(NULL, 0);
    hrr_report_summary summary;
    hrr_error err;
    assert_int_equal(hrr_report_write(&summary, in_dir(*state, "o"), &options, NULL, &err),
                     HRR_EINVAL);
    assert_says(err, "nothing to report");
}

static void test_report__a_failure_leaves_nothing_behind(void **state)
{
    const char *results[] = {in_dir(*state, "u.csv"), in_dir(*state, "bad.csv")};
    hrr_report_options options = options_for(results, 2);
    hrr_report_summary summary;
    hrr_error err;
    write_text(results[0], utility);
    write_text(results[1], "mechanism,eps_edges,run,test_accuracy\nedgerr,1,0,good\n");
    assert_int_equal(hrr_report_write(&summary, in_dir(*state, "out"), &options, NULL, &err),
                     HRR_EDATA);
    assert_says(err, "bad.csv:2: column test_accuracy or accuracy is not a number: 'good'");
    assert_int_equal(count_entries(*state), 2);
}

static void test_report__can_be_cancelled(void **state)
{
    const char *results[] = {in_dir(*state, "u.csv")};
    hrr_report_options options = options_for(results, 1);
    hrr_report_summary summary;
    hrr_progress *progress;
    write_text(results[0], utility);
    assert_ok(hrr_progress_new(&progress, NULL, NULL, NULL));
    hrr_progress_cancel(progress);
    assert_int_equal(hrr_report_write(&summary, in_dir(*state, "out"), &options, progress, NULL),
                     HRR_ECANCEL);
    assert_int_equal(count_entries(*state), 1);
    hrr_progress_free(progress);
}

/* ---- out of memory --------------------------------------------------------------------------- */

static const char others[][256] = {
    "edge_mechanism,eps_edges,private_fraction,run,rms_0,rms_1\n"
    "edgerr,1,0.5,0,0,0.1\nedgerr,1,0.5,1,0,0.2\n",
    "mechanism,eps,features,expected_error,mean_expected_error\nduchi,1,1,2,1\nduchi,2,1,1,0.5\n",
    "graph,query,mechanism,eps,run,value\ng,triangles,edgerr,1,1,.5\ng,nmi,edgerr,1,1,.2\n"
    "g,triangles,X,1,,.4\n",
    "graph,mechanism,eps_edges,run,test_accuracy\ng,edgerr,1,0,.8\ng,edgerr,1,1,.82\n"
    "g,mlp,0,0,.7\ng,mlp,0,1,.71\n",
    "attack,mechanism,eps_edges,run,auc\nlinkteller,edgerr,1,0,0.5\nlinkteller,none,inf,0,0.9\n",
    "attack,mechanism,eps_edges,run,fpr,tpr\nlinkteller,edgerr,1,0,0.1,0.2\n",
    "mechanism,eps_edges,eps_features,run,auc\nx,1,1,0,0.5\nx,2,1,0,0.6\nx,1,2,0,0.55\n"
    "x,2,2,0,0.7\n"};
enum { n_others = sizeof others / sizeof *others };

static hrr_status report_once(void *user)
{
    hrr_report_summary summary;
    const char *const *paths = user; /* results, and where the report goes */
    hrr_report_options options = options_for(paths, 1);
    options.replace = true;
    const hrr_status status = hrr_report_write(&summary, paths[1], &options, NULL, NULL);
    if (!status) assert_true(summary.n_charts > 0);
    return status;
}

/* One kind at a time: a report of all would be written anew for every allocation of any. */
static void test_report__survives_every_failed_allocation(void **state)
{
    for (int i = 0; i < n_others; i++) {
        const char *paths[] = {in_dir(*state, "r.csv"), in_dir(*state, "out")};
        write_text(paths[0], others[i]);
        assert_true(brutal(report_once, paths) > 30);
        assert_int_equal(count_entries(*state), 2);
    }
}

static hrr_status report_scores(void *user)
{
    hrr_report_summary summary;
    hrr_report_options options = options_for(NULL, 0);
    options.scores = in_dir(user, "s.npz");
    options.images = user;
    options.replace = true;
    const hrr_status status = hrr_report_write(&summary, in_dir(user, "out"), &options, NULL, NULL);
    if (!status) assert_int_equal(summary.n_charts, 1);
    return status;
}

static void test_report__scores_and_images_survive_every_failed_allocation(void **state)
{
    double numbers[] = {0.1, 0.2, 0.3}, one[] = {1};
    const hrr_array d = {.type = HRR_ARRAY_F64,
                         .item_size = sizeof *numbers,
                         .n_dims = 1,
                         .shape = {3},
                         .n_items = 3,
                         .data = numbers};
    hrr_array declared = d;
    declared.shape[0] = declared.n_items = 1;
    declared.data = one;
    const hrr_npz_item items[] = {
        {"alpha", &d}, {"beta", &d}, {"theta", &d}, {"public", &declared}};
    assert_ok(hrr_npz_write(in_dir(*state, "s.npz"), items, 4, NULL));
    write_file(in_dir(*state, "a.png"), "\x89PNG\r\n\x1a\n and so on", 18);
    assert_true(brutal(report_scores, *state) > 30);
    assert_true(page_has(in_dir(*state, "out"), "data:image/png;base64,iVBORw0KGgogYW5kIHNvIG9u"));
    assert_int_equal(count_entries(*state), 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_SCRATCH(test_report__is_a_page_and_its_files),
        WITH_SCRATCH(test_report__replaces_only_a_report),
        WITH_SCRATCH(test_report__nothing_to_say_is_an_error),
        WITH_SCRATCH(test_report__a_failure_leaves_nothing_behind),
        WITH_SCRATCH(test_report__can_be_cancelled),
        WITH_SCRATCH(test_report__survives_every_failed_allocation),
        WITH_SCRATCH(test_report__scores_and_images_survive_every_failed_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
