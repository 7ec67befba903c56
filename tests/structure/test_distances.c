/* Paths from many sources at once, the diameter and central nodes: against definitions worked out
 * one by one. */
#include "support/brutal.h"
#include "structure/centrality.h"
#include "structure/diameter.h"
#include "structure/distances.h"
#include "structure/graphs.h"

#include <math.h>

/* ---- the truth ------------------------------------------------------------------------------- */

/* steps[i n + j], UINT32_MAX where there is no way. Ends with test_free(). */
static uint32_t *all_steps(const hrr_csr *graph)
{
    const uint64_t n = graph->rows;
    uint32_t *steps = test_malloc((n * n + 1) * sizeof *steps);
    uint32_t *queue = test_malloc((n + 1) * sizeof *queue);
    memset(steps, 0xff, n * n * sizeof *steps);
    for (uint64_t i = 0; i < n; i++) {
        uint32_t *from_i = steps + i * n;
        uint64_t tail = 0;
        from_i[i] = 0;
        queue[tail++] = (uint32_t)i;
        for (uint64_t head = 0; head < tail; head++)
            for (uint64_t e = graph->row_start[queue[head]]; e < graph->row_start[queue[head] + 1];
                 e++)
                if (from_i[graph->col[e]] == UINT32_MAX) {
                    from_i[graph->col[e]] = from_i[queue[head]] + 1;
                    queue[tail++] = graph->col[e];
                }
    }
    test_free(queue);
    return steps;
}

static uint64_t longest_of(const uint32_t *steps, uint64_t n)
{
    uint64_t longest = 0;
    for (uint64_t k = 0; k < n * n; k++)
        if (steps[k] != UINT32_MAX && steps[k] > longest) longest = steps[k];
    return longest;
}

/* ---- distances ------------------------------------------------------------------------------- */

static void check_counts(const hrr_distances *found, const uint32_t *steps, const uint32_t *nodes,
                         uint64_t n_sources, uint64_t n, uint64_t most)
{
    uint64_t *count = test_calloc(n + 1, sizeof *count);
    double sum = 0, pairs = 0;
    for (uint64_t k = 0; k < n_sources; k++)
        for (uint64_t j = 0; j < n; j++) {
            const uint32_t d = steps[nodes[k] * n + j];
            if (d == UINT32_MAX || d > most) continue;
            count[d]++;
            sum += d;
            pairs += d > 0;
        }
    assert_int_equal(found->n_sources, n_sources);
    assert_memory_equal(found->count, count, (n + 1) * sizeof *count);
    if (pairs > 0) assert_true(fabs(found->mean - sum / pairs) < 1e-12 * found->mean);
    if (pairs == 0) assert_true(isnan(found->mean));
    test_free(count);
}

/* More than one batch, several components, nodes alone, some sources, an end to steps. */
static void test_distances__are_those_of_single_searches(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 6; seed++) {
        const uint64_t n = 1300;
        hrr_csr a = random_matrix(n, 1200, 600 + 300 * seed, seed);
        uint32_t *steps = all_steps(&a), *nodes = test_malloc(n * sizeof *nodes);
        uint32_t *sources = test_malloc(n * sizeof *sources);
        hrr_components components;
        assert_ok(hrr_components_init(&components, &a, NULL));
        for (int part = 0; part < 4; part++) {
            const uint64_t n_sources = part == 0 ? n : part == 1 ? 1 : 700;
            const uint64_t most = part == 3 ? 3 : UINT64_MAX;
            hrr_distances one, three;
            hrr_sources_draw(nodes, n, n_sources, seed);
            hrr_sources_number(sources, nodes, n_sources, &components, seed);
            const uint32_t *from = part == 0 ? NULL : sources;
            assert_ok(hrr_distances_from(&one, &components, from, n_sources, most, 1, NULL, NULL));
            check_counts(&one, steps, nodes, n_sources, n, most);
            assert_ok(
                hrr_distances_from(&three, &components, from, n_sources, most, 3, NULL, NULL));
            assert_memory_equal(one.count, three.count, (n + 1) * sizeof *one.count);
            assert_true(one.longest == three.longest &&
                        (one.mean == three.mean || isnan(one.mean)) &&
                        (one.standard_error == three.standard_error || isnan(one.standard_error)));
            hrr_distances_clear(&one);
            hrr_distances_clear(&three);
        }
        hrr_components_clear(&components);
        test_free(sources);
        test_free(nodes);
        test_free(steps);
        hrr_csr_clear(&a);
    }
}

