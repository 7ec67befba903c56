/* A sweep by PGB's queries writes fifteen rows a run, completes what an interrupted one left, and
 * its table beside published values says who is nearest in each cell. */
#include "experiment/csv.h"
#include "support/brutal.h"

#include <heterorr/experiment.h>
#include <heterorr/generate.h>

#include <math.h>
#include <stdio.h>

static const char *const mechanisms[] = {"edgerr", "none", NULL};
static const uint64_t budgets[] = {HRR_EPS_UNIT / 2, 4 * HRR_EPS_UNIT};
enum { n_runs = 2 * (2 + 1), n_rows = n_runs * HRR_N_PGB_QUERIES };

static hrr_pgb_sweep_options usual_options(void)
{
    hrr_pgb_sweep_options options;
    hrr_pgb_sweep_options_init(&options);
    options.mechanisms = mechanisms;
    options.eps_edges_nano = budgets;
    options.n_eps = 2;
    options.runs = 2;
    options.threads = 1;
    return options;
}

static hrr_graph *small_graph(bool all_private)
{
    hrr_generate_options options;
    hrr_generate_options_init(&options);
    options.n_nodes = 120;
    options.n_features = 0;
    options.average_degree = 6;
    hrr_graph *graph;
    assert_ok(hrr_generate(&graph, NULL, &options, NULL, NULL));
    if (all_private) assert_ok(hrr_graph_mark_all(graph, NULL));
    return graph;
}

static void sweep(const char *path, const hrr_pgb_sweep_options *options)
{
    hrr_graph *graph = small_graph(true);
    assert_ok(hrr_pgb_sweep(path, graph, options, NULL, NULL));
    hrr_graph_free(graph);
}

static void test_pgb_sweep__fifteen_rows_a_run(void **state)
{
    const char *path = in_dir(*state, "r.csv");
    const hrr_pgb_sweep_options options = usual_options();
    hrr_pgb_table table;
    sweep(path, &options);
    assert_int_equal(count_lines(path), 1 + n_rows);
    assert_ok(hrr_pgb_means(&table, path, NULL, NULL));
    assert_int_equal(table.n_means, 3 * HRR_N_PGB_QUERIES);
    assert_int_equal(table.n_tallies, 0);
    for (size_t i = 0; i < table.n_means; i++) {
        const hrr_pgb_mean *mean = &table.means[i];
        assert_int_equal(mean->runs, 2);
        assert_false(mean->published || mean->compared || mean->best || mean->beats);
        const bool by_chance = mean->query == HRR_PGB_COMMUNITIES ||
                               mean->query == HRR_PGB_MODULARITY; /* Louvain draws */
        if (strcmp(mean->mechanism, "none") == 0 && !by_chance) assert_true(mean->mean == 0);
        if (strcmp(mean->mechanism, "none") != 0 && mean->query == HRR_PGB_TRIANGLES)
            assert_true(mean->mean > 0);
    }
    hrr_pgb_table_clear(&table);
}

static void test_pgb_sweep__goes_on_in_the_middle_of_a_run(void **state)
{
    const char *one = in_dir(*state, "one.csv"), *two = in_dir(*state, "two.csv");
    hrr_pgb_sweep_options options = usual_options();
    sweep(one, &options);
    /* The header, a run, six rows of the next and a torn one. */
    size_t end;
    char *text = interrupted_copy(two, one, 1 + HRR_N_PGB_QUERIES + 6, &end);
    options.threads = 3;
    sweep(two, &options);
    assert_int_equal(count_lines(two), 1 + n_rows);
    assert_same_rows(one, two, text, end);
    free(text);
}

/* A run is its seed: a later call that overlaps makes the new ones alone. */
static void test_pgb_sweep__another_first_seed_adds_runs(void **state)
{
    const char *path = in_dir(*state, "r.csv"), *whole = in_dir(*state, "whole.csv");
    hrr_pgb_sweep_options options = usual_options();
    sweep(path, &options);
    options.seed = 2;
    sweep(path, &options);
    assert_int_equal(count_lines(path), 1 + n_rows * 3 / 2);
    options.seed = 1;
    options.runs = 3;
    sweep(whole, &options);
    assert_same_rows(whole, path, "", 0);
}

