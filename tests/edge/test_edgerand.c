/* EdgeRand: the integers it rests on, the law of what comes out, and what it refuses. */
#include "edge/tiny.h"
#include "edge/flip.h"
#include "privacy/exp_bound.h"
#include "support/brutal.h"
#include "support/statistics.h"

#include <math.h>
#include <stdio.h>

__extension__ typedef unsigned __int128 uint128;

static const double alpha = 1e-6; /* of each statistical assertion; seeds are fixed */

/* (2^64 - weight) 2^bits <= mantissa weight: the ratio of the answers is at most E <= e^eps. */
static bool certified(uint64_t weight, uint64_t eps_nano)
{
    const hrr_exp_bound bound = hrr_exp_lower_bound(eps_nano);
    const uint128 kept = ((uint128)1 << 64) - weight;
    return kept << bound.bits <= (uint128)bound.mantissa * weight;
}

static void test_flip__is_certified_and_one_less_would_not_be(void **state)
{
    (void)state;
    static const uint64_t grid[] = {1,          1000,       1000000,     10000000,   100000000,
                                    500000000,  999999999,  1000000000,  1234567891, 2000000000,
                                    4000000000, 8000000000, 12000000000, 20000000000};
    for (size_t i = 0; i < sizeof grid / sizeof grid[0]; i++) {
        const uint64_t weight = hrr_flip_weight(grid[i]);
        assert_true(weight <= (uint64_t)1 << 63);
        assert_true(certified(weight, grid[i]));
        assert_false(certified(weight - 1, grid[i]));
        const double eps = (double)grid[i] / HRR_EPS_UNIT;
        assert_true(hrr_flip_eps(weight, grid[i]) <= eps);
        assert_true(hrr_flip_eps(weight, grid[i]) > eps - 1e-15 - 1e-9 * eps);
        assert_true(fabs((double)weight / 0x1p64 * (1 + exp(eps)) - 1) < 1e-9);
    }
}

static void test_edgerand__claims_the_epsilon_of_its_integers(void **state)
{
    (void)state;
    hrr_edge_options options = edge_options("edgerand", HRR_EPS_UNIT);
    hrr_edge_plan *plan = tiny_plan(&options);
    const hrr_edge_claim claim = hrr_edge_plan_claim(plan);
    const uint64_t weight = hrr_flip_weight(HRR_EPS_UNIT);
    assert_true(claim.realised_eps == hrr_flip_eps(weight, HRR_EPS_UNIT));
    assert_true(claim.realised_eps <= 1 && claim.realised_eps > 1 - 1e-9);
    assert_int_equal(claim.n_candidate_pairs, tiny_pairs);
    assert_true(fabs(claim.expected_false_edges - 6 / (1 + exp(1))) < 1e-9);
    assert_null(claim.not_certified);
    char text[32];
    snprintf(text, sizeof text, "%llu/2^64", (unsigned long long)weight);
    assert_non_null(strstr(claim.evidence, text));
    hrr_edge_plan_free(plan);
}

/* 60,000 releases each of three graphs, all 64 outcomes, both ways of tossing (eps 1 and 3). */
static void test_edgerand__has_the_law_of_randomised_response(void **state)
{
    (void)state;
    static const unsigned masks[] = {0, 63, 13};
    static const uint64_t eps[] = {HRR_EPS_UNIT, HRR_EPS_UNIT * 5 / 2};
    for (int e = 0; e < 2; e++)
        for (int m = 0; m < 3; m++) {
            hrr_edge_options options = edge_options("edgerand", eps[e]);
            hrr_edge_plan *plan = tiny_plan(&options);
            const double flip = (double)hrr_flip_weight(eps[e]) / 0x1p64;
            uint64_t count[tiny_masks], observed[8] = {0};
            double probability[8] = {0}, law[tiny_masks];
            count_masks(count, plan, masks[m], 60000, 17 + (uint64_t)m);
            for (unsigned out = 0; out < tiny_masks; out++) {
                const int flips = __builtin_popcount(out ^ masks[m]);
                law[out] = pow(flip, flips) * pow(1 - flip, tiny_pairs - flips);
                /* By number of flips, and by the parity of the first pair, since single outcomes
                 * are too rare to be tested alone at eps 2.5. */
                const int cell = 2 * (flips < 3 ? flips : 3) + (out & 1);
                observed[cell] += count[out];
                probability[cell] += law[out];
            }
            if (e == 0) assert_true(chi_square_p(count, law, tiny_masks) > alpha);
            size_t cells = 0;
            for (int c = 0; c < 8; c++) { /* no flip leaves the first pair as it was */
                if (probability[c] == 0) {
                    assert_int_equal(observed[c], 0);
                    continue;
                }
                observed[cells] = observed[c];
                probability[cells++] = probability[c];
            }
            assert_true(chi_square_p(observed, probability, cells) > alpha);
            hrr_edge_plan_free(plan);
        }
}

