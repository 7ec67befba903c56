/* parquet_graph_write.c: a graph as Parquet tables: the edges alone, or a folder with nodes.parquet
 * and edges.parquet. Columns are called as attributes of GraphML are (listing_write.h), and what
 * other programs pass over, the classes that there are and what was concluded from private data,
 * stands in the notes of the nodes. */
#include "io/graph_formats.h"
#include "io/listing_write.h"
#include "io/parquet.h"
#include "base/memory.h"
#include "base/paths.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- cells ----------------------------------------------------------------------------------- */

static void name_node(hrr_parquet_cell *out, const hrr_graph *graph, uint64_t node)
{
    const hrr_node_ids *ids = hrr_graph_node_ids(graph);
    if (ids && ids->text)
        out->text = ids->text + ids->text_start[node];
    else
        out->integer = ids && ids->integer ? ids->integer[node] : (int64_t)node;
}

static void get_id(hrr_parquet_cell *out, const void *user, uint64_t column, uint64_t row)
{
    (void)column;
    name_node(out, user, row);
}

static void get_end(hrr_parquet_cell *out, const void *user, uint64_t column, uint64_t row)
{
    name_node(out, user, column ? hrr_graph_targets(user)[row] : hrr_graph_sources(user)[row]);
}

static void get_private(hrr_parquet_cell *out, const void *user, uint64_t column, uint64_t row)
{
    (void)column;
    out->integer = hrr_graph_is_private(user)[row];
}

static void get_feature(hrr_parquet_cell *out, const void *user, uint64_t column, uint64_t row)
{
    out->number = hrr_dense_get(hrr_graph_features(user), row, column);
    out->integer = hrr_graph_features(user)->dtype == HRR_U8 ? (int64_t)out->number : 0;
}

static void get_label(hrr_parquet_cell *out, const void *user, uint64_t column, uint64_t row)
{
    out->integer = hrr_dense_get(hrr_graph_label_matrix(user), row, column) != 0;
}

/* column: whether classes are named. */
static void get_class(hrr_parquet_cell *out, const void *user, uint64_t column, uint64_t row)
{
    const int32_t label = hrr_graph_classes(user)[row];
    out->missing = label < 0;
    out->integer = label;
    if (column && label >= 0) out->text = hrr_graph_class_name(user, (uint32_t)label);
}

static void get_split(hrr_parquet_cell *out, const void *user, uint64_t column, uint64_t row)
{
    (void)column;
    out->text = hrr_split_names[hrr_graph_split(user)[row]];
}

/* ---- tables ---------------------------------------------------------------------------------- */

static hrr_parquet_type id_type(const hrr_graph *graph)
{
    const hrr_node_ids *ids = hrr_graph_node_ids(graph);
    return ids && ids->text      ? HRR_PARQUET_BYTE_ARRAY
           : ids && ids->integer ? HRR_PARQUET_INT64
                                 : HRR_PARQUET_INT32;
}

static hrr_parquet_field feature_field(const hrr_graph *graph, bool truths)
{
    const hrr_dtype type = hrr_graph_features(graph)->dtype;
    return (hrr_parquet_field){.type = truths            ? HRR_PARQUET_BOOLEAN
                                       : type == HRR_U8  ? HRR_PARQUET_INT32
                                       : type == HRR_F32 ? HRR_PARQUET_FLOAT
                                                         : HRR_PARQUET_DOUBLE,
                               .byte = !truths && type == HRR_U8,
                               .get = get_feature,
                               .user = graph};
}

typedef struct node_fields {
    hrr_parquet_field *items;
    char **names; /* of those whose names are made up; NULL: a literal */
    uint32_t n;
} node_fields;

static void clear_fields(node_fields *fields)
{
    for (uint32_t i = 0; fields->names && i < fields->n; i++)
        hrr_free(fields->names[i]);
    hrr_free(fields->names);
    hrr_free(fields->items);
}

/* name: a literal, or with `made` memory that is taken. */
static bool add_field(node_fields *fields, hrr_parquet_field field, const char *name, char *made)
{
    if (!name && !made) return false;
    field.name = made ? made : name;
    fields->names[fields->n] = made;
    fields->items[fields->n++] = field;
    return true;
}

