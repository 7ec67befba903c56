/* Noisy counts: every candidate pair is in one query, and the joint law of the answers is eps-DP,
 * computed exactly over all graphs on small trees; wrong ways of counting that must be caught. */
#include "support/brutal.h"
#include "support/dendrograms.h"
#include "support/graphs.h"
#include "edge/counts.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

enum { most_pairs = 16 };

static const hrr_query_rule all_rules[] = {HRR_QUERIES_EACH, HRR_QUERIES_SUBTREES,
                                           HRR_QUERIES_GROUPS, HRR_QUERIES_PAPER, HRR_QUERIES_ONE};
enum { n_rules = 5 };

static hrr_random *seeded(uint64_t seed)
{
    hrr_random *random;
    assert_ok(hrr_random_new_insecure(&random, seed, NULL));
    return random;
}

/* ---- queries -------------------------------------------------------------------------------- */

/* Candidate pairs in canonical order; returns how many. */
static uint32_t list_pairs(uint32_t pairs[][2], const hrr_edge_public *known)
{
    uint32_t n = 0;
    for (uint32_t u = 0; u < known->n_nodes; u++)
        for (uint32_t v = u + 1; v < known->n_nodes; v++) {
            bool is_pair = !known->candidates || (known->candidates[u] && known->candidates[v]);
            for (uint64_t e = 0; e < known->n_edges; e++)
                is_pair &= !(known->source[e] == u && known->target[e] == v);
            if (is_pair) pairs[n][0] = u, pairs[n++][1] = v;
        }
    return n;
}

/* The answers without noise. */
static void count_exactly(int64_t *answers, const hrr_queries *queries, const hrr_dendrogram *tree,
                          uint64_t n_edges, const uint32_t *source, const uint32_t *target)
{
    uint64_t counts[64];
    assert_in_range(tree->n_leaves, 1, 64);
    assert_ok(hrr_dendrogram_count(counts, tree, n_edges, source, target, NULL));
    for (uint32_t q = 0; q < queries->n_queries; q++)
        answers[q] = 0;
    for (uint32_t r = 0; r < queries->n_internal; r++)
        answers[queries->query[r]] += (int64_t)counts[r];
}

static void test_edge_counts__every_pair_counted_once(void **state)
{
    (void)state;
    for (uint32_t n = 1; n <= 20; n++)
        for (int rule = 0; rule < n_rules; rule++)
            for (int with = 0; with < 4; with++) {
                hrr_dendrogram tree;
                random_tree(&tree, n, n + 100);
                assert_true(hrr_dendrogram_complete(&tree));
                uint8_t some[20];
                for (uint32_t i = 0; i < n; i++)
                    some[i] = i % 3 != 0;
                uint32_t source[190], target[190], pairs[190][2];
                hrr_edge_public known = {.n_nodes = n,
                                         .source = source,
                                         .target = target,
                                         .candidates = with & 1 ? some : NULL};
                if (with & 2) known.n_edges = random_edges(source, target, n, 4, n);
                const uint32_t n_pairs = list_pairs(pairs, &known);
                for (uint64_t eps = 1; eps <= HRR_EPS_MAX; eps *= 1000) {
                    hrr_queries queries;
                    assert_ok(
                        hrr_queries_init(&queries, &tree, &known, all_rules[rule], eps, NULL));
                    uint64_t covered[19] = {0}, total = 0;
                    for (uint32_t i = 0; i < n_pairs; i++) {
                        int64_t answers[19];
                        int hits = 0;
                        count_exactly(answers, &queries, &tree, 1, &pairs[i][0], &pairs[i][1]);
                        for (uint32_t q = 0; q < queries.n_queries; q++) {
                            assert_in_range(answers[q], 0, 1);
                            hits += (int)answers[q];
                            covered[q] += (uint64_t)answers[q];
                        }
                        assert_int_equal(hits, 1);
                    }
                    for (uint32_t q = 0; q < queries.n_queries; q++) {
                        assert_int_equal(queries.pairs[q], covered[q]);
                        total += queries.pairs[q];
                    }
                    assert_int_equal(total, n_pairs);
                    hrr_queries_clear(&queries);
                }
                hrr_dendrogram_clear(&tree);
            }
}

