/* edges_graph.c: a graph that is an edge list as text, read through edge_text.h and written as
 * csv or tsv: source, target and, if the graph has private edges, private. Ids are those the graph
 * was read with. Features, labels and nodes without edges do not fit into this format. */
#include "io/edge_text.h"
#include "io/file_names.h"
#include "io/graph_formats.h"
#include "io/graph_parts.h"
#include "io/node_names.h"
#include "io/text_sink.h"
#include "base/memory.h"
#include "graph/removed.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

hrr_status hrr_edge_text_options_of(hrr_edge_text_options *out, const hrr_read_options *options,
                                    hrr_id_policy ids, uint64_t n_nodes, hrr_error *err)
{
    *out = (hrr_edge_text_options){.ids = ids,
                                   .n_nodes = n_nodes,
                                   .threads = options->threads,
                                   .mark_column = options->private_column,
                                   .report = options->report};
    return hrr_told_header_read(&out->header, options->header, err);
}

hrr_status hrr_edge_text_into_graph(hrr_graph **out, hrr_edge_text *text, uint64_t n,
                                    const char *path, hrr_progress *progress, hrr_error *err)
{
    hrr_graph *graph = NULL;
    hrr_status status = hrr_error_add_place(err, hrr_graph_new_named(&graph, path, n, err), path);
    if (status) goto done;
    status = hrr_graph_take_edges(graph, &text->edges, (const char *const *)text->mark_names,
                                  text->n_marks, progress, err);
    if ((status = hrr_error_add_place(err, status, path))) goto done;
    if (text->ids.integer || text->ids.text) {
        status = hrr_graph_take_node_ids(graph, &text->ids, err);
        if ((status = hrr_error_add_place(err, status, path))) goto done;
    }
    hrr_graph_add_removed(graph, &text->removed);
    if (text->passed_over && !text->n_marks) hrr_graph_add_inferred(graph, HRR_INFERRED_EDGES);
    *out = graph;
    graph = NULL;
done:
    hrr_graph_free(graph);
    return status;
}

hrr_status hrr_edges_read(hrr_graph **out, const char *path, const hrr_read_options *options,
                          hrr_progress *progress, hrr_error *err)
{
    hrr_edge_text text = {0};
    hrr_edge_text_options how;
    *out = NULL;
    hrr_status status = hrr_edge_text_options_of(&how, options, HRR_IDS_MAP, 0, err);
    if (!status) status = hrr_edge_text_read(&text, path, &how, progress, err);
    if (!status) status = hrr_edge_text_into_graph(out, &text, text.n_nodes, path, progress, err);
    if (!status) hrr_graph_add_inferred(*out, HRR_INFERRED_NODES);
    hrr_edge_text_clear(&text);
    return status;
}

/* From the list's names to those of the nodes: in place, and with their ids. */
static hrr_status rename_ends(hrr_edge_text *text, const hrr_name_index *names, const char *path,
                              hrr_error *err)
{
    uint32_t *node_of = hrr_alloc(text->n_nodes, sizeof *node_of);
    hrr_status status = node_of ? HRR_OK : hrr_no_memory(err);
    if (!status) status = hrr_map_nodes(node_of, text, names, path, err);
    for (uint64_t e = 0; e < text->edges.n_edges && !status; e++) {
        text->edges.source[e] = node_of[text->edges.source[e]];
        text->edges.target[e] = node_of[text->edges.target[e]];
    }
    hrr_free(node_of);
    if (status) return status;
    text->removed.isolated_nodes = 0; /* the rows have them */
    hrr_node_ids_clear(&text->ids);
    return hrr_names_into_ids(&text->ids, names, err);
}

hrr_status hrr_edges_read_between(hrr_graph **out, const char *path, uint64_t n,
                                  const hrr_name_index *names, const hrr_read_options *options,
                                  hrr_progress *progress, hrr_error *err)
{
    hrr_edge_text text = {0};
    hrr_edge_text_options how;
    *out = NULL;
    hrr_status status =
        hrr_edge_text_options_of(&how, options, names ? HRR_IDS_MAP : HRR_IDS_DIRECT, n, err);
    how.may_be_empty = true;
    how.nodes = names;
    if (!status) status = hrr_edge_text_read(&text, path, &how, progress, err);
    if (!status && names) status = rename_ends(&text, names, path, err);
    if (!status) status = hrr_edge_text_into_graph(out, &text, n, path, progress, err);
    hrr_edge_text_clear(&text);
    return status;
}

static hrr_status write_id(hrr_text_sink *sink, const hrr_node_ids *ids, uint32_t node,
                           hrr_error *err)
{
    char decimal[24];
    if (ids && ids->text)
        return hrr_text_sink_write_field(sink, ids->text + ids->text_start[node], err);
    int64_t id = ids && ids->integer ? ids->integer[node] : (int64_t)node;
    int length = snprintf(decimal, sizeof decimal, "%" PRId64, id);
    return hrr_text_sink_write(sink, decimal, (size_t)length, err);
}

hrr_status hrr_edges_write(const hrr_graph *graph, const char *path, char delimiter,
                           hrr_progress *progress, hrr_error *err)
{
    enum { edges_per_report = 1 << 16 };
    const uint32_t *source = hrr_graph_sources(graph), *target = hrr_graph_targets(graph);
    const uint8_t *is_private = hrr_graph_is_private(graph);
    const hrr_node_ids *ids = hrr_graph_node_ids(graph);
    uint64_t n_edges = hrr_graph_n_edges(graph);
    char header[] = "source,target,private\n", mark[] = ",0\n";
    header[6] = header[13] = mark[0] = delimiter;
    if (!is_private) strcpy(header + 13, "\n");

    hrr_text_sink *sink;
    hrr_status status = hrr_text_sink_open(&sink, path, err);
    if (status) return status;
    hrr_progress_begin(progress, "writing edges", n_edges);
    if ((status = hrr_text_sink_write(sink, header, strlen(header), err))) goto done;
    for (uint64_t e = 0; e < n_edges; e++) {
        if (e % edges_per_report == 0 &&
            (status = hrr_progress_advance(progress, e ? edges_per_report : 0, err)))
            goto done;
        if ((status = write_id(sink, ids, source[e], err))) goto done;
        if ((status = hrr_text_sink_write(sink, &delimiter, 1, err))) goto done;
        if ((status = write_id(sink, ids, target[e], err))) goto done;
        if (is_private) mark[1] = is_private[e] ? '1' : '0';
        status = is_private ? hrr_text_sink_write(sink, mark, 3, err)
                            : hrr_text_sink_write(sink, "\n", 1, err);
        if (status) goto done;
    }
    status = hrr_text_sink_commit(sink, err);
done:
    hrr_text_sink_free(sink);
    return status;
}
