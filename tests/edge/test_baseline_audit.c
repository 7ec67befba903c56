/* The claims of EdgeRand, LapGraph and EdgeRR-node, tried from outside: many releases of two
 * neighbours on four nodes, and a lower bound of epsilon from the frequencies. Wrong mechanisms
 * are controls that must be caught. */
#include "edge/tiny.h"
#include "privacy/eps_lower_bound.h"

#include <math.h>

/* A bound exceeds the truth with probability at most 4 alpha 64 = 2.6e-5; the seeds are fixed. */
static const double alpha = 1e-7;
enum { draws = 30000, graph = 5, neighbour = graph ^ 1, n_outcomes = 16 };

/* What an attacker looks at: how many edges, and whether the pair in question is one of them. */
static void count_outcomes(uint64_t count[n_outcomes], const uint64_t masks[tiny_masks])
{
    memset(count, 0, n_outcomes * sizeof *count);
    for (unsigned out = 0; out < tiny_masks; out++)
        count[2 * __builtin_popcount(out) + (out & 1)] += masks[out];
}

static double eps_seen(const hrr_edge_plan *plan)
{
    uint64_t p[tiny_masks], q[tiny_masks], seen_p[n_outcomes], seen_q[n_outcomes];
    count_masks(p, plan, graph, draws, 101);
    count_masks(q, plan, neighbour, draws, 103);
    count_outcomes(seen_p, p);
    count_outcomes(seen_q, q);
    return hrr_audit_lower_bound(seen_p, seen_q, n_outcomes, draws, alpha);
}

static double eps_seen_of(const char *name, uint64_t eps_nano, uint64_t most, double *claimed)
{
    hrr_edge_options options = edge_options(name, eps_nano);
    options.most_edges_out = most;
    hrr_edge_plan *plan = tiny_plan(&options);
    *claimed = hrr_edge_plan_claim(plan).realised_eps;
    const double seen = eps_seen(plan);
    hrr_edge_plan_free(plan);
    return seen;
}

static void test_audit__edgerand_shows_what_it_claims_and_no_more(void **state)
{
    (void)state;
    double claimed, seen = eps_seen_of("edgerand", HRR_EPS_UNIT, 0, &claimed);
    assert_true(seen <= claimed && seen <= 1 && seen > .6);
    assert_true(eps_seen_of("edgerand", HRR_EPS_UNIT / 2, 0, &claimed) <= .5);
}

static void test_audit__lapgraph_shows_no_more_than_it_claims(void **state)
{
    (void)state;
    double claimed, seen = eps_seen_of("lapgraph", HRR_EPS_UNIT, 3, &claimed);
    assert_true(seen <= claimed && seen <= 1 && seen > .25);
    seen = eps_seen_of("lapgraph", 4 * HRR_EPS_UNIT, 2, &claimed);
    assert_true(seen <= claimed && seen > .8);
}

static void test_audit__catches_an_epsilon_that_is_too_large(void **state)
{
    (void)state;
    double claimed;
    assert_true(eps_seen_of("edgerand", HRR_EPS_UNIT * 3 / 2, 0, &claimed) > 1);
    assert_true(eps_seen_of("none", HRR_EPS_UNIT, 0, &claimed) > 5);
}

/* LapGraph with the number of edges kept taken from the graph itself: what the noise on the count
 * is for. An outcome with the true number of edges never comes from the neighbour. */
static void test_audit__catches_a_count_without_noise(void **state)
{
    (void)state;
    uint64_t p[tiny_masks] = {0}, q[tiny_masks] = {0}, seen_p[n_outcomes], seen_q[n_outcomes];
    hrr_random *random = seeded(7);
    hrr_stream *stream;
    assert_ok(hrr_stream_new(&stream, random, NULL));
    hrr_stream_seek(stream, HRR_PURPOSE_TEST, 0);
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < draws; i++) {
            const unsigned truth = side ? neighbour : graph;
            int64_t value[tiny_pairs];
            for (int c = 0; c < tiny_pairs; c++) /* the sixth digit breaks ties */
                value[c] =
                    ((int64_t)(truth >> c & 1) + hrr_sample_laplace(stream, 1, 1)) * 1000000 +
                    (int64_t)hrr_sample_below(stream, 1000000);
            unsigned out = 0;
            for (int kept = 0; kept < __builtin_popcount(truth); kept++) {
                int best = -1;
                for (int c = 0; c < tiny_pairs; c++)
                    if (!(out >> c & 1) && (best < 0 || value[c] > value[best])) best = c;
                out |= 1u << best;
            }
            (side ? q : p)[out]++;
        }
    count_outcomes(seen_p, p);
    count_outcomes(seen_q, q);
    assert_true(hrr_audit_lower_bound(seen_p, seen_q, n_outcomes, draws, alpha) > 5);
    hrr_stream_free(stream);
    hrr_random_free(random);
}

