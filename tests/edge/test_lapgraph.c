/* LapGraph: the law of the published definition (every cell noised, the largest kept), enumerated
 * on four nodes; the law of what is drawn; the exact epsilon. */
#include "edge/tiny.h"
#include "edge/flip.h"
#include "edge/smallest.h"
#include "random/stream.h"
#include "support/statistics.h"

#include <math.h>
#include <stdlib.h>

static const double alpha = 1e-6; /* of each statistical assertion; seeds are fixed */

static double choose(int n, int k)
{
    double c = 1;
    for (int i = 0; i < k; i++)
        c = c * (n - i) / (i + 1);
    return c;
}

/* ---- two laws of one thing ------------------------------------------------------------------- */

/* P(noise >= y) for P(y) proportional to a^|y|. */
static double noise_tail(int y, double a)
{
    return y >= 1 ? pow(a, y) / (1 + a) : 1 - pow(a, 1 - y) / (1 + a);
}

/* P(the `kept` largest cells are `out`) by the definition: sum over the smallest value kept, and
 * over which cells share it; a tie of i inside and j outside falls right once in C(i + j, i). */
static double law_by_values(unsigned out, unsigned graph, double a)
{
    if (out == 0) return 1;
    const int range = (int)(-40 / log(a)) + 2;
    double sum = 0;
    for (int value = -range; value <= range; value++) {
        double above[tiny_pairs], equal[tiny_pairs], below[tiny_pairs];
        for (int i = 0; i < tiny_pairs; i++) {
            const int noise = value - (int)(graph >> i & 1);
            above[i] = noise_tail(noise + 1, a);
            equal[i] = noise_tail(noise, a) - above[i];
            below[i] = 1 - noise_tail(noise, a);
        }
        for (unsigned tied = 1; tied < tiny_masks; tied++) {
            if (!(tied & out)) continue;
            double p = 1 / choose(__builtin_popcount(tied), __builtin_popcount(tied & out));
            for (int i = 0; i < tiny_pairs; i++)
                p *= tied >> i & 1 ? equal[i] : out >> i & 1 ? above[i] : below[i];
            sum += p;
        }
    }
    return sum;
}

/* The same by yeses and noes: the law that lapgraph.c draws from. */
static double law_by_answers(unsigned out, unsigned graph, double a)
{
    const int kept = __builtin_popcount(out);
    double sum = 0;
    for (unsigned yes = 0; yes < tiny_masks; yes++) {
        const int n_yes = __builtin_popcount(yes), lies = __builtin_popcount(yes ^ graph);
        const double p = pow(a, lies) / pow(1 + a, tiny_pairs);
        if (n_yes >= kept)
            sum += (out & ~yes) == 0 ? p / choose(n_yes, kept) : 0;
        else
            sum += (yes & ~out) == 0 ? p / choose(tiny_pairs - n_yes, kept - n_yes) : 0;
    }
    return sum;
}

static void test_lapgraph__largest_values_are_uniform_choices_among_answers(void **state)
{
    (void)state;
    static const double eps[] = {.3, .99, 3};
    for (int e = 0; e < 3; e++)
        for (unsigned graph = 0; graph < tiny_masks; graph = 2 * graph + 1)
            for (unsigned out = 0; out < tiny_masks; out++) {
                const double a = exp(-eps[e]);
                assert_true(fabs(law_by_values(out, graph, a) - law_by_answers(out, graph, a)) <
                            1e-12);
            }
}

/* ---- the law of a release ---------------------------------------------------------------------
 */

typedef struct release_law {
    double p[tiny_masks][tiny_masks]; /* [graph][out] */
} release_law;

/* The count is clamped to 0..most; `kept` has the law of n_edges + noise there. */
static double law_of_count(int kept, int n_edges, int most, double a)
{
    const double at_least = kept == 0 ? 1 : noise_tail(kept - n_edges, a);
    return kept == most ? at_least : at_least - noise_tail(kept + 1 - n_edges, a);
}

static release_law *law_of_release(uint64_t eps_nano, int most)
{
    release_law *law = malloc(sizeof *law);
    const uint64_t weight = hrr_flip_weight(eps_nano - eps_nano / 100);
    const double a_cells = (double)weight / (0x1p64 - (double)weight);
    const double a_count = exp(-(double)(eps_nano / 100) / HRR_EPS_UNIT);
    for (unsigned graph = 0; graph < tiny_masks; graph++)
        for (unsigned out = 0; out < tiny_masks; out++) {
            const int kept = __builtin_popcount(out);
            law->p[graph][out] =
                kept > most ? 0
                            : law_of_count(kept, __builtin_popcount(graph), most, a_count) *
                                  law_by_answers(out, graph, a_cells);
        }
    return law;
}

