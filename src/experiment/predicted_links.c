/* predicted_links.c: see predicted_links.h. As many links as there are edges: half of the
 * shortlist's usual length or less, since without an answer about each of them most would be wrong.
 */
#include "experiment/predicted_links.h"
#include "edge/shortlist.h"
#include "graph/copy.h"
#include "base/memory.h"

#include <string.h>

static hrr_status unite(hrr_edge_list *out, const hrr_graph *graph, const hrr_shortlist *links,
                        hrr_error *err)
{
    const uint64_t m = hrr_graph_n_edges(graph);
    hrr_status status = hrr_edge_list_init(out, m + links->n, false, err);
    if (status) return status;
    memcpy(out->source, hrr_graph_sources(graph), m * sizeof *out->source);
    memcpy(out->target, hrr_graph_targets(graph), m * sizeof *out->target);
    memcpy(out->source + m, links->source, links->n * sizeof *out->source);
    memcpy(out->target + m, links->target, links->n * sizeof *out->target);
    return HRR_OK;
}

hrr_status hrr_add_predicted_links(hrr_graph **graph, hrr_progress *progress, hrr_error *err)
{
    hrr_shortlist links = {0};
    hrr_edge_list edges = {0};
    hrr_graph *with_links = NULL;
    const hrr_edge_public known = {.n_nodes = hrr_graph_n_nodes(*graph),
                                   .n_edges = hrr_graph_n_edges(*graph),
                                   .source = hrr_graph_sources(*graph),
                                   .target = hrr_graph_targets(*graph)};
    hrr_status status = hrr_shortlist_new(&links, &known, known.n_edges, 1, progress, err);
    if (!status) status = unite(&edges, *graph, &links, err);
    if (!status) status = hrr_graph_copy(&with_links, *graph, 0, err);
    if (!status) status = hrr_graph_take_edges(with_links, &edges, NULL, 0, NULL, err);
    if (!status) {
        hrr_graph_free(*graph);
        *graph = with_links;
        with_links = NULL;
    }
    hrr_graph_free(with_links);
    hrr_edge_list_clear(&edges);
    hrr_shortlist_clear(&links);
    return status;
}
