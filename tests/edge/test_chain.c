/* The chains: their laws against exact enumeration of all dendrograms, pieces against recounts, and
 * that neither threads nor failures nor odd graphs disturb them. */
#include "support/all_trees.h"
#include "support/brutal.h"
#include "support/check.h"
#include "support/dendrograms.h"
#include "support/statistics.h"
#include "edge/chain.h"
#include "edge/likelihood.h"
#include "edge/pieces.h"
#include "edge/score.h"
#include "graph/adjacency.h"
#include "base/memory.h"

#include <stdlib.h>

static double phi_of(double x)
{
    return x > 0 ? x * log(x) : 0;
}

static double exact_term(uint64_t e, uint64_t n)
{
    return phi_of((double)e) + phi_of((double)(n - e)) - phi_of((double)n);
}

/* ---- laws ----------------------------------------------------------------------------------- */

enum { MOST_EDGES = 15 };

/* A small graph: public edges, private edges, and which nodes are candidates (bits). */
typedef struct small_graph {
    int n;
    uint32_t public_edges, private_edges, candidates; /* edges: bits over all_pairs() */
} small_graph;

typedef struct edge_arrays {
    uint64_t n;
    uint32_t source[MOST_EDGES], target[MOST_EDGES];
} edge_arrays;

static edge_arrays arrays_of(int n, uint32_t edges)
{
    const small_pairs pairs = all_pairs(n);
    edge_arrays out = {0};
    for (int p = 0; p < pairs.n; p++)
        if (edges >> p & 1) {
            out.source[out.n] = pairs.source[p];
            out.target[out.n++] = pairs.target[p];
        }
    return out;
}

/* Pairs that bits of `pairs` name and r splits. */
static uint64_t split_pairs(const small_tree *tree, int r, const small_pairs *all, uint32_t pairs)
{
    return small_edges(tree, r, all, pairs);
}

static uint32_t candidate_pairs(const small_graph *graph, const small_pairs *all)
{
    uint32_t out = 0;
    for (int p = 0; p < all->n; p++)
        if ((graph->candidates >> all->source[p] & 1) && (graph->candidates >> all->target[p] & 1))
            out |= 1U << p;
    return out & ~graph->public_edges;
}

/* exp(L_pub + c L_pri) over all trees, normalised. */
static void exact_law(double *law, const small_trees *all, const small_graph *graph, double c)
{
    const small_pairs pairs = all_pairs(graph->n);
    const uint32_t candidates = candidate_pairs(graph, &pairs);
    double sum = 0;
    for (int t = 0; t < all->n; t++) {
        double score = 0;
        for (int r = 0; r < all->tree[t].n_internal; r++) {
            const small_tree *tree = all->tree + t;
            score += exact_term(small_edges(tree, r, &pairs, graph->public_edges),
                                small_node_pairs(tree, r));
            score += c * exact_term(small_edges(tree, r, &pairs, graph->private_edges),
                                    split_pairs(tree, r, &pairs, candidates));
        }
        sum += law[t] = exp(score);
    }
    for (int t = 0; t < all->n; t++)
        law[t] /= sum;
}

/* Cells that expect less than ten share one. */
static double p_value(const uint64_t *seen, const double *law, int n, uint64_t runs)
{
    uint64_t pooled_seen[MOST_SMALL_TREES] = {0};
    double pooled_law[MOST_SMALL_TREES] = {0};
    size_t cells = 1;
    for (int t = 0; t < n; t++) {
        const size_t cell = law[t] * (double)runs < 10 ? 0 : cells++;
        pooled_seen[cell] += seen[t];
        pooled_law[cell] += law[t];
    }
    const size_t first = pooled_law[0] == 0; /* nothing was rare */
    assert_true(first || pooled_law[0] * (double)runs >= 10);
    return chi_square_p(pooled_seen + first, pooled_law + first, cells - first);
}

/* Two graphs of 4 and 5 nodes; the second has a node that is no candidate. */
static const small_graph graphs[] = {
    {.n = 4, .public_edges = 0x21, .private_edges = 0x0c, .candidates = 0xf},
    {.n = 5, .public_edges = 0x093, .private_edges = 0x224, .candidates = 0x1f},
    {.n = 5, .public_edges = 0x093, .private_edges = 0x204, .candidates = 0x1d},
};