static void test_queries__follow_their_rules(void **state)
{
    (void)state;
    /* A caterpillar and a balanced tree of 64 leaves. */
    for (int balanced = 0; balanced < 2; balanced++) {
        enum { n = 64 };
        hrr_dendrogram tree;
        assert_ok(hrr_dendrogram_init(&tree, n, NULL));
        for (uint32_t p = 0; p < n; p++)
            tree.leaf[p] = p;
        tree.begin[0] = 0, tree.end[0] = n;
        for (uint32_t r = 0; r + 1 < n; r++) {
            const uint32_t begin = tree.begin[r], end = tree.end[r];
            tree.middle[r] = balanced ? (begin + end) / 2 : begin + 1;
            const uint32_t middle = tree.middle[r], right = r + (middle - begin);
            if (middle - begin > 1) tree.begin[r + 1] = begin, tree.end[r + 1] = middle;
            if (end - middle > 1) tree.begin[right] = middle, tree.end[right] = end;
        }
        assert_true(hrr_dendrogram_complete(&tree));
        const hrr_edge_public known = {.n_nodes = n};
        hrr_queries queries;
        assert_ok(hrr_queries_init(&queries, &tree, &known, HRR_QUERIES_EACH, HRR_EPS_UNIT, NULL));
        assert_int_equal(queries.n_queries, n - 1);
        assert_null(queries.weight);
        hrr_queries_clear(&queries);
        assert_ok(hrr_queries_init(&queries, &tree, &known, HRR_QUERIES_ONE, HRR_EPS_UNIT, NULL));
        assert_int_equal(queries.n_queries, 1);
        assert_int_equal(queries.pairs[0], n * (n - 1) / 2);
        hrr_queries_clear(&queries);
        /* 28 leaves have 378 pairs, 29 have 406. Balanced: 16 leaves are the largest block below.
         */
        assert_ok(
            hrr_queries_init(&queries, &tree, &known, HRR_QUERIES_SUBTREES, HRR_EPS_UNIT, NULL));
        assert_int_equal(queries.n_queries, balanced ? 3 + 4 : n - 28 + 1);
        hrr_queries_clear(&queries);
        /* eps = 0.9: blocks of up to 22 pairs in subtrees with s (s - 1) <= 111, so s <= 11. A
         * balanced one of 8 has 16 pairs at its top; a caterpillar of s has s - 1. */
        assert_ok(hrr_queries_init(&queries, &tree, &known, HRR_QUERIES_PAPER, 900000000, NULL));
        assert_int_equal(queries.n_queries, balanced ? 7 + 8 : n - 11 + 1);
        hrr_queries_clear(&queries);
        hrr_dendrogram_clear(&tree);
    }
}

/* The bound on the deviation of the total: queries * variance <= (2% of the private edges)^2, if
 * they are a twentieth of the public ones; at least 4 queries are allowed. */
static void test_queries__groups_bound_the_deviation_of_the_total(void **state)
{
    (void)state;
    enum { n = 200 };
    static uint32_t source[n * n / 2], target[n * n / 2];
    for (uint64_t one_in = 2; one_in <= 8; one_in *= 2) {
        hrr_dendrogram tree;
        random_tree(&tree, n, one_in);
        assert_true(hrr_dendrogram_complete(&tree));
        hrr_edge_public known = {.n_nodes = n, .source = source, .target = target};
        known.n_edges = random_edges(source, target, n, one_in, one_in);
        uint32_t last = 0;
        for (uint64_t eps = HRR_EPS_UNIT / 10; eps <= HRR_EPS_MAX; eps *= 2) {
            hrr_queries queries;
            assert_ok(hrr_queries_init(&queries, &tree, &known, HRR_QUERIES_GROUPS, eps, NULL));
            const double alpha = exp(-(double)eps / HRR_EPS_UNIT);
            const double variance = 2 * alpha / ((1 - alpha) * (1 - alpha));
            const double deviation = .02 * .05 * (double)known.n_edges;
            const double limit = fmax(deviation * deviation / variance, 4);
            assert_true(queries.n_queries <= limit + 1); /* + 1: what is left over at the root */
            assert_true(queries.n_queries >= last);
            last = queries.n_queries;
            hrr_queries_clear(&queries);
        }
        assert_int_equal(last, n - 1);
        hrr_dendrogram_clear(&tree);
    }
}

