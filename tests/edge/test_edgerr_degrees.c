/* EdgeRR-degrees: what one pair moves, by every graph of five nodes; the law of the ladder; and
 * that the wiring keeps degrees and public edges. */
#include "edge/tiny.h"
#include "edge/closed_pairs.h"
#include "edge/degree_numbers.h"
#include "edge/group_counts.h"
#include "edge/likeness.h"
#include "edge/rewire.h"
#include "edge/staircase.h"
#include "graph/canonical.h"
#include "random/fast.h"
#include "support/brutal.h"
#include "support/statistics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double alpha = 1e-6; /* of each statistical assertion; seeds are fixed */

/* ---- what one pair moves --------------------------------------------------------------------- */

enum { five = 5, five_pairs = 10, five_graphs = 1 << five_pairs };

typedef struct five_graph {
    uint64_t n;
    uint32_t source[five_pairs], target[five_pairs], degree[five];
} five_graph;

static five_graph graph_of(unsigned mask)
{
    five_graph g = {0};
    int bit = 0;
    for (uint32_t u = 0; u < five; u++)
        for (uint32_t v = u + 1; v < five; v++, bit++)
            if (mask >> bit & 1) {
                g.source[g.n] = u;
                g.target[g.n++] = v;
                g.degree[u]++;
                g.degree[v]++;
            }
    return g;
}

static const hrr_edge_public five_known = {.n_nodes = five};

static void test_staircase__one_pair_moves_two_of_its_numbers_by_one(void **state)
{
    (void)state;
    for (unsigned mask = 0; mask < five_graphs; mask++)
        for (int bit = 0; bit < five_pairs; bit++) {
            int64_t row[2][five], column[2][five], moved = 0;
            for (int side = 0; side < 2; side++) {
                uint32_t sorted[five];
                const five_graph g = graph_of(side ? mask | 1u << bit : mask & ~(1u << bit));
                hrr_staircase_count(row[side], column[side], sorted, g.degree, five);
            }
            for (int i = 0; i < five; i++)
                moved += llabs(row[1][i] - row[0][i]) + llabs(column[1][i] - column[0][i]);
            assert_int_equal(moved, 2);
            assert_int_equal(hrr_degree_shares[HRR_PART_STAIRCASE].moves, moved);
        }
}

static void test_degrees__one_pair_moves_two_and_components_by_one(void **state)
{
    (void)state;
    uint64_t most_degrees = 0, most_components = 0;
    for (unsigned mask = 0; mask < five_graphs; mask++)
        for (int bit = 0; bit < five_pairs; bit++) {
            const five_graph with = graph_of(mask | 1u << bit),
                             without = graph_of(mask & ~(1u << bit));
            uint32_t parent[five];
            uint64_t moved = 0;
            const int64_t a = (int64_t)hrr_count_components(parent, five, &five_known, with.n,
                                                            with.source, with.target);
            const int64_t b = (int64_t)hrr_count_components(parent, five, &five_known, without.n,
                                                            without.source, without.target);
            for (int i = 0; i < five; i++)
                moved += (uint64_t)labs((long)with.degree[i] - (long)without.degree[i]);
            if (moved > most_degrees) most_degrees = moved;
            if ((uint64_t)llabs(a - b) > most_components) most_components = (uint64_t)llabs(a - b);
        }
    assert_int_equal(hrr_degree_shares[HRR_PART_DEGREES].moves, most_degrees);
    assert_int_equal(hrr_degree_shares[HRR_PART_COMPONENTS].moves, most_components);
    assert_int_equal(hrr_degree_shares[HRR_PART_CLASSES].moves, 1);
    /* Rungs are drawn with half of the eps: the normaliser moves, too. */
    assert_int_equal(hrr_degree_shares[HRR_PART_TRIANGLES].moves, 2);
    assert_int_equal(hrr_degree_shares[HRR_PART_CLOSED].moves, 2);
}

/* In three groups of the five nodes, a pair moves one cell by one, and as much as is said. */
static void test_groups__one_pair_moves_one_count(void **state)
{
    (void)state;
    enum { n_groups = 3 };
    uint32_t group[five], place[five];
    assert_ok(hrr_group_nodes(group, place, n_groups, five, &five_known, NULL, NULL));
    for (unsigned mask = 0; mask < five_graphs; mask++)
        for (int bit = 0; bit < five_pairs; bit++) {
            int64_t count[2][n_groups * n_groups] = {{0}}, moved = 0;
            for (int side = 0; side < 2; side++) {
                const five_graph g = graph_of(side ? mask | 1u << bit : mask & ~(1u << bit));
                const hrr_edge_secret secret = {g.n, g.source, g.target};
                hrr_group_count(count[side], group, n_groups, &secret);
            }
            for (int i = 0; i < n_groups * n_groups; i++)
                moved += llabs(count[1][i] - count[0][i]);
            assert_int_equal(moved, hrr_degree_shares[HRR_PART_COMMUNITIES].moves);
        }
}

