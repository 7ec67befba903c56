/* EdgeRR-links: which pairs are listed, the law of the answers, and which of them are believed. */
#include "edge/tiny.h"
#include "edge/flip.h"
#include "edge/shortlist.h"
#include "random/fast.h"
#include "support/brutal.h"
#include "support/statistics.h"

#include <math.h>
#include <stdlib.h>

static const double alpha = 1e-6; /* of each statistical assertion; seeds are fixed */

/* ---- the shortlist --------------------------------------------------------------------------- */

enum { n_nodes = 60, most_pairs = n_nodes * (n_nodes - 1) / 2 };

typedef struct scored {
    double score;
    uint32_t u, v;
} scored;

/* A public graph of a few hundred edges, some nodes of which are no candidates. */
typedef struct public_graph {
    uint32_t source[most_pairs], target[most_pairs];
    uint8_t candidates[n_nodes];
    bool edge[n_nodes][n_nodes];
    hrr_edge_public known;
} public_graph;

static void make_graph(public_graph *out, uint64_t seed)
{
    hrr_fast_random random;
    hrr_fast_init(&random, seed, 0);
    memset(out, 0, sizeof *out);
    out->known = (hrr_edge_public){.n_nodes = n_nodes,
                                   .source = out->source,
                                   .target = out->target,
                                   .candidates = out->candidates};
    for (uint32_t u = 0; u < n_nodes; u++) {
        out->candidates[u] = hrr_fast_below(&random, 5) != 0;
        for (uint32_t v = u + 1; v < n_nodes; v++) {
            if (hrr_fast_below(&random, 12) != 0) continue;
            out->edge[u][v] = out->edge[v][u] = true;
            out->source[out->known.n_edges] = u;
            out->target[out->known.n_edges++] = v;
        }
    }
}

/* By the definition: the sum of 1/degree over common neighbours. */
static double score_of(const public_graph *graph, uint32_t u, uint32_t v)
{
    double sum = 0;
    for (uint32_t w = 0; w < n_nodes; w++) {
        int degree = 0;
        for (uint32_t x = 0; x < n_nodes; x++)
            degree += graph->edge[w][x];
        if (graph->edge[u][w] && graph->edge[v][w]) sum += 1. / degree;
    }
    return sum;
}

static uint64_t all_scored(scored *out, const public_graph *graph)
{
    uint64_t n = 0;
    for (uint32_t u = 0; u < n_nodes; u++)
        for (uint32_t v = u + 1; v < n_nodes; v++) {
            const double score = score_of(graph, u, v);
            if (graph->edge[u][v] || !graph->candidates[u] || !graph->candidates[v] || score == 0)
                continue;
            out[n++] = (scored){score, u, v};
        }
    return n;
}

static void test_shortlist__has_every_candidate_pair_with_a_common_neighbour(void **state)
{
    (void)state;
    static public_graph graph;
    static scored expected[most_pairs];
    for (uint64_t seed = 0; seed < 5; seed++) {
        hrr_shortlist list;
        make_graph(&graph, seed);
        const uint64_t n = all_scored(expected, &graph);
        assert_ok(hrr_shortlist_new(&list, &graph.known, most_pairs, 2, NULL, NULL));
        assert_int_equal(list.n, n);
        for (uint64_t i = 0; i < n; i++) {
            assert_int_equal(list.source[i], expected[i].u);
            assert_int_equal(list.target[i], expected[i].v);
        }
        hrr_shortlist_clear(&list);
    }
}

/* Scores are compared to within a bin, a 64th of them. */
static void test_shortlist__is_cut_at_the_lowest_scores(void **state)
{
    (void)state;
    static public_graph graph;
    static scored all[most_pairs];
    make_graph(&graph, 9);
    const uint64_t n = all_scored(all, &graph), most = n / 3;
    hrr_shortlist list;
    assert_ok(hrr_shortlist_new(&list, &graph.known, most, 3, NULL, NULL));
    assert_int_equal(list.n, most);
    double least = INFINITY, largest_left = 0;
    uint64_t listed = 0;
    for (uint64_t i = 0; i < n; i++) {
        const bool in =
            listed < most && list.source[listed] == all[i].u && list.target[listed] == all[i].v;
        if (in) least = fmin(least, all[i].score);
        if (!in) largest_left = fmax(largest_left, all[i].score);
        listed += in;
    }
    assert_int_equal(listed, most);
    assert_true(largest_left <= least * (1 + 1. / 64));
    hrr_shortlist_clear(&list);
}