/* 200 samples of 512 of 3,000 nodes. The true mean is farther than two standard errors (from 8
 * groups, so by t with 7 degrees of freedom) in 8.6 % of them, less what sampling without
 * replacement saves; more than 16 % would be four standard deviations beyond. Fixed seeds. */
static void test_distances__standard_error_is_honest(void **state)
{
    (void)state;
    const uint64_t n = 3000;
    hrr_csr a = random_matrix(n, n, 4000, 9);
    uint32_t *nodes = test_malloc(n * sizeof *nodes), *sources = test_malloc(n * sizeof *sources);
    hrr_components components;
    hrr_distances all, some;
    int far = 0, near = 0;
    assert_ok(hrr_components_init(&components, &a, NULL));
    assert_ok(hrr_distances_from(&all, &components, NULL, 0, UINT64_MAX, 2, NULL, NULL));
    for (uint64_t seed = 0; seed < 200; seed++) {
        hrr_sources_draw(nodes, n, 512, seed);
        hrr_sources_number(sources, nodes, 512, &components, seed);
        assert_ok(hrr_distances_from(&some, &components, sources, 512, UINT64_MAX, 1, NULL, NULL));
        const double off = fabs(some.mean - all.mean);
        far += off > 2 * some.standard_error;
        near += off < .3 * some.standard_error;
        hrr_distances_clear(&some);
    }
    assert_true(far <= 32);
    assert_true(near <= 100); /* and not much too large: 23 % are expected */
    hrr_distances_clear(&all);
    hrr_components_clear(&components);
    test_free(sources);
    test_free(nodes);
    hrr_csr_clear(&a);
}

/* ---- diameter -------------------------------------------------------------------------------- */

static hrr_csr ring(uint32_t n, bool closed)
{
    uint32_t *pairs = test_malloc(2 * n * sizeof *pairs);
    for (uint32_t i = 0; i < n; i++) {
        pairs[2 * i] = i;
        pairs[2 * i + 1] = (i + 1) % n;
    }
    hrr_csr matrix = matrix_of(n, closed ? n : n - 1, pairs);
    test_free(pairs);
    return matrix;
}

static void check_diameter(const hrr_csr *a, uint64_t truth)
{
    hrr_components components;
    hrr_diameter found, bounded;
    assert_ok(hrr_components_init(&components, a, NULL));
    assert_ok(hrr_diameter_find(&found, &components, UINT64_MAX, 2, NULL, NULL));
    assert_true(found.least == truth && found.most == truth);
    assert_ok(hrr_diameter_find(&bounded, &components, 1, 1, NULL, NULL));
    assert_true(bounded.least <= truth && bounded.most >= truth);
    hrr_components_clear(&components);
}

static void test_diameter__is_the_longest_shortest_path(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 300; seed++) {
        hrr_csr a = random_matrix(90, 80, 20 + seed, seed);
        uint32_t *steps = all_steps(&a);
        check_diameter(&a, longest_of(steps, 90));
        test_free(steps);
        hrr_csr_clear(&a);
    }
    for (uint32_t n = 3; n < 40; n++) {
        hrr_csr closed = ring(n, true), open = ring(n, false);
        check_diameter(&closed, n / 2);
        check_diameter(&open, n - 1);
        hrr_csr_clear(&closed);
        hrr_csr_clear(&open);
    }
    hrr_csr bare = matrix_of(5, 0, NULL);
    check_diameter(&bare, 0);
    hrr_csr_clear(&bare);
}

/* Where everything is equally far, the bounds must stay apart if searches run out. */
static void test_diameter__says_what_it_has_not_proved(void **state)
{
    (void)state;
    hrr_csr a = random_matrix(3000, 3000, 15000, 3);
    uint32_t *steps = all_steps(&a);
    const uint64_t truth = longest_of(steps, 3000);
    hrr_components components;
    hrr_diameter found;
    assert_ok(hrr_components_init(&components, &a, NULL));
    assert_ok(hrr_diameter_find(&found, &components, 10, 1, NULL, NULL));
    assert_true(found.least <= truth && truth <= found.most && found.least < found.most);
    assert_ok(hrr_diameter_find(&found, &components, UINT64_MAX, 1, NULL, NULL));
    assert_true(found.least == truth && found.most == truth);
    hrr_components_clear(&components);
    test_free(steps);
    hrr_csr_clear(&a);
}

/* ---- central nodes --------------------------------------------------------------------------- */

