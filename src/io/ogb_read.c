/* ogb_read.c: the raw folders of the Open Graph Benchmark (Hu et al., 2020):
 *   raw/edge.csv.gz, raw/num-node-list.csv.gz, raw/num-edge-list.csv.gz  (all .csv or .csv.gz)
 *   raw/node-feat.csv.gz, raw/node-label.csv.gz                          (optional)
 *   split/NAME/{train,valid,test}.csv.gz                                 (optional)
 * None has a header. Several numbers in num-node-list make a collection; node numbers in edge.csv
 * start again with each graph, and the split then lists graphs. A label "nan" is unknown. */
#include "io/edge_text.h"
#include "io/file_names.h"
#include "io/graph_formats.h"
#include "io/graph_parts.h"
#include "io/set_lists.h"
#include "io/table.h"
#include "base/memory.h"
#include "base/paths.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <strings.h>

typedef struct counts {
    uint64_t *value, n, room, sum, largest;
} counts;

typedef struct ogb {
    char *raw; /* ends with a slash */
    counts nodes, edges;
    hrr_graph *graph;
    hrr_progress *progress;
} ogb;

/* "RAW/" for a folder that has the three files, or NULL. */
static hrr_status try_raw(char **raw, const char *directory, hrr_error *err)
{
    static const char *const needed[] = {"edge.csv", "num-node-list.csv", "num-edge-list.csv"};
    char *found = hrr_path_join(directory, "");
    bool exists = found != NULL;
    hrr_status status = found ? HRR_OK : hrr_no_memory(err);
    for (int i = 0; i < 3 && exists && !status; i++) {
        char *file;
        status = hrr_find_stored(&file, &exists, found, needed[i], err);
        hrr_free(file);
    }
    *raw = NULL;
    if (!status && exists)
        *raw = found;
    else
        hrr_free(found);
    return status;
}

hrr_status hrr_ogb_find(char **raw, const char *path, hrr_error *err)
{
    hrr_status status = try_raw(raw, path, err);
    if (status || *raw) return status;
    char *inside = hrr_path_join(path, "raw");
    if (!inside) return hrr_no_memory(err);
    status = try_raw(raw, inside, err);
    hrr_free(inside);
    return status;
}

/* ---- tables ------------------------------------------------------------------------------- */

typedef hrr_status take_row(void *user, const hrr_table_row *row, uint64_t number, const char *path,
                            hrr_error *err);

static hrr_status each_row(const char *path, take_row *take, void *user, hrr_progress *progress,
                           hrr_error *err)
{
    enum { rows_per_report = 1024 };
    hrr_table *table = NULL;
    const hrr_table_row *row = NULL;
    hrr_status status = hrr_table_open(&table, path, ',', err);
    for (uint64_t number = 0; !status; number++) {
        if ((status = hrr_table_next(table, &row, err)) || !row) break;
        if (number % rows_per_report == 0 && (status = hrr_progress_advance(progress, 0, err)))
            break;
        status = take(user, row, number, path, err);
    }
    hrr_table_close(table);
    return status;
}

static hrr_status take_count(void *user, const hrr_table_row *row, uint64_t number,
                             const char *path, hrr_error *err)
{
    counts *list = user;
    int64_t value;
    (void)number;
    if (row->n_fields != 1 || !hrr_field_integer(row->fields[0], &value) || value < 0 ||
        list->sum + (uint64_t)value > (uint64_t)INT64_MAX)
        return hrr_fail(err, HRR_EDATA, "%s:%" PRIu64 ": must contain exactly one count", path,
                        row->line);
    if (list->n == list->room) {
        uint64_t room = list->room ? 2 * list->room : 64;
        uint64_t *values = hrr_resize(list->value, room, sizeof *values);
        if (!values) return hrr_no_memory(err);
        list->value = values;
        list->room = room;
    }
    list->value[list->n++] = (uint64_t)value;
    list->sum += (uint64_t)value;
    if ((uint64_t)value > list->largest) list->largest = (uint64_t)value;
    return HRR_OK;
}

static hrr_status read_counts(ogb *in, counts *list, const char *name, hrr_error *err)
{
    char *path;
    bool exists;
    hrr_status status = hrr_find_stored(&path, &exists, in->raw, name, err);
    if (!status) status = each_row(path, take_count, list, NULL, err);
    hrr_free(path);
    return status;
}

/* ---- edges -------------------------------------------------------------------------------- */

