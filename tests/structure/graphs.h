/* graphs.h: small adjacency matrices, and the definitions worked out densely. */
#ifndef TESTS_STRUCTURE_GRAPHS_H
#define TESTS_STRUCTURE_GRAPHS_H

#include "random/fast.h"
#include "support/check.h"
#include "support/graphs.h"

#include <heterorr/random.h>
#include <heterorr/structure.h>

static inline hrr_csr matrix_of(uint64_t n_nodes, uint64_t n_edges, const uint32_t *pairs)
{
    hrr_graph *graph = graph_of(n_nodes, n_edges, pairs, NULL);
    hrr_csr matrix;
    assert_ok(hrr_graph_adjacency(&matrix, graph, NULL, NULL));
    hrr_graph_free(graph);
    return matrix;
}

/* Random pairs among the first n_used nodes: the others stay without edges. */
static inline hrr_csr random_matrix(uint64_t n_nodes, uint64_t n_used, uint64_t n_edges,
                                    uint64_t seed)
{
    hrr_fast_random random;
    hrr_fast_init(&random, seed, 0);
    uint32_t *pairs = test_malloc(2 * (n_edges + 1) * sizeof *pairs);
    for (uint64_t k = 0; k < 2 * n_edges; k++)
        pairs[k] = (uint32_t)hrr_fast_below(&random, n_used);
    hrr_csr matrix = matrix_of(n_nodes, n_edges, pairs);
    test_free(pairs);
    return matrix;
}

/* a[i n + j] = 1 for an edge. Ends with test_free(). */
static inline double *dense_of(const hrr_csr *matrix)
{
    const uint64_t n = matrix->rows;
    double *a = test_calloc(n * n + 1, sizeof *a);
    for (uint64_t i = 0; i < n; i++)
        for (uint64_t e = matrix->row_start[i]; e < matrix->row_start[i + 1]; e++)
            a[i * n + matrix->col[e]] = 1;
    return a;
}

#endif