/* All graphs, all neighbours, all outcomes: the claim holds, and is not far from what is needed. */
static void test_lapgraph__exact_epsilon_is_within_the_claim(void **state)
{
    (void)state;
    static const uint64_t eps[] = {HRR_EPS_UNIT / 2, HRR_EPS_UNIT, 4 * HRR_EPS_UNIT};
    for (int e = 0; e < 3; e++)
        for (int most = 1; most <= tiny_pairs; most++) {
            hrr_edge_options options = edge_options("lapgraph", eps[e]);
            options.most_edges_out = (uint64_t)most;
            hrr_edge_plan *plan = tiny_plan(&options);
            const double claimed = hrr_edge_plan_claim(plan).realised_eps;
            hrr_edge_plan_free(plan);
            release_law *law = law_of_release(eps[e], most);
            double worst = 0;
            for (unsigned graph = 0; graph < tiny_masks; graph++)
                for (int i = 0; i < tiny_pairs; i++)
                    for (unsigned out = 0; out < tiny_masks; out++)
                        if (__builtin_popcount(out) <= most)
                            worst =
                                fmax(worst, log(law->p[graph][out] / law->p[graph ^ 1u << i][out]));
            assert_true(claimed <= (double)eps[e] / HRR_EPS_UNIT);
            assert_true(worst <= claimed + 1e-12);
            assert_true(worst > .4 * claimed);
            free(law);
        }
}

/* Outcomes that expect fewer than 20 are tested together. */
static double law_p(const uint64_t *count, const double *law, int draws)
{
    uint64_t observed[tiny_masks + 1] = {0};
    double probability[tiny_masks + 1] = {0};
    size_t cells = 1;
    for (int out = 0; out < tiny_masks; out++) {
        const size_t cell = law[out] * draws < 20 ? 0 : cells++;
        observed[cell] += count[out];
        probability[cell] += law[out];
    }
    if (probability[0] * draws < 20) { /* nothing to test there but impossible outcomes */
        if (probability[0] == 0) assert_int_equal(observed[0], 0);
        observed[1] += observed[0];
        probability[1] += probability[0];
        return chi_square_p(observed + 1, probability + 1, cells - 1);
    }
    return chi_square_p(observed, probability, cells);
}

/* 20,000 releases each: three graphs, three clamps, two budgets. */
static void test_lapgraph__has_its_law(void **state)
{
    (void)state;
    static const unsigned graphs[] = {0, 9, 62};
    static const int most[] = {1, 3, 6};
    static const uint64_t eps[] = {HRR_EPS_UNIT, 20 * HRR_EPS_UNIT};
    for (int e = 0; e < 2; e++)
        for (int m = 0; m < 3; m++) {
            release_law *law = law_of_release(eps[e], most[m]);
            hrr_edge_options options = edge_options("lapgraph", eps[e]);
            options.most_edges_out = (uint64_t)most[m];
            hrr_edge_plan *plan = tiny_plan(&options);
            for (int g = 0; g < 3; g++) {
                uint64_t count[tiny_masks];
                count_masks(count, plan, graphs[g], 20000, 23);
                const double p = law_p(count, law->p[graphs[g]], 20000);
                if (p <= alpha)
                    fail_msg("eps %d, most %d, graph %u: p = %g", e, most[m], graphs[g], p);
            }
            hrr_edge_plan_free(plan);
            free(law);
        }
}

static void test_lapgraph__the_test_catches_another_epsilon(void **state)
{
    (void)state;
    release_law *law = law_of_release(HRR_EPS_UNIT, 3);
    hrr_edge_options options = edge_options("lapgraph", HRR_EPS_UNIT * 13 / 10);
    options.most_edges_out = 3;
    hrr_edge_plan *plan = tiny_plan(&options);
    uint64_t count[tiny_masks];
    count_masks(count, plan, 9, 20000, 23);
    assert_true(law_p(count, law->p[9], 20000) < alpha);
    hrr_edge_plan_free(plan);
    free(law);
}

/* ---- larger graphs against the matrix ----------------------------------------------------------
 */

enum { n_nodes = 30, n_cells = n_nodes * (n_nodes - 1) / 2, n_edges = 60, runs = 2000 };

typedef struct cell_value {
    int64_t value;
    uint64_t tie;
    bool edge;
} cell_value;

static int largest_first(const void *a, const void *b)
{
    const cell_value *x = a, *y = b;
    if (x->value != y->value) return x->value < y->value ? 1 : -1;
    return (x->tie > y->tie) - (x->tie < y->tie);
}