/* The flips do not depend on the graph: with the same draws, neighbours come out as neighbours that
 * differ in the same pair. So one pair is touched by one flip, whatever the others are. */
static void test_edgerand__flips_do_not_depend_on_the_graph(void **state)
{
    (void)state;
    hrr_edge_options options = edge_options("edgerand", HRR_EPS_UNIT);
    hrr_edge_plan *plan = tiny_plan(&options);
    for (uint64_t seed = 0; seed < 50; seed++) {
        unsigned flips = 0;
        for (unsigned mask = 0; mask < tiny_masks; mask++) {
            hrr_random *parent = seeded(seed);
            hrr_edge_release released;
            tiny_draw(&released, plan, mask, parent);
            const unsigned out = mask_of_edges(&released.edges);
            if (mask == 0) flips = out;
            assert_int_equal(out, mask ^ flips);
            hrr_edge_release_clear(&released);
            hrr_random_free(parent);
        }
    }
    hrr_edge_plan_free(plan);
}

static void test_edgerand__keeps_to_the_candidate_pairs(void **state)
{
    (void)state;
    enum { n = 60 };
    uint8_t candidates[n];
    for (int i = 0; i < n; i++)
        candidates[i] = i % 4 != 1;
    uint32_t source[n], target[n], private_source[n], private_target[n];
    uint64_t n_public = 0, n_private = 0;
    for (uint32_t u = 0; u + 2 < n; u++) {
        source[n_public] = u, target[n_public++] = u + 2;
        if (candidates[u] && candidates[u + 1])
            private_source[n_private] = u, private_target[n_private++] = u + 1;
    }
    const hrr_edge_public known = {n, n_public, source, target, candidates};
    const hrr_edge_secret secret = {n_private, private_source, private_target};
    for (int way = 0; way < 2; way++) {
        const char *name = way ? "lapgraph-private" : "edgerand-private";
        hrr_edge_options options = edge_options(name, HRR_EPS_UNIT / 2);
        hrr_edge_plan *plan = plan_of(&known, &options);
        for (uint64_t seed = 0; seed < 20; seed++) {
            hrr_random *random = seeded(seed);
            hrr_edge_release released;
            assert_ok(hrr_edge_plan_draw(&released, plan, &secret, random, NULL, NULL));
            assert_release_is_sound(&released.edges, &known);
            if (!way) assert_true(released.edges.n_edges > 200);
            hrr_edge_release_clear(&released);
            hrr_random_free(random);
        }
        hrr_edge_plan_free(plan);
    }
}

static void test_edgerand__does_not_depend_on_the_threads(void **state)
{
    (void)state;
    const uint32_t source[] = {0, 5, 999}, target[] = {1999, 6, 1000};
    const hrr_edge_public known = {.n_nodes = 2000};
    const hrr_edge_secret secret = {3, source, target};
    assert_threads_do_not_show(&known, &secret, edge_options("edgerand", 4 * HRR_EPS_UNIT));
}