static hrr_edge_public known_of(const small_graph *graph, const edge_arrays *edges)
{
    return (hrr_edge_public){.n_nodes = (uint64_t)graph->n,
                             .n_edges = edges->n,
                             .source = edges->source,
                             .target = edges->target};
}

/* 8000 independent chains of 300 steps from one start for each of three graphs and two schedules;
 * alpha = 1e-4 each, 6e-4 together. */
static void test_chain_public__its_law_is_the_exponential_of_the_likelihood(void **state)
{
    (void)state;
    enum { RUNS = 8000, STEPS = 300 };
    static const hrr_chain_schedule schedules[] = {
        {.whole_below = 10}, {.whole_below = 0, .one_in = 3, .steps_per_node = 3}};
    for (int g = 0; g < 3; g++)
        for (int s = 0; s < 2; s++) {
            small_trees *all = all_trees(graphs[g].n);
            const edge_arrays edges = arrays_of(graphs[g].n, graphs[g].public_edges);
            const hrr_edge_public known = known_of(&graphs[g], &edges);
            uint64_t seen[MOST_SMALL_TREES] = {0};
            double law[MOST_SMALL_TREES];
            for (uint64_t run = 0; run < RUNS; run++) {
                hrr_dendrogram tree = small_dendrogram(&all->tree[0]);
                assert_ok(
                    hrr_chain_run(&tree, &known, &schedules[s], STEPS, run + 1, 1, NULL, NULL));
                seen[small_index(all, &tree)]++;
                hrr_dendrogram_clear(&tree);
            }
            exact_law(law, all, &graphs[g], 0);
            assert_true(p_value(seen, law, all->n, RUNS) > 1e-4);
            free(all);
        }
}

/* Delta_e of PRIVACY: phi(N) - phi(N - 1) at N = floor(n^2 / 4) of the candidates. */
static double sensitivity(const small_graph *graph)
{
    const int n = __builtin_popcount(graph->candidates), most = n * n / 4;
    return phi_of(most) - phi_of(most - 1);
}

/* 6000 independent draws of 200 steps for each of three graphs; alpha = 1e-4 each. eps1 is large,
 * so that private edges matter. */
static void test_tree_single__its_law_is_the_joint_target(void **state)
{
    (void)state;
    enum { RUNS = 6000, STEPS = 200, EPS = 12 };
    for (int g = 0; g < 3; g++) {
        small_trees *all = all_trees(graphs[g].n);
        const edge_arrays edges = arrays_of(graphs[g].n, graphs[g].public_edges);
        const edge_arrays hidden = arrays_of(graphs[g].n, graphs[g].private_edges);
        hrr_edge_public known = known_of(&graphs[g], &edges);
        uint8_t candidates[MOST_SMALL_LEAVES];
        for (int v = 0; v < graphs[g].n; v++)
            candidates[v] = graphs[g].candidates >> v & 1;
        known.candidates = g == 2 ? candidates : NULL;
        const hrr_edge_secret secret = {hidden.n, hidden.source, hidden.target};
        const hrr_tree_plan plan = {.known = &known,
                                    .eps_tree_nano = EPS * UINT64_C(1000000000),
                                    .start = small_dendrogram(&all->tree[1]),
                                    .chain_steps = STEPS};
        uint64_t seen[MOST_SMALL_TREES] = {0};
        double law[MOST_SMALL_TREES], without[MOST_SMALL_TREES];
        for (uint64_t run = 0; run < RUNS; run++) {
            hrr_random *random;
            hrr_dendrogram tree;
            double realised;
            assert_ok(hrr_random_new_insecure(&random, run, NULL));
            assert_ok(hrr_tree_single.draw(&tree, &realised, &plan, &secret, random, NULL, NULL));
            seen[small_index(all, &tree)]++;
            hrr_dendrogram_clear(&tree);
            hrr_random_free(random);
        }
        exact_law(law, all, &graphs[g], EPS / (2 * sensitivity(&graphs[g])));
        exact_law(without, all, &graphs[g], 0);
        assert_true(p_value(seen, law, all->n, RUNS) > 1e-4);
        assert_true(p_value(seen, without, all->n, RUNS) < 1e-6); /* the test can tell */
        hrr_dendrogram start = plan.start;
        hrr_dendrogram_clear(&start);
        free(all);
    }
}

