/* EdgeRR-node: what is counted, what one pair moves, the blocks, and the graph made of it. */
#include "edge/tiny.h"
#include "edge/count_law.h"
#include "edge/late_blocks.h"
#include "edge/public_blocks.h"
#include "support/brutal.h"
#include "support/statistics.h"

#include <math.h>
#include <stdlib.h>

enum { n_nodes = 40 };

/* Two cliques of twenty, two thirds of them public edges. */
typedef struct cliques {
    uint64_t n;
    uint32_t source[400], target[400];
} cliques;

static cliques two_cliques(void)
{
    cliques edges = {0};
    for (uint32_t u = 0; u < n_nodes; u++)
        for (uint32_t v = u + 1; v < n_nodes; v++)
            if ((u < 20) == (v < 20) && (u + v) % 3 != 0) /* the rest may be private */
                edges.source[edges.n] = u, edges.target[edges.n++] = v;
    return edges;
}

static const int64_t *counts_of(const hrr_edge_release *released)
{
    assert_in_range(released->n_parts, 2, 5);
    assert_string_equal(released->parts[0].name, "block_counts.npy");
    assert_string_equal(released->parts[1].name, "blocks.npy");
    return released->parts[0].array.data;
}

static hrr_edge_release draw_seeded(const hrr_edge_plan *plan, const hrr_edge_secret *secret,
                                    uint64_t seed)
{
    hrr_random *random = seeded(seed);
    hrr_edge_release released;
    assert_ok(hrr_edge_plan_draw(&released, plan, secret, random, NULL, NULL));
    hrr_random_free(random);
    return released;
}

/* With the same draws, the noise is the same: the difference of two releases is what was counted.
 * One pair moves two counts by one, or one count. */
static void test_edgerr_node__a_pair_moves_as_many_counts_as_it_has_ends(void **state)
{
    (void)state;
    uint32_t blocks[12];
    for (uint32_t i = 0; i < 12; i++)
        blocks[i] = i % 3;
    const hrr_edge_public known = {.n_nodes = 12};
    static const int moves[] = {[HRR_ENDS_ONE] = 1, [HRR_ENDS_BOTH] = 2, [HRR_ENDS_NEEDED] = 1};
    for (hrr_count_ends ends = HRR_ENDS_ONE; ends <= HRR_ENDS_NEEDED; ends++) {
        hrr_edge_options options = edge_options("edgerr-node", HRR_EPS_UNIT);
        options.blocks = blocks;
        options.n_blocks = 3;
        options.count_ends = ends;
        hrr_edge_plan *plan = plan_of(&known, &options);
        const hrr_edge_secret nothing = {0};
        hrr_edge_release without = draw_seeded(plan, &nothing, 5);
        uint64_t at_source = 0, pairs = 0;
        for (uint32_t u = 0; u < 12; u++)
            for (uint32_t v = u + 1; v < 12; v++, pairs++) {
                const hrr_edge_secret one = {1, &u, &v};
                hrr_edge_release with = draw_seeded(plan, &one, 5);
                int64_t moved = 0;
                for (uint32_t i = 0; i < 12; i++)
                    for (uint32_t b = 0; b < 3; b++) {
                        const int64_t by =
                            counts_of(&with)[i * 3 + b] - counts_of(&without)[i * 3 + b];
                        const bool may = (i == u && b == blocks[v]) || (i == v && b == blocks[u]);
                        assert_true(by == 0 || (by == 1 && may));
                        moved += by;
                        at_source += by == 1 && i == u;
                    }
                assert_int_equal(moved, moves[ends]);
                hrr_edge_release_clear(&with);
            }
        /* One end: a fair coin, 66 of them. 33 expected, 5 standard deviations. */
        if (ends == HRR_ENDS_ONE)
            assert_in_range(at_source, 13, 53);
        else /* needed alike, a pair is the larger number's */
            assert_int_equal(at_source, ends == HRR_ENDS_BOTH ? pairs : 0);
        hrr_edge_release_clear(&without);
        hrr_edge_plan_free(plan);
    }
}

static const uint32_t *need_of(const hrr_edge_release *released)
{
    const struct hrr_edge_part *last = &released->parts[released->n_parts - 1];
    assert_string_equal(last->name, "need.npy");
    return last->array.data;
}

/* The node that counts the pair, as the release shows: the noise is the same. */
static uint32_t owner_of(const hrr_edge_plan *plan, uint32_t u, uint32_t v)
{
    const hrr_edge_secret nothing = {0}, one = {1, &u, &v};
    hrr_edge_release without = draw_seeded(plan, &nothing, 5), with = draw_seeded(plan, &one, 5);
    const bool at_u = counts_of(&with)[u] != counts_of(&without)[u];
    assert_true(at_u != (counts_of(&with)[v] != counts_of(&without)[v]));
    hrr_edge_release_clear(&without);
    hrr_edge_release_clear(&with);
    return at_u ? u : v;
}

