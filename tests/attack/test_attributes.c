/* Guesses of features: what they are worth where neighbours tell everything, something, nothing. */
#include "random/fast.h"
#include "support/brutal.h"
#include "support/graphs.h"

#include <heterorr/attack.h>
#include <heterorr/random.h>

#include <math.h>
#include <stdlib.h>

enum { n = 200, d = 6 };

typedef struct scene {
    hrr_dense x;
    hrr_csr edges;
    uint8_t known[n];
} scene;

/* A ring of cliques of four. alike: how much features follow the clique; the rest is noise. Node 4k
 * is unknown, the others of its clique are known. */
static scene make(double alike, bool binary)
{
    scene s;
    hrr_fast_random random;
    uint32_t pairs[2 * 6 * n / 4];
    uint64_t n_edges = 0;
    hrr_fast_init(&random, 3, 0);
    assert_ok(hrr_dense_init(&s.x, HRR_F64, n, d, NULL));
    for (uint32_t v = 0; v < n; v += 4)
        for (uint32_t a = 0; a < 4; a++)
            for (uint32_t b = a + 1; b < 4; b++) {
                pairs[2 * n_edges] = v + a;
                pairs[2 * n_edges++ + 1] = v + b;
            }
    for (uint32_t v = 0; v < n; v += 4)
        for (int k = 0; k < d; k++) {
            const double common = hrr_fast_normal(&random);
            for (uint32_t a = 0; a < 4; a++) {
                double value = alike * common + (1 - alike) * hrr_fast_normal(&random);
                ((double *)s.x.data)[(v + a) * d + (uint32_t)k] = binary ? value > 0 : value;
            }
        }
    for (int v = 0; v < n; v++)
        s.known[v] = v % 4 != 0;
    hrr_graph *graph = graph_of(n, n_edges, pairs, NULL);
    assert_ok(hrr_graph_adjacency(&s.edges, graph, NULL, NULL));
    hrr_graph_free(graph);
    return s;
}

static void drop(scene *s)
{
    hrr_dense_clear(&s->x);
    hrr_csr_clear(&s->edges);
}

static hrr_attribute_result infer(const scene *s)
{
    hrr_attribute_options options;
    hrr_attribute_result r;
    hrr_attribute_options_init(&options);
    options.threads = 2;
    assert_ok(hrr_attributes_infer(&r, &s->x, &s->edges, s->known, NULL, &options, NULL, NULL));
    assert_int_equal(r.n_known, 3 * n / 4);
    assert_int_equal(r.n_targets, n / 4);
    assert_true(fabs(r.mean.r2) < 1e-9);
    return r;
}

static void test_attributes__follow_neighbours(void **state)
{
    (void)state;
    scene s = make(1, false);
    hrr_attribute_result r = infer(&s);
    assert_true(r.propagation.r2 > .999 && r.propagation.cosine > .999);
    assert_true(r.regression.r2 > .99);
    assert_true(isnan(r.mean.auc)); /* not binary */
    drop(&s);
    s = make(.6, true);
    r = infer(&s);
    assert_true(r.regression.auc > .75 && r.propagation.auc > .75);
    assert_true(fabs(r.mean.auc - .5) < 1e-12);
    assert_true(r.regression.r2 > .15);
    drop(&s);
}

/* Noise: nothing is found, and the ridge keeps the regression near the mean. */
static void test_attributes__find_nothing_in_noise(void **state)
{
    (void)state;
    scene s = make(0, false);
    const hrr_attribute_result r = infer(&s);
    assert_true(r.propagation.r2 < 0);
    assert_true(r.regression.r2 > -.05 && r.regression.r2 < .05);
    drop(&s);
}