/* ---- exact epsilon -------------------------------------------------------------------------- */

/* P(noise = y), eps = 1, renormalised to |y| <= 12: both factors cancel in ratios inside. */
enum { reach = 12 };

static double noise_law(int64_t y)
{
    const double a = exp(-1.);
    return y < -reach || y > reach ? 0 : (1 - a) / (1 + a) * pow(a, (double)llabs(y));
}

/* The largest |ln P(out | one) / P(out | other)| over the outputs that both can show, for answers
 * with independent noise: the sum over answers of the largest log-ratio of a shifted law. */
static double exact_epsilon(const int64_t *one, const int64_t *other, uint32_t n)
{
    double epsilon = 0;
    for (uint32_t q = 0; q < n; q++) {
        double largest = 0;
        for (int64_t y = -reach; y <= reach; y++) {
            const double p = noise_law(y - one[q]), p2 = noise_law(y - other[q]);
            if (p > 0 && p2 > 0) largest = fmax(largest, fabs(log(p / p2)));
        }
        epsilon += largest;
    }
    return epsilon;
}

/* How a way of counting answers for the edge set `bits` over the candidate pairs. */
typedef uint32_t counting(int64_t *answers, const hrr_dendrogram *tree,
                          const hrr_edge_public *known, const uint32_t pairs[][2], uint32_t n_pairs,
                          uint32_t bits, int rule);

static uint32_t list_edges(uint32_t *source, uint32_t *target, const uint32_t pairs[][2],
                           uint32_t n_pairs, uint32_t bits)
{
    uint32_t m = 0;
    for (uint32_t i = 0; i < n_pairs; i++)
        if (bits >> i & 1) source[m] = pairs[i][0], target[m++] = pairs[i][1];
    return m;
}

static uint32_t count_as_we_do(int64_t *answers, const hrr_dendrogram *tree,
                               const hrr_edge_public *known, const uint32_t pairs[][2],
                               uint32_t n_pairs, uint32_t bits, int rule)
{
    uint32_t source[most_pairs], target[most_pairs];
    const uint32_t m = list_edges(source, target, pairs, n_pairs, bits);
    hrr_queries queries;
    assert_ok(hrr_queries_init(&queries, tree, known, all_rules[rule], HRR_EPS_UNIT, NULL));
    count_exactly(answers, &queries, tree, m, source, target);
    const uint32_t n = queries.n_queries;
    hrr_queries_clear(&queries);
    return n;
}

/* The largest over all graphs and all their neighbours; NAN if neighbours differ in what is asked,
 * which tells them apart for certain. */
static double worst_epsilon(counting *count, const hrr_dendrogram *tree,
                            const hrr_edge_public *known, int rule)
{
    uint32_t pairs[most_pairs][2];
    const uint32_t n_pairs = list_pairs(pairs, known);
    double worst = 0;
    for (uint32_t bits = 0; bits < 1u << n_pairs; bits++)
        for (uint32_t i = 0; i < n_pairs; i++) {
            int64_t one[64], other[64];
            const uint32_t n = count(one, tree, known, pairs, n_pairs, bits, rule);
            const uint32_t n2 = count(other, tree, known, pairs, n_pairs, bits ^ 1u << i, rule);
            if (n != n2) return NAN;
            worst = fmax(worst, exact_epsilon(one, other, n));
        }
    return worst;
}

static void small_tree(hrr_dendrogram *tree, uint32_t n, uint64_t seed)
{
    random_tree(tree, n, seed);
    assert_true(hrr_dendrogram_complete(tree));
}

