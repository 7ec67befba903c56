/* The tests against a release reach what epsilon allows, and not more; without protection they are
 * always right; and where they are blind they say so. */
#include "attack/models.h"
#include "support/brutal.h"

#include <heterorr/privacy.h>

static hrr_release_attack attack_tree(const hrr_graph *graph, const char *mechanism,
                                      const char *tree, uint64_t eps_nano, uint64_t trials)
{
    hrr_release_attack_options options;
    hrr_release_attack found;
    hrr_release_attack_options_init(&options);
    options.mechanism = mechanism;
    options.tree = tree;
    options.eps_nano = eps_nano;
    options.trials = trials;
    options.threads = 2;
    assert_ok(hrr_attack_release(&found, graph, &options, NULL, NULL));
    assert_true(found.lower <= found.advantage && found.advantage <= found.upper);
    return found;
}

static hrr_release_attack attack(const hrr_graph *graph, const char *mechanism, uint64_t eps_nano,
                                 uint64_t trials)
{
    return attack_tree(graph, mechanism, NULL, eps_nano, trials);
}

/* Trees that are drawn take their time: 40 nodes. */
static hrr_graph *small_private(void)
{
    hrr_generate_options options;
    hrr_graph *graph;
    hrr_generate_options_init(&options);
    options.n_nodes = 40;
    options.private_fraction = .3;
    assert_ok(hrr_generate(&graph, NULL, &options, NULL, NULL));
    return graph;
}

/* Each interval is wrong with probability 1e-3 at most; the seed is fixed. */
static void test_release__reaches_the_bound_and_does_not_pass_it(void **state)
{
    (void)state;
    hrr_graph *graph = learnable(.3);
    const uint64_t eps[] = {HRR_EPS_UNIT / 10, HRR_EPS_UNIT, 3 * HRR_EPS_UNIT};
    for (int i = 0; i < 3; i++) {
        const hrr_release_attack tree = attack(graph, "edgerr", eps[i], 800);
        assert_string_equal(tree.sees, "count");
        assert_true(fabs(tree.bound - tanh((double)eps[i] / 2e9)) < 1e-3);
        assert_true(tree.lower <= tree.bound); /* never more */
        assert_true(tree.upper >= tree.bound); /* Laplace noise allows it all */
        const hrr_release_attack bits = attack(graph, "edgerand-private", eps[i], 800);
        assert_string_equal(bits.sees, "pair");
        assert_true(bits.lower <= bits.bound && bits.upper >= bits.bound);
        assert_true(tree.verdict == HRR_ATTACK_HOLDS && bits.verdict == HRR_ATTACK_HOLDS);
    }
    hrr_graph_free(graph);
}

/* Noise for eps 3 that is claimed to be for eps 1: the attack would refute the claim. */
static void test_release__would_catch_a_false_claim(void **state)
{
    (void)state;
    hrr_graph *graph = learnable(.3);
    assert_true(attack(graph, "edgerr", 3 * HRR_EPS_UNIT, 800).lower > tanh(0.5));
    assert_true(attack(graph, "edgerand-private", 3 * HRR_EPS_UNIT, 800).lower > tanh(0.5));
    hrr_graph_free(graph);
}

/* Counts stand elsewhere in every tree that is drawn. What claims 1 and spends 4 is caught. */
static void test_release__sees_through_trees_that_are_drawn(void **state)
{
    (void)state;
    hrr_graph *graph = small_private();
    static const char *const trees[] = {"barker", "quotient", "select"};
    for (int t = 0; t < 3; t++) {
        const hrr_release_attack honest = attack_tree(graph, "edgerr", trees[t], HRR_EPS_UNIT, 300);
        assert_string_equal(honest.sees, "count and tree");
        assert_int_equal(honest.verdict, HRR_ATTACK_HOLDS);
        assert_true(honest.advantage > .3 && honest.open_advantage > .9);
        const hrr_release_attack lie =
            attack_tree(graph, "edgerr", trees[t], 4 * HRR_EPS_UNIT, 300);
        assert_true(lie.lower > tanh(.5) && lie.eps_lower > 1 && lie.eps_lower < 4);
    }
    hrr_graph_free(graph);
}

/* Both counts together tell eps; one of them, and every advantage, tells half. */
static void test_release__sees_both_ends_of_a_pair(void **state)
{
    (void)state;
    hrr_graph *graph = small_private();
    const hrr_release_attack found = attack(graph, "edgerr-node", 2 * HRR_EPS_UNIT, 2000);
    assert_string_equal(found.sees, "two counts");
    assert_int_equal(found.verdict, HRR_ATTACK_HOLDS);
    assert_true(found.lower <= tanh(.5)); /* a claim of 1 would have passed by its advantage */
    assert_true(found.eps_lower > 1.3 && found.eps_lower < 2);
    hrr_graph_free(graph);
}

static void test_release__knows_everything_without_protection(void **state)
{
    (void)state;
    hrr_graph *graph = learnable(.3);
    const hrr_release_attack open = attack(graph, "none", HRR_EPS_UNIT, 200);
    assert_true(open.advantage == 1 && open.bound == 1);
    assert_int_equal(open.verdict, HRR_ATTACK_PROMISES_NOTHING);
    const hrr_release_attack closed = attack(graph, "public-only", HRR_EPS_UNIT, 200);
    assert_true(closed.advantage == 0 && closed.bound == 0);
    assert_int_equal(closed.verdict, HRR_ATTACK_SEES_NOTHING);
    hrr_graph_free(graph);
}

static void test_release__says_what_is_missing(void **state)
{
    (void)state;
    hrr_graph *open = learnable(0), *graph = learnable(.3);
    hrr_release_attack_options options;
    hrr_release_attack found;
    hrr_error err = {0};
    hrr_release_attack_options_init(&options);
    assert_int_equal(hrr_attack_release(&found, open, &options, NULL, &err), HRR_EDATA);
    assert_says(err, "no edge as private");
    options.trials = 3;
    assert_int_equal(hrr_attack_release(&found, graph, &options, NULL, &err), HRR_EINVAL);
    options.trials = 100;
    options.mechanism = "prayer";
    assert_int_equal(hrr_attack_release(&found, graph, &options, NULL, &err), HRR_EINVAL);
    hrr_graph_free(open);
    hrr_graph_free(graph);
}

static hrr_status once(void *user)
{
    hrr_release_attack_options options;
    hrr_release_attack found;
    hrr_release_attack_options_init(&options);
    options.mechanism = "edgerand-private";
    options.trials = 10;
    options.threads = 1;
    return hrr_attack_release(&found, user, &options, NULL, NULL);
}

static void test_release__survives_every_failed_allocation(void **state)
{
    (void)state;
    const uint32_t pairs[] = {0, 1, 1, 2, 2, 3};
    const uint8_t marks[] = {0, 1, 1};
    hrr_graph *graph = graph_of(4, 3, pairs, marks);
    assert_true(brutal(once, graph) > 10);
    hrr_graph_free(graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_release__reaches_the_bound_and_does_not_pass_it),
        cmocka_unit_test(test_release__would_catch_a_false_claim),
        cmocka_unit_test(test_release__sees_through_trees_that_are_drawn),
        cmocka_unit_test(test_release__sees_both_ends_of_a_pair),
        cmocka_unit_test(test_release__knows_everything_without_protection),
        cmocka_unit_test(test_release__says_what_is_missing),
        cmocka_unit_test(test_release__survives_every_failed_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