/* The definition, cell by cell: how many are kept, and how many of them are edges. */
static void draw_by_matrix(int *kept, int *true_kept, hrr_stream *stream, uint64_t eps1,
                           uint64_t eps2)
{
    cell_value cell[n_cells];
    for (int i = 0; i < n_cells; i++) {
        cell[i] = (cell_value){.tie = hrr_stream_u64(stream), .edge = i < n_edges};
        cell[i].value = cell[i].edge + hrr_sample_laplace(stream, eps2, HRR_EPS_UNIT);
    }
    qsort(cell, n_cells, sizeof cell[0], largest_first);
    const int64_t count = n_edges + hrr_sample_laplace(stream, eps1, HRR_EPS_UNIT);
    *kept = count < 0 ? 0 : count > n_cells ? n_cells : (int)count;
    *true_kept = 0;
    for (int i = 0; i < *kept; i++)
        *true_kept += cell[i].edge;
}

/* Means of two samples of `runs` within five standard errors: fails a correct pair of samplers once
 * in 1.7 million. */
static void assert_same_mean(const double *x, const double *y)
{
    double mean[2] = {0}, square[2] = {0};
    for (int i = 0; i < runs; i++) {
        mean[0] += x[i] / runs, square[0] += x[i] * x[i] / runs;
        mean[1] += y[i] / runs, square[1] += y[i] * y[i] / runs;
    }
    const double variance = square[0] - mean[0] * mean[0] + square[1] - mean[1] * mean[1];
    if (fabs(mean[0] - mean[1]) > 5 * sqrt(variance / runs))
        fail_msg("%g and %g differ", mean[0], mean[1]);
}

static void test_lapgraph__agrees_with_the_matrix(void **state)
{
    (void)state;
    const uint64_t eps = 4 * HRR_EPS_UNIT;
    uint32_t source[n_edges], target[n_edges];
    uint64_t n = 0;
    for (uint32_t u = 0; u < n_nodes && n < n_edges; u++)
        for (uint32_t v = u + 1; v < n_nodes && n < n_edges; v += 5)
            source[n] = u, target[n++] = v;
    assert_int_equal(n, n_edges);
    const hrr_edge_public known = {.n_nodes = n_nodes};
    const hrr_edge_secret secret = {n_edges, source, target};
    hrr_edge_options options = edge_options("lapgraph", eps);
    hrr_edge_plan *plan = plan_of(&known, &options);
    hrr_random *parent = seeded(4), *random;
    hrr_stream *stream;
    assert_ok(hrr_stream_new(&stream, parent, NULL));
    hrr_stream_seek(stream, HRR_PURPOSE_TEST, 0);
    static double ours[4][runs], theirs[4][runs]; /* kept, true kept, and their squares */
    for (int run = 0; run < runs; run++) {
        hrr_edge_release released;
        assert_ok(hrr_random_new_child(&random, parent, NULL));
        assert_ok(hrr_edge_plan_draw(&released, plan, &secret, random, NULL, NULL));
        hrr_random_free(random);
        assert_release_is_sound(&released.edges, &known);
        int true_kept = 0, kept;
        for (uint64_t e = 0; e < released.edges.n_edges; e++)
            for (int i = 0; i < n_edges; i++)
                true_kept +=
                    released.edges.source[e] == source[i] && released.edges.target[e] == target[i];
        ours[0][run] = (double)released.edges.n_edges, ours[1][run] = true_kept;
        hrr_edge_release_clear(&released);
        draw_by_matrix(&kept, &true_kept, stream, eps / 100, eps - eps / 100);
        theirs[0][run] = kept, theirs[1][run] = true_kept;
        for (int i = 0; i < 2; i++) {
            ours[2 + i][run] = ours[i][run] * ours[i][run];
            theirs[2 + i][run] = theirs[i][run] * theirs[i][run];
        }
    }
    for (int i = 0; i < 4; i++)
        assert_same_mean(ours[i], theirs[i]);
    hrr_stream_free(stream);
    hrr_random_free(parent);
    hrr_edge_plan_free(plan);
}

static void test_lapgraph__does_not_depend_on_the_threads(void **state)
{
    (void)state;
    enum { n = 3000, m = 100000 };
    uint32_t *source = malloc(m * sizeof *source), *target = malloc(m * sizeof *target);
    for (uint32_t e = 0; e < m; e++)
        source[e] = e / 50, target[e] = e / 50 + 1 + e % 50;
    const hrr_edge_public known = {.n_nodes = n};
    const hrr_edge_secret secret = {m, source, target};
    const uint64_t n_released =
        assert_threads_do_not_show(&known, &secret, edge_options("lapgraph", HRR_EPS_UNIT));
    assert_in_range(n_released, m - 3000, m + 3000);
    free(source);
    free(target);
}

/* ---- refusals and statements -------------------------------------------------------------------
 */