/* Power iteration with A + I from equal weights, far longer than needed. */
static void iterate(double *x, const hrr_csr *a, int rounds)
{
    const uint64_t n = a->rows;
    double *next = test_malloc(n * sizeof *next);
    for (uint64_t i = 0; i < n; i++)
        x[i] = 1 / sqrt((double)n);
    for (int round = 0; round < rounds; round++) {
        double squares = 0;
        for (uint64_t i = 0; i < n; i++) {
            next[i] = x[i];
            for (uint64_t e = a->row_start[i]; e < a->row_start[i + 1]; e++)
                next[i] += x[a->col[e]];
            squares += next[i] * next[i];
        }
        for (uint64_t i = 0; i < n; i++)
            x[i] = next[i] / sqrt(squares);
    }
    test_free(next);
}

static void test_centrality__is_where_power_iteration_ends(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 40; seed++) {
        enum { N = 60 };
        hrr_csr a = random_matrix(N, 50, 60 + 4 * seed, seed);
        double x[N], expected[N];
        hrr_centrality found;
        assert_ok(hrr_centrality_find(x, &found, &a, 1, NULL, NULL));
        assert_true(found.residual <= 1e-10);
        iterate(expected, &a, 20000);
        for (int i = 0; i < N; i++)
            assert_true(fabs(x[i] - expected[i]) < 1e-7);
        hrr_csr_clear(&a);
    }
}

/* A star of 5 has 2 as its largest eigenvalue: 1/sqrt 2 in the middle. Equal components share. */
static void test_centrality__by_hand(void **state)
{
    (void)state;
    hrr_csr star = matrix_of(6, 4, (uint32_t[]){0, 1, 0, 2, 0, 3, 0, 4});
    hrr_csr twins = matrix_of(4, 2, (uint32_t[]){0, 1, 2, 3}), bare = matrix_of(4, 0, NULL);
    double x[6];
    hrr_centrality found;
    assert_ok(hrr_centrality_find(x, &found, &star, 1, NULL, NULL));
    assert_true(fabs(found.value - 2) < 1e-12 && fabs(x[0] - sqrt(.5)) < 1e-9);
    for (int i = 1; i < 6; i++)
        assert_true(fabs(x[i] - (i < 5 ? sqrt(.125) : 0)) < 1e-9);
    assert_ok(hrr_centrality_find(x, &found, &twins, 1, NULL, NULL));
    for (int i = 0; i < 4; i++)
        assert_true(fabs(x[i] - .5) < 1e-12);
    assert_ok(hrr_centrality_find(x, &found, &bare, 1, NULL, NULL));
    for (int i = 0; i < 4; i++)
        assert_true(x[i] == .5);
    hrr_csr_clear(&star);
    hrr_csr_clear(&twins);
    hrr_csr_clear(&bare);
}

static void test_centrality__threads_do_not_show(void **state)
{
    (void)state;
    enum { N = 20000 };
    hrr_csr a = random_matrix(N, N, 60000, 4); /* enough edges for threads to be used */
    double *one = test_malloc(N * sizeof *one), *three = test_malloc(N * sizeof *three);
    hrr_centrality found;
    assert_ok(hrr_centrality_find(one, &found, &a, 1, NULL, NULL));
    assert_true(found.residual <= 1e-10);
    assert_ok(hrr_centrality_find(three, &found, &a, 3, NULL, NULL));
    assert_memory_equal(one, three, N * sizeof *one);
    test_free(one);
    test_free(three);
    hrr_csr_clear(&a);
}

/* ---- memory ---------------------------------------------------------------------------------- */

static hrr_status find_diameter(void *user)
{
    hrr_components components;
    hrr_diameter found;
    hrr_status status = hrr_components_init(&components, user, NULL);
    if (status) return status;
    status = hrr_diameter_find(&found, &components, UINT64_MAX, 2, NULL, NULL);
    hrr_components_clear(&components);
    return status;
}

static void test_diameter__survives_every_failed_allocation(void **state)
{
    (void)state;
    hrr_csr a = random_matrix(60, 50, 70, 1);
    brutal(find_diameter, &a);
    hrr_csr_clear(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_distances__are_those_of_single_searches),
        cmocka_unit_test(test_distances__standard_error_is_honest),
        cmocka_unit_test(test_diameter__is_the_longest_shortest_path),
        cmocka_unit_test(test_diameter__says_what_it_has_not_proved),
        cmocka_unit_test(test_diameter__survives_every_failed_allocation),
        cmocka_unit_test(test_centrality__is_where_power_iteration_ends),
        cmocka_unit_test(test_centrality__by_hand),
        cmocka_unit_test(test_centrality__threads_do_not_show),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
