/* arrow_import.c: Arrow tables as edges and features of a graph. The table is another program's, in
 * the same process: what it promises about the length of its buffers cannot be checked, all else
 * is. */
#include "io/edge_columns.h"
#include "io/graph_parts.h"
#include "io/listing.h"
#include "base/memory.h"

#include <heterorr/io.h>

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- tables ---------------------------------------------------------------------------------- */

/* Rows of a column of plain values: row i is value first + i. */
typedef struct view {
    const char *name;
    char type; /* the letter of the format */
    const void *values;
    const uint8_t *validity; /* a bit a value; NULL: nothing is missing */
    uint64_t first;
} view;

static bool bit(const uint8_t *bits, uint64_t i)
{
    return bits[i >> 3] >> (i & 7) & 1;
}

static const char *name_of(const struct ArrowSchema *schema)
{
    return schema->name ? schema->name : "";
}

static hrr_status open_table(const struct ArrowArray *array, const struct ArrowSchema *schema,
                             hrr_error *err)
{
    if (!array || !schema || !array->release || !schema->release)
        return hrr_fail(err, HRR_EINVAL, "the Arrow array or its schema was already released");
    if (strcmp(schema->format, "+s") != 0)
        return hrr_fail(err, HRR_EDATA,
                        "the Arrow table must be a struct of columns (a record batch)");
    if (array->n_children != schema->n_children || array->length < 0 || array->offset < 0)
        return hrr_fail(err, HRR_EDATA, "the Arrow table does not match its schema");
    const uint8_t *validity = array->n_buffers > 0 ? array->buffers[0] : NULL;
    for (int64_t i = 0; validity && array->null_count != 0 && i < array->length; i++)
        if (!bit(validity, (uint64_t)(array->offset + i)))
            return hrr_fail(err, HRR_EDATA, "row %" PRId64 " (counting from 0) is missing", i);
    return HRR_OK;
}

/* The values of an array of which the n values from `from` on are asked for. */
static hrr_status open_values(view *out, const struct ArrowArray *array,
                              const struct ArrowSchema *schema, uint64_t from, uint64_t n,
                              const char *name, hrr_error *err)
{
    if (strlen(schema->format) != 1 || !strchr("bcCsSiIlLfg", schema->format[0]) ||
        schema->dictionary)
        return hrr_fail(err, HRR_EDATA, "column %.80s contains neither numbers nor booleans", name);
    if (array->n_buffers != 2 || array->offset < 0 || array->length < 0 ||
        (uint64_t)array->length < from + n || (n && !array->buffers[1]))
        return hrr_fail(err, HRR_EDATA, "column %.80s is shorter than the table", name);
    *out = (view){.name = name,
                  .type = schema->format[0],
                  .values = array->buffers[1],
                  .validity = array->null_count ? array->buffers[0] : NULL,
                  .first = (uint64_t)array->offset + from};
    return HRR_OK;
}

static hrr_status open_column(view *out, const struct ArrowArray *array,
                              const struct ArrowSchema *schema, int64_t column, hrr_error *err)
{
    const struct ArrowSchema *of = schema->children[column];
    return open_values(out, array->children[column], of, (uint64_t)array->offset,
                       (uint64_t)array->length, name_of(of), err);
}

static int64_t integer_at(const view *v, uint64_t place)
{
    uint64_t large;
    switch (v->type) {
    case 'b':
        return bit(v->values, place);
    case 'c':
        return ((const int8_t *)v->values)[place];
    case 'C':
        return ((const uint8_t *)v->values)[place];
    case 's':
        return ((const int16_t *)v->values)[place];
    case 'S':
        return ((const uint16_t *)v->values)[place];
    case 'i':
        return ((const int32_t *)v->values)[place];
    case 'I':
        return ((const uint32_t *)v->values)[place];
    case 'l':
        return ((const int64_t *)v->values)[place];
    default:
        large = ((const uint64_t *)v->values)[place];
        return large > INT64_MAX ? INT64_MAX : (int64_t)large;
    }
}

static double number_at(const view *v, uint64_t place)
{
    if (v->type == 'f') return ((const float *)v->values)[place];
    if (v->type == 'g') return ((const double *)v->values)[place];
    if (v->type == 'L') return (double)((const uint64_t *)v->values)[place];
    return (double)integer_at(v, place);
}

static hrr_status row_fails(const view *v, uint64_t row, const char *problem, hrr_error *err)
{
    return hrr_fail(err, HRR_EDATA, "column %.80s, row %" PRIu64 " (counting from 0) %s", v->name,
                    row, problem);
}