/* Given, the rank decides, and between equal ones the number; else the number of public edges. */
static void test_edgerr_node__counts_a_pair_at_the_end_that_needs_it(void **state)
{
    (void)state;
    static const uint32_t blocks[6] = {0}, need[] = {7, 3, 9, 3, UINT32_MAX, 0};
    static const uint32_t source[] = {0, 0, 1, 3}, target[] = {1, 2, 2, 4};
    const hrr_edge_public known = {.n_nodes = 6, .n_edges = 4, source, target};
    static const struct {
        bool given;
        uint32_t u, v, owner;
    } cases[] = {{true, 0, 3, 0},  {true, 1, 3, 3},  {true, 1, 4, 4},  {true, 2, 5, 2},
                 {true, 3, 5, 3},  {false, 0, 3, 3}, {false, 1, 4, 4}, {false, 2, 5, 5},
                 {false, 0, 5, 5}, {false, 1, 3, 3}, {false, 3, 5, 5}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        hrr_edge_options options = edge_options("edgerr-node", HRR_EPS_UNIT);
        options.blocks = blocks;
        options.n_blocks = 1;
        options.count_ends = HRR_ENDS_NEEDED;
        options.need = cases[i].given ? need : NULL;
        hrr_edge_plan *plan = plan_of(&known, &options);
        assert_int_equal(owner_of(plan, cases[i].u, cases[i].v), cases[i].owner);
        const hrr_edge_secret nothing = {0};
        hrr_edge_release released = draw_seeded(plan, &nothing, 1);
        if (cases[i].given) assert_memory_equal(need_of(&released), need, sizeof need);
        assert_true(need_of(&released)[cases[i].owner] >=
                    need_of(&released)[cases[i].u + cases[i].v - cases[i].owner]);
        hrr_edge_release_clear(&released);
        hrr_edge_plan_free(plan);
    }
}

static hrr_edge_options options_with_rivals(const uint32_t *blocks, const uint32_t *rivals)
{
    hrr_edge_options options = edge_options("edgerr-node", HRR_EPS_UNIT);
    options.blocks = blocks;
    options.n_blocks = 3;
    options.count_ends = HRR_ENDS_NEEDED;
    options.rivals = rivals;
    return options;
}

/* Whatever the pair, one count moves by one: down if the other end is in the owner's second rival,
 * and then it is the count of the first. The second rival's own count is 0 without noise. */
static void test_edgerr_node__rivals_share_one_count(void **state)
{
    (void)state;
    enum { n = 9 };
    uint32_t blocks[n], rivals[2 * n];
    for (uint32_t i = 0; i < n; i++) {
        blocks[i] = i % 3;
        rivals[2 * i] = i / 3;
        rivals[2 * i + 1] = (i / 3 + i % 3) % 3; /* the same block for every third node */
    }
    const hrr_edge_public known = {.n_nodes = n};
    const hrr_edge_options options = options_with_rivals(blocks, rivals);
    hrr_edge_plan *plan = plan_of(&known, &options);
    const hrr_edge_secret nothing = {0};
    hrr_edge_release without = draw_seeded(plan, &nothing, 5);
    assert_string_equal(without.parts[without.n_parts - 1].name, "rivals.npy");
    assert_memory_equal(without.parts[without.n_parts - 1].array.data, rivals, sizeof rivals);
    int n_down = 0, n_noisy = 0;
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t b = 0; b < 3; b++) {
            const bool second = rivals[2 * i] != rivals[2 * i + 1] && b == rivals[2 * i + 1];
            if (second) assert_int_equal(counts_of(&without)[i * 3 + b], 0);
            n_noisy += counts_of(&without)[i * 3 + b] != 0;
        }
    assert_in_range(n_noisy, 5, 21); /* each of 21 is 0 with probability .46 */
    for (uint32_t u = 0; u < n; u++)
        for (uint32_t v = u + 1; v < n; v++) { /* needed alike: v counts */
            const hrr_edge_secret one = {1, &u, &v};
            hrr_edge_release with = draw_seeded(plan, &one, 5);
            const bool away = rivals[2 * v] != rivals[2 * v + 1] && blocks[u] == rivals[2 * v + 1];
            const uint32_t moves = v * 3 + (away ? rivals[2 * v] : blocks[u]);
            for (uint32_t k = 0; k < n * 3; k++)
                assert_int_equal(counts_of(&with)[k] - counts_of(&without)[k], k != moves ? 0
                                                                               : away     ? -1
                                                                                          : 1);
            n_down += away;
            hrr_edge_release_clear(&with);
        }
    assert_in_range(n_down, 1, n * (n - 1) / 2 - 1);
    hrr_edge_release_clear(&without);
    hrr_edge_plan_free(plan);
}