/* Node numbers of graph g are moved behind those of the graphs before it. */
static hrr_status offset_edges(const ogb *in, hrr_edge_list *edges, const char *path,
                               hrr_error *err)
{
    if (edges->n_edges != in->edges.sum)
        return hrr_fail(err, HRR_EDATA,
                        "%s: has %" PRIu64 " %s, but num-edge-list.csv states %" PRIu64, path,
                        edges->n_edges, hrr_plural(edges->n_edges, "edge", "edges"), in->edges.sum);
    uint64_t e = 0, offset = 0;
    for (uint64_t g = 0; g < in->nodes.n; g++) {
        for (uint64_t end = e + in->edges.value[g]; e < end; e++) {
            if (edges->source[e] >= in->nodes.value[g] || edges->target[e] >= in->nodes.value[g])
                return hrr_fail(
                    err, HRR_EDATA,
                    "%s: edge %" PRIu64
                    " (counting from 0) names a node outside its graph of %" PRIu64 " %s",
                    path, e, in->nodes.value[g], hrr_plural(in->nodes.value[g], "node", "nodes"));
            edges->source[e] += (uint32_t)offset;
            edges->target[e] += (uint32_t)offset;
        }
        offset += in->nodes.value[g];
    }
    return HRR_OK;
}

static hrr_status take_edges(ogb *in, int threads, hrr_error *err)
{
    hrr_edge_text text = {0};
    char *path;
    bool exists;
    hrr_status status = hrr_find_stored(&path, &exists, in->raw, "edge.csv", err);
    if (status) return status;
    if (in->edges.sum > 0) { /* an edge list without edges is not one */
        hrr_edge_text_options options = {
            .ids = HRR_IDS_DIRECT, .n_nodes = in->nodes.largest, .threads = threads};
        status = hrr_edge_text_read(&text, path, &options, in->progress, err);
        if (!status) status = offset_edges(in, &text.edges, path, err);
    }
    if (!status)
        status = hrr_error_add_place(
            err, hrr_graph_take_edges(in->graph, &text.edges, NULL, 0, in->progress, err), path);
    hrr_edge_text_clear(&text);
    hrr_free(path);
    return status;
}

static hrr_status take_graph_ids(ogb *in, hrr_error *err)
{
    if (in->nodes.n == 1) return HRR_OK;
    uint32_t *graph_ids = hrr_alloc(in->nodes.sum, sizeof *graph_ids), number = 0;
    if (!graph_ids) return hrr_no_memory(err);
    uint64_t at = 0;
    for (uint64_t g = 0; g < in->nodes.n; g++) {
        for (uint64_t i = 0; i < in->nodes.value[g]; i++)
            graph_ids[at++] = number;
        number += in->nodes.value[g] > 0; /* graph ids have no gaps, so empty graphs have none */
    }
    hrr_status status = hrr_graph_take_graph_ids(in->graph, &graph_ids, err);
    hrr_free(graph_ids);
    return status;
}

/* ---- features and labels ------------------------------------------------------------------ */

typedef struct number_rows {
    hrr_dense matrix; /* n_nodes rows */
    uint64_t n_nodes, n_rows;
    hrr_dtype dtype;
    bool nan_allowed;
} number_rows;

static hrr_status take_numbers(void *user, const hrr_table_row *row, uint64_t number,
                               const char *path, hrr_error *err)
{
    number_rows *into = user;
    if (number == 0) {
        hrr_status status =
            hrr_dense_init(&into->matrix, into->dtype, into->n_nodes, row->n_fields, err);
        if (status) return status;
    }
    if (number >= into->n_nodes)
        return hrr_fail(err, HRR_EDATA,
                        "%s:%" PRIu64 ": there are more rows than the %" PRIu64 " nodes", path,
                        row->line, into->n_nodes);
    if (row->n_fields != into->matrix.cols)
        return hrr_fail(err, HRR_EDATA,
                        "%s:%" PRIu64 ": has %zu %s, but the first row has %" PRIu64, path,
                        row->line, row->n_fields, hrr_plural(row->n_fields, "column", "columns"),
                        into->matrix.cols);
    for (size_t i = 0; i < row->n_fields; i++) {
        double value;
        if (strcasecmp(row->fields[i], "nan") == 0)
            value = NAN;
        else if (!hrr_field_number(row->fields[i], &value))
            value = INFINITY;
        if (isinf(value) || (isnan(value) && !into->nan_allowed))
            return hrr_fail(err, HRR_EDATA, "%s:%" PRIu64 ": column %zu is not a finite number",
                            path, row->line, i + 1);
        if (into->dtype == HRR_F32)
            ((float *)into->matrix.data)[number * row->n_fields + i] = (float)value;
        else
            ((double *)into->matrix.data)[number * row->n_fields + i] = value;
    }
    into->n_rows = number + 1;
    return HRR_OK;
}

