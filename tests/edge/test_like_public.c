/* Edges drawn as public ones lie: as many as asked for, candidate pairs, where public edges are. */
#include "support/brutal.h"
#include "support/check.h"
#include "edge/like_public.h"
#include "random/fast.h"

#include <heterorr/edge.h>
#include <heterorr/random.h>

enum { n = 60, half = n / 2 };

/* Two halves, each with one pair in three joined. candidates: all but the first node. */
typedef struct world {
    uint32_t source[n * n], target[n * n];
    uint8_t candidates[n];
    hrr_edge_public known;
} world;

static void two_halves(world *w, bool joined)
{
    hrr_fast_random random;
    hrr_fast_init(&random, 3, 1);
    w->known = (hrr_edge_public){
        .n_nodes = n, .source = w->source, .target = w->target, .candidates = w->candidates};
    for (uint32_t u = 0; u < n; u++) {
        w->candidates[u] = u > 0;
        for (uint32_t v = u + 1; v < n && joined; v++) {
            if (u / half != v / half || hrr_fast_below(&random, 3)) continue;
            w->source[w->known.n_edges] = u;
            w->target[w->known.n_edges++] = v;
        }
    }
}

static hrr_edge_list draw(const world *w, uint64_t n_edges, int threads)
{
    hrr_edge_options options;
    hrr_edge_list edges;
    hrr_edge_options_init(&options);
    options.threads = threads;
    assert_ok(hrr_edge_like_public(&edges, &w->known, n_edges, &options, 7, NULL, NULL));
    return edges;
}

static void test_like_public__edges_lie_where_public_ones_do(void **state)
{
    (void)state;
    world w;
    two_halves(&w, true);
    hrr_edge_list edges = draw(&w, 150, 1), again = draw(&w, 150, 3);
    bool joined[n][n] = {{false}};
    int across = 0;
    for (uint64_t e = 0; e < w.known.n_edges; e++)
        joined[w.source[e]][w.target[e]] = joined[w.target[e]][w.source[e]] = true;
    assert_int_equal(edges.n_edges, 150);
    for (uint64_t e = 0; e < edges.n_edges; e++) {
        const uint32_t u = edges.source[e], v = edges.target[e];
        assert_true(u > 0 && v > 0 && u != v && !joined[u][v]); /* candidates, none twice */
        joined[u][v] = joined[v][u] = true;
        across += u / half != v / half;
    }
    assert_true(across <= 5); /* spread evenly it were 900 pairs of 1500, so 90 */
    assert_int_equal(again.n_edges, 150);
    assert_memory_equal(edges.source, again.source, 150 * sizeof *edges.source);
    hrr_edge_list_clear(&edges);
    hrr_edge_list_clear(&again);
}

static void test_like_public__without_public_edges_every_pair_is_as_likely(void **state)
{
    (void)state;
    world w;
    two_halves(&w, false);
    hrr_edge_list edges = draw(&w, 500, 1);
    int across = 0;
    for (uint64_t e = 0; e < 500; e++)
        across += edges.source[e] / half != edges.target[e] / half;
    /* 870 of 1711 pairs: 254 of 500; five deviations of the hypergeometric law are 47 */
    assert_int_equal(edges.n_edges, 500);
    assert_true(across > 207 && across < 301);
    hrr_edge_list_clear(&edges);
    edges = draw(&w, 1000000, 1);
    assert_int_equal(edges.n_edges, 59 * 58 / 2); /* all there are */
    hrr_edge_list_clear(&edges);
}

static hrr_status once(void *user)
{
    hrr_edge_options options;
    hrr_edge_list edges;
    hrr_edge_options_init(&options);
    options.threads = 1;
    hrr_status status =
        hrr_edge_like_public(&edges, &((const world *)user)->known, 20, &options, 1, NULL, NULL);
    hrr_edge_list_clear(&edges);
    return status;
}

static void test_like_public__survives_every_failed_allocation(void **state)
{
    (void)state;
    world w;
    two_halves(&w, true);
    assert_true(brutal(once, &w) > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_like_public__edges_lie_where_public_ones_do),
        cmocka_unit_test(test_like_public__without_public_edges_every_pair_is_as_likely),
        cmocka_unit_test(test_like_public__survives_every_failed_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
