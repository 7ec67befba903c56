/* read.c: path to graph: recognise, read, and apply what the options say about privacy.
 *
 * Where private edges come from: mark columns of the data (private_column picks one), a list
 * (private_edges, added to the marks), or chance (private_fraction, for experiments). Chance would
 * replace what the data says, so the combination is refused instead of being guessed at. */
#include "io/edge_text.h"
#include "io/file_names.h"
#include "io/graph_formats.h"
#include "io/graph_parts.h"
#include "io/node_names.h"
#include "io/node_rows.h"
#include "io/table.h"
#include "base/memory.h"
#include "base/options.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const struct {
    const char *format;
    hrr_graph_reader *read;
} readers[] = {
    {"native", hrr_native_read},       {"edges", hrr_edges_read},
    {"npz", hrr_npz_graph_read},       {"musae", hrr_musae_read},
    {"graphsage", hrr_graphsage_read}, {"ppi", hrr_ppi_read},
    {"ppi-csv", hrr_ppi_csv_read},     {"ogb", hrr_ogb_read},
    {"mtx", hrr_mtx_graph_read},       {"graphml", hrr_graphml_read},
    {"gexf", hrr_gexf_read},           {"parquet", hrr_parquet_graph_read},
};

void hrr_read_options_init_sized(hrr_read_options *options, size_t size)
{
    const hrr_read_options own = {.private_fraction = -1};
    hrr_options_init(options, size, &own, sizeof own);
}

static hrr_status choose_reader(hrr_graph_reader **read, const char **format, const char *path,
                                hrr_error *err)
{
    if (!*format) {
        hrr_error why = {.status = HRR_EDATA};
        *format = hrr_graph_recognise(path, &why);
        if (!*format) return hrr_fail(err, why.status, "%s", why.message);
    }
    for (size_t i = 0; i < sizeof readers / sizeof *readers; i++)
        if (strcmp(readers[i].format, *format) == 0) {
            *read = readers[i].read;
            return HRR_OK;
        }
    return hrr_fail(err, HRR_EINVAL,
                    "`format` %s: is not a known format; choose native, edges, npz, musae, "
                    "graphsage, ppi, ppi-csv, ogb, mtx, graphml, gexf or parquet",
                    *format);
}

static hrr_status set_provenance(hrr_graph *graph, const char *format, const char *path,
                                 hrr_error *err)
{
    if (hrr_graph_provenance(graph)) return HRR_OK; /* the native layout hands it on */
    char *base = hrr_path_base(path);
    char *text = base ? hrr_format_text("%s: %s", format, base) : NULL;
    hrr_status status = text ? hrr_graph_set_provenance(graph, text, err) : hrr_no_memory(err);
    hrr_free(text);
    hrr_free(base);
    return status;
}

/* ---- private edges ------------------------------------------------------------------------ */

static hrr_status apply_private_edges(hrr_graph *graph, const hrr_read_options *options,
                                      hrr_progress *progress, hrr_error *err)
{
    const char *path = options->private_edges;
    hrr_edge_text list = {0};
    hrr_edge_list edges = {0};
    hrr_name_index names = {0};
    uint32_t *node_of = NULL;
    hrr_edge_text_options how;
    hrr_status status = hrr_edge_text_options_of(&how, options, HRR_IDS_MAP, 0, err);
    if (!status) status = hrr_name_index_of_graph(&names, graph, err);
    if (status) goto done;
    how.may_be_empty = true; /* how many private edges there are, and whether any, is private */
    how.nodes = &names;
    how.mark_column = NULL; /* all of them are private */
    if ((status = hrr_edge_text_read(&list, path, &how, progress, err))) goto done;
    node_of = hrr_alloc(list.n_nodes, sizeof *node_of);
    if (!node_of) {
        status = hrr_no_memory(err);
        goto done;
    }
    if ((status = hrr_map_nodes(node_of, &list, &names, path, err))) goto done;
    if ((status = hrr_edge_list_init(&edges, list.edges.n_edges, false, err))) goto done;
    for (uint64_t e = 0; e < edges.n_edges; e++) {
        edges.source[e] = node_of[list.edges.source[e]];
        edges.target[e] = node_of[list.edges.target[e]];
    }
    status = hrr_error_add_place(err, hrr_graph_mark_edges(graph, &edges, err), path);
done:
    hrr_free(node_of);
    hrr_name_index_clear(&names);
    hrr_edge_list_clear(&edges);
    hrr_edge_text_clear(&list);
    return status;
}