/* Public edges put 0, 2 and 4 together, and then 1 and 3: groups are cut from that order, of
 * candidates alone. Private edges are not asked. */
static void test_groups__follow_public_edges_and_numbers(void **state)
{
    (void)state;
    uint32_t group[five], place[five];
    const uint32_t source[] = {0, 0, 1, 2}, target[] = {2, 4, 3, 4};
    const uint8_t candidates[] = {1, 1, 1, 0, 1};
    hrr_edge_public known = {five, 4, source, target, NULL};
    assert_ok(hrr_group_nodes(group, place, 2, five, &known, NULL, NULL));
    const uint32_t of_all[] = {0, 1, 0, 1, 0};
    assert_memory_equal(group, of_all, sizeof group);
    known.candidates = candidates;
    assert_ok(hrr_group_nodes(group, place, 2, 4, &known, NULL, NULL));
    const uint32_t of_four[] = {0, 1, 0, 0, 1};
    assert_memory_equal(group, of_four, sizeof group);
    assert_ok(hrr_group_nodes(group, place, 2, five, &five_known, NULL, NULL));
    const uint32_t by_number[] = {0, 0, 0, 1, 1};
    assert_memory_equal(group, by_number, sizeof group);
}

typedef struct counted {
    hrr_closed_pairs value;
    hrr_ladder triangles, closed;
} counted;

static counted count_five(unsigned mask)
{
    counted out;
    hrr_csr graph;
    const five_graph g = graph_of(mask);
    assert_ok(hrr_union_adjacency(&graph, &five_known, g.n, g.source, g.target, NULL));
    assert_ok(hrr_closed_pairs_count(&out.value, &graph, 1, NULL, NULL));
    assert_ok(hrr_closed_pairs_ladders(&out.triangles, &out.closed, &graph, NULL, NULL));
    hrr_csr_clear(&graph);
    return out;
}

static void assert_ladder_holds(uint64_t f, const hrr_ladder *at, uint64_t f2,
                                const hrr_ladder *at2)
{
    const uint64_t moved = f > f2 ? f - f2 : f2 - f;
    assert_true(moved <= at->first && moved <= at2->first);
    assert_true(at->first <= at2->first + at2->slope && at2->first <= at->first + at->slope);
    assert_true(at->first <= at->most && at->slope <= at->most);
    assert_int_equal(at->most, at2->most); /* public */
    assert_int_equal(at->slope, at2->slope);
}

static void test_closed_pairs__ladders_hold_for_all_neighbours(void **state)
{
    (void)state;
    static counted all[five_graphs];
    for (unsigned mask = 0; mask < five_graphs; mask++)
        all[mask] = count_five(mask);
    uint64_t widest = 0;
    for (unsigned mask = 0; mask < five_graphs; mask++)
        for (int bit = 0; bit < five_pairs; bit++) {
            const counted *a = &all[mask], *b = &all[mask ^ 1u << bit];
            assert_ladder_holds(a->value.triangles, &a->triangles, b->value.triangles,
                                &b->triangles);
            assert_ladder_holds(a->value.closed, &a->closed, b->value.closed, &b->closed);
            if (a->triangles.first > widest) widest = a->triangles.first;
        }
    assert_int_equal(widest, five - 2);
}

/* Common neighbours of all pairs, counted as they are defined. */
static void test_closed_pairs__finds_the_pair_with_most_in_common(void **state)
{
    (void)state;
    enum { n = 40 };
    for (uint64_t seed = 0; seed < 20; seed++) {
        static uint32_t source[n * n], target[n * n];
        bool edge[n][n] = {{false}};
        hrr_fast_random random;
        hrr_fast_init(&random, seed, 0);
        uint64_t m = 0, most = 0;
        for (uint32_t u = 0; u < n; u++)
            for (uint32_t v = u + 1; v < n; v++)
                if (hrr_fast_below(&random, 3 + u) == 0) {
                    edge[u][v] = edge[v][u] = true;
                    source[m] = u, target[m++] = v;
                }
        for (uint32_t u = 0; u < n; u++)
            for (uint32_t v = u + 1; v < n; v++) {
                uint64_t common = 0;
                for (uint32_t w = 0; w < n; w++)
                    common += edge[u][w] && edge[v][w];
                if (common > most) most = common;
            }
        const hrr_edge_public known = {.n_nodes = n};
        hrr_ladder triangles, closed;
        hrr_csr graph;
        assert_ok(hrr_union_adjacency(&graph, &known, m, source, target, NULL));
        assert_ok(hrr_closed_pairs_ladders(&triangles, &closed, &graph, NULL, NULL));
        assert_int_equal(triangles.first, most);
        hrr_csr_clear(&graph);
    }
}