static void test_edgerr_node__refuses_rivals_that_are_none(void **state)
{
    (void)state;
    static const uint32_t blocks[4] = {0, 1, 2, 0}, rivals[8] = {0, 1, 1, 2, 0, 2, 2, 1};
    static const uint32_t wrong[8] = {0, 1, 1, 2, 0, 3, 2, 1};
    const hrr_edge_public known = {.n_nodes = 4};
    for (int i = 0; i < 4; i++) {
        hrr_edge_options options = options_with_rivals(blocks, i == 0 ? wrong : rivals);
        if (i == 1) options.count_ends = HRR_ENDS_BOTH;
        if (i == 2) options.blocks = NULL;
        if (i == 3) options.n_blocks = HRR_MOST_RIVAL_BLOCKS + 1;
        hrr_edge_plan *plan;
        hrr_error err;
        assert_int_equal(hrr_edge_plan_new(&plan, &known, &options, NULL, &err), HRR_EINVAL);
        assert_says(err, i == 0   ? "for node 2, but there are only"
                         : i == 3 ? "at most 16 blocks, but there are 17"
                                  : "require given blocks");
    }
}

/* Of communities, too, the end is decided by public edges alone, whatever the private ones are. */
static void test_edgerr_node__need_does_not_look_at_private_edges(void **state)
{
    (void)state;
    const cliques edges = two_cliques();
    const hrr_edge_public known = {
        .n_nodes = n_nodes, .n_edges = edges.n, edges.source, edges.target};
    static const uint32_t source[] = {0, 0, 0, 1}, target[] = {3, 6, 9, 2};
    const hrr_edge_secret none = {0}, some = {4, source, target};
    hrr_edge_options options = edge_options("edgerr-node", HRR_EPS_UNIT);
    options.count_ends = HRR_ENDS_NEEDED;
    hrr_edge_plan *plan = plan_of(&known, &options);
    hrr_edge_release a = draw_seeded(plan, &none, 1), b = draw_seeded(plan, &some, 1);
    assert_memory_equal(need_of(&a), need_of(&b), n_nodes * sizeof(uint32_t));
    assert_memory_equal(a.parts[1].array.data, b.parts[1].array.data, n_nodes * sizeof(uint32_t));
    hrr_edge_release_clear(&a);
    hrr_edge_release_clear(&b);
    hrr_edge_plan_free(plan);
}

static void test_edgerr_node__claims_what_its_noise_gives(void **state)
{
    (void)state;
    static const uint64_t eps[] = {1, HRR_EPS_UNIT / 2, HRR_EPS_UNIT, 5 * HRR_EPS_UNIT + 1,
                                   HRR_EPS_MAX};
    const hrr_edge_public known = {.n_nodes = 5};
    for (int e = 0; e < 5; e++)
        for (int ends = 0; ends <= HRR_ENDS_NEEDED; ends++) {
            static const char *const says[] = {"both", "one of", "both", "needs it more"};
            hrr_edge_options options = edge_options("edgerr-node", eps[e]);
            options.count_ends = ends;
            hrr_edge_plan *plan = plan_of(&known, &options);
            const double asked = (double)eps[e] / HRR_EPS_UNIT;
            const double claimed = hrr_edge_plan_claim(plan).realised_eps;
            assert_true(claimed <= asked && claimed > asked * (1 - 1e-8));
            assert_non_null(strstr(hrr_edge_plan_claim(plan).statement, says[ends]));
            assert_non_null(strstr(hrr_edge_plan_claim(plan).evidence,
                                   ends % 2 ? "sensitivity 1" : "sensitivity 2"));
            hrr_edge_plan_free(plan);
        }
}

/* 40 x 2 counts, 500 releases: mean square of the noise against 2 a/(1 - a)^2, a = e^(-1/2), within
 * five standard errors (kurtosis 6). */