/* *found false, and nothing read, if the file is not there. */
static hrr_status read_numbers(ogb *in, number_rows *into, bool *found, char **path,
                               const char *name, hrr_error *err)
{
    into->n_nodes = in->nodes.sum;
    hrr_status status = hrr_find_stored(path, found, in->raw, name, err);
    if (status || !*found) return status;
    status = each_row(*path, take_numbers, into, in->progress, err);
    if (!status && into->n_rows != into->n_nodes)
        status =
            hrr_fail(err, HRR_EDATA, "%s: has %" PRIu64 " %s, but the graph has %" PRIu64 " %s",
                     *path, into->n_rows, hrr_plural(into->n_rows, "row", "rows"), into->n_nodes,
                     hrr_plural(into->n_nodes, "node", "nodes"));
    return status;
}

static hrr_status take_features(ogb *in, hrr_error *err)
{
    number_rows rows = {.dtype = HRR_F32};
    char *path = NULL;
    bool found;
    hrr_progress_begin(in->progress, "reading features", 0);
    hrr_status status = read_numbers(in, &rows, &found, &path, "node-feat.csv", err);
    if (!status && found)
        status =
            hrr_error_add_place(err, hrr_graph_take_features(in->graph, &rows.matrix, err), path);
    hrr_dense_clear(&rows.matrix);
    hrr_free(path);
    return status;
}

static hrr_status take_classes(ogb *in, const hrr_dense *labels, const char *path, hrr_error *err)
{
    hrr_status status = HRR_OK;
    int32_t *classes = hrr_alloc(labels->rows, sizeof *classes);
    if (!classes) return hrr_no_memory(err);
    for (uint64_t i = 0; i < labels->rows && !status; i++) {
        double value = hrr_dense_get(labels, i, 0);
        if (isnan(value)) value = -1;
        if (value != floor(value) || value < -1 || value >= HRR_MAX_CLASSES)
            status =
                hrr_fail(err, HRR_EDATA,
                         "%s: row %" PRIu64 " (counting from 0) is not a class between 0 and %u",
                         path, i, HRR_MAX_CLASSES - 1);
        else
            classes[i] = (int32_t)value;
    }
    if (!status) status = hrr_take_classes_counted(in->graph, &classes, 0, path, err);
    hrr_free(classes);
    return status;
}

static hrr_status take_labels(ogb *in, hrr_error *err)
{
    number_rows rows = {.dtype = HRR_F64, .nan_allowed = true};
    char *path = NULL;
    bool found;
    hrr_status status = read_numbers(in, &rows, &found, &path, "node-label.csv", err);
    if (!status && found && rows.matrix.cols == 1) {
        status = take_classes(in, &rows.matrix, path, err);
    } else if (!status && found) {
        hrr_array view = hrr_array_of_dense(&rows.matrix);
        status = hrr_take_labels_array(in->graph, &view, 0, path, err);
    }
    hrr_dense_clear(&rows.matrix);
    hrr_free(path);
    return status;
}

/* ---- split -------------------------------------------------------------------------------- */

typedef struct set_reading {
    hrr_set_lists *lists;
    hrr_split split;
} set_reading;

static hrr_status take_member(void *user, const hrr_table_row *row, uint64_t number,
                              const char *path, hrr_error *err)
{
    set_reading *set = user;
    int64_t member;
    (void)number;
    if (row->n_fields != 1 || !hrr_field_integer(row->fields[0], &member) ||
        !hrr_set_lists_put(set->lists, member, set->split))
        return hrr_fail(err, HRR_EDATA,
                        "%s:%" PRIu64 ": is not a node number below %" PRIu64
                        ", or is a node of another set",
                        path, row->line, set->lists->n);
    return HRR_OK;
}

/* The folder that holds train.csv: the only one in split/, which is beside raw/. NULL if there is
 * no split. */
