/* test_advice.c: advice on budgets: the bounds of features against enumerated mechanisms, and the
 * rehearsal with public edges. */
#include "base/memory.h"
#include "experiment/csv.h"
#include "experiment/made_graphs.h"
#include "support/brutal.h"

#include <heterorr/experiment.h>

#include <math.h>

static const uint64_t budgets[] = {HRR_EPS_UNIT, 8 * HRR_EPS_UNIT};

static hrr_graph *made(uint64_t n_nodes, double private_fraction)
{
    return made_graph(n_nodes, 6, private_fraction, false);
}

static hrr_advise_options usual_options(bool features_are_public)
{
    hrr_advise_options options;
    hrr_advise_options_init(&options);
    options.eps_edges_nano = budgets;
    options.n_eps_edges = 2;
    options.private_share = .6;
    options.features_are_public = features_are_public;
    options.runs = 2;
    options.train.n_hidden = 4;
    options.train.epochs = 5;
    options.threads = 1;
    return options;
}

/* What k-ary response tells about a uniform input, in nats. */
static double response_information(int k, double eps)
{
    const double keep = exp(eps) / (exp(eps) + k - 1), other = (1 - keep) / (k - 1);
    return log(k) + keep * log(keep) + (k - 1) * other * log(other);
}

/* No response tells more than the bound; the best over k comes close, and two answers do so for
 * small budgets. */
static void test_features__the_bound_holds_and_is_tight(void **state)
{
    (void)state;
    hrr_graph *graph = made(60, 0);
    for (double eps = .01; eps < 4; eps *= 1.5) {
        hrr_feature_advice advice;
        double best = 0;
        hrr_advise_features(&advice, eps, 10, graph);
        const double bound = advice.information * log(3);
        assert_true(advice.information > 0 && advice.information <= 1);
        if (advice.information == 1) break;
        for (int k = 2; k < 40; k++)
            best = fmax(best, response_information(k, eps));
        assert_true(best <= bound * (1 + 1e-9));
        assert_true(best > .8 * bound);
        if (eps < .1) assert_true(response_information(2, eps) > .99 * bound);
    }
    hrr_graph_free(graph);
}

static void test_features__noise_is_that_of_one_bit(void **state)
{
    (void)state;
    hrr_graph *graph = made(60, 0);
    hrr_feature_advice one, averaged;
    /* One feature in [0, 1], one bit: values 1/2 -+ w/2 with w = (e + 1)/(e - 1); the variance of
     * the middle is w^2 / 4. */
    hrr_advise_features(&one, 1, 1, graph);
    const double w = (exp(1) + 1) / (exp(1) - 1);
    assert_true(fabs(one.noise - w / 2) < 1e-12);
    hrr_advise_features(&averaged, 1, 100, graph);
    assert_true(fabs(averaged.noise - 10 * w / 2) < 1e-9);
    const double degree = 2 * (double)hrr_graph_n_edges(graph) / 60;
    assert_true(fabs(averaged.noise_averaged - averaged.noise / sqrt(1 + degree)) < 1e-9);
    hrr_graph_free(graph);
}

static void test_edges__rows_are_about_the_features_at_hand(void **state)
{
    hrr_graph *graph = made(60, 0);
    for (int own = 0; own < 2; own++) {
        const hrr_advise_options options = usual_options(own);
        hrr_edge_advice advice;
        assert_ok(hrr_advise_edges(&advice, in_dir(*state, own ? "a.csv" : "b.csv"), graph,
                                   &options, NULL, NULL));
        assert_int_equal(advice.n_rows, own ? 12 : 11); /* 2 mechanisms, 2 budgets; controls */
        assert_true(advice.control >= 0 && !advice.rows[advice.control].spends);
        for (size_t i = 0; i < advice.n_rows; i++) {
            if (hrr_feature_mechanism_find(advice.rows[i].features))
                assert_string_equal(advice.rows[i].features, own ? "none" : "featfree");
            else
                assert_false(advice.rows[i].spends); /* a guess, and what looks at no features */
            assert_string_not_equal(advice.rows[i].edges, "none");
            if (!advice.rows[i].spends) continue;
            const int64_t control = advice.rows[i].test.control;
            assert_true(control >= 0 && control < (int64_t)advice.n_rows);
            assert_false(advice.rows[control].spends);
            assert_true(fabs(advice.rows[i].mean - advice.rows[control].mean -
                             advice.rows[i].test.difference) < 1e-9);
        }
        hrr_edge_advice_clear(&advice);
    }
    hrr_graph_free(graph);
}