static void test_edgerr_node__noises_every_count_of_every_candidate(void **state)
{
    (void)state;
    uint32_t blocks[n_nodes];
    uint8_t candidates[n_nodes];
    for (int i = 0; i < n_nodes; i++)
        blocks[i] = i % 2, candidates[i] = i != 7;
    const hrr_edge_public known = {.n_nodes = n_nodes, .candidates = candidates};
    hrr_edge_options options = edge_options("edgerr-node", HRR_EPS_UNIT);
    options.blocks = blocks;
    options.n_blocks = 2;
    options.sample_edges = true;
    hrr_edge_plan *plan = plan_of(&known, &options);
    const hrr_edge_secret nothing = {0};
    double squares = 0, draws = 0;
    for (uint64_t seed = 0; seed < 500; seed++) {
        hrr_edge_release released = draw_seeded(plan, &nothing, seed);
        for (int i = 0; i < n_nodes; i++)
            for (int b = 0; b < 2; b++) {
                const int64_t y = counts_of(&released)[2 * i + b];
                if (i == 7)
                    assert_int_equal(y, 0); /* has no private pair: known to all */
                else
                    squares += (double)(y * y), draws++;
            }
        assert_release_is_sound(&released.edges, &known);
        assert_string_equal(released.parts[2].name, "counted.npy");
        assert_memory_equal(released.parts[2].array.data, candidates, n_nodes);
        hrr_edge_release_clear(&released);
    }
    assert_true(fabs(squares / draws - 7.8354) < 5 * 7.8354 * sqrt(5 / draws));
    hrr_edge_plan_free(plan);
}

/* Nothing is counted, so that counts are noise: of 400 nodes at eps 1 two counts are the same with
 * chance (1 - q)(1 + q^2) / (1 + q)^3 = .28, q = 1/e; more than half of them would be the same by
 * accident with chance below 1e-20. */
static void test_edgerr_node__counts_of_a_node_have_noise_of_their_own(void **state)
{
    (void)state;
    enum { n = 400, n_blocks = 3 };
    static uint32_t blocks[n];
    for (uint32_t i = 0; i < n; i++)
        blocks[i] = i % n_blocks;
    const hrr_edge_public known = {.n_nodes = n};
    const hrr_edge_secret nothing = {0};
    hrr_edge_options options = edge_options("edgerr-node", HRR_EPS_UNIT);
    options.count_ends = HRR_ENDS_ONE;
    options.blocks = blocks;
    options.n_blocks = n_blocks;
    hrr_edge_plan *plan;
    assert_ok(hrr_edge_plan_new(&plan, &known, &options, NULL, NULL));
    hrr_edge_release released = draw_seeded(plan, &nothing, 1);
    const int64_t *count = counts_of(&released);
    for (int b = 0; b < n_blocks; b++) {
        int same = 0;
        for (int i = 0; i < n; i++)
            same += count[i * n_blocks + b] == count[i * n_blocks + (b + 1) % n_blocks];
        assert_true(same < n / 2);
    }
    hrr_edge_release_clear(&released);
    hrr_edge_plan_free(plan);
}

static void test_edgerr_node__finds_public_communities(void **state)
{
    (void)state;
    const cliques edges = two_cliques();
    const hrr_edge_public known = {
        .n_nodes = n_nodes, .n_edges = edges.n, .source = edges.source, .target = edges.target};
    uint32_t block[n_nodes], n_blocks;
    assert_ok(hrr_public_blocks(block, &n_blocks, &known, 8, 1, NULL, NULL));
    assert_int_equal(n_blocks, 2);
    for (int i = 0; i < n_nodes; i++)
        assert_int_equal(block[i], block[i < 20 ? 0 : 20]);
    assert_int_not_equal(block[0], block[20]);
}

/* Isolated nodes are communities of one: alone they make blocks of equal size, beside larger
 * communities they are added to those. */
/* Cliques of 40, 30 and 20 nodes, one edge from the third to the first: three
 * communities. Two blocks: the third must not fill up the second, but go where its tie is. */
static void test_edgerr_node__a_small_community_goes_where_its_tie_is(void **state)
{
    (void)state;
    enum { n = 90 };
    static uint32_t source[n * n / 2], target[n * n / 2];
    uint32_t block[n], n_blocks;
    uint64_t m = 0;
    for (uint32_t u = 0; u < n; u++)
        for (uint32_t v = u + 1; v < n; v++)
            if ((u < 40 ? 0 : u < 70) == (v < 40 ? 0 : v < 70) && (u < 70) == (v < 70))
                source[m] = u, target[m++] = v;
            else if (u == 39 && v == 70)
                source[m] = u, target[m++] = v;
    const hrr_edge_public known = {.n_nodes = n, .n_edges = m, .source = source, .target = target};
    for (uint64_t seed = 0; seed < 20; seed++) {
        assert_ok(hrr_public_blocks(block, &n_blocks, &known, 8, seed, NULL, NULL));
        assert_int_equal(n_blocks, 3);
        assert_ok(hrr_public_blocks(block, &n_blocks, &known, 2, seed, NULL, NULL));
        assert_int_equal(n_blocks, 2);
        for (int i = 0; i < n; i++)
            assert_int_equal(block[i], i >= 40 && i < 70);
    }
}