/* Ways to say which edges are private that contradict each other, whatever the graph is. */
static hrr_status refuse_two_ways(const hrr_read_options *options, hrr_error *err)
{
    const bool fraction = options->private_fraction >= 0;
    const char *other = options->private_column  ? "`private_column`"
                        : options->private_edges ? "`private_edges`"
                                                 : NULL;
    if (options->all_private && (other || fraction))
        return hrr_fail(err, HRR_EINVAL,
                        "`all_private` makes every edge private, so it cannot be combined with %s; "
                        "leave one of them out",
                        other ? other : "`private_fraction`");
    if (fraction && other)
        return hrr_fail(err, HRR_EINVAL,
                        "`private_fraction` marks edges at random, so it cannot be combined with "
                        "%s; leave one of them out",
                        other);
    return HRR_OK;
}

static hrr_status apply_private_fraction(hrr_graph *graph, const hrr_read_options *options,
                                         hrr_error *err)
{
    if (hrr_graph_n_marks(graph) > 0 || hrr_graph_is_private(graph))
        return hrr_fail(
            err, HRR_EINVAL,
            "`private_fraction` would replace the private marks in the data; leave it out");
    /* In a generated graph such marks are the truth; in data they are an experiment. */
    hrr_graph_add_inferred(graph, HRR_INFERRED_MARKS);
    return hrr_graph_mark_fraction(graph, options->private_fraction, options->mark_seed, err);
}

/* ---- candidates --------------------------------------------------------------------------- */

static hrr_status apply_candidates(hrr_graph *graph, const char *path, hrr_error *err)
{
    hrr_table *table = NULL;
    hrr_name_index names = {0};
    uint8_t *candidates = hrr_alloc_zero(hrr_graph_n_nodes(graph), 1);
    hrr_status status = candidates ? HRR_OK : hrr_no_memory(err);
    if (!status) status = hrr_name_index_of_graph(&names, graph, err);
    if (!status) status = hrr_table_open(&table, path, ',', err);
    while (!status) {
        const hrr_table_row *row;
        uint32_t node;
        if ((status = hrr_table_next(table, &row, err)) || !row) break;
        if (row->n_fields != 1 || !hrr_find_node(&names, row->fields[0], &node))
            status = hrr_fail(err, HRR_EDATA,
                              "%s:%" PRIu64 ": is not a node id of the graph; a candidates file "
                              "has one node id per line and no header",
                              path, row->line);
        else
            candidates[node] = 1;
    }
    if (!status)
        status = hrr_error_add_place(err, hrr_graph_take_candidates(graph, &candidates, err), path);
    hrr_free(candidates);
    hrr_name_index_clear(&names);
    hrr_table_close(table);
    return status;
}

/* ---- features and labels from files of their own -------------------------------------------- */

typedef struct node_files {
    hrr_node_rows features, labels;
} node_files;

static void clear_node_files(node_files *files)
{
    hrr_node_rows_clear(&files->features);
    hrr_node_rows_clear(&files->labels);
}

static hrr_status read_node_files(node_files *out, const hrr_read_options *options, hrr_error *err)
{
    hrr_node_rows_options how = {0};
    hrr_status status = hrr_told_header_read(&how.header, options->header, err);
    how.without = options->labels ? options->label_column : NULL;
    if (!status && options->features)
        status = hrr_node_rows_read(&out->features, options->features, &how, err);
    how.without = NULL;
    how.labels = true;
    how.column = options->label_column;
    if (!status && options->labels)
        status = hrr_node_rows_read(&out->labels, options->labels, &how, err);
    return status;
}