static void test_pgb_sweep__names_a_tree_that_was_chosen(void **state)
{
    const char *path = in_dir(*state, "r.csv");
    hrr_pgb_sweep_options options = usual_options();
    hrr_pgb_table table;
    options.tree = "uniform";
    sweep(path, &options);
    assert_ok(hrr_pgb_means(&table, path, NULL, NULL));
    bool seen = false;
    for (size_t i = 0; i < table.n_means; i++) {
        assert_string_not_equal(table.means[i].mechanism, "edgerr");
        assert_string_not_equal(table.means[i].mechanism, "none:uniform");
        seen |= strcmp(table.means[i].mechanism, "edgerr:uniform") == 0;
    }
    assert_true(seen);
    hrr_pgb_table_clear(&table);
}

static void refused(void **state, const hrr_graph *graph, const hrr_pgb_sweep_options *options,
                    const char *says)
{
    hrr_error err = {0};
    assert_int_equal(hrr_pgb_sweep(in_dir(*state, "r.csv"), graph, options, NULL, &err),
                     HRR_EINVAL);
    assert_says(err, says);
    assert_int_equal(count_entries(*state), 0);
}

static void test_pgb_sweep__bad_options(void **state)
{
    static const char *const unknown[] = {"edgerrr", NULL}, *const nothing[] = {NULL};
    hrr_graph *graph = small_graph(true), *partly = small_graph(false);
    hrr_pgb_sweep_options options = usual_options();
    refused(state, partly, &options, "every edge as private");
    options.mechanisms = unknown;
    refused(state, graph, &options, "edgerrr");
    options.mechanisms = nothing;
    refused(state, graph, &options, "at least one mechanism");
    options = usual_options();
    options.n_eps = 0;
    refused(state, graph, &options, "needs a budget");
    options = usual_options();
    options.runs = 0;
    refused(state, graph, &options, "run");
    hrr_graph_free(partly);
    hrr_graph_free(graph);
}

static void test_pgb_sweep__can_be_cancelled(void **state)
{
    hrr_progress *progress;
    hrr_graph *graph = small_graph(true);
    hrr_error err = {0};
    const hrr_pgb_sweep_options options = usual_options();
    assert_ok(hrr_progress_new(&progress, NULL, NULL, NULL));
    hrr_progress_cancel(progress);
    assert_int_equal(hrr_pgb_sweep(in_dir(*state, "r.csv"), graph, &options, progress, &err),
                     HRR_ECANCEL);
    hrr_progress_free(progress);
    hrr_graph_free(graph);
}

/* ---- beside published values ----------------------------------------------------------------- */

static const hrr_pgb_mean *mean_of(const hrr_pgb_table *table, const char *graph,
                                   const char *mechanism, hrr_pgb_query query, const char *eps)
{
    for (size_t i = 0; i < table->n_means; i++) {
        const hrr_pgb_mean *m = &table->means[i];
        if (strcmp(m->graph, graph) == 0 && strcmp(m->mechanism, mechanism) == 0 &&
            m->query == query && strcmp(m->eps, eps) == 0)
            return m;
    }
    return NULL;
}

/* Lower is better but for nmi; ties are shared; a run without a number wins nothing; budgets,
 * graphs and queries of one side alone count for nobody. */