/* An integer of 0..largest. */
static hrr_status read_integer(int64_t *out, const view *v, uint64_t row, uint64_t largest,
                               const char *problem, hrr_error *err)
{
    const uint64_t place = v->first + row;
    if (v->validity && !bit(v->validity, place)) return row_fails(v, row, "is missing", err);
    *out = integer_at(v, place);
    if (*out < 0 || (uint64_t)*out > largest) return row_fails(v, row, problem, err);
    return HRR_OK;
}

static bool is_integer(const view *v)
{
    return v->type != 'f' && v->type != 'g';
}

/* ---- edges ----------------------------------------------------------------------------------- */

typedef struct edge_columns {
    view ends[2], marks[HRR_MAX_MARKS];
    const char *mark_names[HRR_MAX_MARKS];
    int n_marks;
    bool passed_over;
} edge_columns;

static const char *name_of_child(const void *schema, uint64_t column)
{
    return name_of(((const struct ArrowSchema *)schema)->children[column]);
}

static hrr_status find_columns(edge_columns *out, const struct ArrowArray *array,
                               const struct ArrowSchema *schema, const char *private_column,
                               hrr_error *err)
{
    const hrr_named_columns columns = {"the table", (uint64_t)schema->n_children, name_of_child,
                                       schema};
    uint64_t ends[2];
    hrr_status status = hrr_edge_ends_find(ends, &columns, private_column, err);
    for (int i = 0; i < 2 && !status; i++) {
        status = open_column(&out->ends[i], array, schema, (int64_t)ends[i], err);
        if (!status && (!is_integer(&out->ends[i]) || out->ends[i].type == 'b'))
            status = hrr_fail(err, HRR_EDATA,
                              "column %.80s does not contain integers, as node numbers must be",
                              out->ends[i].name);
    }
    for (int64_t i = 0; i < schema->n_children && !status; i++) {
        const char *name = name_of(schema->children[i]);
        if (i == (int64_t)ends[0] || i == (int64_t)ends[1]) continue;
        if (!hrr_is_mark_column(name, private_column)) {
            out->passed_over |= !hrr_edge_attribute_is_harmless(name);
            continue;
        }
        if (out->n_marks == HRR_MAX_MARKS)
            return hrr_fail(err, HRR_EDATA,
                            "at most %d columns may have names that begin with \"private\"",
                            HRR_MAX_MARKS);
        view *v = &out->marks[out->n_marks];
        out->mark_names[out->n_marks++] = name;
        status = open_column(v, array, schema, i, err);
        if (!status && !is_integer(v))
            status =
                hrr_fail(err, HRR_EDATA,
                         "column %.80s marks edges, so its values must be true or false", name);
    }
    return status;
}

static hrr_status fill_edges(hrr_edge_list *edges, const edge_columns *columns, uint64_t n_nodes,
                             hrr_error *err)
{
    hrr_status status = HRR_OK;
    for (uint64_t e = 0; e < edges->n_edges && !status; e++) {
        int64_t source = 0, target = 0, mark = 0;
        static const char not_a_node[] = "is not the number of a node";
        status = read_integer(&source, &columns->ends[0], e, n_nodes - 1, not_a_node, err);
        if (!status)
            status = read_integer(&target, &columns->ends[1], e, n_nodes - 1, not_a_node, err);
        edges->source[e] = (uint32_t)source;
        edges->target[e] = (uint32_t)target;
        if (edges->marks) edges->marks[e] = 0;
        for (int i = 0; i < columns->n_marks && !status; i++) {
            status = read_integer(&mark, &columns->marks[i], e, 1, "is neither 0 nor 1", err);
            if (mark) edges->marks[e] |= (uint8_t)(1u << i);
        }
    }
    return status;
}

hrr_status hrr_graph_edges_from_arrow(hrr_graph *graph, const struct ArrowArray *array,
                                      const struct ArrowSchema *schema, const char *private_column,
                                      hrr_progress *progress, hrr_error *err)
{
    edge_columns columns = {0};
    hrr_edge_list edges = {0};
    hrr_status status = open_table(array, schema, err);
    if (!status) status = find_columns(&columns, array, schema, private_column, err);
    if (!status)
        status = hrr_edge_list_init(&edges, (uint64_t)array->length, columns.n_marks > 0, err);
    if (!status) status = fill_edges(&edges, &columns, hrr_graph_n_nodes(graph), err);
    if (!status)
        status = hrr_graph_take_edges(graph, &edges, columns.n_marks ? columns.mark_names : NULL,
                                      columns.n_marks, progress, err);
    if (!status && columns.passed_over && !columns.n_marks)
        hrr_graph_add_inferred(graph, HRR_INFERRED_EDGES);
    hrr_edge_list_clear(&edges);
    return status;
}

/* ---- features -------------------------------------------------------------------------------- */