/* ---- likelihood ----------------------------------------------------------------------------- */

static void test_likelihood__terms_are_right_for_small_and_large_counts(void **state)
{
    (void)state;
    hrr_phi phi;
    hrr_phi_init(&phi);
    for (uint64_t n = 1; n < 60; n++)
        for (uint64_t e = 0; e <= n; e++)
            assert_float_equal(hrr_term(&phi, e, n), exact_term(e, n), 1e-9);
    static const uint64_t large[][2] = {
        {1, 2048},         {30, 4000},         {2000, 100000},        {99999, 100000},
        {1, 250000000000}, {40, 250000000000}, {20000000, 1000000000}};
    for (size_t t = 0; t < sizeof large / sizeof large[0]; t++) {
        const long double e = (long double)large[t][0], n = (long double)large[t][1], q = e / n;
        const long double expected = e * logl(q) + (n - e) * log1pl(-q);
        assert_true(fabsl((long double)hrr_term(&phi, large[t][0], large[t][1]) - expected) <
                    1e-12L * fabsl(expected));
    }
}

/* ---- pieces --------------------------------------------------------------------------------- */

enum { N = 60 };

typedef struct meadow {
    hrr_dendrogram tree;
    uint32_t source[N * N], target[N * N];
    uint64_t n_edges;
    hrr_csr adjacency;
    uint64_t counts[N];
} meadow;

static void sow(meadow *out, uint64_t seed)
{
    random_tree(&out->tree, N, seed);
    assert_true(hrr_dendrogram_complete(&out->tree));
    out->n_edges = random_edges(out->source, out->target, N, 6, seed);
    assert_ok(
        hrr_adjacency_of_edges(&out->adjacency, N, out->n_edges, out->source, out->target, NULL));
    assert_ok(hrr_dendrogram_count(out->counts, &out->tree, out->n_edges, out->source, out->target,
                                   NULL));
}

static void mow(meadow *what)
{
    hrr_dendrogram_clear(&what->tree);
    hrr_csr_clear(&what->adjacency);
}

/* Thaw every piece, look at random moves in it and make them, freeze and join. */
static void shake(meadow *at, uint64_t one_in, int moves, hrr_fast_random *random)
{
    hrr_pieces pieces;
    assert_ok(hrr_pieces_cut(&pieces, &at->tree, one_in, random, NULL));
    uint32_t n_nodes = 0;
    for (uint32_t i = 0; i < pieces.n_pieces; i++) {
        hrr_piece *piece = pieces.piece + i;
        n_nodes += piece->n_internal;
        if (piece->n_internal == 1) continue;
        piece->steps = 1; /* not zero: an adjacency is wanted */
        hrr_piece_tree moving;
        assert_ok(
            hrr_piece_thaw(&moving, piece, &pieces, &at->tree, at->counts, &at->adjacency, NULL));
        for (int m = 0; m < moves; m++) {
            hrr_tree_move move;
            const uint32_t y = 1 + (uint32_t)hrr_fast_below(random, piece->n_internal - 1);
            hrr_tree_look(&move, moving.tree, y, hrr_fast_u64(random) & 1);
            hrr_tree_apply(moving.tree, &move);
        }
        hrr_piece_freeze(piece, &moving);
        hrr_piece_tree_clear(&moving);
    }
    assert_int_equal(n_nodes, N - 1);
    assert_ok(hrr_pieces_join(&at->tree, at->counts, &pieces, NULL));
    hrr_pieces_clear(&pieces);
}

static void test_pieces__put_together_they_are_the_tree_again(void **state)
{
    (void)state;
    hrr_fast_random random;
    hrr_fast_init(&random, 3, 0);
    for (uint64_t seed = 1; seed <= 20; seed++) {
        meadow at;
        hrr_dendrogram before;
        uint64_t counts[N];
        sow(&at, seed);
        assert_ok(hrr_dendrogram_copy(&before, &at.tree, NULL));
        memcpy(counts, at.counts, sizeof counts);
        shake(&at, seed % 4 * 2, 0, &random);
        assert_memory_equal(at.tree.leaf, before.leaf, N * sizeof *before.leaf);
        assert_memory_equal(at.tree.middle, before.middle, (N - 1) * sizeof *before.middle);
        assert_memory_equal(at.counts, counts, (N - 1) * sizeof *counts);
        hrr_dendrogram_clear(&before);
        mow(&at);
    }
}

