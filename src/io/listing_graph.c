/* listing_graph.c: see listing.h: the graph of what was taken down. */
#include "io/listing_parts.h"
#include "io/class_texts.h"
#include "io/file_names.h"
#include "io/graph_parts.h"
#include "io/node_names.h"
#include "io/read_report.h"
#include "base/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- nodes in order -------------------------------------------------------------------------- */

static hrr_status check_listed(const hrr_listing *in, hrr_error *err)
{
    for (uint64_t i = 0; i < in->names.n_names; i++)
        if (!in->listed[i])
            return hrr_fail(
                err, HRR_EDATA, "%s:%" PRIu64 ": an edge names a node that the file does not list",
                in->edges_at.path, in->edges_at.line_at(in->edges_at.path, in->first_mention[i]));
    return HRR_OK;
}

static const char *name_at(const hrr_listing *in, uint64_t i)
{
    return in->names.ids.text + in->names.ids.text_start[i];
}

typedef struct valued {
    int64_t value;
    uint32_t node;
} valued;

static int by_value(const void *a, const void *b)
{
    const int64_t x = ((const valued *)a)->value, y = ((const valued *)b)->value;
    return (x > y) - (x < y);
}

/* *ids are none if the integers are 0..n-1. */
static hrr_status rank_integers(uint32_t **rank, hrr_node_ids *ids, const hrr_listing *in,
                                hrr_error *err)
{
    const uint64_t n = in->names.n_names;
    bool rows = true;
    valued *order = hrr_alloc(n, sizeof *order);
    ids->integer = hrr_alloc(n, sizeof *ids->integer);
    *rank = hrr_alloc(n, sizeof **rank);
    if (!order || !ids->integer || !*rank) {
        hrr_free(order);
        return hrr_no_memory(err);
    }
    for (uint64_t i = 0; i < n; i++) {
        order[i].node = (uint32_t)i;
        hrr_plain_integer(name_at(in, i), &order[i].value);
    }
    if (n) qsort(order, n, sizeof *order, by_value);
    for (uint64_t i = 0; i < n; i++) {
        (*rank)[order[i].node] = (uint32_t)i;
        ids->integer[i] = order[i].value;
        rows = rows && order[i].value == (int64_t)i;
    }
    if (rows) hrr_node_ids_clear(ids);
    hrr_free(order);
    return HRR_OK;
}

static hrr_status rank_nodes(uint32_t **rank, hrr_node_ids *ids, hrr_listing *in, hrr_error *err)
{
    int64_t ignored;
    bool integers = true;
    for (uint64_t i = 0; i < in->names.n_names && integers; i++)
        integers = hrr_plain_integer(name_at(in, i), &ignored);
    if (integers) return rank_integers(rank, ids, in, err);
    hrr_status status = hrr_edge_names_sort(&in->names, rank, err);
    if (status) return status;
    *ids = in->names.ids;
    in->names.ids = (hrr_node_ids){0};
    return HRR_OK;
}

/* ---- edges ----------------------------------------------------------------------------------- */

static hrr_status take_edges(hrr_graph *graph, hrr_listing *in, const uint32_t *rank,
                             hrr_progress *progress, hrr_error *err)
{
    const char *names[HRR_MAX_MARKS];
    hrr_edge_list *edges = &in->edges.edges;
    if (edges->n_edges == 0) { /* whether edges are marked does not depend on there being any */
        hrr_edge_growth_clear(&in->edges);
        hrr_status status = hrr_edge_list_init(edges, 0, in->marks.n > 0, err);
        if (status) return status;
    }
    for (uint64_t e = 0; e < edges->n_edges; e++) {
        edges->source[e] = rank[edges->source[e]];
        edges->target[e] = rank[edges->target[e]];
    }
    for (uint32_t i = 0; i < in->marks.n; i++)
        names[i] = in->marks.items[i].name;
    hrr_status status = hrr_graph_take_edges(graph, edges, in->marks.n ? names : NULL,
                                             (int)in->marks.n, progress, err);
    if (!status && in->passed_over && !in->marks.n)
        hrr_graph_add_inferred(graph, HRR_INFERRED_EDGES);
    if (!status) hrr_graph_add_inferred(graph, (hrr_inferred)in->inferred);
    return hrr_error_add_place(err, status, in->path);
}