static void test_lapgraph__needs_a_budget_that_can_be_split(void **state)
{
    (void)state;
    const hrr_edge_public known = {.n_nodes = 4};
    hrr_edge_options options = edge_options("lapgraph", 99);
    hrr_edge_plan *plan;
    hrr_error err;
    assert_int_equal(hrr_edge_plan_new(&plan, &known, &options, NULL, &err), HRR_EINVAL);
    assert_says(err, "1e-7");
    options.eps_nano = 100;
    plan = plan_of(&known, &options);
    hrr_edge_plan_free(plan);
}

static void test_lapgraph__says_that_the_count_is_clamped(void **state)
{
    (void)state;
    hrr_edge_options options = edge_options("lapgraph", HRR_EPS_UNIT);
    hrr_edge_plan *plan = tiny_plan(&options);
    assert_non_null(strstr(hrr_edge_plan_claim(plan).statement, "clamped to 0..6"));
    hrr_edge_plan_free(plan);
}

/* ---- the smallest ranks ------------------------------------------------------------------------
 */

static int by_rank(const void *a, const void *b)
{
    const hrr_ranked *x = a, *y = b;
    return (x->rank > y->rank) - (x->rank < y->rank);
}

static void test_smallest__are_the_smallest(void **state)
{
    (void)state;
    hrr_random *random = seeded(1);
    hrr_stream *stream;
    assert_ok(hrr_stream_new(&stream, random, NULL));
    hrr_stream_seek(stream, HRR_PURPOSE_TEST, 0);
    hrr_ranked item[200], sorted[200];
    for (int run = 0; run < 3000; run++) {
        const uint64_t n = 1 + hrr_sample_below(stream, 200);
        const uint64_t range = run % 3 == 0 ? 3 : run % 3 == 1 ? 50 : UINT64_MAX;
        const uint64_t k = hrr_sample_below(stream, n + 1);
        for (uint64_t i = 0; i < n; i++)
            item[i] = sorted[i] = (hrr_ranked){hrr_sample_below(stream, range), (uint32_t)i, 0};
        qsort(sorted, n, sizeof sorted[0], by_rank);
        hrr_select_smallest(item, n, k, stream);
        bool seen[200] = {0};
        for (uint64_t i = 0; i < n; i++) {
            assert_false(seen[item[i].source]);
            seen[item[i].source] = true;
        }
        qsort(item, k, sizeof item[0], by_rank);
        for (uint64_t i = 0; i < k; i++)
            assert_int_equal(item[i].rank, sorted[i].rank);
    }
    hrr_stream_free(stream);
    hrr_random_free(random);
}

/* Seven items, ranks 1 1 2 2 2 2 9, the smallest four: of the four that share rank 2, each pair is
 * in once in six. */
static void test_smallest__breaks_ties_uniformly(void **state)
{
    (void)state;
    hrr_random *random = seeded(2);
    hrr_stream *stream;
    assert_ok(hrr_stream_new(&stream, random, NULL));
    hrr_stream_seek(stream, HRR_PURPOSE_TEST, 0);
    static const uint64_t rank[] = {2, 1, 2, 9, 2, 1, 2};
    uint64_t count[128] = {0}, observed[6];
    for (int run = 0; run < 60000; run++) {
        hrr_ranked item[7];
        for (uint32_t i = 0; i < 7; i++)
            item[i] = (hrr_ranked){rank[i], i, 0};
        hrr_select_smallest(item, 7, 4, stream);
        unsigned mask = 0;
        for (int i = 0; i < 4; i++)
            mask |= 1u << item[i].source;
        assert_int_equal(mask & 42, 34); /* both ones, and not the nine */
        count[mask]++;
    }
    int cells = 0;
    for (int mask = 0; mask < 128; mask++)
        if (count[mask] > 0) {
            assert_true(cells < 6);
            observed[cells++] = count[mask];
        }
    assert_int_equal(cells, 6);
    const double even[] = {1. / 6, 1. / 6, 1. / 6, 1. / 6, 1. / 6, 1. / 6};
    assert_true(chi_square_p(observed, even, 6) > alpha);
    hrr_stream_free(stream);
    hrr_random_free(random);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lapgraph__largest_values_are_uniform_choices_among_answers),
        cmocka_unit_test(test_lapgraph__exact_epsilon_is_within_the_claim),
        cmocka_unit_test(test_lapgraph__has_its_law),
        cmocka_unit_test(test_lapgraph__the_test_catches_another_epsilon),
        cmocka_unit_test(test_lapgraph__agrees_with_the_matrix),
        cmocka_unit_test(test_lapgraph__does_not_depend_on_the_threads),
        cmocka_unit_test(test_lapgraph__needs_a_budget_that_can_be_split),
        cmocka_unit_test(test_lapgraph__says_that_the_count_is_clamped),
        cmocka_unit_test(test_smallest__are_the_smallest),
        cmocka_unit_test(test_smallest__breaks_ties_uniformly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
