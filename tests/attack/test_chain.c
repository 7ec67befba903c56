/* The chain in one world: open doors are found open, closed ones near the floor, and a guess is a
 * guess. */
#include "attack/chain.h"
#include "attack/models.h"
#include "support/brutal.h"

#include <heterorr/privacy.h>

static hrr_chain_options quick(const char *world)
{
    hrr_chain_options options;
    hrr_chain_options_init(&options);
    options.world = world;
    options.linkteller.n_samples = 200;
    options.train.n_hidden = 16;
    options.train.epochs = 20;
    options.threads = 1;
    return options;
}

static hrr_chain_result found_in(const hrr_graph *graph, const char *world, uint64_t eps_nano)
{
    hrr_chain_options options = quick(world);
    hrr_chain_result found;
    options.eps_nano = eps_nano;
    assert_ok(hrr_chain(&found, graph, &options, NULL, NULL, NULL));
    return found;
}

static void test_chain__orders_the_worlds(void **state)
{
    (void)state;
    static const char *const guesses[] = {"public-walks", "lsa2-attr", "public-both"};
    const int auc = HRR_CHAIN_LINK_AUC;
    hrr_graph *graph = learnable(.3);
    const hrr_chain_result open = found_in(graph, HRR_WORLD_OPEN, 0);
    const hrr_chain_result floor = found_in(graph, HRR_WORLD_FLOOR, 0);
    const hrr_chain_result tree = found_in(graph, HRR_WORLD_TREE, 0);
    const hrr_chain_result closed = found_in(graph, "edgerr", HRR_EPS_UNIT / 10);
    const hrr_chain_result guess = found_in(graph, HRR_WORLD_GUESS, 0);
    assert_true(open.figure[auc] > .95 && isinf(open.realised_eps));
    assert_true(floor.figure[auc] < open.figure[auc] - .1 && floor.realised_eps == 0);
    assert_true(tree.figure[auc] < open.figure[auc] - .1 && tree.realised_eps == 0);
    assert_true(closed.figure[auc] < open.figure[auc] - .2);
    assert_true(closed.realised_eps > 0 && closed.realised_eps <= .1);
    for (int i = 0; i < 3; i++) { /* public knowledge finds something, and needs no model */
        const hrr_chain_result known = found_in(graph, guesses[i], 0);
        assert_true(known.figure[auc] > .55 && isnan(known.figure[HRR_CHAIN_ACCURACY]));
        assert_true(known.realised_eps == 0);
    }
    /* 200 nodes, some 120 positives: three deviations of an AUC are .08 */
    assert_true(fabs(guess.figure[auc] - .5) < .08 && isnan(guess.figure[HRR_CHAIN_ACCURACY]));
    assert_true(isnan(open.figure[HRR_CHAIN_ATTRIBUTE_AUC])); /* features are not binary */
    hrr_graph_free(graph);
}

typedef struct seen {
    int n;
    uint64_t eps_nano;
} seen;

static void see_scores(void *user, const char *attack, uint64_t eps_nano, uint32_t run,
                       const hrr_link_pairs *pairs, const double *scores)
{
    seen *s = user;
    s->eps_nano = eps_nano;
    s->n += strcmp(attack, "edgerr") == 0 && run == 0 && pairs->n > 0 && isfinite(scores[0]);
}

static void test_chain__shows_its_scores(void **state)
{
    (void)state;
    hrr_graph *graph = learnable(.3);
    hrr_chain_options options = quick("edgerr");
    hrr_chain_result found;
    seen s = {0};
    options.eps_nano = HRR_EPS_UNIT;
    options.train.epochs = 1;
    options.linkteller.seen = see_scores;
    options.linkteller.seen_user = &s;
    assert_ok(hrr_chain(&found, graph, &options, NULL, NULL, NULL));
    assert_int_equal(s.n, 1);
    assert_int_equal(s.eps_nano, HRR_EPS_UNIT);
    hrr_graph_free(graph);
}

static void refused(const hrr_graph *graph, const hrr_chain_options *options, hrr_status status,
                    const char *says)
{
    hrr_chain_result found;
    hrr_error err = {0};
    assert_int_equal(hrr_chain(&found, graph, options, NULL, NULL, &err), status);
    assert_says(err, says);
}

static void test_chain__says_what_is_missing(void **state)
{
    (void)state;
    hrr_graph *graph = learnable(.3), *bare = empty_graph(10), *secret = learnable(1);
    hrr_chain_options options = quick(HRR_WORLD_OPEN);
    refused(bare, &options, HRR_EDATA, "no features");
    options.known_fraction = 1;
    refused(graph, &options, HRR_EINVAL, "known_fraction");
    options = quick("prayer");
    refused(graph, &options, HRR_EINVAL, "prayer");
    options = quick("public-walks");
    refused(secret, &options, HRR_EDATA, "walks over public edges, but the graph has none");
    hrr_graph_free(graph);
    hrr_graph_free(bare);
    hrr_graph_free(secret);
}

static hrr_status once(void *user)
{
    static const char *const worlds[] = {"edgerand-private", HRR_WORLD_TREE, "public-both",
                                         HRR_WORLD_GUESS};
    hrr_chain_result found;
    hrr_status status = HRR_OK;
    for (int i = 0; i < 4 && !status; i++) {
        hrr_chain_options options = quick(worlds[i]);
        options.eps_nano = HRR_EPS_UNIT;
        options.linkteller.n_samples = 30;
        options.train.epochs = 1;
        status = hrr_chain(&found, user, &options, NULL, NULL, NULL);
    }
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
        cmocka_unit_test(test_chain__shows_its_scores),
        cmocka_unit_test(test_chain__says_what_is_missing),
        cmocka_unit_test(test_chain__survives_every_failed_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
