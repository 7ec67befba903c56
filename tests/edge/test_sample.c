/* Synthetic edges: candidate pairs only, none twice, as many as expected, each pair of a node
 * equally likely, and the same for any number of threads. */
#include "support/brutal.h"
#include "support/dendrograms.h"
#include "support/statistics.h"
#include "edge/sample.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

typedef struct instance {
    uint32_t n;
    hrr_dendrogram tree;
    hrr_edge_public known;
    uint32_t *source, *target;
    uint8_t *candidates;
    uint64_t *pairs;
    double *expected;
} instance;

/* public_one_in 0: no public edges. share: expected edges as a share of the pairs; 2: random. */
static instance make_instance(uint32_t n, uint64_t public_one_in, bool some, double share,
                              uint64_t seed)
{
    const size_t all = (size_t)n * n / 2 + 1;
    instance made = {.n = n,
                     .source = hrr_alloc(all, 4),
                     .target = hrr_alloc(all, 4),
                     .candidates = hrr_alloc(n, 1),
                     .pairs = hrr_alloc(n, 8),
                     .expected = hrr_alloc(n, 8)};
    random_tree(&made.tree, n, seed);
    assert_true(hrr_dendrogram_complete(&made.tree));
    made.known = (hrr_edge_public){.n_nodes = n, .source = made.source, .target = made.target};
    if (public_one_in)
        made.known.n_edges = random_edges(made.source, made.target, n, public_one_in, seed);
    for (uint32_t i = 0; i < n; i++)
        made.candidates[i] = i % 4 != 1;
    if (some) made.known.candidates = made.candidates;
    assert_ok(hrr_dendrogram_candidate_pairs(made.pairs, &made.tree, &made.known, NULL));
    hrr_fast_random random;
    hrr_fast_init(&random, seed, 3);
    for (uint32_t r = 0; r + 1 < n; r++)
        made.expected[r] =
            (double)made.pairs[r] * (share > 1 ? pow(hrr_fast_uniform(&random), 3) : share);
    return made;
}

static void clear_instance(instance *made)
{
    hrr_dendrogram_clear(&made->tree);
    hrr_free(made->source);
    hrr_free(made->target);
    hrr_free(made->candidates);
    hrr_free(made->pairs);
    hrr_free(made->expected);
}

static hrr_edge_list sample(const instance *made, hrr_sampling sampling, uint64_t seed, int threads)
{
    hrr_edge_list edges;
    assert_ok(hrr_sample_edges(&edges, &made->tree, &made->known, made->pairs, made->expected,
                               sampling, seed, threads, NULL, NULL));
    return edges;
}