static void test_edges__what_is_better_and_cheapest_is_chosen(void **state)
{
    hrr_graph *graph = made(600, 0);
    hrr_advise_options options = usual_options(false);
    options.private_share = .9;
    options.train.epochs = 60;
    options.train.n_hidden = 16;
    options.runs = 4;
    hrr_edge_advice advice;
    assert_ok(hrr_advise_edges(&advice, in_dir(*state, "r.csv"), graph, &options, NULL, NULL));
    assert_true(advice.choice >= 0);
    const hrr_training_mean *choice = &advice.rows[advice.choice];
    assert_int_equal(choice->test.worth, HRR_WORTH_MORE);
    for (size_t i = 0; i < advice.n_rows; i++)
        if (advice.rows[i].test.worth == HRR_WORTH_MORE)
            assert_true(atof(advice.rows[i].eps_edges) >= atof(choice->eps_edges));
    hrr_edge_advice_clear(&advice);
    hrr_graph_free(graph);
}

static void test_edges__a_graph_with_private_edges_is_refused(void **state)
{
    hrr_graph *graph = made(60, .3);
    const hrr_advise_options options = usual_options(false);
    hrr_edge_advice advice;
    assert_int_equal(
        hrr_advise_edges(&advice, in_dir(*state, "r.csv"), graph, &options, NULL, NULL),
        HRR_EINVAL);
    hrr_graph_free(graph);
}

/* 100 edges at least, and no fewer than one for four nodes. */
static void test_edges__too_few_are_no_rehearsal(void **state)
{
    (void)state;
    static const struct {
        uint32_t nodes, edges;
        bool blind;
    } rows[] = {{60, 0, true},     {60, 99, true},   {60, 100, false}, {400, 99, true},
                {400, 100, false}, {800, 199, true}, {800, 200, false}};
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        hrr_graph *graph;
        hrr_edge_list edges;
        assert_ok(hrr_graph_new(&graph, "sparse", rows[r].nodes, NULL));
        assert_ok(hrr_edge_list_init(&edges, rows[r].edges, false, NULL));
        for (uint32_t e = 0, u = 0, v = 1; e < rows[r].edges; e++, v++) {
            if (v == rows[r].nodes) u++, v = u + 1;
            edges.source[e] = u;
            edges.target[e] = v;
        }
        assert_ok(hrr_graph_take_edges(graph, &edges, NULL, 0, NULL, NULL));
        assert_int_equal(hrr_advice_is_blind(graph), rows[r].blind);
        hrr_graph_free(graph);
    }
}

static void test_information__is_unknown_without_labels(void **state)
{
    (void)state;
    hrr_graph *graph;
    hrr_feature_advice advice;
    assert_ok(hrr_graph_new(&graph, "bare", 9, NULL));
    hrr_advise_features(&advice, 1, 10, graph);
    assert_true(isnan(advice.information));
    hrr_graph_free(graph);
}

typedef struct attempt {
    const hrr_graph *graph;
    const hrr_advise_options *options;
    const char *path;
} attempt;

static hrr_status advise_once(void *user)
{
    const attempt *a = user;
    hrr_edge_advice advice;
    hrr_status status = hrr_advise_edges(&advice, a->path, a->graph, a->options, NULL, NULL);
    hrr_edge_advice_clear(&advice);
    return status;
}

static void test_edges__survive_running_out_of_memory(void **state)
{
    hrr_graph *graph = made(40, 0);
    hrr_advise_options options = usual_options(false);
    options.n_eps_edges = 1;
    options.train.epochs = 1;
    attempt a = {graph, &options, in_dir(*state, "r.csv")};
    assert_true(brutal(advise_once, &a) > 20);
    hrr_graph_free(graph);
}

/* ---- structure ------------------------------------------------------------------------------- */

/* Rows are of the public part alone, and the cheapest that is nearer is chosen. */
static void test_structure__is_rehearsed(void **state)
{
    hrr_graph *graph = made(150, 0);
    hrr_advise_options options = usual_options(false);
    hrr_structure_advice advice;
    options.runs = 4;
    assert_ok(hrr_advise_structure(&advice, in_dir(*state, "r.csv"), graph, &options, NULL, NULL));
    assert_int_equal(advice.n_rows, 4 * 2 + 1);
    assert_true(advice.control >= 0 && !advice.rows[advice.control].spends);
    for (int s = 0; s < HRR_N_STATISTICS; s++) {
        const hrr_structure_mean *chosen =
            advice.choice[s] < 0 ? NULL : &advice.rows[advice.choice[s]];
        for (size_t i = 0; i < advice.n_rows; i++) {
            const hrr_structure_mean *row = &advice.rows[i];
            if (row->statistic[s].test.worth != HRR_WORTH_MORE) continue;
            assert_non_null(chosen);
            assert_true(atof(chosen->eps_edges) <= atof(row->eps_edges));
        }
        if (chosen) assert_int_equal(chosen->statistic[s].test.worth, HRR_WORTH_MORE);
    }
    assert_true(advice.choice[HRR_STATISTIC_DEGREES] >= 0);
    hrr_structure_advice_clear(&advice);
    hrr_graph_free(graph);
}