static void test_pieces__counts_survive_moves_in_every_piece(void **state)
{
    (void)state;
    hrr_fast_random random;
    hrr_fast_init(&random, 4, 0);
    for (uint64_t seed = 1; seed <= 20; seed++) {
        meadow at;
        sow(&at, seed);
        for (int round = 0; round < 10; round++) {
            uint64_t counted[N];
            shake(&at, (uint64_t)round % 5 * 2, 20, &random);
            assert_true(hrr_dendrogram_complete(&at.tree));
            assert_ok(
                hrr_dendrogram_count(counted, &at.tree, at.n_edges, at.source, at.target, NULL));
            assert_memory_equal(at.counts, counted, (N - 1) * sizeof *counted);
        }
        mow(&at);
    }
}

/* ---- the public chain on larger graphs ------------------------------------------------------ */

/* A ring of n nodes with chords to the node `reach` away: communities along the ring. */
static void ring(uint32_t *source, uint32_t *target, uint32_t n, uint32_t reach, uint64_t *n_edges)
{
    *n_edges = 0;
    for (uint32_t u = 0; u < n; u++)
        for (uint32_t d = 1; d <= reach && u + d < n; d++) {
            source[*n_edges] = u;
            target[(*n_edges)++] = u + d;
        }
}

static void test_chain_public__threads_do_not_change_the_tree(void **state)
{
    (void)state;
    enum { n = 5000, reach = 4 };
    uint32_t *source = malloc(n * reach * sizeof *source),
             *target = malloc(n * reach * sizeof *target);
    uint64_t n_edges;
    ring(source, target, n, reach, &n_edges);
    const hrr_edge_public known = {
        .n_nodes = n, .n_edges = n_edges, .source = source, .target = target};
    hrr_dendrogram tree[3];
    double before = 0, after[3];
    for (int t = 0; t < 3; t++) {
        assert_ok(hrr_start_random(&tree[t], n, 9, NULL));
        assert_ok(hrr_dendrogram_likelihood(&before, &tree[t], n_edges, source, target, NULL));
        assert_ok(hrr_chain_public(&tree[t], &known, 50 * n, 7, 1 << t, NULL, NULL));
        assert_ok(hrr_dendrogram_likelihood(&after[t], &tree[t], n_edges, source, target, NULL));
        assert_memory_equal(tree[t].leaf, tree[0].leaf, n * sizeof *tree[0].leaf);
        assert_memory_equal(tree[t].middle, tree[0].middle, (n - 1) * sizeof *tree[0].middle);
    }
    assert_true(after[0] > before + 1000);
    for (int t = 0; t < 3; t++)
        hrr_dendrogram_clear(&tree[t]);
    free(source);
    free(target);
}

static const hrr_chain_schedule cut_small = {.whole_below = 0, .one_in = 3, .steps_per_node = 5};

