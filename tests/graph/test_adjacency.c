#include "random/fast.h"
#include "support/check.h"
#include "support/graphs.h"

#include <heterorr/random.h>

#include <math.h>

enum { N = 9 };

/* A[i][j] as the definition has it. */
static void naive(double a[N][N], const hrr_graph *graph, const hrr_adjacency_options *options)
{
    memset(a, 0, sizeof(double) * N * N);
    for (uint64_t e = 0; e < hrr_graph_n_edges(graph); e++) {
        const uint8_t *flags = hrr_graph_is_private(graph);
        bool is_private = flags && flags[e];
        if (options->edges == HRR_EDGES_PUBLIC && is_private) continue;
        if (options->edges == HRR_EDGES_PRIVATE && !is_private) continue;
        uint32_t u = hrr_graph_sources(graph)[e], v = hrr_graph_targets(graph)[e];
        a[u][v] = a[v][u] = 1;
    }
    for (int i = 0; options->self_loops && i < N; i++)
        a[i][i] += 1;
    double degree[N] = {0};
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            degree[i] += a[i][j];
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            if (a[i][j] == 0) continue;
            if (options->normalisation == HRR_NORMALISE_SYMMETRIC)
                a[i][j] /= sqrt(degree[i] * degree[j]);
            if (options->normalisation == HRR_NORMALISE_MEAN) a[i][j] /= degree[i];
            if (options->normalisation == HRR_NORMALISE_FIRST_ORDER && i != j)
                a[i][j] /=
                    sqrt((degree[i] - options->self_loops) * (degree[j] - options->self_loops));
        }
}

static void assert_same(const hrr_csr *matrix, double a[N][N], bool has_values)
{
    assert_int_equal(matrix->rows, N);
    assert_int_equal(matrix->cols, N);
    assert_int_equal(matrix->value != NULL, has_values);
    assert_int_equal(matrix->row_start[0], 0);
    for (uint64_t i = 0; i < N; i++) {
        uint64_t k = matrix->row_start[i];
        for (uint32_t j = 0; j < N; j++) {
            if (a[i][j] == 0) continue;
            assert_true(k < matrix->row_start[i + 1]);
            assert_int_equal(matrix->col[k], j); /* ascending, because j is */
            if (has_values) assert_true(fabs(matrix->value[k] - a[i][j]) < 1e-6);
            k++;
        }
        assert_int_equal(k, matrix->row_start[i + 1]);
    }
}

/* marked: 0 the edges have no marks, 1 some are private, 2 all are. */
static hrr_graph *random_graph(uint64_t seed, int marked)
{
    hrr_fast_random random;
    hrr_fast_init(&random, seed, 0);
    uint32_t pairs[2 * 25];
    uint8_t marks[25];
    uint64_t n_edges = hrr_fast_below(&random, 26);
    for (uint64_t e = 0; e < n_edges; e++) {
        pairs[2 * e] = (uint32_t)hrr_fast_below(&random, N);
        pairs[2 * e + 1] = (uint32_t)hrr_fast_below(&random, N);
        marks[e] = marked == 2 || hrr_fast_below(&random, 2);
    }
    return graph_of(N, n_edges, pairs, marked ? marks : NULL);
}

static void test_adjacency__agrees_with_the_dense_definition(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 60; seed++)
        for (int marked = 0; marked < 3; marked++) {
            hrr_graph *graph = random_graph(seed, marked);
            for (int choice = 0; choice < 24; choice++) {
                hrr_adjacency_options options;
                hrr_adjacency_options_init(&options);
                options.edges = (hrr_edge_choice)(choice % 3);
                options.self_loops = choice / 3 % 2;
                options.normalisation = (hrr_normalisation)(choice / 6);
                double a[N][N];
                hrr_csr matrix;
                naive(a, graph, &options);
                assert_ok(hrr_graph_adjacency(&matrix, graph, &options, NULL));
                assert_same(&matrix, a, options.normalisation != HRR_NORMALISE_NONE);
                hrr_csr_clear(&matrix);
            }
            hrr_graph_free(graph);
        }
}

static void test_adjacency__a_graph_without_edges_has_empty_rows(void **state)
{
    (void)state;
    hrr_graph *graph = empty_graph(N);
    hrr_adjacency_options options;
    hrr_adjacency_options_init(&options);
    options.normalisation = HRR_NORMALISE_SYMMETRIC;
    hrr_csr matrix;
    assert_ok(hrr_graph_adjacency(&matrix, graph, &options, NULL));
    for (int i = 0; i <= N; i++)
        assert_int_equal(matrix.row_start[i], 0);
    hrr_csr_clear(&matrix);
    hrr_graph_free(graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_adjacency__agrees_with_the_dense_definition),
        cmocka_unit_test(test_adjacency__a_graph_without_edges_has_empty_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