static int compare(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* No self-loop, no pair twice, none public, both ends candidates. */
static void check_pairs(const instance *made, const hrr_edge_list *edges)
{
    uint64_t n = edges->n_edges + made->known.n_edges;
    uint64_t *key = hrr_alloc(n, sizeof *key);
    for (uint64_t e = 0; e < n; e++) {
        const bool is_ours = e < edges->n_edges;
        uint32_t u = is_ours ? edges->source[e] : made->source[e - edges->n_edges];
        uint32_t v = is_ours ? edges->target[e] : made->target[e - edges->n_edges];
        assert_true(u < made->n && v < made->n && u != v);
        if (is_ours && made->known.candidates)
            assert_true(made->candidates[u] && made->candidates[v]);
        key[e] = u < v ? (uint64_t)u << 32 | v : (uint64_t)v << 32 | u;
    }
    qsort(key, n, sizeof *key, compare);
    for (uint64_t e = 1; e < n; e++)
        assert_true(key[e] != key[e - 1]);
    hrr_free(key);
}

/* Every subtree (and so every node) has what was expected, to less than one. */
static void check_numbers(const instance *made, const hrr_edge_list *edges)
{
    uint64_t *counts = hrr_alloc(made->n, sizeof *counts);
    assert_ok(hrr_dendrogram_count(counts, &made->tree, edges->n_edges, edges->source,
                                   edges->target, NULL));
    for (uint32_t r = 0; r + 1 < made->n; r++) {
        double missing = 0;
        const uint32_t size = made->tree.end[r] - made->tree.begin[r] - 1;
        for (uint32_t i = r; i < r + size; i++)
            missing += made->expected[i] - (double)counts[i];
        assert_true(fabs(missing) < 1 + 1e-9);
        assert_true(fabs(made->expected[r] - (double)counts[r]) < 1 + 1e-9);
    }
    hrr_free(counts);
}

static void test_sample__is_made_of_candidate_pairs_in_the_expected_numbers(void **state)
{
    (void)state;
    const uint32_t sizes[] = {1, 2, 3, 7, 40, 150};
    const double shares[] = {0, .001, .1, .5, .9, 1, 2};
    for (int i = 0; i < 6; i++)
        for (uint64_t one_in = 0; one_in <= 4; one_in++)
            for (int some = 0; some < 2; some++)
                for (int j = 0; j < 7; j++) {
                    instance made =
                        make_instance(sizes[i], one_in, some, shares[j], (uint64_t)j + one_in);
                    hrr_edge_list edges = sample(&made, HRR_SAMPLE_ROUNDED, 1, 1);
                    check_pairs(&made, &edges);
                    check_numbers(&made, &edges);
                    hrr_edge_list_clear(&edges);
                    edges = sample(&made, HRR_SAMPLE_INDEPENDENT, 1, 1);
                    check_pairs(&made, &edges);
                    hrr_edge_list_clear(&edges);
                    clear_instance(&made);
                }
}

/* Nodes with thousands of edges, more nodes than a step, threads. */
static void test_sample__is_the_same_for_any_number_of_threads(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        instance made = make_instance(i ? 3000 : 400, 30, i == 1, .02 + .2 * (1 - i), 5);
        uint64_t most = 0;
        hrr_edge_list one = sample(&made, HRR_SAMPLE_ROUNDED, 2, 1);
        for (uint32_t r = 0; r + 1 < made.n; r++)
            most = fmax((double)most, made.expected[r]);
        assert_true(most > 4000);
        check_pairs(&made, &one);
        check_numbers(&made, &one);
        for (int threads = 2; threads <= 4; threads++) {
            hrr_edge_list other = sample(&made, HRR_SAMPLE_ROUNDED, 2, threads);
            assert_int_equal(one.n_edges, other.n_edges);
            assert_memory_equal(one.source, other.source, one.n_edges * 4);
            assert_memory_equal(one.target, other.target, one.n_edges * 4);
            hrr_edge_list_clear(&other);
        }
        hrr_edge_list other = sample(&made, HRR_SAMPLE_ROUNDED, 3, 1);
        assert_memory_not_equal(one.target, other.target, one.n_edges * 4);
        hrr_edge_list_clear(&other);
        hrr_edge_list_clear(&one);
        clear_instance(&made);
    }
}

/* One node of 6 x 5 cells (a root with two blocks), 4 public edges across, 26 pairs. Each pair must
 * be there equally often; pairs of one draw repel each other, which makes the statistic smaller
 * than chi-square, if anything. 20,000 draws, alpha 1e-6 a case: few edges (drawn) and many
 * (walked), independent. The number of edges is binomial if independent: its variance is checked
 * to five deviations (6e-7). */