static void test_structure__refuses_private_edges(void **state)
{
    hrr_graph *graph = made(60, .5);
    const hrr_advise_options options = usual_options(false);
    hrr_structure_advice advice;
    hrr_error err = {0};
    assert_int_equal(
        hrr_advise_structure(&advice, in_dir(*state, "r.csv"), graph, &options, NULL, &err),
        HRR_EINVAL);
    assert_says(err, "public view");
    assert_int_equal(count_entries(*state), 0);
    hrr_graph_free(graph);
}

static hrr_status advise_structure_once(void *user)
{
    const attempt *a = user;
    hrr_structure_advice advice;
    hrr_status status = hrr_advise_structure(&advice, a->path, a->graph, a->options, NULL, NULL);
    hrr_structure_advice_clear(&advice);
    return status;
}

static void test_structure__survives_running_out_of_memory(void **state)
{
    hrr_graph *graph = made(40, 0);
    hrr_advise_options options = usual_options(false);
    options.n_eps_edges = options.runs = 1;
    attempt a = {graph, &options, in_dir(*state, "r.csv")};
    assert_true(brutal(advise_structure_once, &a) > 20);
    hrr_graph_free(graph);
}

/* Seven classes, of which two are all there is: randomised response then tells 16 % of a label at
 * eps 1, more than c - 1 - ln c is of ln 7. */
static void test_information__is_a_share_of_what_labels_hold(void **state)
{
    (void)state;
    hrr_graph *graph;
    int32_t *class = hrr_alloc(61, sizeof *class);
    assert_ok(hrr_graph_new(&graph, "uneven", 61, NULL));
    for (int i = 0; i < 61; i++)
        class[i] = i < 60 ? i % 2 * 5 : -1;
    assert_ok(hrr_graph_take_classes(graph, &class, 7, NULL));
    hrr_feature_advice advice;
    hrr_advise_features(&advice, 1, 10, graph);
    assert_true(advice.information * log(2) >= response_information(2, 1));
    const double c = 1 / (1 - exp(-1));
    assert_true(fabs(advice.information - (c - 1 - log(c)) / log(2)) < 1e-12);
    hrr_graph_free(graph);
}

static hrr_advise_options head_options(double right)
{
    static const uint64_t spent[] = {HRR_EPS_UNIT, 8 * HRR_EPS_UNIT};
    hrr_advise_options options = usual_options(false);
    options.eps_features_nano = spent;
    options.n_eps_features = 2;
    options.head_right = right;
    options.label_rate = .2;
    options.runs = 3;
    return options;
}

/* 600 nodes, whose neighbours say something: a head that is nearly always right is worth eps 8, and
 * one that is hardly better than a guess is not. Fixed seeds. */
static void test_head__pays_where_it_knows_more_than_edges(void **state)
{
    hrr_graph *graph = made(600, 0), *other;
    /* Private features are not looked at: without any the rehearsal is the same. */
    assert_ok(hrr_graph_copy(&other, graph, HRR_COPY_EDGES | HRR_COPY_LABELS, NULL));
    hrr_advise_options options = head_options(.99);
    hrr_edge_advice advice, again;
    assert_ok(hrr_advise_head(&advice, in_dir(*state, "sure.csv"), graph, &options, NULL, NULL));
    assert_true(advice.choice >= 0 && advice.control >= 0);
    assert_string_equal(advice.rows[advice.choice].eps_features, "8");
    assert_false(advice.rows[advice.control].spends);
    for (size_t i = 0; i < advice.n_rows; i++) {
        assert_string_not_equal(advice.rows[i].treatment, "head-noiseless");
        assert_string_not_equal(advice.rows[i].treatment, "non-private");
    }
    assert_ok(hrr_advise_head(&again, in_dir(*state, "other.csv"), other, &options, NULL, NULL));
    assert_int_equal(again.n_rows, advice.n_rows);
    for (size_t i = 0; i < advice.n_rows; i++)
        assert_true(advice.rows[i].mean == again.rows[i].mean);
    hrr_edge_advice_clear(&advice);
    hrr_edge_advice_clear(&again);
    options = head_options(.34);
    assert_ok(hrr_advise_head(&advice, in_dir(*state, "guess.csv"), graph, &options, NULL, NULL));
    assert_int_equal(advice.choice, -1);
    hrr_edge_advice_clear(&advice);
    hrr_graph_free(graph);
    hrr_graph_free(other);
}

