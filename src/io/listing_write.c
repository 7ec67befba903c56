/* listing_write.c: see listing_write.h. */
#include "io/listing_write.h"
#include "base/memory.h"
#include "graph/name_index.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { rows_per_report = 1 << 12 };

/* ---- text ------------------------------------------------------------------------------------ */

static void put_bytes(hrr_listing_sink *sink, const char *bytes, size_t size)
{
    if (!sink->status) sink->status = hrr_text_sink_write(sink->text, bytes, size, sink->err);
}

void hrr_listing_put(hrr_listing_sink *sink, const char *piece)
{
    put_bytes(sink, piece, strlen(piece));
}

/* Control characters and the two noncharacters at the end of the first plane, U+FFFE and U+FFFF,
 * are in no XML file. */
static bool is_no_xml(const char *c)
{
    const unsigned char byte = (unsigned char)*c;
    return byte < 0x20 || (byte == 0xef && (unsigned char)c[1] == 0xbf &&
                           ((unsigned char)c[2] == 0xbe || (unsigned char)c[2] == 0xbf));
}

void hrr_listing_put_text(hrr_listing_sink *sink, const char *text)
{
    const char *from = text;
    for (const char *c = text; *c && !sink->status; c++) {
        const char *instead = *c == '&'    ? "&amp;"
                              : *c == '<'  ? "&lt;"
                              : *c == '>'  ? "&gt;"
                              : *c == '"'  ? "&quot;"
                              : *c == '\t' ? "&#9;"
                              : *c == '\n' ? "&#10;"
                              : *c == '\r' ? "&#13;"
                                           : NULL;
        if (!instead && is_no_xml(c))
            sink->status = hrr_fail(sink->err, HRR_EDATA,
                                    "the name of a node or class contains a control character, "
                                    "which XML does not allow; choose another format");
        if (!instead) continue;
        put_bytes(sink, from, (size_t)(c - from));
        hrr_listing_put(sink, instead);
        from = c + 1;
    }
    put_bytes(sink, from, strlen(from));
}

/* ---- declarations ---------------------------------------------------------------------------- */

bool hrr_listing_truths(const hrr_graph *graph)
{
    const hrr_dense *features = hrr_graph_features(graph);
    const double *lo = hrr_graph_feature_lo(graph), *hi = hrr_graph_feature_hi(graph);
    if (features->dtype != HRR_U8 || !lo) return false;
    for (uint64_t i = 0; i < features->cols; i++)
        if (lo[i] != 0 || hi[i] != 1) return false;
    return true;
}

static hrr_attribute_type feature_type(const hrr_graph *graph)
{
    if (hrr_listing_truths(graph)) return HRR_ATTRIBUTE_TRUTH;
    switch (hrr_graph_features(graph)->dtype) {
    case HRR_U8:
        return HRR_ATTRIBUTE_INTEGER;
    case HRR_F32:
        return HRR_ATTRIBUTE_FLOAT;
    case HRR_F64:
        break;
    }
    return HRR_ATTRIBUTE_DOUBLE;
}

hrr_status hrr_listing_names_fit(bool *fit, const hrr_graph *graph, hrr_error *err)
{
    const uint32_t n = hrr_graph_n_classes(graph);
    hrr_name_index seen = {0};
    hrr_status status = HRR_OK;
    *fit = n > 0;
    for (uint32_t i = 0; i < n && *fit && !status; i++) {
        const char *name = hrr_graph_class_name(graph, i);
        *fit = name && *name && !strchr(name, '|');
        if (*fit) status = hrr_name_index_add(&seen, name, i, fit, err);
    }
    hrr_name_index_clear(&seen);
    return status;
}

typedef struct writing {
    hrr_listing_sink sink;
    const hrr_listing_style *style;
    hrr_progress *progress;
    bool class_names, truths;
} writing;

const char *hrr_listing_class(char decimal[hrr_decimal_size], const hrr_graph *graph, bool names,
                              uint32_t label)
{
    if (names) return hrr_graph_class_name(graph, label);
    hrr_decimal(decimal, label);
    return decimal;
}

char *hrr_listing_choices(const hrr_graph *graph, bool names)
{
    const uint32_t n = hrr_graph_n_classes(graph);
    char decimal[hrr_decimal_size], *list = NULL, *next;
    size_t size = 1;
    for (uint32_t i = 0; i < n; i++)
        size += strlen(hrr_listing_class(decimal, graph, names, i)) + 1;
    list = next = hrr_alloc(size, 1);
    if (!list) return NULL;
    *list = '\0';
    for (uint32_t i = 0; i < n; i++)
        next += sprintf(next, "%s%s", i ? "|" : "", hrr_listing_class(decimal, graph, names, i));
    return list;
}