static void test_chain_public__odd_graphs_are_fine(void **state)
{
    (void)state;
    enum { n = 30 };
    uint32_t star_source[n], star_target[n], pieces_source[n], pieces_target[n];
    for (uint32_t v = 0; v + 1 < n; v++)
        star_source[v] = 0, star_target[v] = v + 1;
    for (uint32_t v = 0; v < n / 2; v++)
        pieces_source[v] = 2 * v, pieces_target[v] = 2 * v + 1;
    const struct {
        uint32_t n;
        uint64_t n_edges;
        const uint32_t *source, *target;
    } graph[] = {{1, 0, NULL, NULL},
                 {2, 0, NULL, NULL},
                 {2, 1, star_source, star_target},
                 {3, 2, star_source, star_target},
                 {n, 0, NULL, NULL},
                 {n, n - 1, star_source, star_target},
                 {n, n / 2, pieces_source, pieces_target}};
    for (size_t g = 0; g < sizeof graph / sizeof graph[0]; g++)
        for (int cut = 0; cut < 2; cut++) {
            hrr_dendrogram tree;
            double likelihood;
            const hrr_edge_public known = {.n_nodes = graph[g].n,
                                           .n_edges = graph[g].n_edges,
                                           .source = graph[g].source,
                                           .target = graph[g].target};
            assert_ok(hrr_start_random(&tree, graph[g].n, 1, NULL));
            assert_true(hrr_dendrogram_complete(&tree));
            assert_ok(hrr_chain_run(&tree, &known, cut ? &cut_small : &hrr_chain_default, 2000, 1,
                                    1, NULL, NULL));
            assert_true(hrr_dendrogram_complete(&tree));
            assert_ok(hrr_dendrogram_likelihood(&likelihood, &tree, known.n_edges, known.source,
                                                known.target, NULL));
            assert_true(likelihood <= 1e-9 && (known.n_edges > 0 || likelihood == 0));
            hrr_dendrogram_clear(&tree);
        }
}

/* Six nodes that are all joined and six that are alone: the best trees have likelihood 0. */
static void test_chain_public__finds_a_clique_among_strangers(void **state)
{
    (void)state;
    enum { n = 12 };
    uint32_t source[n * n], target[n * n];
    uint64_t n_edges = 0;
    for (uint32_t u = 0; u < n / 2; u++)
        for (uint32_t v = u + 1; v < n / 2; v++)
            source[n_edges] = u, target[n_edges++] = v;
    const hrr_edge_public known = {
        .n_nodes = n, .n_edges = n_edges, .source = source, .target = target};
    hrr_dendrogram tree;
    double likelihood;
    assert_ok(hrr_start_random(&tree, n, 5, NULL));
    assert_ok(hrr_chain_public(&tree, &known, 20000, 1, 1, NULL, NULL));
    assert_ok(hrr_dendrogram_likelihood(&likelihood, &tree, n_edges, source, target, NULL));
    assert_true(likelihood > -3);
    hrr_dendrogram_clear(&tree);
}

static void test_chain_public__cancelled_it_leaves_a_tree(void **state)
{
    (void)state;
    meadow at;
    hrr_progress *progress;
    hrr_error err;
    sow(&at, 2);
    const hrr_edge_public known = {
        .n_nodes = N, .n_edges = at.n_edges, .source = at.source, .target = at.target};
    assert_ok(hrr_progress_new(&progress, NULL, NULL, NULL));
    hrr_progress_cancel(progress);
    assert_int_equal(
        hrr_chain_run(&at.tree, &known, &cut_small, UINT64_C(1) << 60, 1, 2, progress, &err),
        HRR_ECANCEL);
    assert_true(hrr_dendrogram_complete(&at.tree));
    assert_int_equal(hrr_chain_public(&at.tree, &known, UINT64_C(1) << 60, 1, 2, progress, &err),
                     HRR_ECANCEL);
    assert_true(hrr_dendrogram_complete(&at.tree));
    hrr_progress_free(progress);
    mow(&at);
}

/* ---- out of memory -------------------------------------------------------------------------- */

static hrr_status run_chain(void *user)
{
    const meadow *at = user;
    const hrr_edge_public known = {
        .n_nodes = N, .n_edges = at->n_edges, .source = at->source, .target = at->target};
    hrr_dendrogram tree;
    double likelihood;
    hrr_status status = hrr_start_random(&tree, N, 1, NULL);
    if (status) return status;
    status = hrr_chain_run(&tree, &known, &cut_small, 10 * N, 1, 1, NULL, NULL);
    assert_true(hrr_dendrogram_complete(&tree)); /* also when it failed */
    if (!status)
        status = hrr_dendrogram_likelihood(&likelihood, &tree, known.n_edges, known.source,
                                           known.target, NULL);
    hrr_dendrogram_clear(&tree);
    return status;
}

static void test_chain_public__every_allocation_may_fail(void **state)
{
    (void)state;
    meadow at;
    sow(&at, 1);
    assert_true(brutal(run_chain, &at) > 30);
    mow(&at);
}

/* ---- methods -------------------------------------------------------------------------------- */