static hrr_status find_split(char **directory, const ogb *in, hrr_error *err)
{
    *directory = NULL;
    size_t root = strlen(in->raw);
    if (strcmp(in->raw, "raw/") == 0 || hrr_ends_with(in->raw, "/raw/")) root -= strlen("raw/");
    char *split = hrr_format_text("%.*ssplit", (int)root, in->raw);
    if (!split) return hrr_no_memory(err);
    hrr_status status = HRR_OK;
    if (hrr_path_is_directory(split)) {
        hrr_entries entries;
        status = hrr_entries_read(&entries, split, err);
        if (!status && entries.n != 1)
            status = hrr_fail(err, HRR_EDATA,
                              "%s: contains %" PRIu64 " splits; keep only the one that you need",
                              split, entries.n);
        if (!status) {
            *directory = hrr_format_text("%s/%s/", split, entries.names[0]);
            if (!*directory) status = hrr_no_memory(err);
        }
        hrr_entries_clear(&entries);
    }
    hrr_free(split);
    return status;
}

/* In a collection the lists name graphs: each node gets what its graph has. */
static hrr_status split_of_nodes(hrr_set_lists *of_nodes, const hrr_set_lists *of_graphs,
                                 const ogb *in, hrr_error *err)
{
    hrr_status status = hrr_set_lists_init(of_nodes, in->nodes.sum, err);
    uint64_t at = 0;
    for (uint64_t g = 0; g < in->nodes.n && !status; g++) {
        memset(of_nodes->split + at, of_graphs->split[g], in->nodes.value[g]);
        at += in->nodes.value[g];
    }
    return status;
}

static hrr_status take_split(ogb *in, hrr_error *err)
{
    hrr_set_lists lists = {0}, of_nodes = {0};
    char *directory = NULL;
    bool collection = in->nodes.n > 1;
    hrr_status status = find_split(&directory, in, err);
    if (status || !directory) return status;
    status = hrr_set_lists_init(&lists, collection ? in->nodes.n : in->nodes.sum, err);
    for (int split = 0; split < 3 && !status; split++) {
        set_reading set = {&lists, (hrr_split)split};
        char *path = NULL;
        bool exists;
        char *name = hrr_format_text("%s.csv", hrr_split_names[split]);
        status = name ? hrr_find_stored(&path, &exists, directory, name, err) : hrr_no_memory(err);
        if (!status) status = each_row(path, take_member, &set, NULL, err);
        hrr_free(name);
        hrr_free(path);
    }
    if (!status) {
        hrr_set_lists_finish(&lists);
        if (collection) status = split_of_nodes(&of_nodes, &lists, in, err);
    }
    if (!status)
        status = hrr_graph_take_split(in->graph, collection ? &of_nodes.split : &lists.split, err);
    hrr_set_lists_clear(&lists);
    hrr_set_lists_clear(&of_nodes);
    hrr_free(directory);
    return status;
}

/* ---- the whole ---------------------------------------------------------------------------- */

static hrr_status read_sizes(ogb *in, hrr_error *err)
{
    hrr_status status = read_counts(in, &in->nodes, "num-node-list.csv", err);
    if (!status) status = read_counts(in, &in->edges, "num-edge-list.csv", err);
    if (!status && (in->nodes.n == 0 || in->nodes.n != in->edges.n))
        status = hrr_fail(err, HRR_EDATA,
                          "%snum-node-list.csv: lists the nodes of %" PRIu64
                          " graphs, but num-edge-list.csv lists the edges of %" PRIu64,
                          in->raw, in->nodes.n, in->edges.n);
    return status;
}

hrr_status hrr_ogb_read(hrr_graph **out, const char *path, const hrr_read_options *options,
                        hrr_progress *progress, hrr_error *err)
{
    ogb in = {.progress = progress};
    *out = NULL;
    hrr_status status = hrr_ogb_find(&in.raw, path, err);
    if (status) return status;
    if (!in.raw)
        return hrr_fail(err, HRR_EIO,
                        "%s: no OGB graph was found; expected raw/edge.csv.gz, "
                        "raw/num-node-list.csv.gz and raw/num-edge-list.csv.gz",
                        path);
    if ((status = read_sizes(&in, err))) goto done;
    status = hrr_graph_new_named(&in.graph, path, in.nodes.sum, err);
    if ((status = hrr_error_add_place(err, status, in.raw))) goto done;
    if ((status = take_graph_ids(&in, err))) goto done;
    if ((status = take_edges(&in, options->threads, err))) goto done;
    if ((status = take_features(&in, err))) goto done;
    if ((status = take_labels(&in, err))) goto done;
    if ((status = take_split(&in, err))) goto done;
    *out = in.graph;
    in.graph = NULL;
done:
    hrr_graph_free(in.graph);
    hrr_free(in.nodes.value);
    hrr_free(in.edges.value);
    hrr_free(in.raw);
    return status;
}
