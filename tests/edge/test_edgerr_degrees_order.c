/* EdgeRR-degrees where the order of nodes says something about edges: short edges stay short, and
 * edges between communities are known although no single count shows them. */
#include "edge/tiny.h"
#include "edge/closed_pairs.h"
#include "edge/group_fit.h"
#include "edge/likeness.h"
#include "graph/canonical.h"
#include "random/fast.h"

#include <math.h>
#include <stdlib.h>

/* Edges without repetitions and loops, as a mechanism expects them. Clear `out` afterwards. */
static hrr_edge_secret canonical(hrr_edge_list *out, const hrr_edge_list *all, uint32_t n)
{
    hrr_removed removed;
    assert_ok(hrr_edges_canonicalise(out, &removed, all, n, "edges", NULL, NULL));
    return (hrr_edge_secret){out->n_edges, out->source, out->target};
}

static hrr_edge_release release_of(const hrr_edge_secret *secret, uint32_t n, uint64_t eps_nano,
                                   int seed)
{
    const hrr_edge_public known = {.n_nodes = n};
    const hrr_edge_options options = edge_options("edgerr-degrees", eps_nano);
    hrr_edge_plan *plan = plan_of(&known, &options);
    hrr_random *random = seeded(seed);
    hrr_edge_release released;
    assert_ok(hrr_edge_plan_draw(&released, plan, secret, random, NULL, NULL));
    assert_release_is_sound(&released.edges, &known);
    hrr_random_free(random);
    hrr_edge_plan_free(plan);
    return released;
}

/* Share of edges whose ends are more than a twentieth of the order apart. */
static double share_of_long(const hrr_edge_list *edges, uint32_t n)
{
    uint64_t n_long = 0;
    for (uint64_t e = 0; e < edges->n_edges; e++)
        n_long += (uint32_t)abs((int)edges->source[e] - (int)edges->target[e]) > n / 20;
    return (double)n_long / (double)edges->n_edges;
}

/* A path of 2,000 nodes with 500 more edges, no longer than 10 nodes; eps 1, ten draws. No edge is
 * long. Before ends were joined in stretches, and ends without a partner near by, 8 % were. */
static void test_order__short_edges_stay_short(void **state)
{
    (void)state;
    enum { n = 2000, more = 500, draws = 10 };
    hrr_edge_list all, edges;
    hrr_fast_random fast;
    hrr_fast_init(&fast, 31, 0);
    assert_ok(hrr_edge_list_init(&all, n - 1 + more, false, NULL));
    for (uint32_t e = 0; e < n - 1 + more; e++) {
        const uint32_t u = e < n - 1 ? e : (uint32_t)hrr_fast_below(&fast, n - 11);
        all.source[e] = u;
        all.target[e] = u + 1 + (e < n - 1 ? 0 : 1 + (uint32_t)hrr_fast_below(&fast, 9));
    }
    const hrr_edge_secret secret = canonical(&edges, &all, n);
    double sum = 0;
    for (int draw = 0; draw < draws; draw++) {
        hrr_edge_release released = release_of(&secret, n, HRR_EPS_UNIT, draw);
        sum += share_of_long(&released.edges, n);
        hrr_edge_release_clear(&released);
    }
    assert_true(sum / draws < .02);
    hrr_edge_list_clear(&all);
    hrr_edge_list_clear(&edges);
}

/* 8 communities of 5 groups, 110 edges between two groups of the same, 4 between others: 100
 * between two communities, where noise of eps .1 has a standard error of 70. All together they are
 * known: the mean of 20 draws of their sum is within a tenth. Where there are none (0 for 4) hardly
 * any are made up: 2 %. */
