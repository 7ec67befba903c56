/* edge_sides.c: see edge_sides.h.
 *
 * The nodes of a graph of the collection are consecutive and its edges do not leave it, so in
 * canonical order its edges are consecutive too. One walk hands every edge to its graph and side.
 * Public ends fill the storage from the front, private ones from behind, in pairs of arrays:
 *
 *   [ public sources | private sources ][ public targets | private targets ] */
#include "release/edge_sides.h"
#include "base/memory.h"

/* Where the next graph begins. */
static uint64_t end_of_graph(const uint32_t *graph_ids, uint64_t first, uint64_t n_nodes)
{
    if (!graph_ids) return n_nodes;
    uint64_t end = first + 1;
    while (end < n_nodes && graph_ids[end] == graph_ids[first])
        end++;
    return end;
}

/* A graph without nodes has an id that no node bears: it is not listed. */
static uint32_t count_graphs(const hrr_graph *graph)
{
    const uint64_t n_nodes = hrr_graph_n_nodes(graph);
    const uint32_t *graph_ids = hrr_graph_graph_ids(graph);
    uint32_t count = 0;
    for (uint64_t first = 0; first < n_nodes; first = end_of_graph(graph_ids, first, n_nodes))
        count++;
    return count;
}

void hrr_edge_sides_clear(hrr_edge_sides *sides)
{
    hrr_free(sides->graph);
    hrr_free(sides->ends);
    *sides = (hrr_edge_sides){0};
}

hrr_status hrr_edge_sides_init(hrr_edge_sides *out, const hrr_graph *graph, bool whole_graph,
                               hrr_error *err)
{
    const uint64_t n_nodes = hrr_graph_n_nodes(graph), n_edges = hrr_graph_n_edges(graph);
    const uint32_t *graph_ids = hrr_graph_graph_ids(graph);
    const uint32_t *from = hrr_graph_sources(graph), *to = hrr_graph_targets(graph);
    const uint8_t *is_private = hrr_graph_is_private(graph);
    const uint8_t *candidates = hrr_graph_candidates(graph);
    const uint64_t n_secret = whole_graph ? n_edges : hrr_graph_n_private_edges(graph);
    const uint32_t n_graphs = count_graphs(graph);
    *out = (hrr_edge_sides){.n_graphs = n_graphs,
                            .graph = hrr_alloc_zero(n_graphs, sizeof *out->graph),
                            .ends = hrr_alloc(n_edges, 2 * sizeof *out->ends)};
    if (!out->graph || !out->ends) {
        hrr_edge_sides_clear(out);
        return hrr_no_memory(err);
    }
    uint32_t *sources = out->ends, *targets = out->ends + n_edges;
    uint64_t first = 0, e = 0, known = 0, secret = n_edges - n_secret;
    for (uint32_t g = 0; g < n_graphs; g++) {
        const uint64_t end = end_of_graph(graph_ids, first, n_nodes);
        const uint64_t known_before = known, secret_before = secret;
        for (; e < n_edges && from[e] < end; e++) {
            const bool hidden = whole_graph || (is_private && is_private[e]);
            const uint64_t place = hidden ? secret++ : known++;
            sources[place] = from[e] - (uint32_t)first;
            targets[place] = to[e] - (uint32_t)first;
        }
        out->graph[g] =
            (hrr_edge_side){.first_node = (uint32_t)first,
                            .known = {.n_nodes = end - first,
                                      .n_edges = known - known_before,
                                      .source = sources + known_before,
                                      .target = targets + known_before,
                                      .candidates = candidates ? candidates + first : NULL},
                            .secret = {.n_edges = secret - secret_before,
                                       .source = sources + secret_before,
                                       .target = targets + secret_before}};
        first = end;
    }
    return HRR_OK;
}