/* ---- the ladder ------------------------------------------------------------------------------ */

/* By the definition: rung 0 is the value, and so on outwards. */
static int rung_of(int64_t y, int64_t value, const hrr_ladder *ladder)
{
    int64_t left = llabs(y - value);
    int rung = 0;
    for (uint64_t t = 0; left > 0; t++, rung++) {
        const uint64_t grown = ladder->first + ladder->slope * t;
        left -= (int64_t)(grown < ladder->most ? grown : ladder->most);
    }
    return rung;
}

static void test_ladder__has_its_law(void **state)
{
    (void)state;
    enum { half = 60, cells = 2 * half + 1, draws = 200000 };
    static const hrr_ladder ladders[] = {{2, 1, 5}, {0, 1, 3}, {3, 2, 40}};
    for (int l = 0; l < 3; l++) {
        uint64_t observed[cells] = {0};
        double law[cells], total = 0;
        hrr_random *random = seeded(7 + (uint64_t)l);
        hrr_stream *stream;
        assert_ok(hrr_stream_new(&stream, random, NULL));
        hrr_stream_seek(stream, HRR_PURPOSE_TEST, 0);
        for (int y = -half; y <= half; y++)
            total += law[y + half] = exp(-.75 * rung_of(y, 0, &ladders[l]));
        for (int i = 0; i < cells; i++)
            law[i] /= total;
        for (int i = 0; i < draws; i++) {
            const int64_t y = hrr_ladder_draw(stream, 10, &ladders[l], 3, 4) - 10;
            if (llabs(y) <= half) observed[y + half]++;
        }
        assert_true(chi_square_p(observed, law, cells) > alpha);
        hrr_stream_free(stream);
        hrr_random_free(random);
    }
}

/* Between neighbours, no integer is farther than one rung from where it was: the score that the
 * exponential mechanism rests on. */
static void test_ladder__neighbours_differ_by_one_rung(void **state)
{
    (void)state;
    for (unsigned mask = 0; mask < five_graphs; mask++)
        for (int bit = 0; bit < five_pairs; bit++) {
            const counted a = count_five(mask), b = count_five(mask ^ 1u << bit);
            for (int64_t y = -40; y <= 50; y++) {
                const int i = rung_of(y, (int64_t)a.value.triangles, &a.triangles);
                const int j = rung_of(y, (int64_t)b.value.triangles, &b.triangles);
                assert_true(abs(i - j) <= 1);
            }
            /* closed: units are fine, so a step that hits rungs at ever other places */
            for (int64_t y = -3 * HRR_CLOSED_UNIT; y <= 8 * HRR_CLOSED_UNIT; y += 1021) {
                const int i = rung_of(y, (int64_t)a.value.closed, &a.closed);
                const int j = rung_of(y, (int64_t)b.value.closed, &b.closed);
                assert_true(abs(i - j) <= 1);
            }
            if (mask % 16) break; /* one neighbour for most graphs: seconds, not minutes */
        }
}

/* ---- the staircase --------------------------------------------------------------------------- */

/* Without noise to speak of, degrees come back; a flat part is spread, by one at most here. */
static void test_staircase__fits_what_was_counted(void **state)
{
    (void)state;
    enum { n = 400 };
    uint32_t degree[n], fitted[n], sorted[n];
    int64_t row[n], column[n];
    uint64_t sum = 0, off = 0;
    for (uint32_t i = 0; i < n; i++)
        sum += degree[i] = 1 + 120 / (i + 1) + (n - i) / 50;
    hrr_staircase_count(row, column, sorted, degree, n);
    assert_ok(hrr_staircase_fit(fitted, row, column, n, 20, NULL));
    for (uint32_t i = 0; i < n; i++) {
        off += fitted[i] > degree[i] ? fitted[i] - degree[i] : degree[i] - fitted[i];
        if (i) assert_true(fitted[i] <= fitted[i - 1]);
    }
    assert_true(off < sum / 50);
}

/* ---- counts between groups ------------------------------------------------------------------- */

static hrr_edge_secret make_rings(void);