static void test_pgb_means__who_is_nearest(void **state)
{
    const char *ours = in_dir(*state, "r.csv"), *others = in_dir(*state, "p.csv");
    write_text(ours, "graph,query,mechanism,eps,run,value\n"
                     "g-2,triangles,a,1,1,.2\ng-2,triangles,a,1,2,.4\ng-2,triangles,b,1,1,.1\n"
                     "g-2,nmi,a,1,1,.7\ng-2,nmi,b,1,1,.6\n"
                     "g-2,gcc,a,1,1,.5\ng-2,gcc,b,1,1,.6\n"
                     "g-2,acc,a,1,1,0\ng-2,acc,a,1,2,nan\n"
                     "g-2,edges,a,1,1,0\n"
                     "g-2,triangles,a,2,1,0\n"
                     "h,triangles,a,1,1,0\n");
    write_text(others, "graph,query,mechanism,eps,value\n"
                       "G,triangles,X,1.0,.25\nG,nmi,X,1,.65\nG,gcc,X,1,.5\nG,acc,X,1,9\n"
                       "G,edges,X,1,3\nG,triangles,X,5,0\nG,diameter,X,1,0\n"
                       "g-2x,triangles,X,1,0\nhh,triangles,X,1,7\n");
    hrr_pgb_table t;
    assert_ok(hrr_pgb_means(&t, ours, others, NULL));
    const hrr_pgb_mean *m = mean_of(&t, "g-2", "a", HRR_PGB_TRIANGLES, "1");
    assert_true(fabs(m->mean - .3) < 1e-12 && m->runs == 2 && m->compared);
    assert_false(m->best || m->beats);
    m = mean_of(&t, "g-2", "b", HRR_PGB_TRIANGLES, "1");
    assert_true(m->best && m->beats);
    m = mean_of(&t, "g-2", "X", HRR_PGB_TRIANGLES, "1");
    assert_true(m->published && m->compared && !m->best && !m->beats && m->mean == .25);
    m = mean_of(&t, "g-2", "a", HRR_PGB_COMMUNITIES, "1");
    assert_true(m->best && m->beats);
    m = mean_of(&t, "g-2", "b", HRR_PGB_COMMUNITIES, "1");
    assert_false(m->best || m->beats);
    m = mean_of(&t, "g-2", "a", HRR_PGB_TRANSITIVITY, "1");
    assert_true(m->best && !m->beats); /* as near as the published one */
    m = mean_of(&t, "g-2", "a", HRR_PGB_LOCAL_CLUSTERING, "1");
    assert_true(isnan(m->mean) && !m->best && !m->beats);
    m = mean_of(&t, "g-2", "X", HRR_PGB_LOCAL_CLUSTERING, "1");
    assert_true(m->best);
    m = mean_of(&t, "g-2", "a", HRR_PGB_TRIANGLES, "2");
    assert_false(m->compared);
    m = mean_of(&t, "h", "a", HRR_PGB_TRIANGLES, "1");
    assert_false(m->compared);
    assert_null(mean_of(&t, "g-2", "X", HRR_PGB_TRIANGLES, "5"));
    /* Four scored cells of g-2: b wins triangles, a nmi, X acc; a and X share gcc. */
    static const hrr_pgb_tally expected[] = {
        {.mechanism = "a", .cells = 4, .wins = 1, .shared = 1, .beats = 1},
        {.mechanism = "X", .published = true, .cells = 4, .wins = 1, .shared = 1},
        {.mechanism = "b", .cells = 3, .wins = 1, .beats = 1}};
    assert_int_equal(t.n_tallies, 3);
    for (int i = 0; i < 3; i++) {
        const hrr_pgb_tally *tally = &t.tallies[i];
        assert_string_equal(tally->mechanism, expected[i].mechanism);
        assert_string_equal(tally->eps, "1");
        assert_int_equal(tally->published, expected[i].published);
        assert_int_equal(tally->cells, expected[i].cells);
        assert_int_equal(tally->wins, expected[i].wins);
        assert_int_equal(tally->shared, expected[i].shared);
        assert_int_equal(tally->beats, expected[i].beats);
    }
    hrr_pgb_table_clear(&t);
}

/* The same name but for its case, or the longest that it begins with as whole words. */
static void test_pgb_means__graphs_match_by_name(void **state)
{
    const char *ours = in_dir(*state, "r.csv"), *others = in_dir(*state, "p.csv");
    write_text(ours, "graph,query,mechanism,eps,run,value\n"
                     "gx,triangles,a,1,1,1\ng,triangles,a,1,1,1\nk-l-m,triangles,a,1,1,1\n");
    write_text(others, "graph,query,mechanism,eps,value\n"
                       "G,triangles,X,1,1\nk,triangles,X,1,2\nk-l,triangles,X,1,3\n"
                       "k-l-m-n,triangles,X,1,4\n");
    hrr_pgb_table t;
    assert_ok(hrr_pgb_means(&t, ours, others, NULL));
    assert_int_equal(t.n_means, 3 + 2);
    assert_null(mean_of(&t, "gx", "X", HRR_PGB_TRIANGLES, "1"));
    assert_true(mean_of(&t, "g", "X", HRR_PGB_TRIANGLES, "1")->mean == 1);
    assert_true(mean_of(&t, "k-l-m", "X", HRR_PGB_TRIANGLES, "1")->mean == 3);
    hrr_pgb_table_clear(&t);
}

