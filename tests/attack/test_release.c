/* The best test against a release reaches what epsilon allows, and not more; without protection it
 * is always right. */
#include "attack/models.h"
#include "support/brutal.h"

#include <heterorr/privacy.h>

static hrr_release_attack attack(const hrr_graph *graph, const char *mechanism, uint64_t eps_nano,
                                 uint64_t trials)
{
    hrr_release_attack_options options;
    hrr_release_attack found;
    hrr_release_attack_options_init(&options);
    options.mechanism = mechanism;
    options.eps_nano = eps_nano;
    options.trials = trials;
    options.threads = 2;
    assert_ok(hrr_attack_release(&found, graph, &options, NULL, NULL));
    assert_true(found.lower <= found.advantage && found.advantage <= found.upper);
    return found;
}

/* Each interval is wrong with probability 1e-3 at most; the seed is fixed. */
static void test_release__reaches_the_bound_and_does_not_pass_it(void **state)
{
    (void)state;
    hrr_graph *graph = learnable(.3);
    const uint64_t eps[] = {HRR_EPS_UNIT / 10, HRR_EPS_UNIT, 3 * HRR_EPS_UNIT};
    for (int i = 0; i < 3; i++) {
        const hrr_release_attack tree = attack(graph, "edgerr", eps[i], 800);
        assert_true(tree.sees_number);
        assert_true(fabs(tree.bound - tanh((double)eps[i] / 2e9)) < 1e-3);
        assert_true(tree.lower <= tree.bound); /* never more */
        assert_true(tree.upper >= tree.bound); /* Laplace noise allows it all */
        const hrr_release_attack bits = attack(graph, "edgerand-private", eps[i], 800);
        assert_false(bits.sees_number);
        assert_true(bits.lower <= bits.bound && bits.upper >= bits.bound);
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

static void test_release__knows_everything_without_protection(void **state)
{
    (void)state;
    hrr_graph *graph = learnable(.3);
    const hrr_release_attack open = attack(graph, "none", HRR_EPS_UNIT, 200);
    assert_true(open.advantage == 1 && open.bound == 1);
    const hrr_release_attack closed = attack(graph, "public-only", HRR_EPS_UNIT, 200);
    assert_true(closed.advantage == 0 && closed.bound == 0);
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
        cmocka_unit_test(test_release__knows_everything_without_protection),
        cmocka_unit_test(test_release__says_what_is_missing),
        cmocka_unit_test(test_release__survives_every_failed_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