/* Numbers of the rings below, each part with that share. */
static hrr_degree_numbers draw_ring_numbers(uint64_t seed, uint64_t share_nano)
{
    const hrr_edge_secret secret = make_rings();
    const hrr_edge_public known = {.n_nodes = 240};
    hrr_degree_noise noise[HRR_N_DEGREE_PARTS];
    hrr_degree_numbers s;
    hrr_random *random = seeded(seed);
    for (int p = 0; p < HRR_N_DEGREE_PARTS; p++)
        noise[p] = hrr_degree_noise_of((hrr_degree_part)p, share_nano);
    assert_ok(hrr_degree_numbers_draw(&s, &known, &secret, noise, random, 1, NULL, NULL));
    hrr_random_free(random);
    return s;
}

/* Each count, with edges or without, has the noise of its share: it is what it was with the
 * probability of a discrete Laplace 0, within five standard errors (5.7e-7). */
static void test_groups__every_count_has_its_noise(void **state)
{
    (void)state;
    enum { n_draws = 40 };
    const hrr_edge_secret secret = make_rings();
    double same[2] = {0}, n_cells[2] = {0}; /* without edges, with edges */
    for (uint64_t seed = 0; seed < n_draws; seed++) {
        hrr_degree_numbers s = draw_ring_numbers(seed, HRR_EPS_UNIT);
        const uint64_t n = (uint64_t)s.n_groups * s.n_groups;
        int64_t *exact = calloc(n, sizeof *exact);
        assert_true(s.n_groups >= 12);
        assert_non_null(exact);
        hrr_group_count(exact, s.group, s.n_groups, &secret);
        for (uint64_t i = 0; i < n; i++) {
            n_cells[exact[i] > 0]++;
            same[exact[i] > 0] += exact[i] == s.group_count[i];
        }
        free(exact);
        hrr_degree_numbers_clear(&s);
    }
    for (int i = 0; i < 2; i++) {
        const double p0 = tanh(.5), mean = p0 * n_cells[i];
        assert_true(n_cells[i] > 12 * n_draws);
        assert_true(fabs(same[i] - mean) < 5 * sqrt(mean * (1 - p0)));
    }
}

/* Classes and wiring are made from `degree`: nothing of the private degrees may be left in it. */
static void test_degrees__of_a_node_are_those_of_its_noisy_rank(void **state)
{
    (void)state;
    hrr_degree_numbers s = draw_ring_numbers(3, HRR_EPS_UNIT / 5);
    for (uint64_t k = 0; k < s.n_candidates; k++) {
        assert_int_equal(s.degree[s.rank[k].node], s.of_ranked[k]);
        assert_true(k == 0 || s.rank[k].noisy <= s.rank[k - 1].noisy);
    }
    hrr_degree_numbers_clear(&s);
}

/* How many groups there are is seen in what is released: it must follow from released degrees, and
 * not from how many private edges there are. */
static void test_groups__their_number_follows_from_released_degrees(void **state)
{
    (void)state;
    const uint64_t share_nano = HRR_EPS_UNIT / 5;
    const double eps = (double)share_nano / (double)HRR_EPS_UNIT;
    int differs = 0;
    for (uint64_t seed = 0; seed < 20; seed++) {
        hrr_degree_numbers s = draw_ring_numbers(seed, share_nano);
        uint64_t ends = 0;
        for (uint64_t k = 0; k < s.n_candidates; k++)
            ends += s.of_ranked[k];
        assert_int_equal(s.n_groups, hrr_group_number(s.n_candidates, ends / 2, eps));
        differs += s.n_groups != hrr_group_number(s.n_candidates, make_rings().n_edges, eps);
        hrr_degree_numbers_clear(&s);
    }
    assert_true(differs > 0);
}

/* ---- the mechanism --------------------------------------------------------------------------- */

/* Rings of six whose members all know each other, 40 of them, joined in a ring: 600 + 40 edges. */
enum { n_rings = 40, ring = 6, n_ring_nodes = n_rings * ring };

static hrr_edge_secret make_rings(void)
{
    static uint32_t source[n_rings * 16], target[n_rings * 16];
    uint64_t m = 0;
    for (uint32_t g = 0; g < n_rings; g++)
        for (uint32_t i = 0; i < ring; i++) {
            for (uint32_t j = i + 1; j < ring; j++)
                source[m] = g * ring + i, target[m++] = g * ring + j;
            if (i == ring - 1 && g + 1 < n_rings)
                source[m] = g * ring + i, target[m++] = (g + 1) * ring;
        }
    return (hrr_edge_secret){m, source, target};
}