static void test_communities__edges_between_them_are_known_together(void **state)
{
    (void)state;
    enum {
        n_groups = 40,
        size = 5,
        members = 50,
        n = n_groups * members,
        within = 110,
        draws = 20
    };
    static uint32_t group[n], place[n], degree[n];
    for (int64_t between = 0; between <= 4; between += 4) {
        double sum = 0;
        for (int draw = 0; draw < draws; draw++) {
            int64_t count[n_groups * n_groups] = {0};
            hrr_fast_random fast;
            hrr_fast_init(&fast, (uint64_t)draw, 0);
            for (uint32_t v = 0; v < n; v++) {
                group[v] = v / members;
                degree[v] = (uint32_t)((size + 1) * within + (n_groups - size) * between) / members;
            }
            for (int i = 0; i < n_groups; i++)
                for (int j = i; j < n_groups; j++)
                    count[i * n_groups + j] = (i / size == j / size ? within : between) +
                                              (int64_t)hrr_fast_geometric(&fast, 1 - exp(-.1)) -
                                              (int64_t)hrr_fast_geometric(&fast, 1 - exp(-.1));
            const hrr_group_table table = {n, n_groups, group, place, degree, count, .1};
            hrr_wire_communities *found = calloc(1, sizeof *found);
            assert_non_null(found);
            assert_ok(hrr_communities_in_counts(found, &table, 1, NULL));
            assert_int_equal(found->n, n_groups / size);
            for (uint32_t c = 0; c < found->n; c++)
                for (uint32_t e = c + 1; e < found->n; e++)
                    sum += found->ends[c][e];
            hrr_wire_communities_clear(found);
            free(found);
        }
        sum /= draws;
        if (between)
            assert_true(fabs(sum / (28 * size * size * (double)between) - 1) < .1);
        else
            assert_true(sum < .02 * n_groups / size * 15 * within);
    }
}

/* Four groups of two nodes, worked out by hand. */
static void test_group_fit__counts_near_edges_and_squares(void **state)
{
    (void)state;
    uint32_t group[] = {0, 0, 1, 1, 2, 2, 3, 3}, source[] = {0, 0, 2, 1}, target[] = {1, 2, 7, 4};
    const int64_t released[16] = {[0] = 2, [1] = 1, [7] = -1, [15] = 5};
    const hrr_group_table table = {
        .n_nodes = 8, .n_groups = 4, .group = group, .count = released, .eps = .5};
    const hrr_wires wires = {.n_edges = 4, .source = source, .target = target};
    hrr_group_fit fit;
    assert_ok(hrr_group_fit_measure(&fit, &wires, &table, NULL));
    assert_true(fit.near == 2);                     /* 0-1, 0-2 */
    assert_true(fit.squares == 1 + 0 + 4 + 1 + 25); /* (0,0), (0,1), (1,3), (0,2), (3,3) */
    assert_true(hrr_group_near(&table) == 2 + 1 + 5);
    assert_true(fabs(hrr_group_squares_by_noise(&table, 4) - (4 * (20 + 2 * sqrt(200)) + 8)) <
                1e-9);
}

/* Triangles of a wiring of 1,500 nodes of degree 20 for which these numbers were released. */
static uint64_t wired_triangles(double triangles, double closed)
{
    enum { n = 1500, each = 20 };
    static uint32_t degree[n];
    static hrr_mixing mixing;
    for (int i = 0; i < n; i++)
        degree[i] = each;
    const int class = hrr_mixing_class(each);
    mixing = (hrr_mixing){.n_classes = class + 1};
    mixing.ends[class][class] = n * each;
    const hrr_edge_public known = {.n_nodes = n};
    const hrr_likeness like = {.degree = degree,
                               .mixing = &mixing,
                               .clustering = {triangles, closed},
                               .rungs = {22, 14},
                               .n_components = 1};
    hrr_edge_list edges;
    hrr_csr graph;
    hrr_closed_pairs found;
    assert_ok(hrr_likeness_draw(&edges, &like, &known, 1, 1, NULL, NULL));
    assert_ok(hrr_union_adjacency(&graph, &known, edges.n_edges, edges.source, edges.target, NULL));
    assert_ok(hrr_closed_pairs_count(&found, &graph, 1, NULL, NULL));
    hrr_csr_clear(&graph);
    hrr_edge_list_clear(&edges);
    return found.triangles;
}

/* Chance closes about 1,150 triangles, and the sum of local clustering is then 18. Noise of 22
 * rungs exceeds 3,450 in one draw in 40: 4,600 released triangles alone are not believed. 7,000
 * with a clustering of 500, whose noise is another, are. */
static void test_likeness__both_numbers_must_ask_for_triangles(void **state)
{
    (void)state;
    assert_true(fabs((double)wired_triangles(4600, 18) / 1150 - 1) < .15);
    assert_true(fabs((double)wired_triangles(7000, 500) / 7000 - 1) < .1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order__short_edges_stay_short),
        cmocka_unit_test(test_communities__edges_between_them_are_known_together),
        cmocka_unit_test(test_group_fit__counts_near_edges_and_squares),
        cmocka_unit_test(test_likeness__both_numbers_must_ask_for_triangles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