/* An edge list does not say which nodes there are: the rows do. */
static hrr_status read_graph(hrr_graph **out, hrr_graph_reader *read, const char *path,
                             const hrr_read_options *options, const node_files *files,
                             hrr_progress *progress, hrr_error *err)
{
    const hrr_node_rows *rows = options->features ? &files->features : &files->labels;
    if (rows->n == 0 || read != hrr_edges_read) return read(out, path, options, progress, err);
    hrr_error why = {0};
    hrr_status status = hrr_edges_read_between(
        out, path, rows->n, rows->named ? &rows->names : NULL, options, progress, &why);
    if (status == HRR_EDATA && rows->named)
        return hrr_fail(err, status, "%s (the nodes are those that %s names)", why.message,
                        rows->path);
    if (status == HRR_EDATA)
        return hrr_fail(err, status,
                        "%s (%s has %" PRIu64 " %s, so the nodes are 0 to %" PRIu64
                        "; for other ids, add a first column named id)",
                        why.message, rows->path, rows->n, hrr_plural(rows->n, "row", "rows"),
                        rows->n - 1);
    return status ? hrr_fail(err, status, "%s", why.message) : HRR_OK;
}

static hrr_status apply_node_files(hrr_graph *graph, node_files *files, const char *path,
                                   const hrr_read_options *options, hrr_error *err)
{
    hrr_status status = HRR_OK;
    if (options->features && hrr_graph_features(graph))
        return hrr_fail(err, HRR_EINVAL, "%s: already has features; leave `features` out", path);
    if (options->features) status = hrr_node_rows_join(&files->features, graph, err);
    if (!status && options->features)
        status = hrr_take_features_array(graph, &files->features.values, options->features, err);
    const hrr_dense *features = hrr_graph_features(graph);
    if (!status && options->n_features && features && features->cols != options->n_features)
        status = hrr_fail(err, HRR_EDATA, "%s: has %" PRIu64 " %s, but `n_features` is %" PRIu64,
                          options->features ? options->features : path, features->cols,
                          hrr_plural(features->cols, "feature", "features"), options->n_features);
    if (!status && options->labels) status = hrr_node_rows_join(&files->labels, graph, err);
    if (!status && options->labels)
        status = hrr_take_labels_array(graph, &files->labels.values, 0, options->labels, err);
    return status;
}

/* ---- the whole ---------------------------------------------------------------------------- */

hrr_status hrr_graph_read(hrr_graph **out, const char *path, const hrr_read_options *options,
                          hrr_progress *progress, hrr_error *err)
{
    hrr_graph_reader *read = NULL;
    hrr_graph *graph = NULL;
    node_files files = {0};
    *out = NULL;
    hrr_read_options own;
    hrr_status status = HRR_ADOPT(hrr_read_options, &own, options, err);
    if (status) return status;
    options = &own;
    const char *format = options->format;
    status = refuse_two_ways(options, err);
    if (status) goto done;
    if ((status = choose_reader(&read, &format, path, err))) goto done;
    if ((status = read_node_files(&files, options, err))) goto done;
    if ((status = read_graph(&graph, read, path, options, &files, progress, err))) goto done;
    if ((status = apply_node_files(graph, &files, path, options, err))) goto done;
    if ((status = set_provenance(graph, format, path, err))) goto done;
    if (options->all_private && (status = hrr_graph_mark_all(graph, err))) goto done;
    if (options->private_fraction >= 0 && (status = apply_private_fraction(graph, options, err)))
        goto done;
    if (options->private_column &&
        (status = hrr_graph_choose_mark(graph, options->private_column, err))) {
        status = hrr_error_add_place(err, status, path);
        goto done;
    }
    if (options->private_edges && (status = apply_private_edges(graph, options, progress, err)))
        goto done;
    if (options->candidates && (status = apply_candidates(graph, options->candidates, err)))
        goto done;
    *out = graph;
    graph = NULL;
done:
    clear_node_files(&files);
    hrr_graph_free(graph);
    return status;
}