/* A star with a hub of 700 rays and another of 3: pairs of the small one come first. */
static void test_shortlist__bands_fall_with_the_score(void **state)
{
    (void)state;
    enum { rays = 700, few = 3, n = rays + few + 2 };
    static uint32_t source[n], target[n];
    uint64_t m = 0;
    for (uint32_t i = 1; i <= rays; i++)
        source[m] = 0, target[m++] = i;
    for (uint32_t i = rays + 2; i < n; i++)
        source[m] = rays + 1, target[m++] = i;
    const hrr_edge_public known = {.n_nodes = n, .n_edges = m, .source = source, .target = target};
    hrr_shortlist list;
    assert_ok(hrr_shortlist_new(&list, &known, 4 * m, 2, NULL, NULL));
    assert_int_equal(list.n, 4 * m);
    assert_int_equal(list.n_bands, 4 * m / 256);
    for (uint64_t i = 0; i < list.n; i++)
        if (list.source[i] > rays) assert_int_equal(list.band[i], 0);
    /* Equal scores are one band; the first of them in order are listed. */
    for (uint64_t i = 1; i + few < list.n; i++) {
        assert_int_equal(list.band[i], list.band[0]);
        assert_true(list.source[i] <= list.source[i + 1]);
    }
    hrr_shortlist_clear(&list);
}

static void test_shortlist__hubs_say_nothing(void **state)
{
    (void)state;
    enum { rays = 4097 };
    static uint32_t source[rays], target[rays];
    for (uint32_t i = 0; i < rays; i++)
        target[i] = i + 1;
    hrr_edge_public known = {.n_nodes = rays + 1, .n_edges = rays, source, target};
    hrr_shortlist list;
    assert_ok(hrr_shortlist_new(&list, &known, 10, 1, NULL, NULL));
    assert_int_equal(list.n, 0);
    hrr_shortlist_clear(&list);
    known.n_edges--;
    assert_ok(hrr_shortlist_new(&list, &known, 10, 1, NULL, NULL));
    assert_int_equal(list.n, 10);
    hrr_shortlist_clear(&list);
}

/* ---- answers --------------------------------------------------------------------------------- */

/* The path 0-1-2-3 lists 0-2 and 1-3. There are so few that every yes is believed. */
static const uint32_t path_source[] = {0, 1, 2}, path_target[] = {1, 2, 3};
static const hrr_edge_public path = {
    .n_nodes = tiny_nodes, .n_edges = 3, .source = path_source, .target = path_target};
enum { pair_0_2 = 1 << 1, pair_1_3 = 1 << 4, pair_0_3 = 1 << 2 };

static void test_links__has_the_law_of_randomised_response(void **state)
{
    (void)state;
    static const unsigned secrets[] = {0, pair_0_2, pair_0_2 | pair_1_3, pair_0_3 | pair_1_3};
    const hrr_edge_options options = edge_options("edgerr-links", HRR_EPS_UNIT);
    hrr_edge_plan *plan = plan_of(&path, &options);
    const double flip = (double)hrr_flip_weight(HRR_EPS_UNIT) / 0x1p64;
    for (int s = 0; s < 4; s++) {
        uint64_t count[tiny_masks], observed[4];
        double law[4];
        count_masks(count, plan, secrets[s], 40000, 5 + (uint64_t)s);
        for (unsigned out = 0; out < 4; out++) {
            const unsigned mask = (out & 1 ? pair_0_2 : 0) | (out & 2 ? pair_1_3 : 0);
            const int flips =
                __builtin_popcount((mask ^ secrets[s]) & (unsigned)(pair_0_2 | pair_1_3));
            observed[out] = count[mask];
            law[out] = pow(flip, flips) * pow(1 - flip, 2 - flips);
        }
        /* Nothing else comes out: 0-3 is not listed, so that nobody hears of it. */
        assert_int_equal(observed[0] + observed[1] + observed[2] + observed[3], 40000);
        assert_true(chi_square_p(observed, law, 4) > alpha);
    }
    hrr_edge_plan_free(plan);
}

static void test_links__claims_the_epsilon_of_its_integers(void **state)
{
    (void)state;
    const hrr_edge_options options = edge_options("edgerr-links", 2 * HRR_EPS_UNIT);
    hrr_edge_plan *plan = plan_of(&path, &options);
    const hrr_edge_claim claim = hrr_edge_plan_claim(plan);
    const uint64_t weight = hrr_flip_weight(2 * HRR_EPS_UNIT);
    assert_true(claim.realised_eps == hrr_flip_eps(weight, 2 * HRR_EPS_UNIT));
    assert_true(fabs(claim.expected_false_edges - 2 / (1 + exp(2))) < 1e-9);
    assert_null(claim.advice);
    hrr_edge_plan_free(plan);
}

