/* Evidence over edges, against sums by hand. */
#include "learn/spread.h"
#include "learn/networks.h"
#include "support/brutal.h"

enum { n = 60, n_classes = 3 };

static hrr_dense draw_evidence(void)
{
    hrr_dense e;
    hrr_fast_random random;
    hrr_fast_init(&random, 1, 0);
    assert_ok(hrr_dense_init(&e, HRR_F32, n, n_classes, NULL));
    for (int k = 0; k < n * n_classes; k++)
        ((float *)e.data)[k] = (float)hrr_fast_normal(&random);
    return e;
}

static void test_spread__is_a_shrunk_mean_over_neighbours(void **state)
{
    (void)state;
    hrr_graph *graph = small_graph(n, HRR_F32, 2, 1, n_classes, false, 2);
    hrr_dense terms[HRR_SPREAD_TERMS] = {draw_evidence()};
    const uint32_t *s = hrr_graph_sources(graph), *t = hrr_graph_targets(graph);
    assert_ok(hrr_spread(terms, graph, 2, NULL, NULL));
    for (int step = 1; step < HRR_SPREAD_TERMS; step++)
        for (uint32_t i = 0; i < n; i++)
            for (int c = 0; c < n_classes; c++) {
                const float *before = terms[step - 1].data;
                double sum = 0, degree = 0;
                for (uint64_t e = 0; e < hrr_graph_n_edges(graph); e++) {
                    if (s[e] == i) sum += before[t[e] * n_classes + c], degree++;
                    if (t[e] == i) sum += before[s[e] * n_classes + c], degree++;
                }
                const double found = ((float *)terms[step].data)[i * n_classes + c];
                assert_true(fabs(found - sum / (degree + 3)) < 1e-6);
            }
    for (int c = 0; c < n_classes; c++) /* the last node has no edge */
        assert_true(((float *)terms[1].data)[(n - 1) * n_classes + c] == 0);
    hrr_spread_clear(terms);
    hrr_graph_free(graph);
}

typedef struct example {
    hrr_graph *graph;
    hrr_dense evidence;
} example;

static hrr_status spread_once(void *user)
{
    const example *x = user;
    hrr_dense terms[HRR_SPREAD_TERMS] = {x->evidence};
    hrr_status status = hrr_spread(terms, x->graph, 1, NULL, NULL);
    for (int t = 1; t < HRR_SPREAD_TERMS; t++)
        hrr_dense_clear(&terms[t]);
    return status;
}

static void test_spread__runs_out_of_memory_without_a_trace(void **state)
{
    (void)state;
    example x = {small_graph(n, HRR_F32, 2, 1, n_classes, false, 2), draw_evidence()};
    brutal(spread_once, &x);
    hrr_dense_clear(&x.evidence);
    hrr_graph_free(x.graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_spread__is_a_shrunk_mean_over_neighbours),
        cmocka_unit_test(test_spread__runs_out_of_memory_without_a_trace),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
