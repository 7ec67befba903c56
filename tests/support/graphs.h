/* graphs.h: small edge lists and graphs written down by hand. */
#ifndef TESTS_SUPPORT_GRAPHS_H
#define TESTS_SUPPORT_GRAPHS_H

#include "support/check.h"

#include <heterorr/graph.h>

/* pairs: source, target, source, target, ...; marks: one byte an edge, or NULL. */
static inline hrr_edge_list edge_list(uint64_t n_edges, const uint32_t *pairs, const uint8_t *marks)
{
    hrr_edge_list edges;
    assert_ok(hrr_edge_list_init(&edges, n_edges, marks != NULL, NULL));
    for (uint64_t e = 0; e < n_edges; e++) {
        edges.source[e] = pairs[2 * e];
        edges.target[e] = pairs[2 * e + 1];
        if (marks) edges.marks[e] = marks[e];
    }
    return edges;
}

static inline hrr_graph *empty_graph(uint64_t n_nodes)
{
    hrr_graph *graph;
    assert_ok(hrr_graph_new(&graph, "test", n_nodes, NULL));
    return graph;
}

/* With the mark column "private" if there are marks. */
static inline hrr_graph *graph_of(uint64_t n_nodes, uint64_t n_edges, const uint32_t *pairs,
                                  const uint8_t *marks)
{
    static const char *const name[] = {"private"};
    hrr_graph *graph = empty_graph(n_nodes);
    hrr_edge_list edges = edge_list(n_edges, pairs, marks);
    assert_ok(hrr_graph_take_edges(graph, &edges, name, marks ? 1 : 0, NULL, NULL));
    return graph;
}

static inline void assert_edges(const hrr_graph *graph, uint64_t n_edges, const uint32_t *pairs)
{
    assert_int_equal(hrr_graph_n_edges(graph), n_edges);
    for (uint64_t e = 0; e < n_edges; e++) {
        assert_int_equal(hrr_graph_sources(graph)[e], pairs[2 * e]);
        assert_int_equal(hrr_graph_targets(graph)[e], pairs[2 * e + 1]);
    }
}

#endif