static void test_degrees__claims_the_epsilon_of_its_integers(void **state)
{
    (void)state;
    uint64_t percent = 0;
    for (int p = 0; p < HRR_N_DEGREE_PARTS; p++)
        percent += hrr_degree_shares[p].weight;
    assert_int_equal(percent, 100);
    static const uint64_t budgets[] = {1000000, 500000000, HRR_EPS_UNIT, 7777777777, HRR_EPS_MAX};
    for (int i = 0; i < 5; i++) {
        const hrr_edge_options options = edge_options("edgerr-degrees", budgets[i]);
        hrr_edge_plan *plan = tiny_plan(&options);
        const double eps = (double)budgets[i] / HRR_EPS_UNIT;
        const double realised = hrr_edge_plan_claim(plan).realised_eps;
        assert_true(realised <= eps && realised > eps * (1 - 1e-4));
        hrr_edge_plan_free(plan);
    }
    hrr_edge_plan *plan;
    const hrr_edge_public known = {.n_nodes = tiny_nodes};
    const hrr_edge_options little = edge_options("edgerr-degrees", 999);
    assert_int_equal(hrr_edge_plan_new(&plan, &known, &little, NULL, NULL), HRR_EINVAL);
}

static double realised_with(const char *shares)
{
    hrr_edge_options options = edge_options("edgerr-degrees", HRR_EPS_UNIT);
    options.shares = shares;
    hrr_edge_plan *plan = tiny_plan(&options);
    const double realised = hrr_edge_plan_claim(plan).realised_eps;
    hrr_edge_plan_free(plan);
    return realised;
}

static void test_degrees__divides_the_budget_as_asked(void **state)
{
    (void)state;
    static const char *const wrong[] = {"",
                                        "triangles",
                                        "triangles=",
                                        "triangles=0",
                                        "communities=1001",
                                        "nobody=3",
                                        "triangles=1,",
                                        "closed=-1",
                                        "closed=1.5",
                                        "closed=1,closed=1",
                                        "triangles 3",
                                        "triangles=1;closed=2"};
    assert_true(realised_with("communities=0") > 1 - 1e-6 && realised_with("communities=0") <= 1);
    assert_true(realised_with("staircase=1000,closed=7") <= 1);
    hrr_edge_options options = edge_options("edgerr-degrees", HRR_EPS_UNIT);
    options.shares = "closed=7,communities=0";
    hrr_edge_plan *plan = tiny_plan(&options);
    const hrr_edge_claim claim = hrr_edge_plan_claim(plan);
    assert_string_equal(claim.shares, "staircase=41,degrees=14,classes=9,triangles=9,closed=7,"
                                      "components=3,communities=0");
    assert_non_null(strstr(claim.statement, claim.shares));
    hrr_edge_plan_free(plan);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const hrr_edge_public known = {.n_nodes = tiny_nodes};
        hrr_error err;
        options.shares = wrong[i];
        assert_int_equal(hrr_edge_plan_new(&plan, &known, &options, NULL, &err), HRR_EINVAL);
        assert_string_equal(err.field, "edges.shares");
    }
}

/* The least epsilon, and hardly a share of it: refused, where a sampler would wait for ever. */
static void test_degrees__refuses_a_share_of_nothing(void **state)
{
    (void)state;
    hrr_edge_plan *plan;
    hrr_error err;
    const hrr_edge_public known = {.n_nodes = tiny_nodes};
    hrr_edge_options options = edge_options("edgerr-degrees", 1000);
    options.shares = "staircase=1000,degrees=1000,components=1,triangles=1";
    assert_int_equal(hrr_edge_plan_new(&plan, &known, &options, NULL, &err), HRR_EINVAL);
    assert_string_equal(err.field, "edges.eps_nano");
    /* What the message names is enough for any division. */
    assert_non_null(strstr(err.message, "such as 1e-4"));
    options.eps_nano = HRR_EPS_UNIT / 10000;
    options.shares = "staircase=1000,degrees=1000,classes=1000,triangles=1000,closed=1,"
                     "components=1000,communities=1000";
    assert_ok(hrr_edge_plan_new(&plan, &known, &options, NULL, &err));
    hrr_edge_plan_free(plan);
}

/* How many edges come out is known only when the budget is spent. */
static void test_degrees__refuses_a_limit_that_it_cannot_keep(void **state)
{
    (void)state;
    hrr_edge_plan *plan;
    hrr_error err;
    const hrr_edge_public known = {.n_nodes = tiny_nodes};
    hrr_edge_options options = edge_options("edgerr-degrees", HRR_EPS_UNIT);
    options.most_edges_out = 1000000;
    assert_int_equal(hrr_edge_plan_new(&plan, &known, &options, NULL, &err), HRR_EINVAL);
    assert_string_equal(err.field, "edges.most_edges_out");
}