static void test_edgerr_node__folds_small_communities_away(void **state)
{
    (void)state;
    uint32_t block[n_nodes], n_blocks, size[4] = {0};
    const hrr_edge_public nothing = {.n_nodes = n_nodes};
    assert_ok(hrr_public_blocks(block, &n_blocks, &nothing, 4, 1, NULL, NULL));
    assert_int_equal(n_blocks, 4);
    for (int i = 0; i < n_nodes; i++)
        size[block[i]]++;
    for (int b = 0; b < 4; b++)
        assert_int_equal(size[b], 10);

    cliques edges = two_cliques();
    const hrr_edge_public known = {
        .n_nodes = n_nodes + 3, .n_edges = edges.n, .source = edges.source, .target = edges.target};
    uint32_t more[n_nodes + 3];
    assert_ok(hrr_public_blocks(more, &n_blocks, &known, 2, 1, NULL, NULL));
    assert_int_equal(n_blocks, 2);
    assert_int_not_equal(more[0], more[20]);
    for (int i = n_nodes; i < n_nodes + 3; i++)
        assert_true(more[i] < 2);
    const hrr_edge_public one = {.n_nodes = 1};
    assert_ok(hrr_public_blocks(block, &n_blocks, &one, 8, 1, NULL, NULL));
    assert_int_equal(n_blocks, 1);
}

/* The noisy counts of a planted graph: the sampled edges have about its number of edges, and fall
 * where its edges are. */
static void test_edgerr_node__edges_look_like_the_counts(void **state)
{
    (void)state;
    enum { n = 1000, m = 6000 };
    uint32_t *source = malloc(m * sizeof *source), *target = malloc(m * sizeof *target), e = 0;
    uint32_t *blocks = malloc(n * sizeof *blocks);
    for (uint32_t i = 0; i < n; i++)
        blocks[i] = i < n / 2;
    for (uint32_t u = 0; u < n && e < m; u++)
        for (uint32_t step = 1; step <= 7 && u + step * 3 < n && e < m; step++)
            if ((u < n / 2) == (u + step * 3 < n / 2)) source[e] = u, target[e++] = u + step * 3;
    const hrr_edge_public known = {.n_nodes = n};
    const hrr_edge_secret secret = {e, source, target};
    for (int ends = 1; ends <= 2; ends++) {
        hrr_edge_options options = edge_options("edgerr-node", 2 * HRR_EPS_UNIT);
        options.blocks = blocks;
        options.n_blocks = 2;
        options.count_ends = ends;
        options.sample_edges = true;
        hrr_edge_plan *plan = plan_of(&known, &options);
        hrr_edge_release released = draw_seeded(plan, &secret, 9);
        assert_release_is_sound(&released.edges, &known);
        uint64_t inside = 0;
        for (uint64_t i = 0; i < released.edges.n_edges; i++)
            inside += blocks[released.edges.source[i]] == blocks[released.edges.target[i]];
        assert_in_range(released.edges.n_edges, e * 9 / 10, e * 11 / 10);
        assert_true(inside > released.edges.n_edges * 9 / 10);
        hrr_edge_release_clear(&released);
        options.most_edges_out = 100;
        hrr_edge_plan_free(plan);
        plan = plan_of(&known, &options);
        released = draw_seeded(plan, &secret, 9);
        assert_in_range(released.edges.n_edges, 80, 104);
        hrr_edge_release_clear(&released);
        hrr_edge_plan_free(plan);
    }
    free(source);
    free(target);
    free(blocks);
}

static void test_edgerr_node__does_not_depend_on_the_threads(void **state)
{
    (void)state;
    const cliques edges = two_cliques();
    const hrr_edge_public known = {.n_nodes = 3000, .n_edges = edges.n, edges.source, edges.target};
    const uint32_t source[] = {0, 500}, target[] = {2999, 600};
    const hrr_edge_secret secret = {2, source, target};
    hrr_edge_options options = edge_options("edgerr-node", HRR_EPS_UNIT);
    options.sample_edges = true;
    assert_true(assert_threads_do_not_show(&known, &secret, options) > 0);
}