static void test_sample__gives_every_pair_the_same_chance(void **state)
{
    (void)state;
    enum { n = 11, n_left = 6, n_pairs = 26, n_draws = 20000 };
    const uint32_t source[] = {0, 1, 2, 5}, target[] = {6, 8, 10, 7};
    const double wanted[] = {3.5, 20.25, 6.5};
    hrr_dendrogram tree;
    halving_tree(&tree, n);
    tree.middle[0] = n_left;
    for (uint32_t r = 1; r < n_left; r++) /* caterpillars below the root */
        tree.middle[r] = r;
    for (uint32_t r = n_left; r + 1 < n; r++)
        tree.middle[r] = r + 1;
    assert_true(hrr_dendrogram_complete(&tree));
    const hrr_edge_public known = {n, 4, source, target, NULL};
    uint64_t pairs[n - 1];
    assert_ok(hrr_dendrogram_candidate_pairs(pairs, &tree, &known, NULL));
    assert_int_equal(pairs[0], n_pairs);
    for (int i = 0; i < 3; i++) {
        const hrr_sampling sampling = i == 2 ? HRR_SAMPLE_INDEPENDENT : HRR_SAMPLE_ROUNDED;
        double expected[n - 1] = {wanted[i]}, sum = 0, squares = 0;
        uint64_t seen[n][n] = {{0}}, cells[n_pairs];
        for (uint64_t seed = 0; seed < n_draws; seed++) {
            hrr_edge_list edges;
            assert_ok(hrr_sample_edges(&edges, &tree, &known, pairs, expected, sampling, seed, 1,
                                       NULL, NULL));
            for (uint64_t e = 0; e < edges.n_edges; e++)
                seen[edges.source[e]][edges.target[e]]++;
            sum += (double)edges.n_edges;
            squares += (double)(edges.n_edges * edges.n_edges);
            hrr_edge_list_clear(&edges);
        }
        double probability[n_pairs];
        int n_cells = 0;
        for (uint32_t u = 0; u < n; u++)
            for (uint32_t v = 0; v < n; v++) {
                bool is_public = false;
                for (int e = 0; e < 4; e++)
                    is_public |= source[e] == u && target[e] == v;
                if (is_public || u >= n_left || v < n_left) {
                    assert_int_equal(seen[u][v], 0);
                    continue;
                }
                probability[n_cells] = 1. / n_pairs;
                cells[n_cells++] = seen[u][v];
            }
        assert_int_equal(n_cells, n_pairs);
        assert_true(chi_square_p(cells, probability, n_pairs) > 1e-6);
        const double mean = sum / n_draws, variance = squares / n_draws - mean * mean;
        const double p = wanted[i] / n_pairs, binomial = n_pairs * p * (1 - p);
        const double fraction = wanted[i] - floor(wanted[i]), rounding = fraction * (1 - fraction);
        const double right = i == 2 ? binomial : rounding;
        assert_true(fabs(mean - wanted[i]) < 5 * sqrt(right / n_draws));
        assert_true(fabs(variance - right) < 5 * right * sqrt(2. / n_draws) + 1e-3);
    }
    hrr_dendrogram_clear(&tree);
}

static hrr_status sample_once(void *user)
{
    const instance *made = user;
    hrr_edge_list edges;
    hrr_status status = hrr_sample_edges(&edges, &made->tree, &made->known, made->pairs,
                                         made->expected, HRR_SAMPLE_ROUNDED, 1, 2, NULL, NULL);
    hrr_edge_list_clear(&edges);
    return status;
}

static void test_sample__survives_lack_of_memory(void **state)
{
    (void)state;
    instance made = make_instance(400, 30, true, .2, 5);
    assert_true(brutal(sample_once, &made) >= 7);
    clear_instance(&made);
}

static void test_sample__can_be_cancelled(void **state)
{
    (void)state;
    instance made = make_instance(400, 30, true, .2, 5);
    hrr_progress *progress;
    hrr_edge_list edges;
    assert_ok(hrr_progress_new(&progress, NULL, NULL, NULL));
    hrr_progress_cancel(progress);
    assert_int_equal(hrr_sample_edges(&edges, &made.tree, &made.known, made.pairs, made.expected,
                                      HRR_SAMPLE_ROUNDED, 1, 2, progress, NULL),
                     HRR_ECANCEL);
    assert_null(edges.source);
    hrr_progress_free(progress);
    clear_instance(&made);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sample__is_made_of_candidate_pairs_in_the_expected_numbers),
        cmocka_unit_test(test_sample__is_the_same_for_any_number_of_threads),
        cmocka_unit_test(test_sample__gives_every_pair_the_same_chance),
        cmocka_unit_test(test_sample__survives_lack_of_memory),
        cmocka_unit_test(test_sample__can_be_cancelled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
