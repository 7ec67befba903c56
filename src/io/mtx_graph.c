/* mtx_graph.c: graphs as Matrix Market files: read through mtx.h, written as
 * "coordinate pattern symmetric", the lower triangle, from 1. Which edges are private, ids,
 * features and labels do not fit into this format. */
#include "io/file_names.h"
#include "io/graph_formats.h"
#include "io/graph_parts.h"
#include "io/mtx.h"
#include "io/text_sink.h"

#include <inttypes.h>
#include <stdio.h>

hrr_status hrr_mtx_graph_read(hrr_graph **out, const char *path, const hrr_read_options *options,
                              hrr_progress *progress, hrr_error *err)
{
    (void)options;
    hrr_edge_list edges = {0};
    uint64_t n_nodes;
    hrr_graph *graph = NULL;
    *out = NULL;
    hrr_status status = hrr_mtx_read(&edges, &n_nodes, path, progress, err);
    if (status) return status;
    status = hrr_graph_new_named(&graph, path, n_nodes, err);
    if (!status) status = hrr_graph_take_edges(graph, &edges, NULL, 0, progress, err);
    status = hrr_error_add_place(err, status, path);
    if (!status) {
        *out = graph;
        graph = NULL;
    }
    hrr_graph_free(graph);
    hrr_edge_list_clear(&edges);
    return status;
}

hrr_status hrr_mtx_graph_write(const hrr_graph *graph, const char *path, hrr_progress *progress,
                               hrr_error *err)
{
    enum { edges_per_report = 1 << 16 };
    const uint32_t *source = hrr_graph_sources(graph), *target = hrr_graph_targets(graph);
    uint64_t n_nodes = hrr_graph_n_nodes(graph), n_edges = hrr_graph_n_edges(graph);
    char line[160];
    hrr_text_sink *sink;
    hrr_status status = hrr_text_sink_open(&sink, path, err);
    if (status) return status;
    hrr_progress_begin(progress, "writing edges", n_edges);
    int length = snprintf(line, sizeof line,
                          "%%%%MatrixMarket matrix coordinate pattern symmetric\n%" PRIu64
                          " %" PRIu64 " %" PRIu64 "\n",
                          n_nodes, n_nodes, n_edges);
    status = hrr_text_sink_write(sink, line, (size_t)length, err);
    for (uint64_t e = 0; e < n_edges && !status; e++) {
        if (e % edges_per_report == 0 &&
            (status = hrr_progress_advance(progress, e ? edges_per_report : 0, err)))
            break;
        /* source < target, so the target's row is below the diagonal. */
        length = snprintf(line, sizeof line, "%u %u\n", target[e] + 1, source[e] + 1);
        status = hrr_text_sink_write(sink, line, (size_t)length, err);
    }
    if (!status) status = hrr_text_sink_commit(sink, err);
    hrr_text_sink_free(sink);
    return status;
}