static const char *class_text(const writing *w, char decimal[hrr_decimal_size], uint32_t label)
{
    return hrr_listing_class(decimal, w->sink.graph, w->class_names, label);
}

static void declare(writing *w, hrr_attribute_owner owner, hrr_attribute_type type, const char *id,
                    const char *name, const char *choices)
{
    const hrr_attribute_declaration declaration = {
        .owner = owner, .type = type, .id = id, .name = name, .choices = choices};
    if (!w->sink.status) w->style->declare(&w->sink, &declaration);
}

static void declare_labels(writing *w)
{
    const hrr_graph *graph = w->sink.graph;
    const uint32_t n = hrr_graph_n_classes(graph);
    if (hrr_graph_classes(graph)) {
        char *choices = hrr_listing_choices(graph, w->class_names);
        if (!choices)
            w->sink.status = hrr_no_memory(w->sink.err);
        else
            declare(w, HRR_OF_NODES, w->class_names ? HRR_ATTRIBUTE_TEXT : HRR_ATTRIBUTE_INTEGER,
                    "class", "class", choices);
        hrr_free(choices);
    }
    for (uint32_t i = 0; hrr_graph_label_matrix(graph) && i < n && !w->sink.status; i++) {
        char id[24], decimal[hrr_decimal_size];
        char *name = hrr_format_text("class:%s", class_text(w, decimal, i));
        snprintf(id, sizeof id, "c%u", i);
        if (name)
            declare(w, HRR_OF_NODES, HRR_ATTRIBUTE_TRUTH, id, name, NULL);
        else
            w->sink.status = hrr_no_memory(w->sink.err);
        hrr_free(name);
    }
}

static bool nodes_have_values(const hrr_graph *graph)
{
    return hrr_graph_features(graph) || hrr_graph_n_classes(graph) || hrr_graph_split(graph);
}

static void declare_all(writing *w)
{
    const hrr_graph *graph = w->sink.graph;
    const hrr_dense *features = hrr_graph_features(graph);
    if (nodes_have_values(graph)) {
        hrr_listing_put(&w->sink, w->style->before_declarations[HRR_OF_NODES]);
        for (uint64_t i = 0; features && i < features->cols; i++) {
            char id[24], name[40];
            snprintf(id, sizeof id, "f%" PRIu64, i);
            snprintf(name, sizeof name, "feature_%" PRIu64, i);
            declare(w, HRR_OF_NODES, feature_type(graph), id, name, NULL);
        }
        declare_labels(w);
        if (hrr_graph_split(graph))
            declare(w, HRR_OF_NODES, HRR_ATTRIBUTE_TEXT, "split", "split", NULL);
        hrr_listing_put(&w->sink, w->style->after_declarations[HRR_OF_NODES]);
    }
    if (hrr_graph_is_private(graph)) {
        hrr_listing_put(&w->sink, w->style->before_declarations[HRR_OF_EDGES]);
        declare(w, HRR_OF_EDGES, HRR_ATTRIBUTE_TRUTH, "private", "private", NULL);
        hrr_listing_put(&w->sink, w->style->after_declarations[HRR_OF_EDGES]);
    }
}

/* What was concluded from private data is still private in a copy. */
static void put_note(writing *w)
{
    char note[40];
    const unsigned inferred = hrr_graph_inferred(w->sink.graph);
    if (!inferred) return;
    snprintf(note, sizeof note, HRR_LISTING_INFERRED "%u", inferred);
    hrr_listing_put(&w->sink, w->style->before_note);
    hrr_listing_put(&w->sink, note);
    hrr_listing_put(&w->sink, w->style->after_note);
}

/* ---- nodes and edges ------------------------------------------------------------------------- */

static void put_value(writing *w, const char *id, const char *value, bool is_name)
{
    hrr_listing_put(&w->sink, w->style->before_attribute);
    hrr_listing_put(&w->sink, id);
    hrr_listing_put(&w->sink, w->style->before_value);
    if (is_name)
        hrr_listing_put_text(&w->sink, value);
    else
        hrr_listing_put(&w->sink, value);
    hrr_listing_put(&w->sink, w->style->after_value);
}

const char *hrr_listing_number(char out[HRR_LISTING_NUMBER_SIZE], const hrr_dense *features,
                               uint64_t row, uint64_t col, bool truths)
{
    const double number = hrr_dense_get(features, row, col);
    if (truths) return number != 0 ? "true" : "false";
    snprintf(out, HRR_LISTING_NUMBER_SIZE, "%.*g", features->dtype == HRR_F64 ? 17 : 9, number);
    return out;
}