static void test_edgerr_node__refuses_what_makes_no_sense(void **state)
{
    (void)state;
    const hrr_edge_public known = {.n_nodes = 3};
    const uint32_t blocks[] = {0, 5, 1};
    hrr_edge_options options = edge_options("edgerr-node", HRR_EPS_UNIT);
    hrr_edge_plan *plan;
    hrr_error err;
    options.count_ends = (hrr_count_ends)4;
    assert_int_equal(hrr_edge_plan_new(&plan, &known, &options, NULL, &err), HRR_EINVAL);
    assert_says(err, "at both ends");
    options.count_ends = HRR_ENDS_NEEDED;
    options.sample_edges = true;
    assert_int_equal(hrr_edge_plan_new(&plan, &known, &options, NULL, &err), HRR_EINVAL);
    assert_says(err, "cannot be sampled");
    options.sample_edges = false;
    options.need = blocks;
    options.count_ends = HRR_ENDS_BOTH;
    assert_int_equal(hrr_edge_plan_new(&plan, &known, &options, NULL, &err), HRR_EINVAL);
    assert_says(err, "is used only if edges are counted");
    options.need = NULL;
    options.count_ends = HRR_ENDS_USUAL;
    options.blocks = blocks;
    assert_int_equal(hrr_edge_plan_new(&plan, &known, &options, NULL, &err), HRR_EINVAL);
    options.n_blocks = 5;
    assert_int_equal(hrr_edge_plan_new(&plan, &known, &options, NULL, &err), HRR_EINVAL);
    assert_says(err, "node 1 is in block 5");
}

/* The same of need. */
static void test_edgerr_node__takes_need_after_the_plan(void **state)
{
    (void)state;
    const hrr_edge_public known = {.n_nodes = 6};
    const uint32_t blocks[] = {0, 1, 0, 0, 1, 1}, need[] = {5, 4, 3, 2, 1, 0};
    const uint32_t source[] = {0, 1}, target[] = {5, 3};
    const hrr_edge_secret secret = {2, source, target};
    hrr_edge_options options = edge_options("edgerr-node", HRR_EPS_UNIT);
    hrr_edge_plan *early, *late;
    options.n_blocks = 2;
    options.count_ends = HRR_ENDS_NEEDED;
    assert_ok(hrr_edge_plan_new_without_blocks(&late, &known, &options, NULL, NULL));
    options.blocks = blocks;
    options.need = need;
    assert_ok(hrr_edge_plan_new(&early, &known, &options, NULL, NULL));
    assert_string_equal(hrr_edge_plan_claim(early).statement, hrr_edge_plan_claim(late).statement);
    assert_ok(hrr_edge_plan_give_blocks(late, blocks, need, NULL, NULL));
    hrr_edge_release a = draw_seeded(early, &secret, 1), b = draw_seeded(late, &secret, 1);
    assert_memory_equal(counts_of(&a), counts_of(&b), 12 * sizeof(int64_t));
    assert_memory_equal(need_of(&b), need, sizeof need);
    hrr_edge_release_clear(&a);
    hrr_edge_release_clear(&b);
    hrr_edge_plan_free(early);
    hrr_edge_plan_free(late);
}

/* Blocks that come after the plan: nothing of what it claims depends on them, and what is drawn is
 * what it would be if they had been there. */
static void test_edgerr_node__takes_blocks_after_the_plan(void **state)
{
    (void)state;
    const hrr_edge_public known = {.n_nodes = 6};
    const uint32_t blocks[] = {0, 1, 2, 0, 1, 1}, wrong[] = {0, 1, 2, 3, 1, 1};
    const uint32_t source[] = {0, 1}, target[] = {5, 3};
    const hrr_edge_secret secret = {2, source, target};
    hrr_edge_options options = edge_options("edgerr-node", HRR_EPS_UNIT);
    hrr_edge_plan *early, *late;
    hrr_error err;
    options.n_blocks = 3;
    options.sample_edges = true;
    assert_ok(hrr_edge_plan_new_without_blocks(&late, &known, &options, NULL, NULL));
    options.blocks = blocks;
    assert_ok(hrr_edge_plan_new(&early, &known, &options, NULL, NULL));
    const hrr_edge_claim claims[] = {hrr_edge_plan_claim(early), hrr_edge_plan_claim(late)};
    assert_string_equal(claims[0].statement, claims[1].statement);
    assert_string_equal(claims[0].evidence, claims[1].evidence);
    assert_true(claims[0].realised_eps == claims[1].realised_eps);
    assert_true(claims[0].expected_false_edges == claims[1].expected_false_edges);
    assert_int_equal(claims[1].n_blocks, 3);
    assert_ok(hrr_edge_plan_give_blocks(late, blocks, NULL, NULL, NULL));
    hrr_edge_release a = draw_seeded(early, &secret, 1), b = draw_seeded(late, &secret, 1);
    assert_memory_equal(counts_of(&a), counts_of(&b), 18 * sizeof(int64_t));
    assert_memory_equal(b.parts[1].array.data, blocks, sizeof blocks);
    assert_int_equal(a.edges.n_edges, b.edges.n_edges);
    hrr_edge_release_clear(&a);
    hrr_edge_release_clear(&b);
    hrr_edge_plan_free(early);
    hrr_edge_plan_free(late);

    assert_ok(hrr_edge_plan_new_without_blocks(&late, &known, &options, NULL, NULL));
    assert_int_equal(hrr_edge_plan_give_blocks(late, wrong, NULL, NULL, &err), HRR_EINVAL);
    assert_says(err, "node 3 is in block 3");
    hrr_edge_plan_free(late);
    options.n_blocks = 0;
    assert_int_equal(hrr_edge_plan_new_without_blocks(&late, &known, &options, NULL, &err),
                     HRR_EINVAL);
    assert_says(err, "at least one block");
    options.mechanism = "edgerr";
    assert_int_equal(hrr_edge_plan_new_without_blocks(&late, &known, &options, NULL, &err),
                     HRR_EINVAL);
    assert_says(err, "does not count edges in blocks");
}