typedef struct trial {
    const hrr_tree_method *method;
    const hrr_edge_public *known;
    const hrr_edge_secret *secret;
    uint64_t eps_nano, steps_per_node;
    const hrr_random *random;
} trial;

/* Prepare and draw; out may be NULL. */
static hrr_status run_method(const trial *what, hrr_dendrogram *out)
{
    hrr_edge_options options;
    hrr_edge_options_init(&options);
    options.steps_per_node = what->steps_per_node;
    options.threads = 1;
    hrr_tree_plan plan = {
        .known = what->known, .options = &options, .eps_tree_nano = what->eps_nano};
    hrr_dendrogram tree;
    double realised;
    hrr_status status = what->method->prepare(&plan, NULL, NULL);
    if (status) return status;
    status = what->method->draw(&tree, &realised, &plan, what->secret, what->random, NULL, NULL);
    hrr_dendrogram_clear(&plan.start);
    if (status) return status;
    assert_true(hrr_dendrogram_complete(&tree));
    if (out)
        *out = tree;
    else
        hrr_dendrogram_clear(&tree);
    return HRR_OK;
}

static hrr_status run_trial(void *user)
{
    return run_method(user, NULL);
}

static const hrr_tree_method *const methods[] = {&hrr_tree_public, &hrr_tree_single,
                                                 &hrr_tree_paper};

/* Public edges as sown; private ones among the pairs that are none. */
typedef struct secrets {
    uint32_t source[N * N], target[N * N];
    hrr_edge_secret secret;
} secrets;

static void hide(secrets *out, const meadow *at, uint64_t seed)
{
    const uint64_t n = random_edges(out->source, out->target, N, 10, seed);
    uint64_t kept = 0, e = 0;
    for (uint64_t p = 0; p < n; p++) {
        while (e < at->n_edges &&
               (at->source[e] < out->source[p] ||
                (at->source[e] == out->source[p] && at->target[e] < out->target[p])))
            e++;
        if (e < at->n_edges && at->source[e] == out->source[p] && at->target[e] == out->target[p])
            continue;
        out->source[kept] = out->source[p];
        out->target[kept++] = out->target[p];
    }
    out->secret = (hrr_edge_secret){kept, out->source, out->target};
}

/* The trees of two secrets by the same draws, 60 steps a node. */
static void draw_two(hrr_dendrogram tree[2], const hrr_tree_method *method,
                     const hrr_edge_public *known, const secrets hidden[2], uint64_t eps_nano)
{
    hrr_random *random;
    assert_ok(hrr_random_new_insecure(&random, 1, NULL));
    for (int s = 0; s < 2; s++) {
        const trial what = {method, known, &hidden[s].secret, eps_nano, 60, random};
        assert_ok(run_method(&what, &tree[s]));
    }
    hrr_random_free(random);
}

/* With nothing to spend the private edges may not move a single leaf: in the public steps of the
 * published chain as well. 60 steps a node end before it first asks whether it has converged. */
static void test_methods__without_budget_private_edges_change_nothing(void **state)
{
    (void)state;
    meadow at;
    static secrets hidden[2];
    sow(&at, 6);
    hide(&hidden[0], &at, 100);
    hide(&hidden[1], &at, 200);
    uint8_t candidates[N];
    for (uint32_t v = 0; v < N; v++)
        candidates[v] = 1;
    for (int m = 0; m < 3; m++)
        for (int with = 0; with < 2; with++) {
            const hrr_edge_public known = {.n_nodes = N,
                                           .n_edges = at.n_edges,
                                           .source = at.source,
                                           .target = at.target,
                                           .candidates = with ? candidates : NULL};
            hrr_dendrogram tree[2];
            draw_two(tree, methods[m], &known, hidden, 0);
            assert_memory_equal(tree[0].leaf, tree[1].leaf, N * sizeof *tree[0].leaf);
            assert_memory_equal(tree[0].middle, tree[1].middle, (N - 1) * sizeof *tree[0].middle);
            hrr_dendrogram_clear(&tree[0]);
            hrr_dendrogram_clear(&tree[1]);
        }
    mow(&at);
}