static void test_edge_counts__epsilon_is_exact_over_all_graphs(void **state)
{
    (void)state;
    for (uint32_t n = 2; n <= 5; n++)
        for (uint64_t seed = 0; seed < (n < 5 ? 20 : 3); seed++)
            for (int rule = 0; rule < n_rules; rule++)
                for (int with_public = 0; with_public < 2; with_public++) {
                    hrr_dendrogram tree;
                    small_tree(&tree, n, seed);
                    const uint32_t source[] = {0}, target[] = {1};
                    const hrr_edge_public known = {.n_nodes = n,
                                                   .n_edges = with_public ? 1 : 0,
                                                   .source = source,
                                                   .target = target};
                    const double eps = worst_epsilon(count_as_we_do, &tree, &known, rule);
                    assert_true(fabs(eps - (n == 2 && with_public ? 0 : 1)) < 1e-9);
                    hrr_dendrogram_clear(&tree);
                }
}

/* ---- wrong ways, which must be caught ------------------------------------------------------- */

/* Algorithm 3 line 8 read literally: each node of a collapsed subtree gets the same counted edges
 * with noise of its own. */
static uint32_t count_line_8(int64_t *answers, const hrr_dendrogram *tree,
                             const hrr_edge_public *known, const uint32_t pairs[][2],
                             uint32_t n_pairs, uint32_t bits, int rule)
{
    int64_t collapsed[64];
    (void)count_as_we_do(collapsed, tree, known, pairs, n_pairs, bits, rule);
    hrr_queries queries;
    assert_ok(hrr_queries_init(&queries, tree, known, all_rules[rule], HRR_EPS_UNIT, NULL));
    for (uint32_t r = 0; r < queries.n_internal; r++)
        answers[r] = collapsed[queries.query[r]];
    const uint32_t n = queries.n_internal;
    hrr_queries_clear(&queries);
    return n;
}

/* u-v and v-u both counted. */
static uint32_t count_twice(int64_t *answers, const hrr_dendrogram *tree,
                            const hrr_edge_public *known, const uint32_t pairs[][2],
                            uint32_t n_pairs, uint32_t bits, int rule)
{
    const uint32_t n = count_as_we_do(answers, tree, known, pairs, n_pairs, bits, rule);
    for (uint32_t q = 0; q < n; q++)
        answers[q] *= 2;
    return n;
}

/* The paper's V_pri as candidates: what is asked then depends on the secret. */
static uint32_t count_private_nodes(int64_t *answers, const hrr_dendrogram *tree,
                                    const hrr_edge_public *known, const uint32_t pairs[][2],
                                    uint32_t n_pairs, uint32_t bits, int rule)
{
    uint8_t has_edge[8] = {0};
    for (uint32_t i = 0; i < n_pairs; i++)
        if (bits >> i & 1) has_edge[pairs[i][0]] = has_edge[pairs[i][1]] = 1;
    hrr_edge_public seen = *known;
    seen.candidates = has_edge;
    hrr_queries queries;
    assert_ok(hrr_queries_init(&queries, tree, &seen, all_rules[rule], HRR_EPS_UNIT, NULL));
    uint32_t source[most_pairs], target[most_pairs], n_asked = 0;
    const uint32_t m = list_edges(source, target, pairs, n_pairs, bits);
    int64_t all[64];
    count_exactly(all, &queries, tree, m, source, target);
    for (uint32_t q = 0; q < queries.n_queries; q++)
        if (queries.pairs[q] > 0) answers[n_asked++] = all[q];
    hrr_queries_clear(&queries);
    return n_asked;
}

static void test_control__wrong_counting_is_caught(void **state)
{
    (void)state;
    hrr_dendrogram tree;
    small_tree(&tree, 4, 1);
    const hrr_edge_public known = {.n_nodes = 4};
    assert_true(fabs(worst_epsilon(count_line_8, &tree, &known, 4) - 3) < 1e-9);
    assert_true(fabs(worst_epsilon(count_twice, &tree, &known, 0) - 2) < 1e-9);
    assert_true(isnan(worst_epsilon(count_private_nodes, &tree, &known, 0)));
    hrr_dendrogram_clear(&tree);
}