/* "+w:D": lists of D values each, one after another. */
static uint64_t list_width(const struct ArrowSchema *schema)
{
    char *end;
    if (strncmp(schema->format, "+w:", 3) != 0 || schema->n_children != 1) return 0;
    const unsigned long long width = strtoull(schema->format + 3, &end, 10);
    return *end || width > HRR_MAX_SPARSE_FEATURES ? 0 : width;
}

/* Feature j of row i is value i * stride of view j. */
typedef struct feature_columns {
    view *views;
    uint64_t n, stride;
} feature_columns;

static hrr_status open_list(feature_columns *out, const struct ArrowArray *array,
                            const struct ArrowSchema *schema, uint64_t width, hrr_error *err)
{
    const struct ArrowArray *list = array->children[0];
    const uint64_t rows = (uint64_t)array->length;
    const uint64_t from = (uint64_t)(array->offset + list->offset);
    const char *name = name_of(schema->children[0]);
    view values;
    if (list->offset < 0 || list->n_children != 1 || list->length < array->offset + array->length)
        return hrr_fail(err, HRR_EDATA, "column %.80s is shorter than the table", name);
    const uint8_t *validity = list->null_count && list->n_buffers > 0 ? list->buffers[0] : NULL;
    for (uint64_t i = 0; validity && i < rows; i++)
        if (!bit(validity, from + i)) return row_fails(&(view){.name = name}, i, "is missing", err);
    hrr_status status = open_values(&values, list->children[0], schema->children[0]->children[0],
                                    from * width, rows * width, name, err);
    for (uint64_t j = 0; j < width && !status; j++) {
        out->views[j] = values;
        out->views[j].first += j;
    }
    out->stride = width;
    return status;
}

static hrr_status open_features(feature_columns *out, const struct ArrowArray *array,
                                const struct ArrowSchema *schema, hrr_error *err)
{
    const uint64_t width = schema->n_children == 1 ? list_width(schema->children[0]) : 0;
    hrr_status status = HRR_OK;
    out->n = width ? width : (uint64_t)schema->n_children;
    out->stride = 1;
    if (out->n == 0)
        return hrr_fail(err, HRR_EDATA, "a table of features needs at least one column");
    out->views = hrr_alloc_zero(out->n, sizeof *out->views);
    if (!out->views) return hrr_no_memory(err);
    if (width) return open_list(out, array, schema, width, err);
    for (int64_t j = 0; j < schema->n_children && !status; j++)
        status = open_column(&out->views[j], array, schema, j, err);
    return status;
}

static bool all_are(const feature_columns *columns, const char *types)
{
    for (uint64_t j = 0; j < columns->n; j++)
        if (!strchr(types, columns->views[j].type)) return false;
    return true;
}

static hrr_status fill_features(hrr_dense *features, const feature_columns *columns, hrr_error *err)
{
    for (uint64_t i = 0; i < features->rows; i++)
        for (uint64_t j = 0; j < columns->n; j++) {
            const view *v = &columns->views[j];
            const uint64_t from = v->first + i * columns->stride, to = i * columns->n + j;
            if (v->validity && !bit(v->validity, from)) return row_fails(v, i, "is missing", err);
            const double value = number_at(v, from);
            if (!isfinite(value)) return row_fails(v, i, "is not a finite number", err);
            if (features->dtype == HRR_U8)
                ((uint8_t *)features->data)[to] = (uint8_t)value;
            else if (features->dtype == HRR_F32)
                ((float *)features->data)[to] = (float)value;
            else
                ((double *)features->data)[to] = value;
        }
    return HRR_OK;
}

hrr_status hrr_graph_features_from_arrow(hrr_graph *graph, const struct ArrowArray *array,
                                         const struct ArrowSchema *schema, hrr_error *err)
{
    feature_columns columns = {0};
    hrr_dense features = {0};
    hrr_status status = open_table(array, schema, err);
    if (!status && (uint64_t)array->length != hrr_graph_n_nodes(graph))
        status = hrr_fail(
            err, HRR_EDATA, "the table has %" PRId64 " %s, but the graph has %" PRIu64 " %s",
            array->length, hrr_plural((uint64_t)array->length, "row", "rows"),
            hrr_graph_n_nodes(graph), hrr_plural(hrr_graph_n_nodes(graph), "node", "nodes"));
    if (!status) status = open_features(&columns, array, schema, err);
    if (!status)
        status = hrr_dense_init(&features,
                                all_are(&columns, "bC")       ? HRR_U8
                                : all_are(&columns, "bcCsSf") ? HRR_F32
                                                              : HRR_F64,
                                (uint64_t)array->length, columns.n, err);
    if (!status) status = fill_features(&features, &columns, err);
    if (!status) status = hrr_graph_take_features(graph, &features, err);
    if (!status && all_are(&columns, "b")) status = hrr_graph_set_feature_range(graph, 0, 1, err);
    hrr_dense_clear(&features);
    hrr_free(columns.views);
    return status;
}
