/* test_diffuse.c: features that some nodes show: theirs stay, the others' are never read. */
#include "graph/diffuse.h"
#include "support/brutal.h"
#include "support/graphs.h"

#include <math.h>

enum { n = 5, d = 2 };

/* A path 0 - 1 - 2 - 3; node 4 is alone. */
static hrr_graph *path_graph(void)
{
    static const uint32_t pairs[] = {0, 1, 1, 2, 2, 3};
    return graph_of(n, 3, pairs, NULL);
}

/* Nodes 0 and 3 show 1, 2 and 5, 6; NAN would be seen wherever another row was looked at. */
static hrr_dense shown_features(float x[n * d])
{
    for (int i = 0; i < n * d; i++)
        x[i] = NAN;
    x[0] = 1, x[1] = 2, x[6] = 5, x[7] = 6;
    return (hrr_dense){.dtype = HRR_F32, .rows = n, .cols = d, .data = x};
}

static const uint8_t known[n] = {1, 0, 0, 1, 0};

static void test_diffuse__known_rows_stay_and_others_settle_between_them(void **state)
{
    (void)state;
    float x[n * d];
    const hrr_dense features = shown_features(x);
    hrr_graph *graph = path_graph();
    hrr_dense out;
    assert_ok(hrr_graph_diffuse(&out, graph, &features, known, 200, 1, NULL, NULL));
    const float *y = out.data;
    for (int j = 0; j < d; j++) {
        assert_true(y[j] == x[j] && y[3 * d + j] == x[3 * d + j]);
        /* x1 = x0/sqrt(2) + x2/2 and x2 = x1/2 + x3/sqrt(2): degrees 1, 2, 2, 1. */
        const double first = (double)y[d + j], second = (double)y[2 * d + j];
        assert_true(fabs(first - (double)x[j] / sqrt(2) - second / 2) < 1e-5);
        assert_true(fabs(second - first / 2 - (double)x[3 * d + j] / sqrt(2)) < 1e-5);
        assert_true(y[4 * d + j] == 0); /* nobody told it anything */
    }
    hrr_dense_clear(&out);
    hrr_graph_free(graph);
}

static void test_diffuse__one_step_reaches_neighbours_alone(void **state)
{
    (void)state;
    float x[n * d];
    const hrr_dense features = shown_features(x);
    const uint8_t first[n] = {1};
    hrr_graph *graph = path_graph();
    hrr_dense out;
    assert_ok(hrr_graph_diffuse(&out, graph, &features, first, 1, 1, NULL, NULL));
    const float *y = out.data;
    assert_true(y[d] > 0 && y[2 * d] == 0 && y[3 * d] == 0);
    hrr_dense_clear(&out);
    hrr_graph_free(graph);
}

static hrr_status diffuse_once(void *graph)
{
    float x[n * d];
    const hrr_dense features = shown_features(x);
    hrr_dense out;
    const hrr_status status = hrr_graph_diffuse(&out, graph, &features, known, 2, 1, NULL, NULL);
    hrr_dense_clear(&out);
    return status;
}

static void test_diffuse__survives_without_memory(void **state)
{
    (void)state;
    hrr_graph *graph = path_graph();
    assert_true(brutal(diffuse_once, graph) > 3);
    hrr_graph_free(graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_diffuse__known_rows_stay_and_others_settle_between_them),
        cmocka_unit_test(test_diffuse__one_step_reaches_neighbours_alone),
        cmocka_unit_test(test_diffuse__survives_without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