static void test_links__says_where_there_is_nothing_to_ask(void **state)
{
    (void)state;
    const hrr_edge_options options = edge_options("edgerr-links", HRR_EPS_UNIT);
    hrr_edge_plan *plan = tiny_plan(&options);
    hrr_edge_release released;
    hrr_random *parent = seeded(1);
    assert_non_null(strstr(hrr_edge_plan_claim(plan).advice, "would buy nothing"));
    tiny_draw(&released, plan, 63, parent);
    assert_int_equal(released.edges.n_edges, 0);
    hrr_edge_release_clear(&released);
    hrr_random_free(parent);
    hrr_edge_plan_free(plan);
}

/* ---- which answers are believed -------------------------------------------------------------- */

/* Groups of five whose members all know their centre: ten likely pairs each. So many groups have
 * all those pairs as private edges; the other groups none. */
enum { n_groups = 600, group = 6, pairs_in_group = 10, n_group_nodes = n_groups * group };

static uint64_t kept_of_groups(double *precision, int n_linked, uint64_t eps_nano)
{
    static uint32_t source[n_groups * 5], target[n_groups * 5], private_source[n_groups * 10],
        private_target[n_groups * 10];
    uint64_t m = 0, p = 0, right = 0;
    for (uint32_t g = 0; g < n_groups; g++)
        for (uint32_t i = 1; i < group; i++) {
            source[m] = g * group, target[m++] = g * group + i;
            for (uint32_t j = i + 1; j < group && g < (uint32_t)n_linked; j++)
                private_source[p] = g * group + i, private_target[p++] = g * group + j;
        }
    const hrr_edge_public known = {
        .n_nodes = n_group_nodes, .n_edges = m, .source = source, .target = target};
    const hrr_edge_secret secret = {p, private_source, private_target};
    const hrr_edge_options options = edge_options("edgerr-links", eps_nano);
    hrr_edge_release released;
    hrr_edge_plan *plan = plan_of(&known, &options);
    hrr_random *random = seeded(4);
    assert_ok(hrr_edge_plan_draw(&released, plan, &secret, random, NULL, NULL));
    assert_release_is_sound(&released.edges, &known);
    for (uint64_t e = 0; e < released.edges.n_edges; e++)
        right += released.edges.source[e] < (uint32_t)n_linked * group;
    const uint64_t kept = released.edges.n_edges;
    *precision = (double)right / (double)kept;
    hrr_edge_release_clear(&released);
    hrr_random_free(random);
    hrr_edge_plan_free(plan);
    return kept;
}

/* At eps 1 an answer is false with probability .27. Of 6,000 pairs a tenth are links: below .27, a
 * yes is false more often than not. Half are: a yes is believed, a no is not. Nine in ten: so is a
 * no. Estimates of these shares are off by 1.4 points, so that each decision is 10 deviations
 * away. */
static void test_links__believes_what_is_likelier_than_not(void **state)
{
    (void)state;
    double precision;
    assert_int_equal(kept_of_groups(&precision, n_groups / 10, HRR_EPS_UNIT), 0);
    const double half = (double)kept_of_groups(&precision, n_groups / 2, HRR_EPS_UNIT);
    assert_true(fabs(half - 3000) < 5 * sqrt(6000 * .2));
    assert_true(fabs(precision - .731) < 5 * sqrt(.2 / 3000));
    assert_int_equal(kept_of_groups(&precision, n_groups * 9 / 10, HRR_EPS_UNIT),
                     n_groups * pairs_in_group);
    assert_true(fabs(precision - .9) < 1e-9);
}

static void test_links__threads_do_not_show(void **state)
{
    (void)state;
    static public_graph graph;
    make_graph(&graph, 3);
    static const uint32_t none[1];
    const hrr_edge_secret secret = {0, none, none};
    const hrr_edge_options options = edge_options("edgerr-links", HRR_EPS_UNIT / 10);
    assert_threads_do_not_show(&graph.known, &secret, options);
}

static hrr_status once(void *user)
{
    const hrr_edge_options options = edge_options("edgerr-links", HRR_EPS_UNIT);
    static const uint32_t u = 0, v = 2;
    const hrr_edge_secret secret = {1, &u, &v};
    (void)user;
    return release_once(&path, &secret, &options);
}

static void test_links__survives_every_lack_of_memory(void **state)
{
    (void)state;
    brutal(once, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shortlist__has_every_candidate_pair_with_a_common_neighbour),
        cmocka_unit_test(test_shortlist__is_cut_at_the_lowest_scores),
        cmocka_unit_test(test_shortlist__bands_fall_with_the_score),
        cmocka_unit_test(test_shortlist__hubs_say_nothing),
        cmocka_unit_test(test_links__has_the_law_of_randomised_response),
        cmocka_unit_test(test_links__claims_the_epsilon_of_its_integers),
        cmocka_unit_test(test_links__says_where_there_is_nothing_to_ask),
        cmocka_unit_test(test_links__believes_what_is_likelier_than_not),
        cmocka_unit_test(test_links__threads_do_not_show),
        cmocka_unit_test(test_links__survives_every_lack_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