static void test_pgb_means__refuse_bad_published_values(void **state)
{
    static const char *const rows[][2] = {
        {"g,triangle,X,1,.5\n", ":2: 'triangle' is not a query"},
        {"g,triangles,X,0,.5\n", ":2: eps must be"},
        {"g,triangles,X,-1,.5\n", ":2: eps must be"},
        {"g,triangles,X,,.5\n", ":2: eps must be"},
        {"g,triangles,X,one,.5\n", ":2: column eps or epsilon is not a number"},
        {"g,nodes,X,1,0\ng,triangles,X,1,nan\n", ":3: a published value must be a finite"},
        {"g,triangles,X,1,\n", ":2: a published value must be a finite"},
        {"g,triangles,X,1\n", ":2: the row has 4 fields"},
        {"g,triangles,X,1,1\ng,triangles,X,1,1\n", "two published values for g, triangles, X"},
        {"f,triangles,X,1,1\nk,nodes,X,1,1\n", "has no values for the graph 'g', only for: f, k"},
    };
    hrr_graph *graph;
    const char *path = in_dir(*state, "p.csv");
    assert_ok(hrr_graph_new(&graph, "g", 3, NULL));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[512] = "graph,query,mechanism,eps,value\n";
        hrr_error err = {0};
        write_text(path, strcat(text, rows[i][0]));
        assert_int_equal(hrr_pgb_published_check(path, graph, &err), HRR_EDATA);
        assert_says(err, rows[i][1]);
    }
    hrr_error err = {0};
    write_text(path, "graph,query,mechanism,eps,run,value\ng,nodes,X,1,1,0\n");
    assert_int_equal(hrr_pgb_published_check(path, graph, &err), HRR_EDATA);
    assert_says(err, "contains runs");
    write_text(path, "graph,query,mechanism,value\ng,nodes,X,0\n");
    assert_int_equal(hrr_pgb_published_check(path, graph, &err), HRR_EDATA);
    assert_says(err, "the column eps or epsilon is missing");
    write_text(path, "graph,query,mechanism,eps,value\ng,nodes,X,1,0\n");
    assert_ok(hrr_pgb_published_check(path, graph, NULL));
    hrr_graph_free(graph);
}

typedef struct two_files {
    const char *results, *published;
    hrr_graph *graph;
} two_files;

static hrr_status read_both(void *user)
{
    const two_files *files = user;
    hrr_pgb_table table;
    hrr_status status = hrr_pgb_means(&table, files->results, files->published, NULL);
    hrr_pgb_table_clear(&table);
    return status;
}

static hrr_status sweep_and_read(void *user)
{
    const two_files *files = user;
    hrr_pgb_sweep_options options = usual_options();
    options.runs = options.n_eps = 1;
    hrr_status status = hrr_pgb_sweep(files->results, files->graph, &options, NULL, NULL);
    return status ? status : read_both(user);
}

static void test_pgb_sweep__survives_running_out_of_memory(void **state)
{
    two_files files = {in_dir(*state, "r.csv"), in_dir(*state, "p.csv"), small_graph(true)};
    write_text(files.published, "graph,query,mechanism,eps,value\ngenerated,triangles,X,0.5,1\n");
    assert_true(brutal(sweep_and_read, &files) > 50);
    hrr_graph_free(files.graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_SCRATCH(test_pgb_sweep__fifteen_rows_a_run),
        WITH_SCRATCH(test_pgb_sweep__goes_on_in_the_middle_of_a_run),
        WITH_SCRATCH(test_pgb_sweep__another_first_seed_adds_runs),
        WITH_SCRATCH(test_pgb_sweep__names_a_tree_that_was_chosen),
        WITH_SCRATCH(test_pgb_sweep__bad_options),
        WITH_SCRATCH(test_pgb_sweep__can_be_cancelled),
        WITH_SCRATCH(test_pgb_means__who_is_nearest),
        WITH_SCRATCH(test_pgb_means__graphs_match_by_name),
        WITH_SCRATCH(test_pgb_means__refuse_bad_published_values),
        WITH_SCRATCH(test_pgb_sweep__survives_running_out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