/* ---- features -------------------------------------------------------------------------------- */

static int by_name(const void *a, const void *b, void *user)
{
    const columns *all = user;
    return strverscmp(all->items[*(const uint32_t *)a].name, all->items[*(const uint32_t *)b].name);
}

/* "age, height and pay", as far as it fits. */
static void list_names(char *out, size_t size, const char *const *names, uint64_t n)
{
    size_t used = 0;
    *out = '\0';
    for (uint64_t i = 0; i < n; i++) {
        const char *before = i == 0 ? "" : i + 1 == n ? " and " : ", ";
        if (used + strlen(before) + 84 > size) {
            snprintf(out + used, size - used, ", ...");
            return;
        }
        used += (size_t)snprintf(out + used, size - used, "%s%.80s", before, names[i]);
    }
}

/* A graph does not keep the names of features, so their order is said, unless they are numbered. */
static hrr_status report_order(const hrr_listing *in, const uint32_t *order, hrr_error *err)
{
    char list[600], numbered[32];
    const uint32_t n = in->features.n;
    bool plain = true;
    const char **names = hrr_alloc(n, sizeof *names);
    if (!names) return hrr_no_memory(err);
    for (uint32_t i = 0; i < n; i++) {
        names[i] = in->features.items[order[i]].name;
        snprintf(numbered, sizeof numbered, "feature_%u", i);
        plain = plain && strcmp(names[i], numbered) == 0;
    }
    list_names(list, sizeof list, names, n);
    hrr_free(names);
    if (plain) return HRR_OK;
    return hrr_read_report_add(in->options->report, err,
                               "%s: the features are the node attributes %s, in this order.",
                               in->path, list);
}

static hrr_status take_features(hrr_graph *graph, const hrr_listing *in, const uint32_t *rank,
                                hrr_error *err)
{
    const uint32_t d = in->features.n;
    if (d == 0) return HRR_OK;
    const size_t size = hrr_dtype_size(in->feature_type);
    hrr_dense features = {0};
    uint32_t *order = hrr_alloc(d, sizeof *order);
    hrr_status status = order ? HRR_OK : hrr_no_memory(err);
    if (!status) status = hrr_dense_init(&features, in->feature_type, in->n_listed, d, err);
    if (status) goto done;
    for (uint32_t i = 0; i < d; i++)
        order[i] = i;
    qsort_r(order, d, sizeof *order, by_name, (void *)(uintptr_t)&in->features);
    for (uint64_t row = 0; row < in->n_listed; row++) {
        char *to = (char *)features.data + (uint64_t)rank[in->node_of_row[row]] * d * size;
        const char *from = (const char *)in->feature_rows + row * d * size;
        for (uint32_t i = 0; i < d; i++)
            memcpy(to + i * size, from + order[i] * size, size);
    }
    status = hrr_error_add_place(err, hrr_graph_take_features(graph, &features, err), in->path);
    if (!status && in->feature_type == HRR_U8)
        status = hrr_graph_set_feature_range(graph, 0, 1, err); /* true or false */
    if (!status) status = report_order(in, order, err);
done:
    hrr_dense_clear(&features);
    hrr_free(order);
    return status;
}

/* ---- labels ---------------------------------------------------------------------------------- */

/* "a|b|c" cut in place. Returns how many there are; at most n_most are put into names. */
static uint64_t cut_choices(const char **names, char *text, uint64_t n_most)
{
    uint64_t n = 0;
    for (char *bar; text; text = bar) {
        bar = strchr(text, '|');
        if (bar) *bar++ = '\0';
        if (n < n_most) names[n] = text;
        n++;
    }
    return n;
}

/* Classes by their place in the list that the file states; *n_classes 0 if it states none, or if
 * labels occur that are not in it. */