/* Through the graph's door: repeated, reversed edges and self-loops count once or not at all. */
static void test_edge_counts__canonical_form_counts_once(void **state)
{
    (void)state;
    const uint32_t pairs[] = {0, 1, 1, 0, 2, 2, 3, 1, 1, 3, 1, 3, 0, 0};
    const uint8_t marks[] = {1, 1, 1, 1, 1, 1, 1};
    hrr_graph *graph = graph_of(4, 7, pairs, marks);
    assert_int_equal(hrr_graph_n_edges(graph), 2);
    hrr_dendrogram tree;
    small_tree(&tree, 4, 2);
    const hrr_edge_public known = {.n_nodes = 4};
    hrr_queries queries;
    assert_ok(hrr_queries_init(&queries, &tree, &known, HRR_QUERIES_ONE, HRR_EPS_UNIT, NULL));
    int64_t answer;
    count_exactly(&answer, &queries, &tree, hrr_graph_n_edges(graph), hrr_graph_sources(graph),
                  hrr_graph_targets(graph));
    assert_int_equal(answer, 2);
    hrr_queries_clear(&queries);
    hrr_dendrogram_clear(&tree);
    hrr_graph_free(graph);
}

/* ---- noise ---------------------------------------------------------------------------------- */

typedef struct instance {
    hrr_dendrogram tree;
    hrr_queries queries;
    hrr_edge_secret secret;
    uint32_t *source, *target;
} instance;

static instance make_instance(uint32_t n, uint64_t one_in)
{
    instance made = {.source = hrr_alloc((size_t)n * n / 2, 4),
                     .target = hrr_alloc((size_t)n * n / 2, 4)};
    small_tree(&made.tree, n, 5);
    const hrr_edge_public known = {.n_nodes = n};
    assert_ok(
        hrr_queries_init(&made.queries, &made.tree, &known, HRR_QUERIES_EACH, HRR_EPS_UNIT, NULL));
    made.secret.n_edges = one_in ? random_edges(made.source, made.target, n, one_in, 6) : 0;
    made.secret.source = made.source;
    made.secret.target = made.target;
    return made;
}

static void clear_instance(instance *made)
{
    hrr_dendrogram_clear(&made->tree);
    hrr_queries_clear(&made->queries);
    hrr_free(made->source);
    hrr_free(made->target);
}

/* The same noise whatever is counted and however many threads draw it; more than one block. */
static void test_edge_counts__noise_does_not_depend_on_threads_or_counts(void **state)
{
    (void)state;
    enum { n = 3 * HRR_COUNTS_BLOCK / 2 };
    static int64_t noise[n], noisy[n];
    double realised;
    static uint64_t counts[n];
    hrr_dendrogram tree;
    small_tree(&tree, n, 7);
    const hrr_edge_public known = {.n_nodes = n};
    hrr_queries queries;
    assert_ok(hrr_queries_init(&queries, &tree, &known, HRR_QUERIES_EACH, HRR_EPS_UNIT, NULL));
    uint32_t source[n - 1], target[n - 1]; /* a star */
    for (uint32_t i = 0; i + 1 < n; i++)
        source[i] = 0, target[i] = i + 1;
    const hrr_edge_secret none = {0}, star = {n - 1, source, target};
    hrr_random *random = seeded(1);
    assert_ok(
        hrr_noisy_counts(noise, &realised, &queries, &tree, &none, HRR_EPS_UNIT, random, 1, NULL));
    assert_ok(hrr_dendrogram_count(counts, &tree, n - 1, source, target, NULL));
    for (int threads = 1; threads <= 4; threads++) {
        assert_ok(hrr_noisy_counts(noisy, &realised, &queries, &tree, &star, HRR_EPS_UNIT, random,
                                   threads, NULL));
        for (uint32_t r = 0; r + 1 < n; r++)
            assert_int_equal(noisy[r] - noise[r], counts[r]);
    }
    hrr_random_free(random);
    hrr_queries_clear(&queries);
    hrr_dendrogram_clear(&tree);
}