/* Against sums over all counts up to 2,000. */
static void test_count_law__posterior_and_likelihood_match_brute_force(void **state)
{
    (void)state;
    static const double eps[] = {.1, .5, 1, 4, 20}, mean[] = {.01, .7, 3, 20};
    for (int e = 0; e < 5; e++)
        for (int m = 0; m < 4; m++) {
            double posterior[60];
            hrr_count_posterior(posterior, 60, mean[m], eps[e]);
            const double a = exp(-eps[e]), log_g = log(mean[m] / (1 + mean[m]));
            for (int x = -5; x < 60; x++) {
                double top = 0, bottom = 0, likelihood = 0;
                for (int k = 0; k < 2000; k++) {
                    const double noise = -eps[e] * abs(x - k);
                    /* Scaled, so that nothing that matters is lost where g and a are small. */
                    const double w =
                        exp(k * log_g + noise - (x > 0 ? x * fmax(log_g, -eps[e]) : eps[e] * x));
                    top += k * w;
                    bottom += w;
                    likelihood += exp(k * log(mean[m]) - mean[m] - lgamma(k + 1) + noise);
                }
                assert_true(fabs(posterior[x < 0 ? 0 : x] - top / bottom) <
                            1e-9 * (1 + top / bottom));
                if (likelihood < 1e-290) continue;
                const double expected = log(likelihood * (1 - a) / (1 + a));
                const double ours = hrr_edge_count_log_likelihood(x, mean[m], eps[e]);
                assert_true(fabs(ours - expected) < 1e-10 * (1 + fabs(expected)));
            }
        }
    assert_true(fabs(hrr_edge_count_log_likelihood(0, 0, 1) - log(.462117)) < 1e-6);
    /* Large counts and rates neither overflow nor take long. */
    double far[3000];
    hrr_count_posterior(far, 3000, .001, .5);
    assert_true(isfinite(far[2999]) && fabs(far[2999] - far[10]) < 1e-12);
    assert_true(isfinite(hrr_edge_count_log_likelihood(1000000, 1e6, 20)));
    assert_true(isfinite(hrr_edge_count_log_likelihood(1000000000, 1, 1e-6)));
}

/* Poisson tables against the function; negative binomial ones against sums over all counts. Noisy
 * counts have probability one together: those below 0 make a geometric series. */
static void test_count_law__tables_match_and_add_up_to_one(void **state)
{
    (void)state;
    static const double eps[] = {.1, .5, 1, 4, 10}, mean[] = {.01, .7, 3, 20, 300};
    static const double shape[] = {.5, 2, 8, INFINITY};
    static double log_p[3000], law[6000];
    for (int e = 0; e < 5; e++)
        for (int m = 0; m < 5; m++)
            for (int s = 0; s < 4; s++) {
                hrr_count_table(log_p, 3000, law, 6000, mean[m], shape[s], eps[e]);
                double sum = exp(log_p[0]) / expm1(eps[e]);
                for (int x = 0; x < 3000; x++) {
                    assert_true(isfinite(log_p[x]));
                    sum += exp(log_p[x]);
                    if (s < 3 || log_p[x] < -600) continue;
                    const double right = hrr_edge_count_log_likelihood(x, mean[m], eps[e]);
                    assert_true(fabs(log_p[x] - right) < 1e-9 * (1 + fabs(right)));
                }
                if (mean[m] < 300 || shape[s] > 4) assert_true(fabs(sum - 1) < 1e-8);
            }
    hrr_count_table(log_p, 40, law, 400, 3, 2, 1);
    for (int x = 0; x < 40; x++) {
        double sum = 0;
        for (int k = 0; k < 400; k++)
            sum += exp(lgamma(k + 2) - lgamma(k + 1) + 2 * log(.4) + k * log(.6) - abs(x - k));
        assert_true(fabs(log_p[x] - log(sum * tanh(.5))) < 1e-10 * (1 + fabs(log_p[x])));
    }
    /* Neither very sharp noise nor hardly any law leaves the numbers. */
    hrr_count_table(log_p, 3000, law, 3000, 1e-4, INFINITY, 20);
    assert_true(isfinite(log_p[2999]) && log_p[2999] < log_p[0]);
    hrr_count_table(log_p, 100, law, 100, 4096, INFINITY, 20);
    assert_true(isfinite(log_p[0]) && isfinite(log_p[99]));
}