/* The published code's fault: the same draws for every graph. Whoever knows the seed subtracts
 * them. */
static void test_audit__catches_draws_that_are_known(void **state)
{
    (void)state;
    hrr_edge_options options = edge_options("edgerand", HRR_EPS_UNIT);
    hrr_edge_plan *plan = tiny_plan(&options);
    uint64_t seen_p[2] = {0}, seen_q[2] = {0};
    for (int i = 0; i < 2000; i++) {
        unsigned out[3];
        static const unsigned inputs[] = {0, graph, neighbour};
        for (int which = 0; which < 3; which++) {
            hrr_random *parent = seeded((uint64_t)i); /* public */
            hrr_edge_release released;
            tiny_draw(&released, plan, inputs[which], parent);
            out[which] = mask_of_edges(&released.edges);
            hrr_edge_release_clear(&released);
            hrr_random_free(parent);
        }
        seen_p[(out[1] ^ out[0]) & 1]++;
        seen_q[(out[2] ^ out[0]) & 1]++;
    }
    assert_true(hrr_audit_lower_bound(seen_p, seen_q, 2, 2000, alpha) > 4);
    hrr_edge_plan_free(plan);
}

/* ---- EdgeRR-node ------------------------------------------------------------------------------
 */

/* The two counts that the pair {0, 1} moves, each in three classes. All nodes are in one block. */
static double node_eps_seen(uint64_t eps_nano, int ends, double *claimed)
{
    static const uint32_t blocks[tiny_nodes] = {0};
    hrr_edge_options options = edge_options("edgerr-node", eps_nano);
    options.blocks = blocks;
    options.n_blocks = 1;
    options.count_ends = ends;
    hrr_edge_plan *plan = tiny_plan(&options);
    *claimed = hrr_edge_plan_claim(plan).realised_eps;
    uint64_t count[2][9] = {{0}};
    for (int side = 0; side < 2; side++) {
        hrr_random *parent = seeded(107 + (uint64_t)side);
        for (int i = 0; i < draws; i++) {
            hrr_edge_release released;
            tiny_draw(&released, plan, side, parent);
            const int64_t *c = released.parts[0].array.data;
            count[side][3 * ((c[0] > 0) + (c[0] > 1)) + (c[1] > 0) + (c[1] > 1)]++;
            hrr_edge_release_clear(&released);
        }
        hrr_random_free(parent);
    }
    hrr_edge_plan_free(plan);
    return hrr_audit_lower_bound(count[0], count[1], 9, draws, alpha);
}

static void test_audit__edgerr_node_shows_what_it_claims_and_no_more(void **state)
{
    (void)state;
    for (int ends = HRR_ENDS_ONE; ends <= HRR_ENDS_NEEDED; ends++) {
        double claimed, seen = node_eps_seen(HRR_EPS_UNIT, ends, &claimed);
        assert_true(seen <= claimed && seen <= 1 && seen > .85);
    }
}

/* Both ends counted, each with noise for the whole budget: 2 eps. */
static void test_audit__catches_two_ends_that_are_paid_once(void **state)
{
    (void)state;
    double claimed;
    assert_true(node_eps_seen(2 * HRR_EPS_UNIT, 2, &claimed) > 1.5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_audit__edgerand_shows_what_it_claims_and_no_more),
        cmocka_unit_test(test_audit__lapgraph_shows_no_more_than_it_claims),
        cmocka_unit_test(test_audit__catches_an_epsilon_that_is_too_large),
        cmocka_unit_test(test_audit__catches_a_count_without_noise),
        cmocka_unit_test(test_audit__catches_draws_that_are_known),
        cmocka_unit_test(test_audit__edgerr_node_shows_what_it_claims_and_no_more),
        cmocka_unit_test(test_audit__catches_two_ends_that_are_paid_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