static hrr_status number_by_choices(int32_t *class_of, const char ***names, uint32_t *n_classes,
                                    const hrr_listing *in, hrr_error *err)
{
    *n_classes = 0;
    if (!in->class_choices) return HRR_OK;
    hrr_name_index places = {0};
    uint64_t room = 1;
    for (const char *c = in->class_choices; *c; c++)
        room += *c == '|';
    if (room > HRR_MAX_CLASSES) return HRR_OK;
    /* The names, and behind them the texts that they are. */
    const size_t length = strlen(in->class_choices) + 1;
    const char **cut = hrr_alloc(room * sizeof *cut + length, 1);
    if (!cut) return hrr_no_memory(err);
    char *text = memcpy((char *)(cut + room), in->class_choices, length);
    const uint64_t n = cut_choices(cut, text, room);
    hrr_status status = HRR_OK;
    bool fresh = true, all = true, numbered = true;
    for (uint64_t i = 0; i < n && all && !status; i++) {
        char decimal[hrr_decimal_size];
        hrr_decimal(decimal, (int64_t)i);
        numbered = numbered && strcmp(decimal, cut[i]) == 0;
        status = hrr_name_index_add(&places, cut[i], (uint32_t)i, &fresh, err);
        all = fresh && *cut[i];
    }
    for (uint64_t i = 0; i < in->class_texts.n_names && all && !status; i++) {
        uint32_t place = 0;
        all = hrr_name_index_find(&places, in->class_texts.text + in->class_texts.text_start[i],
                                  &place);
        class_of[i] = (int32_t)place;
    }
    if (!status && all) *n_classes = (uint32_t)n;
    if (!status && all && !numbered) {
        *names = cut;
        cut = NULL;
    }
    hrr_free(cut);
    hrr_name_index_clear(&places);
    return status;
}

static hrr_status take_classes(hrr_graph *graph, const hrr_listing *in, const uint32_t *rank,
                               hrr_error *err)
{
    const uint64_t n = in->n_listed;
    uint32_t n_classes = 0;
    const char **names = NULL;
    const char *told = in->options->label_column;
    char *where = hrr_format_text("%s: node attribute %.80s", in->path, told ? told : "class");
    int32_t *class_of = hrr_alloc(in->class_texts.n_names, sizeof *class_of);
    int32_t *classes = hrr_alloc(n, sizeof *classes);
    hrr_status status = where && class_of && classes ? HRR_OK : hrr_no_memory(err);
    if (!status) status = number_by_choices(class_of, &names, &n_classes, in, err);
    if (!status && !n_classes)
        status = hrr_number_classes(class_of, &names, &in->class_texts, n, where, err);
    for (uint64_t row = 0; row < n && !status; row++) {
        const uint32_t text = in->class_rows[row];
        classes[rank[in->node_of_row[row]]] = text == HRR_NO_CLASS_TEXT ? -1 : class_of[text];
    }
    if (!status) status = hrr_take_classes_counted(graph, &classes, n_classes, where, err);
    if (!status && names) status = hrr_graph_set_class_names(graph, names, err);
    hrr_free(names);
    hrr_free(class_of);
    hrr_free(classes);
    hrr_free(where);
    return status;
}

/* The names of the columns behind "class:", unless they are numbers in order. */
static hrr_status name_labels(hrr_graph *graph, const hrr_listing *in, hrr_error *err)
{
    bool numbered = true;
    const char **names = hrr_alloc(in->labels.n, sizeof *names);
    if (!names) return hrr_no_memory(err);
    for (uint32_t i = 0; i < in->labels.n; i++) {
        char decimal[hrr_decimal_size];
        names[i] = in->labels.items[i].name + strlen("class:");
        hrr_decimal(decimal, i);
        numbered = numbered && strcmp(decimal, names[i]) == 0;
    }
    hrr_status status = numbered ? HRR_OK : hrr_graph_set_class_names(graph, names, err);
    hrr_free(names);
    return status;
}

static hrr_status take_labels(hrr_graph *graph, const hrr_listing *in, const uint32_t *rank,
                              hrr_error *err)
{
    hrr_dense labels = {0};
    const uint32_t n_labels = in->labels.n;
    if (n_labels > HRR_MAX_CLASSES)
        return hrr_fail(err, HRR_EDATA, "%s: has more than %u labels", in->path, HRR_MAX_CLASSES);
    hrr_status status = hrr_dense_init(&labels, HRR_U8, in->n_listed, n_labels, err);
    for (uint64_t row = 0; row < in->n_listed && !status; row++)
        memcpy((uint8_t *)labels.data + (uint64_t)rank[in->node_of_row[row]] * n_labels,
               in->label_rows + row * n_labels, n_labels);
    if (!status)
        status =
            hrr_error_add_place(err, hrr_graph_take_label_matrix(graph, &labels, err), in->path);
    if (!status) status = name_labels(graph, in, err);
    hrr_dense_clear(&labels);
    return status;
}