static hrr_status make_node_fields(node_fields *out, const hrr_graph *graph, bool class_names,
                                   hrr_error *err)
{
    const hrr_dense *features = hrr_graph_features(graph);
    const uint64_t n_features = features ? features->cols : 0;
    const uint32_t n_labels = hrr_graph_label_matrix(graph) ? hrr_graph_n_classes(graph) : 0;
    const bool truths = features && hrr_listing_truths(graph);
    const uint64_t most = n_features + n_labels + 3;
    char decimal[hrr_decimal_size];
    bool enough = most <= UINT32_MAX;
    if (enough) out->items = hrr_alloc_zero(most, sizeof *out->items);
    if (enough) out->names = hrr_alloc_zero(most, sizeof *out->names);
    enough =
        out->items && out->names &&
        add_field(out, (hrr_parquet_field){.type = id_type(graph), .get = get_id, .user = graph},
                  "id", NULL);
    for (uint64_t i = 0; i < n_features && enough; i++) {
        hrr_parquet_field field = feature_field(graph, truths);
        field.column = i;
        enough = add_field(out, field, NULL, hrr_format_text("feature_%" PRIu64, i));
    }
    if (enough && hrr_graph_classes(graph))
        enough = add_field(
            out,
            (hrr_parquet_field){.type = class_names ? HRR_PARQUET_BYTE_ARRAY : HRR_PARQUET_INT32,
                                .optional = true,
                                .get = get_class,
                                .user = graph,
                                .column = class_names},
            "class", NULL);
    for (uint32_t i = 0; i < n_labels && enough; i++)
        enough = add_field(
            out,
            (hrr_parquet_field){
                .type = HRR_PARQUET_BOOLEAN, .get = get_label, .user = graph, .column = i},
            NULL, hrr_format_text("class:%s", hrr_listing_class(decimal, graph, class_names, i)));
    if (enough && hrr_graph_split(graph))
        enough = add_field(
            out,
            (hrr_parquet_field){.type = HRR_PARQUET_BYTE_ARRAY, .get = get_split, .user = graph},
            "split", NULL);
    return enough ? HRR_OK : hrr_no_memory(err);
}

static hrr_status write_nodes(const hrr_graph *graph, const char *path, bool uncompressed,
                              const char *inferred, hrr_progress *progress, hrr_error *err)
{
    node_fields fields = {0};
    bool class_names;
    char *choices = NULL;
    hrr_status status = hrr_listing_names_fit(&class_names, graph, err);
    if (!status) status = make_node_fields(&fields, graph, class_names, err);
    if (!status && hrr_graph_classes(graph)) {
        choices = hrr_listing_choices(graph, class_names);
        if (!choices) status = hrr_no_memory(err);
    }
    const hrr_parquet_table table = {.fields = fields.items,
                                     .n_fields = fields.n,
                                     .n_rows = hrr_graph_n_nodes(graph),
                                     .classes = choices,
                                     .inferred = inferred,
                                     .uncompressed = uncompressed};
    hrr_progress_begin(progress, "writing nodes", table.n_rows * table.n_fields);
    if (!status) status = hrr_parquet_write(path, &table, progress, err);
    hrr_free(choices);
    clear_fields(&fields);
    return status;
}

static hrr_status write_edges(const hrr_graph *graph, const char *path, bool uncompressed,
                              const char *inferred, hrr_progress *progress, hrr_error *err)
{
    const hrr_parquet_type id = id_type(graph);
    const hrr_parquet_field fields[] = {
        {.name = "source", .type = id, .get = get_end, .user = graph, .column = 0},
        {.name = "target", .type = id, .get = get_end, .user = graph, .column = 1},
        {.name = "private", .type = HRR_PARQUET_BOOLEAN, .get = get_private, .user = graph}};
    const hrr_parquet_table table = {.fields = fields,
                                     .n_fields = hrr_graph_is_private(graph) ? 3 : 2,
                                     .n_rows = hrr_graph_n_edges(graph),
                                     .inferred = inferred,
                                     .uncompressed = uncompressed};
    hrr_progress_begin(progress, "writing edges", table.n_rows * table.n_fields);
    return hrr_parquet_write(path, &table, progress, err);
}

/* ---- the folder ------------------------------------------------------------------------------ */

static hrr_status write_folder(const hrr_graph *graph, const char *path, bool replace,
                               bool uncompressed, const char *inferred, hrr_progress *progress,
                               hrr_error *err)
{
    static const hrr_dir_kind kind = {.what = "Parquet tables",
                                      .file = HRR_PARQUET_EDGES,
                                      .text = HRR_PARQUET_MAGIC,
                                      .without = NULL};
    hrr_output_dir *dir;
    hrr_status status = hrr_output_dir_open(&dir, path, &kind, replace, err);
    if (status) return status;
    char *nodes = hrr_path_join(hrr_output_dir_staging(dir), HRR_PARQUET_NODES);
    char *edges = hrr_path_join(hrr_output_dir_staging(dir), HRR_PARQUET_EDGES);
    if (!nodes || !edges) status = hrr_no_memory(err);
    if (!status) status = write_nodes(graph, nodes, uncompressed, inferred, progress, err);
    if (!status) status = write_edges(graph, edges, uncompressed, NULL, progress, err);
    if (!status) status = hrr_output_dir_commit(dir, err);
    hrr_free(nodes);
    hrr_free(edges);
    hrr_output_dir_free(dir);
    return status;
}

hrr_status hrr_parquet_graph_write(const hrr_graph *graph, const char *path, bool folder,
                                   bool replace, bool uncompressed, hrr_progress *progress,
                                   hrr_error *err)
{
    char number[40];
    const char *inferred = hrr_graph_inferred(graph) ? number : NULL;
    snprintf(number, sizeof number, HRR_LISTING_INFERRED "%u", (unsigned)hrr_graph_inferred(graph));
    if (folder) return write_folder(graph, path, replace, uncompressed, inferred, progress, err);
    return write_edges(graph, path, uncompressed, inferred, progress, err);
}