/* At eps 20 a graph comes back in its numbers: edges within 2 %, and triangles within 15 %. */
static void test_degrees__a_graph_looks_like_the_graph(void **state)
{
    (void)state;
    const hrr_edge_secret secret = make_rings();
    const hrr_edge_public known = {.n_nodes = n_ring_nodes};
    const hrr_edge_options options = edge_options("edgerr-degrees", HRR_EPS_MAX);
    hrr_edge_plan *plan = plan_of(&known, &options);
    hrr_random *random = seeded(3);
    hrr_edge_release released;
    hrr_csr graph;
    hrr_closed_pairs found;
    assert_ok(hrr_edge_plan_draw(&released, plan, &secret, random, NULL, NULL));
    assert_release_is_sound(&released.edges, &known);
    assert_true(fabs((double)released.edges.n_edges / (double)secret.n_edges - 1) < .02);
    assert_ok(hrr_union_adjacency(&graph, &known, released.edges.n_edges, released.edges.source,
                                  released.edges.target, NULL));
    assert_ok(hrr_closed_pairs_count(&found, &graph, 1, NULL, NULL));
    assert_true(fabs((double)found.triangles / (n_rings * 20) - 1) < .15);
    hrr_csr_clear(&graph);
    hrr_edge_release_clear(&released);
    hrr_random_free(random);
    hrr_edge_plan_free(plan);
}

/* A graph of m random edges. */
static hrr_edge_secret make_random(uint32_t *source, uint32_t *target, uint32_t n, uint64_t m)
{
    hrr_fast_random random;
    hrr_fast_init(&random, 11, 0);
    const uint64_t pairs = (uint64_t)n * (n - 1) / 2;
    uint64_t made = 0, at = 0;
    for (uint32_t u = 0; u < n; u++)
        for (uint32_t v = u + 1; v < n; v++, at++)
            if (hrr_fast_below(&random, pairs - at) < m - made) {
                source[made] = u;
                target[made++] = v;
            }
    return (hrr_edge_secret){made, source, target};
}

/* 1,500 nodes, 15,000 random edges, about 1,330 triangles, eps 8: the released graph has as many
 * within a fifth, where wiring that seeks partners near by closed more than ten times as many. */
static void test_degrees__triangles_are_not_made_up(void **state)
{
    (void)state;
    enum { n = 1500, m = 15000 };
    static uint32_t source[m], target[m];
    const hrr_edge_secret secret = make_random(source, target, n, m);
    const hrr_edge_public known = {.n_nodes = n};
    const hrr_edge_options options = edge_options("edgerr-degrees", 8 * (uint64_t)HRR_EPS_UNIT);
    hrr_edge_plan *plan = plan_of(&known, &options);
    hrr_random *random = seeded(6);
    hrr_edge_release released;
    hrr_closed_pairs found[2];
    assert_ok(hrr_edge_plan_draw(&released, plan, &secret, random, NULL, NULL));
    const hrr_edge_secret both[] = {
        secret, {released.edges.n_edges, released.edges.source, released.edges.target}};
    for (int i = 0; i < 2; i++) {
        hrr_csr graph;
        assert_ok(hrr_union_adjacency(&graph, &known, both[i].n_edges, both[i].source,
                                      both[i].target, NULL));
        assert_ok(hrr_closed_pairs_count(&found[i], &graph, 1, NULL, NULL));
        hrr_csr_clear(&graph);
    }
    assert_true(fabs((double)found[1].triangles / (double)found[0].triangles - 1) < .2);
    hrr_edge_release_clear(&released);
    hrr_random_free(random);
    hrr_edge_plan_free(plan);
}

/* Four communities of 250 nodes, 15,000 edges, 85 % of which stay within one. Nodes of a community
 * are next to each other, or anywhere. Returns the share of released edges within communities. */