static bool has_class_attribute(const hrr_listing *in)
{
    for (uint32_t i = 0; i < in->n_attributes; i++)
        if (in->attributes[i].role == ROLE_CLASS) return true;
    return false;
}

static hrr_status take_any_labels(hrr_graph *graph, const hrr_listing *in, const uint32_t *rank,
                                  hrr_error *err)
{
    if (in->options->labels) return HRR_OK; /* other labels take their place */
    if (has_class_attribute(in)) return take_classes(graph, in, rank, err);
    if (in->options->label_column)
        return hrr_fail(err, HRR_EDATA,
                        "%s: has no node attribute with the name given by `label_column`",
                        in->path);
    return in->labels.n ? take_labels(graph, in, rank, err) : HRR_OK;
}

/* ---- the rest -------------------------------------------------------------------------------- */

/* Only if every node is in one of the three. */
static hrr_status take_split(hrr_graph *graph, const hrr_listing *in, const uint32_t *rank,
                             hrr_error *err)
{
    for (uint64_t row = 0; row < in->n_listed; row++)
        if (in->split_rows[row] == hrr_no_split) return HRR_OK;
    uint8_t *split = hrr_alloc(in->n_listed, 1);
    if (!split) return hrr_no_memory(err);
    for (uint64_t row = 0; row < in->n_listed; row++)
        split[rank[in->node_of_row[row]]] = in->split_rows[row];
    hrr_status status = hrr_graph_take_split(graph, &split, err);
    hrr_free(split);
    return status;
}

static hrr_status report(const hrr_listing *in, bool directed, hrr_error *err)
{
    hrr_status status = HRR_OK;
    if (directed)
        status = hrr_read_report_add(in->options->report, err,
                                     "%s: is a directed graph; it was read as undirected, so an "
                                     "edge and its reverse count as one.",
                                     in->path);
    if (status || !in->has_texts) return status;
    char list[600];
    uint64_t n = 0;
    const char **names = hrr_alloc(in->n_attributes, sizeof *names);
    if (!names) return hrr_no_memory(err);
    for (uint32_t i = 0; i < in->n_attributes; i++)
        if (in->attributes[i].owner == HRR_OF_NODES && hrr_is_passed_over_text(&in->attributes[i]))
            names[n++] = in->attributes[i].name;
    list_names(list, sizeof list, names, n);
    hrr_free(names);
    return hrr_read_report_add(in->options->report, err,
                               "%s: these node attributes are texts and were not read: %s; "
                               "`label_column` selects one of them as the labels.",
                               in->path, list);
}

hrr_status hrr_listing_into_graph(hrr_graph **out, hrr_listing *listing, bool directed,
                                  hrr_progress *progress, hrr_error *err)
{
    hrr_graph *graph = NULL;
    hrr_node_ids ids = {0};
    uint32_t *rank = NULL;
    *out = NULL;
    hrr_status status = check_listed(listing, err);
    if (!status) status = rank_nodes(&rank, &ids, listing, err);
    if (status) goto done;
    status = hrr_graph_new_named(&graph, listing->path, listing->n_listed, err);
    if ((status = hrr_error_add_place(err, status, listing->path))) goto done;
    if ((status = take_edges(graph, listing, rank, progress, err))) goto done;
    if (ids.integer || ids.text) status = hrr_graph_take_node_ids(graph, &ids, err);
    if ((status = hrr_error_add_place(err, status, listing->path))) goto done;
    if ((status = take_features(graph, listing, rank, err))) goto done;
    if ((status = take_any_labels(graph, listing, rank, err))) goto done;
    if ((status = take_split(graph, listing, rank, err))) goto done;
    if ((status = report(listing, directed, err))) goto done;
    *out = graph;
    graph = NULL;
done:
    hrr_graph_free(graph);
    hrr_node_ids_clear(&ids);
    hrr_free(rank);
    return status;
}