/* With a budget they do, but for the public tree. */
static void test_methods__with_budget_private_edges_shape_the_tree(void **state)
{
    (void)state;
    meadow at;
    static secrets hidden[2];
    sow(&at, 6);
    hide(&hidden[0], &at, 100);
    hide(&hidden[1], &at, 200);
    const hrr_edge_public known = {
        .n_nodes = N, .n_edges = at.n_edges, .source = at.source, .target = at.target};
    for (int m = 0; m < 3; m++) {
        hrr_dendrogram tree[2];
        draw_two(tree, methods[m], &known, hidden, UINT64_C(20000000000));
        const bool same = memcmp(tree[0].leaf, tree[1].leaf, N * sizeof *tree[0].leaf) == 0;
        assert_int_equal(same, m == 0);
        hrr_dendrogram_clear(&tree[0]);
        hrr_dendrogram_clear(&tree[1]);
    }
    mow(&at);
}

static void test_methods__say_what_is_not_certified(void **state)
{
    (void)state;
    static const int n_reasons[] = {0, 1, 5};
    meadow at;
    sow(&at, 6);
    const hrr_edge_public known = {
        .n_nodes = N, .n_edges = at.n_edges, .source = at.source, .target = at.target};
    for (int m = 0; m < 3; m++) {
        hrr_edge_options options;
        hrr_edge_options_init(&options);
        hrr_tree_plan plan = {.known = &known, .options = &options, .eps_tree_nano = 1000000000};
        assert_ok(methods[m]->prepare(&plan, NULL, NULL));
        int n = 0;
        while (methods[m]->not_certified && methods[m]->not_certified[n])
            n++;
        assert_int_equal(n, n_reasons[m]);
        assert_null(methods[m]->realised);
        assert_int_equal(plan.chain_steps % N, 0);
        assert_true(plan.chain_steps > 0);
        hrr_dendrogram_clear(&plan.start);
    }
    mow(&at);
}

static void test_methods__tiny_graphs_and_failing_allocations(void **state)
{
    (void)state;
    hrr_random *random;
    assert_ok(hrr_random_new_insecure(&random, 1, NULL));
    const uint32_t source[] = {0, 1}, target[] = {1, 2}, hidden_source = 0, hidden_target = 2;
    uint8_t candidates[] = {1, 0, 1};
    const hrr_edge_secret none = {0, NULL, NULL}, one = {1, &hidden_source, &hidden_target};
    for (int m = 0; m < 3; m++) {
        for (uint64_t n = 1; n <= 3; n++) {
            const hrr_edge_public known = {
                .n_nodes = n, .n_edges = n - 1, .source = source, .target = target};
            trial what = {methods[m], &known, n == 3 ? &one : &none, 1000000000, 20, random};
            assert_ok(run_method(&what, NULL));
        }
        const hrr_edge_public known = {.n_nodes = 3,
                                       .n_edges = 2,
                                       .source = source,
                                       .target = target,
                                       .candidates = candidates};
        trial what = {methods[m], &known, &one, 1000000000, 20, random};
        assert_true(brutal(run_trial, &what) > 5);
    }
    hrr_random_free(random);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_chain_public__its_law_is_the_exponential_of_the_likelihood),
        cmocka_unit_test(test_tree_single__its_law_is_the_joint_target),
        cmocka_unit_test(test_likelihood__terms_are_right_for_small_and_large_counts),
        cmocka_unit_test(test_pieces__put_together_they_are_the_tree_again),
        cmocka_unit_test(test_pieces__counts_survive_moves_in_every_piece),
        cmocka_unit_test(test_chain_public__threads_do_not_change_the_tree),
        cmocka_unit_test(test_chain_public__odd_graphs_are_fine),
        cmocka_unit_test(test_chain_public__finds_a_clique_among_strangers),
        cmocka_unit_test(test_chain_public__cancelled_it_leaves_a_tree),
        cmocka_unit_test(test_chain_public__every_allocation_may_fail),
        cmocka_unit_test(test_methods__without_budget_private_edges_change_nothing),
        cmocka_unit_test(test_methods__with_budget_private_edges_shape_the_tree),
        cmocka_unit_test(test_methods__say_what_is_not_certified),
        cmocka_unit_test(test_methods__tiny_graphs_and_failing_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