static double released_within(bool in_order)
{
    enum { n = 1000, m = 15000, n_communities = 4, size = n / n_communities };
    static uint32_t source[m], target[m];
    hrr_fast_random fast;
    hrr_edge_list all, canonical;
    hrr_removed removed;
    hrr_fast_init(&fast, 21, 0);
    uint32_t number[n], community[n];
    for (uint32_t v = 0; v < n; v++) {
        const uint32_t at = in_order ? v : (uint32_t)hrr_fast_below(&fast, v + 1);
        number[v] = number[at];
        number[at] = v;
    }
    for (uint32_t v = 0; v < n; v++)
        community[number[v]] = v / size;
    assert_ok(hrr_edge_list_init(&all, m, false, NULL));
    for (int e = 0; e < m; e++) {
        const uint32_t u = (uint32_t)hrr_fast_below(&fast, n);
        const uint32_t v = hrr_fast_below(&fast, 100) < 85
                               ? u / size * size + (uint32_t)hrr_fast_below(&fast, size)
                               : (uint32_t)hrr_fast_below(&fast, n);
        all.source[e] = number[u];
        all.target[e] = number[v];
    }
    assert_ok(hrr_edges_canonicalise(&canonical, &removed, &all, n, "edges", NULL, NULL));
    memcpy(source, canonical.source, canonical.n_edges * sizeof *source);
    memcpy(target, canonical.target, canonical.n_edges * sizeof *target);
    const hrr_edge_secret secret = {canonical.n_edges, source, target};
    hrr_edge_list_clear(&all);
    hrr_edge_list_clear(&canonical);
    const hrr_edge_public known = {.n_nodes = n};
    const hrr_edge_options options = edge_options("edgerr-degrees", 2 * (uint64_t)HRR_EPS_UNIT);
    hrr_edge_plan *plan = plan_of(&known, &options);
    hrr_random *random = seeded(8);
    hrr_edge_release released;
    assert_ok(hrr_edge_plan_draw(&released, plan, &secret, random, NULL, NULL));
    assert_release_is_sound(&released.edges, &known);
    uint64_t within = 0;
    for (uint64_t e = 0; e < released.edges.n_edges; e++)
        within += community[released.edges.source[e]] == community[released.edges.target[e]];
    const double share = (double)within / (double)released.edges.n_edges;
    hrr_edge_release_clear(&released);
    hrr_random_free(random);
    hrr_edge_plan_free(plan);
    return share;
}

/* .89 of the edges are within, and a quarter by chance: if nodes stand in order, communities come
 * out; if they do not, none are made up. */
static void test_degrees__communities_come_out_where_the_order_tells(void **state)
{
    (void)state;
    assert_true(released_within(true) > .8);
    assert_true(fabs(released_within(false) - .25) < .03);
}

/* Two classes of nodes, of degree 2 and 8. Edges between them as by chance, but for a few: the
 * correlation is smaller than its error, and none is claimed. Twice as many within classes: it is.
 */
static void test_mixing__a_correlation_within_its_error_is_none(void **state)
{
    (void)state;
    enum { n = 500 };
    static hrr_mixing mixing;
    uint32_t degree[n];
    double noisy[n];
    const int high = hrr_mixing_class(8), low = hrr_mixing_class(2), classes = high + 1;
    for (int i = 0; i < n; i++)
        noisy[i] = degree[i] = i < n / 5 ? 8 : 2;
    for (int alike = 0; alike < 2; alike++) {
        int64_t count[HRR_MOST_MIXING_CLASSES * HRR_MOST_MIXING_CLASSES] = {0};
        count[high * classes + high] = alike ? 390 : 205;
        count[low * classes + low] = alike ? 390 : 205;
        count[low * classes + high] = alike ? 20 : 390;
        hrr_mixing_fit(&mixing, degree, noisy, n, 20, count, 20, classes);
        if (alike)
            assert_true(mixing.assortativity > .8);
        else
            assert_true(mixing.assortativity == 0 && mixing.ends[low][high] == 400);
    }
}

/* In a complete graph no degree can grow: an odd sum takes an end from the last of equal degrees.
 * Taken from the first, nodes left the order of their classes, and one draw in nine lost most
 * edges. 200 draws, all of which keep more than a third. */
static void test_degrees__an_odd_sum_keeps_the_order_of_degrees(void **state)
{
    (void)state;
    enum { n = 14, n_draws = 200 };
    uint32_t source[n * (n - 1) / 2], target[n * (n - 1) / 2];
    hrr_edge_secret secret = {.source = source, .target = target};
    for (uint32_t u = 0; u < n; u++)
        for (uint32_t v = u + 1; v < n; v++) {
            source[secret.n_edges] = u;
            target[secret.n_edges++] = v;
        }
    const hrr_edge_public known = {.n_nodes = n};
    const hrr_edge_options options = edge_options("edgerr-degrees", 3 * (uint64_t)HRR_EPS_UNIT);
    hrr_edge_plan *plan = plan_of(&known, &options);
    for (uint64_t seed = 0; seed < n_draws; seed++) {
        hrr_random *random = seeded(seed);
        hrr_edge_release released;
        assert_ok(hrr_edge_plan_draw(&released, plan, &secret, random, NULL, NULL));
        assert_true(3 * released.edges.n_edges > secret.n_edges);
        hrr_edge_release_clear(&released);
        hrr_random_free(random);
    }
    hrr_edge_plan_free(plan);
}

