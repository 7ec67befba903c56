/* Labels spread over edges: as slowly as it can be done, by hand, and what validation nodes choose.
 */
#include "learn/label_propagation.h"
#include "learn/networks.h"
#include "support/brutal.h"

/* F after the steps, in doubles, with S written out. */
static double *slow_spread(const hrr_graph *graph, hrr_label_spread spread)
{
    const hrr_targets t = hrr_targets_of(graph);
    const uint64_t n = t.n, cols = (uint64_t)t.n_classes + 1, m = hrr_graph_n_edges(graph);
    const uint32_t *s = hrr_graph_sources(graph), *to = hrr_graph_targets(graph);
    double *y = calloc(n * cols, sizeof *y), *f = malloc(n * cols * sizeof *f);
    double *degree = calloc(n, sizeof *degree);
    for (uint64_t e = 0; e < m; e++)
        degree[s[e]]++, degree[to[e]]++;
    for (uint64_t i = 0; i < n; i++)
        for (uint32_t c = 0; hrr_target_counts(&t, i, HRR_TRAIN) && c < cols; c++)
            y[i * cols + c] = c + 1 == cols || hrr_target_has(&t, i, c);
    memcpy(f, y, n * cols * sizeof *f);
    for (uint32_t step = 0; step < spread.steps; step++) {
        double *next = calloc(n * cols, sizeof *next);
        for (uint64_t e = 0; e < m; e++)
            for (uint64_t c = 0; c < cols; c++) {
                const double weight = 1 / sqrt(degree[s[e]] * degree[to[e]]);
                next[s[e] * cols + c] += weight * f[to[e] * cols + c];
                next[to[e] * cols + c] += weight * f[s[e] * cols + c];
            }
        for (uint64_t i = 0; i < n; i++)
            for (uint64_t c = 0; c < cols; c++) {
                const uint64_t k = i * cols + c;
                if (degree[i] == 0) next[k] = f[k];
                next[k] = spread.alpha * next[k] + (1 - spread.alpha) * y[k];
            }
        free(f);
        f = next;
    }
    free(degree);
    free(y);
    return f;
}

static void test_label_propagation__is_what_its_equation_says(void **state)
{
    (void)state;
    for (int multilabel = 0; multilabel < 2; multilabel++) {
        hrr_graph *graph = small_graph(300, HRR_F32, 2, 1, 4, multilabel, 3);
        hrr_label_spread chosen;
        hrr_dense scores;
        assert_ok(hrr_label_propagation(&scores, &chosen, graph, 2, NULL, NULL));
        const hrr_targets t = hrr_targets_of(graph);
        double frequency[4], *f = slow_spread(graph, chosen);
        uint8_t use[300];
        for (uint64_t i = 0; i < t.n; i++)
            use[i] = hrr_target_counts(&t, i, HRR_TRAIN);
        hrr_label_frequencies(frequency, &t, use);
        for (uint64_t i = 0; i < t.n; i++) {
            double sum = 0;
            for (uint32_t c = 0; c < 4; c++) {
                const double p =
                    (f[i * 5 + c] + chosen.prior * frequency[c]) / (f[i * 5 + 4] + chosen.prior);
                const double score = (double)((float *)scores.data)[i * 4 + c];
                assert_true(fabs(score - (multilabel ? log(p / (1 - p)) : log(p))) < 1e-3);
                sum += exp(score);
            }
            if (!multilabel) assert_true(fabs(sum - 1) < 1e-4);
        }
        free(f);
        hrr_dense_clear(&scores);
        hrr_graph_free(graph);
    }
}

/* A path 0 - 1 - ... - 9 and a node without edges. */
static hrr_graph *path(const int32_t *classes, const uint8_t *split)
{
    enum { n = 11 };
    uint32_t pairs[2 * (n - 2)];
    for (uint32_t i = 0; i + 2 < n; i++) {
        pairs[2 * i] = i;
        pairs[2 * i + 1] = i + 1;
    }
    hrr_graph *graph = graph_of(n, n - 2, pairs, NULL);
    int32_t *own = hrr_alloc(n, sizeof *own);
    uint8_t *parts = hrr_alloc(n, 1);
    memcpy(own, classes, n * sizeof *own);
    memcpy(parts, split, n);
    assert_ok(hrr_graph_take_classes(graph, &own, 2, NULL));
    assert_ok(hrr_graph_take_split(graph, &parts, NULL));
    return graph;
}

static const uint8_t ends_train[11] = {0, 2, 2, 1, 2, 2, 1, 2, 2, 0, 2};