/* Labels and edges of graphs whose neighbours are alike, or strangers. */
static void find_what_is_left(hrr_report_advice found[2], double homophily,
                              const hrr_advise_options *options)
{
    hrr_generate_options how;
    hrr_graph *graph, *known;
    hrr_generate_options_init(&how);
    how.n_nodes = 600;
    how.average_degree = 12;
    how.n_features = 4;
    how.n_classes = 3;
    how.homophily = homophily;
    how.seed = 1;
    assert_ok(hrr_generate(&graph, NULL, &how, NULL, NULL));
    assert_ok(hrr_public_view(&known, graph, false, true, NULL));
    assert_ok(hrr_advise_reports(found, known, options, NULL, NULL));
    hrr_graph_free(graph);
    hrr_graph_free(known);
}

/* Where neighbours are alike they settle nearly everybody, and a report can add nothing; where they
 * are not, binary and ternary response reach what is known of them. Fixed seeds. */
static void test_reports__cannot_pay_where_edges_tell_the_class(void **state)
{
    (void)state;
    hrr_advise_options options = head_options(0);
    hrr_report_advice alike[2], strangers[2];
    options.runs = 1;
    options.label_rate = 0;
    options.train.epochs = 50;
    find_what_is_left(alike, .95, &options);
    find_what_is_left(strangers, 1. / 3, &options);
    for (int e = 0; e < 2; e++) {
        assert_true(alike[e].free_right > .95);
        assert_true(alike[e].most_right <= 1 && strangers[e].most_right <= 1);
    }
    assert_true(alike[0].settled > .9 && !hrr_report_can_pay(&alike[0]));
    assert_true(strangers[0].settled < .5 && hrr_report_can_pay(&strangers[0]));
    /* Of three classes of which nothing is known: e^eps/(e^eps + 2). */
    assert_true(fabs(strangers[1].most_right - exp(8) / (exp(8) + 2)) < .01);
    assert_true(strangers[0].most_right < exp(1) / (exp(1) + 2) + .1);
}

static void test_head__what_cannot_be_rehearsed_is_refused(void **state)
{
    const char *file = in_dir(*state, "advice.csv");
    hrr_graph *graph = made(60, 0), *secret = made(60, .5), *several = made_graph(60, 6, 0, true);
    hrr_edge_advice advice;
    hrr_error err;
    for (int i = 0; i < 2; i++) { /* a guess, and more than always */
        const hrr_advise_options options = head_options(i ? 1.01 : 1. / 3);
        assert_int_equal(hrr_advise_head(&advice, file, graph, &options, NULL, &err), HRR_EINVAL);
        assert_says(err, "head_right");
    }
    const hrr_advise_options options = head_options(.9);
    assert_int_equal(hrr_advise_head(&advice, file, secret, &options, NULL, &err), HRR_EINVAL);
    assert_says(err, "private edges");
    assert_int_equal(hrr_advise_head(&advice, file, several, &options, NULL, &err), HRR_EDATA);
    assert_says(err, "one of two or more classes");
    hrr_report_advice reports[2];
    assert_int_equal(hrr_advise_reports(reports, several, &options, NULL, &err), HRR_EDATA);
    assert_says(err, "one of two or more classes");
    assert_int_equal(hrr_advise_reports(reports, secret, &options, NULL, &err), HRR_EINVAL);
    hrr_graph_free(graph);
    hrr_graph_free(secret);
    hrr_graph_free(several);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_SCRATCH(test_structure__is_rehearsed),
        WITH_SCRATCH(test_structure__refuses_private_edges),
        WITH_SCRATCH(test_structure__survives_running_out_of_memory),

        cmocka_unit_test(test_features__the_bound_holds_and_is_tight),
        cmocka_unit_test(test_features__noise_is_that_of_one_bit),
        WITH_SCRATCH(test_edges__rows_are_about_the_features_at_hand),
        WITH_SCRATCH(test_edges__what_is_better_and_cheapest_is_chosen),
        WITH_SCRATCH(test_edges__a_graph_with_private_edges_is_refused),
        WITH_SCRATCH(test_edges__survive_running_out_of_memory),
        WITH_SCRATCH(test_head__pays_where_it_knows_more_than_edges),
        cmocka_unit_test(test_reports__cannot_pay_where_edges_tell_the_class),
        WITH_SCRATCH(test_head__what_cannot_be_rehearsed_is_refused),
        cmocka_unit_test(test_edges__too_few_are_no_rehearsal),
        cmocka_unit_test(test_information__is_a_share_of_what_labels_hold),
        cmocka_unit_test(test_information__is_unknown_without_labels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