/* Regression against the solution of the normal equations, written down again. */
static void test_attributes__regression_is_ridge_regression(void **state)
{
    (void)state;
    scene s = make(.7, false);
    const hrr_attribute_result r = infer(&s);
    const double *x = s.x.data;
    double mean[d] = {0}, a[d][2 * d] = {{0}}, error = 0, variance = 0;
    for (int v = 0; v < n; v++)
        for (int k = 0; k < d; k++)
            if (s.known[v]) mean[k] += x[v * d + k] / (3 * n / 4);
    double z[n][d];
    for (int v = 0; v < n; v++)
        for (int k = 0; k < d; k++) {
            double sum = 0, count = 0;
            for (int u = v / 4 * 4; u < v / 4 * 4 + 4; u++)
                if (u != v && s.known[u]) sum += x[u * d + k], count++;
            z[v][k] = sum / count - mean[k];
        }
    for (int v = 0; v < n; v++)
        for (int i = 0; i < d && s.known[v]; i++)
            for (int j = 0; j < d; j++) {
                a[i][j] += z[v][i] * z[v][j];
                a[i][d + j] += z[v][i] * (x[v * d + j] - mean[j]);
            }
    for (int i = 0; i < d; i++)
        a[i][i] += r.ridge;
    for (int p = 0; p < d; p++) /* Gauss and Jordan */
        for (int i = 0; i < d; i++) {
            if (i == p) continue;
            const double f = a[i][p] / a[p][p];
            for (int j = 0; j < 2 * d; j++)
                a[i][j] -= f * a[p][j];
        }
    for (int v = 0; v < n; v += 4)
        for (int k = 0; k < d; k++) {
            double guess = mean[k];
            for (int i = 0; i < d; i++)
                guess += z[v][i] * a[i][d + k] / a[i][i];
            error += pow(x[v * d + k] - guess, 2);
            variance += pow(x[v * d + k] - mean[k], 2);
        }
    assert_true(fabs(r.regression.r2 - (1 - error / variance)) < 1e-4);
    drop(&s);
}

static void test_attributes__wide_features_are_projected(void **state)
{
    (void)state;
    scene s = make(.9, false);
    hrr_attribute_options options;
    hrr_attribute_result wide, narrow;
    hrr_attribute_options_init(&options);
    assert_ok(hrr_attributes_infer(&wide, &s.x, &s.edges, s.known, NULL, &options, NULL, NULL));
    options.widest = 3;
    assert_ok(hrr_attributes_infer(&narrow, &s.x, &s.edges, s.known, NULL, &options, NULL, NULL));
    assert_true(narrow.regression.r2 > .2 && narrow.regression.r2 < wide.regression.r2);
    drop(&s);
}

static void test_attributes__need_somebody_known_and_somebody_not(void **state)
{
    (void)state;
    scene s = make(1, false);
    hrr_attribute_options options;
    hrr_attribute_result r;
    hrr_error err = {0};
    hrr_attribute_options_init(&options);
    uint8_t all[n];
    for (int value = 0; value < 2; value++) {
        memset(all, value, n);
        assert_int_equal(hrr_attributes_infer(&r, &s.x, &s.edges, all, NULL, &options, NULL, &err),
                         HRR_EDATA);
        assert_says(err, value ? "no node is left to guess" : "no node's features are known");
    }
    /* targets narrow it down */
    memset(all, 0, n);
    all[8] = 1;
    assert_ok(hrr_attributes_infer(&r, &s.x, &s.edges, s.known, all, &options, NULL, NULL));
    assert_int_equal(r.n_targets, 1);
    drop(&s);
}

static hrr_status once(void *user)
{
    const scene *s = user;
    hrr_attribute_options options;
    hrr_attribute_result r;
    hrr_attribute_options_init(&options);
    options.widest = 3;
    options.threads = 1;
    return hrr_attributes_infer(&r, &s->x, &s->edges, s->known, NULL, &options, NULL, NULL);
}

static void test_attributes__survive_every_failed_allocation(void **state)
{
    (void)state;
    scene s = make(.6, true);
    assert_true(brutal(once, &s) > 10);
    drop(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_attributes__follow_neighbours),
        cmocka_unit_test(test_attributes__find_nothing_in_noise),
        cmocka_unit_test(test_attributes__regression_is_ridge_regression),
        cmocka_unit_test(test_attributes__wide_features_are_projected),
        cmocka_unit_test(test_attributes__need_somebody_known_and_somebody_not),
        cmocka_unit_test(test_attributes__survive_every_failed_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