/* 2000 draws x 15 queries: the mean of all noise has deviation sqrt(variance / 30000); five of them
 * are passed with probability 6e-7 for each epsilon. Tiny and huge budgets only run. */
static void test_edge_counts__noise_has_the_right_size(void **state)
{
    (void)state;
    const double eps[] = {.5, 1, 2, 4.5}, variance[] = {7.8354, 1.8413, .3620, .022719};
    instance made = make_instance(16, 3);
    int64_t exact[15], noisy[15];
    double realised;
    count_exactly(exact, &made.queries, &made.tree, made.secret.n_edges, made.source, made.target);
    for (int i = 0; i < 4; i++) {
        double sum = 0, squares = 0;
        for (uint64_t seed = 0; seed < 2000; seed++) {
            hrr_random *random = seeded(seed);
            assert_ok(hrr_noisy_counts(noisy, &realised, &made.queries, &made.tree, &made.secret,
                                       (uint64_t)(eps[i] * HRR_EPS_UNIT), random, 1, NULL));
            hrr_random_free(random);
            assert_true(realised == eps[i]);
            for (int q = 0; q < 15; q++) {
                const double noise = (double)(noisy[q] - exact[q]);
                sum += noise;
                squares += noise * noise;
            }
        }
        assert_true(fabs(sum / 30000) < 5 * sqrt(variance[i] / 30000));
        /* The fourth moment is at most 6 variance^2 + variance. */
        assert_true(fabs(squares / 30000 - variance[i]) <
                    5 * sqrt((6 * variance[i] * variance[i] + variance[i]) / 30000));
    }
    hrr_random *random = seeded(9);
    assert_ok(hrr_noisy_counts(noisy, &realised, &made.queries, &made.tree, &made.secret, 1, random,
                               1, NULL));
    assert_ok(hrr_noisy_counts(noisy, &realised, &made.queries, &made.tree, &made.secret,
                               HRR_EPS_MAX, random, 1, NULL));
    assert_memory_equal(noisy, exact, sizeof exact); /* noise at eps = 20: 4e-9 a query */
    hrr_random_free(random);
    clear_instance(&made);
}

static hrr_status queries_and_counts(void *user)
{
    instance *made = user;
    hrr_queries queries;
    uint32_t source[] = {0, 1}, target[] = {1, 2};
    const hrr_edge_public known = {made->tree.n_leaves, 2, source, target, NULL};
    hrr_status status =
        hrr_queries_init(&queries, &made->tree, &known, HRR_QUERIES_GROUPS, HRR_EPS_UNIT, NULL);
    if (status) return status;
    int64_t noisy[64];
    double realised;
    hrr_random *random;
    status = hrr_random_new_insecure(&random, 1, NULL);
    if (!status) {
        status = hrr_noisy_counts(noisy, &realised, &queries, &made->tree, &made->secret,
                                  HRR_EPS_UNIT, random, 2, NULL);
        hrr_random_free(random);
    }
    hrr_queries_clear(&queries);
    return status;
}

static void test_edge_counts__survive_lack_of_memory(void **state)
{
    (void)state;
    instance made = make_instance(40, 3);
    assert_true(brutal(queries_and_counts, &made) > 8);
    clear_instance(&made);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_edge_counts__every_pair_counted_once),
        cmocka_unit_test(test_queries__follow_their_rules),
        cmocka_unit_test(test_queries__groups_bound_the_deviation_of_the_total),
        cmocka_unit_test(test_edge_counts__epsilon_is_exact_over_all_graphs),
        cmocka_unit_test(test_control__wrong_counting_is_caught),
        cmocka_unit_test(test_edge_counts__canonical_form_counts_once),
        cmocka_unit_test(test_edge_counts__noise_does_not_depend_on_threads_or_counts),
        cmocka_unit_test(test_edge_counts__noise_has_the_right_size),
        cmocka_unit_test(test_edge_counts__survive_lack_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