static void put_features(writing *w, const hrr_dense *features, uint64_t row)
{
    for (uint64_t i = 0; i < features->cols && !w->sink.status; i++) {
        char id[24], value[HRR_LISTING_NUMBER_SIZE];
        snprintf(id, sizeof id, "f%" PRIu64, i);
        put_value(w, id, hrr_listing_number(value, features, row, i, w->truths), false);
    }
}

static void put_labels(writing *w, uint64_t row)
{
    const hrr_graph *graph = w->sink.graph;
    const int32_t *classes = hrr_graph_classes(graph);
    const hrr_dense *labels = hrr_graph_label_matrix(graph);
    char decimal[hrr_decimal_size];
    if (classes && classes[row] >= 0)
        put_value(w, "class", class_text(w, decimal, (uint32_t)classes[row]), true);
    for (uint64_t i = 0; labels && i < labels->cols; i++) {
        char id[24];
        snprintf(id, sizeof id, "c%" PRIu64, i);
        put_value(w, id, hrr_dense_get(labels, row, i) != 0 ? "true" : "false", false);
    }
}

static void put_node(writing *w, uint64_t node)
{
    static const char *const words[] = {"train", "valid", "test"};
    const hrr_graph *graph = w->sink.graph;
    const uint8_t *split = hrr_graph_split(graph);
    char decimal[hrr_decimal_size];
    w->style->open_node(&w->sink, hrr_node_name(decimal, hrr_graph_node_ids(graph), node));
    if (nodes_have_values(graph)) {
        hrr_listing_put(&w->sink, w->style->before_values);
        if (hrr_graph_features(graph)) put_features(w, hrr_graph_features(graph), node);
        put_labels(w, node);
        if (split) put_value(w, "split", words[split[node]], false);
        hrr_listing_put(&w->sink, w->style->after_values);
    }
    hrr_listing_put(&w->sink, w->style->close_node);
}

static void put_edge(writing *w, uint64_t edge)
{
    const hrr_graph *graph = w->sink.graph;
    const hrr_node_ids *ids = hrr_graph_node_ids(graph);
    const uint8_t *is_private = hrr_graph_is_private(graph);
    char source[hrr_decimal_size], target[hrr_decimal_size];
    w->style->open_edge(&w->sink, hrr_node_name(source, ids, hrr_graph_sources(graph)[edge]),
                        hrr_node_name(target, ids, hrr_graph_targets(graph)[edge]));
    if (is_private) {
        hrr_listing_put(&w->sink, w->style->before_values);
        put_value(w, "private", is_private[edge] ? "true" : "false", false);
        hrr_listing_put(&w->sink, w->style->after_values);
    }
    hrr_listing_put(&w->sink, w->style->close_edge);
}

static void put_each(writing *w, const char *phase, uint64_t n, void (*put)(writing *, uint64_t))
{
    hrr_progress_begin(w->progress, phase, n);
    for (uint64_t i = 0; i < n && !w->sink.status; i++) {
        if (i % rows_per_report == 0)
            w->sink.status =
                hrr_progress_advance(w->progress, i ? rows_per_report : 0, w->sink.err);
        put(w, i);
    }
}

hrr_status hrr_listing_write(const hrr_graph *graph, const char *path,
                             const hrr_listing_style *style, hrr_progress *progress, hrr_error *err)
{
    writing w = {.sink = {.graph = graph, .err = err}, .style = style, .progress = progress};
    hrr_status status = hrr_text_sink_open(&w.sink.text, path, err);
    if (status) return status;
    w.sink.status = hrr_listing_names_fit(&w.class_names, graph, err);
    w.truths = hrr_graph_features(graph) && hrr_listing_truths(graph);
    hrr_listing_put(&w.sink, style->head);
    put_note(&w);
    hrr_listing_put(&w.sink, style->start);
    declare_all(&w);
    hrr_listing_put(&w.sink, style->before_nodes);
    put_each(&w, "writing nodes", hrr_graph_n_nodes(graph), put_node);
    hrr_listing_put(&w.sink, style->after_nodes);
    hrr_listing_put(&w.sink, style->before_edges);
    put_each(&w, "writing edges", hrr_graph_n_edges(graph), put_edge);
    hrr_listing_put(&w.sink, style->after_edges);
    hrr_listing_put(&w.sink, style->tail);
    status = w.sink.status;
    if (!status) status = hrr_text_sink_commit(w.sink.text, err);
    hrr_text_sink_free(w.sink.text);
    return status;
}
