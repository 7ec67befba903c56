/* same_nodes.c: see same_nodes.h. */
#include "cli/same_nodes.h"

#include <stdlib.h>

/* `released` with every node at its place. */
static hrr_status move_nodes(hrr_graph **out, const uint32_t *place, uint64_t n_nodes,
                             const hrr_graph *released, hrr_error *err)
{
    const uint64_t n_edges = hrr_graph_n_edges(released);
    hrr_edge_list edges = {0};
    hrr_status status = hrr_graph_new(out, hrr_graph_name(released), n_nodes, err);
    if (!status) status = hrr_edge_list_init(&edges, n_edges, false, err);
    if (status) return status;
    for (uint64_t e = 0; e < n_edges; e++) {
        edges.source[e] = place[hrr_graph_sources(released)[e]];
        edges.target[e] = place[hrr_graph_targets(released)[e]];
    }
    status = hrr_graph_take_edges(*out, &edges, NULL, 0, NULL, err);
    hrr_edge_list_clear(&edges);
    return status;
}

hrr_status cli_released_adjacency(hrr_csr *out, const hrr_graph *original,
                                  const hrr_graph *released, hrr_error *err)
{
    hrr_graph *moved = NULL;
    *out = (hrr_csr){0};
    uint32_t *place = calloc(hrr_graph_n_nodes(released), sizeof *place);
    hrr_status status = place ? hrr_graph_match_nodes(place, original, released, err)
                              : hrr_fail(err, HRR_ENOMEM, "out of memory");
    if (!status) status = move_nodes(&moved, place, hrr_graph_n_nodes(original), released, err);
    if (!status) status = hrr_graph_adjacency(out, moved, NULL, err);
    hrr_graph_free(moved);
    free(place);
    return status;
}