/* Without sampled edges there are counts alone, and the same ones. */
static void test_edgerr_node__samples_edges_only_if_asked(void **state)
{
    (void)state;
    const uint32_t source[] = {0, 3}, target[] = {1, 4};
    const hrr_edge_public known = {.n_nodes = 60};
    const hrr_edge_secret secret = {2, source, target};
    hrr_edge_release released[2];
    for (int with = 0; with < 2; with++) {
        hrr_edge_options options = edge_options("edgerr-node", HRR_EPS_UNIT);
        options.sample_edges = with;
        hrr_edge_plan *plan = plan_of(&known, &options);
        assert_int_equal(hrr_edge_plan_claim(plan).count_ends, 2);
        assert_true((hrr_edge_plan_claim(plan).expected_false_edges > 0) == with);
        released[with] = draw_seeded(plan, &secret, 3);
        hrr_edge_plan_free(plan);
    }
    assert_int_equal(released[0].edges.n_edges, 0);
    assert_true(released[1].edges.n_edges > 0);
    assert_memory_equal(counts_of(&released[0]), counts_of(&released[1]), 60 * sizeof(int64_t));
    hrr_edge_release_clear(&released[0]);
    hrr_edge_release_clear(&released[1]);
}

static hrr_status protect_once(void *user)
{
    (void)user;
    const uint32_t source[] = {0, 3}, target[] = {1, 4}, public_source[] = {0, 1},
                   public_target[] = {2, 5};
    const hrr_edge_public known = {
        .n_nodes = 6, .n_edges = 2, .source = public_source, .target = public_target};
    const hrr_edge_secret secret = {2, source, target};
    hrr_edge_options options = edge_options("edgerr-node", HRR_EPS_UNIT);
    options.sample_edges = true;
    return release_once(&known, &secret, &options);
}

static void test_edgerr_node__survives_a_lack_of_memory(void **state)
{
    (void)state;
    brutal(protect_once, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_edgerr_node__a_pair_moves_as_many_counts_as_it_has_ends),
        cmocka_unit_test(test_edgerr_node__counts_a_pair_at_the_end_that_needs_it),
        cmocka_unit_test(test_edgerr_node__rivals_share_one_count),
        cmocka_unit_test(test_edgerr_node__refuses_rivals_that_are_none),
        cmocka_unit_test(test_edgerr_node__need_does_not_look_at_private_edges),
        cmocka_unit_test(test_edgerr_node__takes_need_after_the_plan),
        cmocka_unit_test(test_edgerr_node__claims_what_its_noise_gives),
        cmocka_unit_test(test_edgerr_node__noises_every_count_of_every_candidate),
        cmocka_unit_test(test_edgerr_node__counts_of_a_node_have_noise_of_their_own),
        cmocka_unit_test(test_edgerr_node__finds_public_communities),
        cmocka_unit_test(test_edgerr_node__a_small_community_goes_where_its_tie_is),
        cmocka_unit_test(test_edgerr_node__folds_small_communities_away),
        cmocka_unit_test(test_edgerr_node__edges_look_like_the_counts),
        cmocka_unit_test(test_edgerr_node__does_not_depend_on_the_threads),
        cmocka_unit_test(test_edgerr_node__refuses_what_makes_no_sense),
        cmocka_unit_test(test_edgerr_node__takes_blocks_after_the_plan),
        cmocka_unit_test(test_count_law__posterior_and_likelihood_match_brute_force),
        cmocka_unit_test(test_count_law__tables_match_and_add_up_to_one),
        cmocka_unit_test(test_edgerr_node__samples_edges_only_if_asked),
        cmocka_unit_test(test_edgerr_node__survives_a_lack_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
