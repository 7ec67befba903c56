/* neo4j_write.c: a folder for neo4j-admin database import: nodes.csv and relationships.csv, whose
 * headers say which columns are ids and what type the others have. Every node has the label Node,
 * every edge the type EDGE and, because Neo4j knows no edge without a direction, one direction. An
 * empty field is no value. */
#include "io/graph_formats.h"
#include "io/listing_write.h"
#include "base/memory.h"
#include "base/paths.h"
#include "graph/name_index.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { rows_per_report = 1 << 12 };

typedef struct table {
    hrr_text_sink *sink;
    hrr_status status; /* of the first failure; nothing is written after it */
    hrr_error *err;
} table;

static void put(table *t, const char *piece)
{
    if (!t->status) t->status = hrr_text_sink_write(t->sink, piece, strlen(piece), t->err);
}

static void put_field(table *t, const char *text)
{
    if (!t->status) t->status = hrr_text_sink_write_field(t->sink, text, t->err);
}

static void put_column(table *t, const char *name, uint64_t number, const char *type)
{
    char column[64];
    snprintf(column, sizeof column, ",%s%" PRIu64 ":%s", name, number, type);
    put(t, column);
}

/* ---- nodes.csv ------------------------------------------------------------------------------- */

static const char *feature_type(const hrr_graph *graph)
{
    const hrr_dtype type = hrr_graph_features(graph)->dtype;
    if (hrr_listing_truths(graph)) return "boolean";
    return type == HRR_U8 ? "int" : type == HRR_F32 ? "float" : "double";
}

static bool has_class_names(const hrr_graph *graph)
{
    return hrr_graph_n_classes(graph) > 0 && hrr_graph_class_name(graph, 0);
}

static void put_node_header(table *t, const hrr_graph *graph)
{
    const hrr_dense *features = hrr_graph_features(graph);
    const hrr_dense *labels = hrr_graph_label_matrix(graph);
    put(t, "id:ID");
    for (uint64_t i = 0; features && i < features->cols; i++)
        put_column(t, "feature_", i, feature_type(graph));
    if (hrr_graph_classes(graph)) put(t, has_class_names(graph) ? ",class:string" : ",class:int");
    for (uint64_t i = 0; labels && i < labels->cols; i++)
        put_column(t, "class_", i, "boolean");
    if (hrr_graph_split(graph)) put(t, ",split:string");
    put(t, ",:LABEL\n");
}

static void put_class(table *t, const hrr_graph *graph, int32_t label)
{
    char decimal[hrr_decimal_size];
    put(t, ",");
    if (label < 0) return;
    hrr_decimal(decimal, label);
    put_field(t, has_class_names(graph) ? hrr_graph_class_name(graph, (uint32_t)label) : decimal);
}

static void put_node(table *t, const hrr_graph *graph, uint64_t node)
{
    static const char *const splits[] = {",train", ",valid", ",test"};
    const hrr_dense *features = hrr_graph_features(graph);
    const hrr_dense *labels = hrr_graph_label_matrix(graph);
    const bool truths = features && hrr_listing_truths(graph);
    char decimal[hrr_decimal_size], number[HRR_LISTING_NUMBER_SIZE];
    put_field(t, hrr_node_name(decimal, hrr_graph_node_ids(graph), node));
    for (uint64_t i = 0; features && i < features->cols; i++) {
        put(t, ",");
        put(t, hrr_listing_number(number, features, node, i, truths));
    }
    if (hrr_graph_classes(graph)) put_class(t, graph, hrr_graph_classes(graph)[node]);
    for (uint64_t i = 0; labels && i < labels->cols; i++)
        put(t, hrr_dense_get(labels, node, i) != 0 ? ",true" : ",false");
    if (hrr_graph_split(graph)) put(t, splits[hrr_graph_split(graph)[node]]);
    put(t, ",Node\n");
}

/* ---- relationships.csv ----------------------------------------------------------------------- */

static void put_edge_header(table *t, const hrr_graph *graph)
{
    put(t, hrr_graph_is_private(graph) ? ":START_ID,:END_ID,private:boolean,:TYPE\n"
                                       : ":START_ID,:END_ID,:TYPE\n");
}

static void put_edge(table *t, const hrr_graph *graph, uint64_t edge)
{
    const hrr_node_ids *ids = hrr_graph_node_ids(graph);
    const uint8_t *is_private = hrr_graph_is_private(graph);
    char decimal[hrr_decimal_size];
    put_field(t, hrr_node_name(decimal, ids, hrr_graph_sources(graph)[edge]));
    put(t, ",");
    put_field(t, hrr_node_name(decimal, ids, hrr_graph_targets(graph)[edge]));
    if (is_private) put(t, is_private[edge] ? ",true" : ",false");
    put(t, ",EDGE\n");
}

/* ---- the folder ------------------------------------------------------------------------------ */

static hrr_status put_table(const hrr_graph *graph, const char *folder, const char *name,
                            uint64_t n_rows, void (*header)(table *, const hrr_graph *),
                            void (*row)(table *, const hrr_graph *, uint64_t),
                            hrr_progress *progress, hrr_error *err)
{
    table t = {.err = err};
    char *path = hrr_path_join(folder, name);
    t.status = path ? hrr_text_sink_open(&t.sink, path, err) : hrr_no_memory(err);
    hrr_progress_begin(progress, name, n_rows);
    if (!t.status) header(&t, graph);
    for (uint64_t i = 0; i < n_rows && !t.status; i++) {
        if (i % rows_per_report == 0)
            t.status = hrr_progress_advance(progress, i ? rows_per_report : 0, err);
        row(&t, graph, i);
    }
    if (!t.status) t.status = hrr_text_sink_commit(t.sink, err);
    hrr_text_sink_free(t.sink);
    hrr_free(path);
    return t.status;
}

hrr_status hrr_neo4j_write(const hrr_graph *graph, const char *path, bool replace,
                           hrr_progress *progress, hrr_error *err)
{
    static const hrr_dir_kind kind = {
        .what = "Neo4j import", .file = "nodes.csv", .text = "id:ID", .without = NULL};
    hrr_output_dir *dir;
    hrr_status status = hrr_output_dir_open(&dir, path, &kind, replace, err);
    if (status) return status;
    const char *staging = hrr_output_dir_staging(dir);
    status = put_table(graph, staging, "nodes.csv", hrr_graph_n_nodes(graph), put_node_header,
                       put_node, progress, err);
    if (!status)
        status = put_table(graph, staging, "relationships.csv", hrr_graph_n_edges(graph),
                           put_edge_header, put_edge, progress, err);
    if (!status) status = hrr_output_dir_commit(dir, err);
    hrr_output_dir_free(dir);
    return status;
}