static void test_label_propagation__nodes_are_like_the_nearer_end(void **state)
{
    (void)state;
    static const int32_t classes[11] = {0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 0};
    hrr_graph *graph = path(classes, ends_train);
    hrr_dense scores;
    hrr_metrics test;
    assert_ok(hrr_label_propagation(&scores, NULL, graph, 1, NULL, NULL));
    const float *alone = (float *)scores.data + 20; /* nothing reaches it: how frequent they are */
    assert_true(fabsf(alone[0] - logf(.5f)) < 1e-6f && fabsf(alone[1] - alone[0]) < 1e-6f);
    assert_ok(hrr_measure(&test, &scores, classes, NULL, 0, ends_train, HRR_TEST, NULL));
    assert_true(test.accuracy == 1);
    hrr_dense_clear(&scores);
    hrr_graph_free(graph);
}

/* Other labels of test nodes change no score. */
static void test_label_propagation__does_not_look_at_test_labels(void **state)
{
    (void)state;
    static const int32_t a[11] = {0, 1, 0, 0, 0, 1, 1, 1, 0, 1, 0};
    static const int32_t b[11] = {0, 0, 1, 0, 1, 0, 1, 0, 1, 1, 1};
    hrr_graph *first = path(a, ends_train), *second = path(b, ends_train);
    hrr_dense x, y;
    assert_ok(hrr_label_propagation(&x, NULL, first, 1, NULL, NULL));
    assert_ok(hrr_label_propagation(&y, NULL, second, 1, NULL, NULL));
    assert_memory_equal(x.data, y.data, 11 * 2 * sizeof(float));
    hrr_dense_clear(&x);
    hrr_dense_clear(&y);
    hrr_graph_free(first);
    hrr_graph_free(second);
}

static void test_label_propagation__needs_no_validation_nodes(void **state)
{
    (void)state;
    static const int32_t classes[11] = {0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 0};
    static const uint8_t split[11] = {0, 2, 2, 2, 2, 2, 2, 2, 2, 0, 2};
    static const uint8_t none[11] = {1, 2, 2, 2, 2, 2, 2, 2, 2, 1, 2};
    hrr_graph *graph = path(classes, split);
    hrr_dense scores;
    hrr_label_spread chosen;
    hrr_error err = {0};
    assert_ok(hrr_label_propagation(&scores, &chosen, graph, 1, NULL, NULL));
    assert_int_equal(chosen.steps, 16);
    assert_true(((float *)scores.data)[2] > ((float *)scores.data)[3]);
    hrr_dense_clear(&scores);
    hrr_graph_free(graph);
    graph = path(classes, none);
    assert_int_equal(hrr_label_propagation(&scores, NULL, graph, 1, NULL, &err), HRR_EDATA);
    assert_says(err, "no training node has a label");
    hrr_graph_free(graph);
}

static void test_label_propagation__is_the_same_for_any_threads(void **state)
{
    (void)state;
    hrr_graph *graph = small_graph(2000, HRR_F32, 2, 1, 5, false, 9);
    hrr_dense one, many;
    assert_ok(hrr_label_propagation(&one, NULL, graph, 1, NULL, NULL));
    assert_ok(hrr_label_propagation(&many, NULL, graph, 3, NULL, NULL));
    assert_memory_equal(one.data, many.data, 2000 * 5 * sizeof(float));
    hrr_dense_clear(&one);
    hrr_dense_clear(&many);
    hrr_graph_free(graph);
}

static hrr_status spread_once(void *graph)
{
    hrr_dense scores;
    const hrr_status status = hrr_label_propagation(&scores, NULL, graph, 1, NULL, NULL);
    hrr_dense_clear(&scores);
    return status;
}

static void test_label_propagation__survives_running_out_of_memory(void **state)
{
    (void)state;
    hrr_graph *graph = small_graph(40, HRR_F32, 2, 1, 3, false, 1);
    assert_true(brutal(spread_once, graph) > 5);
    hrr_graph_free(graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_label_propagation__is_what_its_equation_says),
        cmocka_unit_test(test_label_propagation__nodes_are_like_the_nearer_end),
        cmocka_unit_test(test_label_propagation__does_not_look_at_test_labels),
        cmocka_unit_test(test_label_propagation__needs_no_validation_nodes),
        cmocka_unit_test(test_label_propagation__is_the_same_for_any_threads),
        cmocka_unit_test(test_label_propagation__survives_running_out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