/* Public edges are not drawn again, and nodes that are no candidates get none. */
static void test_degrees__respects_public_edges_and_candidates(void **state)
{
    (void)state;
    const hrr_edge_secret all = make_rings();
    static uint32_t source[2][n_rings * 16], target[2][n_rings * 16];
    static uint8_t candidates[n_ring_nodes];
    uint64_t n[2] = {0};
    for (uint32_t v = 0; v < n_ring_nodes; v++)
        candidates[v] = v % 7 != 0;
    for (uint64_t e = 0; e < all.n_edges; e++) {
        const uint32_t u = all.source[e], v = all.target[e];
        const int hidden = candidates[u] && candidates[v] && e % 2;
        source[hidden][n[hidden]] = u;
        target[hidden][n[hidden]++] = v;
    }
    const hrr_edge_public known = {.n_nodes = n_ring_nodes,
                                   .n_edges = n[0],
                                   .source = source[0],
                                   .target = target[0],
                                   .candidates = candidates};
    const hrr_edge_secret secret = {n[1], source[1], target[1]};
    const hrr_edge_options options = edge_options("edgerr-degrees", 4 * HRR_EPS_UNIT);
    hrr_edge_plan *plan = plan_of(&known, &options);
    hrr_random *random = seeded(4);
    hrr_edge_release released;
    assert_ok(hrr_edge_plan_draw(&released, plan, &secret, random, NULL, NULL));
    assert_release_is_sound(&released.edges, &known);
    assert_true(released.edges.n_edges > 0);
    hrr_edge_release_clear(&released);
    hrr_random_free(random);
    hrr_edge_plan_free(plan);
    assert_threads_do_not_show(&known, &secret, options);
}

/* Every graph of four nodes, and one without nodes to speak of. */
static void test_degrees__tiny_graphs_come_through(void **state)
{
    (void)state;
    const hrr_edge_options options = edge_options("edgerr-degrees", HRR_EPS_UNIT);
    for (uint64_t n = 1; n <= tiny_nodes; n++) {
        const hrr_edge_public known = {.n_nodes = n};
        hrr_edge_plan *plan = plan_of(&known, &options);
        for (unsigned mask = 0; mask < (n == tiny_nodes ? tiny_masks : 1); mask++) {
            const tiny_edges edges = edges_of_mask(mask);
            const hrr_edge_secret secret = {edges.n, edges.source, edges.target};
            hrr_random *random = seeded(mask);
            hrr_edge_release released;
            assert_ok(hrr_edge_plan_draw(&released, plan, &secret, random, NULL, NULL));
            assert_release_is_sound(&released.edges, &known);
            hrr_edge_release_clear(&released);
            hrr_random_free(random);
        }
        hrr_edge_plan_free(plan);
    }
}

static hrr_status once(void *user)
{
    const hrr_edge_options options = edge_options("edgerr-degrees", HRR_EPS_MAX);
    const hrr_edge_public known = {.n_nodes = n_ring_nodes};
    const hrr_edge_secret secret = make_rings();
    (void)user;
    return release_once(&known, &secret, &options);
}

static void test_degrees__survives_every_lack_of_memory(void **state)
{
    (void)state;
    brutal(once, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_staircase__one_pair_moves_two_of_its_numbers_by_one),
        cmocka_unit_test(test_degrees__one_pair_moves_two_and_components_by_one),
        cmocka_unit_test(test_groups__one_pair_moves_one_count),
        cmocka_unit_test(test_groups__follow_public_edges_and_numbers),
        cmocka_unit_test(test_groups__every_count_has_its_noise),
        cmocka_unit_test(test_groups__their_number_follows_from_released_degrees),
        cmocka_unit_test(test_degrees__of_a_node_are_those_of_its_noisy_rank),
        cmocka_unit_test(test_closed_pairs__ladders_hold_for_all_neighbours),
        cmocka_unit_test(test_closed_pairs__finds_the_pair_with_most_in_common),
        cmocka_unit_test(test_ladder__has_its_law),
        cmocka_unit_test(test_ladder__neighbours_differ_by_one_rung),
        cmocka_unit_test(test_staircase__fits_what_was_counted),
        cmocka_unit_test(test_degrees__claims_the_epsilon_of_its_integers),
        cmocka_unit_test(test_degrees__divides_the_budget_as_asked),
        cmocka_unit_test(test_degrees__refuses_a_share_of_nothing),
        cmocka_unit_test(test_degrees__refuses_a_limit_that_it_cannot_keep),
        cmocka_unit_test(test_degrees__a_graph_looks_like_the_graph),
        cmocka_unit_test(test_degrees__triangles_are_not_made_up),
        cmocka_unit_test(test_degrees__communities_come_out_where_the_order_tells),
        cmocka_unit_test(test_mixing__a_correlation_within_its_error_is_none),
        cmocka_unit_test(test_degrees__an_odd_sum_keeps_the_order_of_degrees),
        cmocka_unit_test(test_degrees__respects_public_edges_and_candidates),
        cmocka_unit_test(test_degrees__tiny_graphs_come_through),
        cmocka_unit_test(test_degrees__survives_every_lack_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
