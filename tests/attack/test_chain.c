/* The chain: open doors are found open, closed ones near the floor, and a guess is a guess. */
#include "attack/models.h"
#include "support/brutal.h"

#include <heterorr/privacy.h>

static const char *const mechanisms[] = {"edgerr", "public-only", NULL};
static const uint64_t eps[] = {HRR_EPS_UNIT / 10, HRR_EPS_UNIT};

static hrr_chain_options quick(void)
{
    hrr_chain_options options;
    hrr_chain_options_init(&options);
    options.mechanisms = mechanisms;
    options.eps_nano = eps;
    options.n_eps = 2;
    options.runs = 2;
    options.linkteller.n_samples = 200;
    options.train.n_hidden = 16;
    options.train.epochs = 20;
    options.train.threads = options.linkteller.threads = options.attributes.threads = 1;
    return options;
}

typedef struct seen {
    int n, n_scored;
    double sum;
} seen;

static void see(void *user, const char *mechanism, uint64_t eps_nano, uint32_t run,
                const double figures[HRR_CHAIN_FIGURES])
{
    (void)eps_nano, (void)run;
    seen *s = user;
    s->n++;
    if (strcmp(mechanism, HRR_CHAIN_FLOOR) == 0) s->sum += figures[HRR_CHAIN_LINK_AUC];
}

static void see_scores(void *user, const char *attack, uint64_t eps_nano, uint32_t run,
                       const hrr_link_pairs *pairs, const double *scores)
{
    (void)eps_nano, (void)run;
    ((seen *)user)->n_scored += *attack && pairs->n > 0 && isfinite(scores[0]);
}

static void test_chain__orders_the_worlds(void **state)
{
    (void)state;
    hrr_graph *graph = learnable(.3);
    hrr_chain_options options = quick();
    hrr_chain_row *rows;
    size_t n;
    seen s = {0};
    options.seen = see;
    options.seen_user = &s;
    options.linkteller.seen = see_scores;
    options.linkteller.seen_user = &s;
    assert_ok(hrr_chain(&rows, &n, graph, &options, NULL, NULL));
    /* open, two floors, edgerr twice, four guesses: the floor is not listed again */
    assert_int_equal(n, 9);
    assert_int_equal(s.n, 18);
    assert_int_equal(s.n_scored, 18);
    const int auc = HRR_CHAIN_LINK_AUC;
    assert_string_equal(rows[0].mechanism, HRR_CHAIN_OPEN);
    assert_string_equal(rows[1].mechanism, HRR_CHAIN_FLOOR);
    assert_string_equal(rows[2].mechanism, HRR_CHAIN_TREE);
    assert_string_equal(rows[5].mechanism, "public-walks");
    assert_string_equal(rows[8].mechanism, HRR_CHAIN_GUESS);
    assert_true(fabs(rows[1].mean[auc] - s.sum / 2) < 1e-12);
    assert_true(rows[0].mean[auc] > .95 && isinf(rows[0].realised_eps));
    assert_true(rows[1].excess[auc] == 0 && rows[1].realised_eps == 0);
    assert_true(fabs(rows[0].excess[auc] - (rows[0].mean[auc] - rows[1].mean[auc])) < 1e-12);
    assert_true(rows[2].tree_excess[auc] == 0 && rows[2].realised_eps == 0);
    for (int i = 3; i < 5; i++) {
        assert_true(rows[i].mean[auc] < rows[0].mean[auc] - .2);
        assert_true(rows[i].realised_eps > 0 && rows[i].realised_eps <= (double)eps[i - 3] / 1e9);
        assert_true(fabs(rows[i].tree_excess[auc] - (rows[i].mean[auc] - rows[2].mean[auc])) <
                    1e-12);
    }
    for (int i = 5; i < 8; i++) /* public knowledge finds something, and needs no model */
        assert_true(rows[i].mean[auc] > .55 && isnan(rows[i].mean[HRR_CHAIN_ACCURACY]));
    /* 200 nodes, some 120 positives: three deviations of an AUC are .08 */
    assert_true(fabs(rows[8].mean[auc] - .5) < .08);
    assert_true(isnan(rows[8].mean[HRR_CHAIN_ACCURACY]));
    assert_true(rows[0].half_width[auc] > 0);
    assert_true(isnan(rows[0].mean[HRR_CHAIN_ATTRIBUTE_AUC])); /* features are not binary */
    hrr_free(rows);
    hrr_graph_free(graph);
}

static void test_chain__says_what_is_missing(void **state)
{
    (void)state;
    hrr_graph *graph = learnable(.3), *bare = empty_graph(10);
    hrr_chain_options options = quick();
    hrr_chain_row *rows;
    size_t n;
    hrr_error err = {0};
    assert_int_equal(hrr_chain(&rows, &n, bare, &options, NULL, &err), HRR_EDATA);
    assert_says(err, "no features");
    options.known_fraction = 1;
    assert_int_equal(hrr_chain(&rows, &n, graph, &options, NULL, &err), HRR_EINVAL);
    options = quick();
    options.n_eps = 0;
    assert_int_equal(hrr_chain(&rows, &n, graph, &options, NULL, &err), HRR_EINVAL);
    assert_says(err, "`eps_nano`");
    const char *const wrong[] = {"prayer", NULL};
    options = quick();
    options.mechanisms = wrong;
    assert_int_equal(hrr_chain(&rows, &n, graph, &options, NULL, &err), HRR_EINVAL);
    assert_says(err, "prayer");
    hrr_graph_free(graph);
    hrr_graph_free(bare);
}

static hrr_status once(void *user)
{
    static const char *const one[] = {"edgerand-private", NULL};
    hrr_chain_options options = quick();
    hrr_chain_row *rows;
    size_t n;
    options.mechanisms = one;
    options.n_eps = 1;
    options.runs = 1;
    options.linkteller.n_samples = 30;
    options.train.epochs = 1;
    hrr_status status = hrr_chain(&rows, &n, user, &options, NULL, NULL);
    hrr_free(rows);
    return status;
}

static void test_chain__survives_every_failed_allocation(void **state)
{
    (void)state;
    hrr_graph *graph = small_graph(30, HRR_F32, 4, 1, 3, false, 5);
    assert_ok(hrr_graph_mark_fraction(graph, .4, 1, NULL));
    assert_true(brutal(once, graph) > 100);
    hrr_graph_free(graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_chain__orders_the_worlds),
        cmocka_unit_test(test_chain__says_what_is_missing),
        cmocka_unit_test(test_chain__survives_every_failed_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