/* Planning reads no edge and allocates nothing for them: the refusal comes at once. */
static void test_edgerand__refuses_more_edges_than_are_allowed(void **state)
{
    (void)state;
    const hrr_edge_public known = {.n_nodes = 1000};
    hrr_edge_options options = edge_options("edgerand", HRR_EPS_UNIT);
    hrr_edge_plan *plan;
    hrr_error err;
    options.most_edges_out = 134000; /* 499,500 / (1 + e) = 134,335 */
    assert_int_equal(hrr_edge_plan_new(&plan, &known, &options, NULL, &err), HRR_EINVAL);
    assert_says(err, "1.343e+05");
    assert_says(err, "`edges.most_edges_out` allows");
    assert_says(err, "134000");
    options.most_edges_out = 135000;
    plan = plan_of(&known, &options);
    hrr_edge_plan_free(plan);

    const hrr_edge_public huge = {.n_nodes = HRR_MAX_NODES};
    options.most_edges_out = 0;
    assert_int_equal(hrr_edge_plan_new(&plan, &huge, &options, NULL, &err), HRR_EINVAL);
    assert_says(err, "6.201e+17");
    assert_says(err, "memory");
}

static void test_edgerand__refuses_a_budget_that_is_none(void **state)
{
    (void)state;
    const hrr_edge_public known = {.n_nodes = 4};
    static const uint64_t bad[] = {0, HRR_EPS_MAX + 1};
    for (int i = 0; i < 2; i++) {
        hrr_edge_options options = edge_options("edgerand", bad[i]);
        hrr_edge_plan *plan;
        assert_int_equal(hrr_edge_plan_new(&plan, &known, &options, NULL, NULL), HRR_EINVAL);
    }
}

static void test_edgerand__takes_graphs_without_pairs(void **state)
{
    (void)state;
    static const char *const names[] = {"edgerand", "lapgraph"};
    for (int i = 0; i < 4; i++) {
        const hrr_edge_public known = {.n_nodes = (uint64_t)i / 2};
        hrr_edge_options options = edge_options(names[i % 2], HRR_EPS_UNIT);
        hrr_edge_plan *plan = plan_of(&known, &options);
        hrr_random *random = seeded(1);
        hrr_edge_release released;
        const hrr_edge_secret secret = {0};
        assert_ok(hrr_edge_plan_draw(&released, plan, &secret, random, NULL, NULL));
        assert_int_equal(released.edges.n_edges, 0);
        hrr_edge_release_clear(&released);
        hrr_random_free(random);
        hrr_edge_plan_free(plan);
    }
}

static hrr_status protect_once(void *user)
{
    const uint8_t candidates[] = {1, 1, 0, 1, 1, 1};
    const uint32_t source[] = {0, 3}, target[] = {1, 4};
    const hrr_edge_public known = {.n_nodes = 6, .candidates = candidates};
    const hrr_edge_secret secret = {2, source, target};
    const hrr_edge_options options = edge_options(user, HRR_EPS_UNIT);
    return release_once(&known, &secret, &options);
}

static void test_edgerand__survives_a_lack_of_memory(void **state)
{
    (void)state;
    char edgerand[] = "edgerand", lapgraph[] = "lapgraph";
    brutal(protect_once, edgerand);
    brutal(protect_once, lapgraph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_flip__is_certified_and_one_less_would_not_be),
        cmocka_unit_test(test_edgerand__claims_the_epsilon_of_its_integers),
        cmocka_unit_test(test_edgerand__has_the_law_of_randomised_response),
        cmocka_unit_test(test_edgerand__flips_do_not_depend_on_the_graph),
        cmocka_unit_test(test_edgerand__keeps_to_the_candidate_pairs),
        cmocka_unit_test(test_edgerand__does_not_depend_on_the_threads),
        cmocka_unit_test(test_edgerand__refuses_more_edges_than_are_allowed),
        cmocka_unit_test(test_edgerand__refuses_a_budget_that_is_none),
        cmocka_unit_test(test_edgerand__takes_graphs_without_pairs),
        cmocka_unit_test(test_edgerand__survives_a_lack_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
