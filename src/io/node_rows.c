/* node_rows.c: see node_rows.h. */
#include "io/node_rows.h"
#include "io/node_names.h"
#include "io/table.h"
#include "base/memory.h"

#include <inttypes.h>
#include <string.h>
#include <strings.h>

void hrr_node_rows_clear(hrr_node_rows *rows)
{
    hrr_array_clear(&rows->values);
    hrr_name_index_clear(&rows->names);
    *rows = (hrr_node_rows){0};
}

/* ---- text ------------------------------------------------------------------------------------ */

typedef struct text_reading {
    hrr_node_rows *rows;
    bool integers; /* what was asked for, if there is one column */
    size_t n_columns;
    double *number;
    int64_t *integer;
    uint64_t room;
} text_reading;

static bool names_ids(const char *field)
{
    static const char *const names[] = {"id", "node", "node_id"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcasecmp(field, names[i]) == 0) return true;
    return false;
}

/* A row of texts alone, or one that begins with a name of ids, whatever the columns are called. */
static bool is_header(const hrr_table_row *row)
{
    double number;
    if (names_ids(row->fields[0])) return true;
    for (size_t i = 0; i < row->n_fields; i++)
        if (!*row->fields[i] || hrr_field_number(row->fields[i], &number)) return false;
    return true;
}

static hrr_status make_room(text_reading *r, hrr_error *err)
{
    if (r->rows->n < r->room) return HRR_OK;
    const uint64_t room = r->room ? 2 * r->room : 256;
    if (room > UINT64_MAX / 8 / r->n_columns) return hrr_no_memory(err);
    void *grown = hrr_resize(r->integers ? (void *)r->integer : (void *)r->number,
                             room * r->n_columns, sizeof(double));
    if (!grown) return hrr_no_memory(err);
    if (r->integers)
        r->integer = grown;
    else
        r->number = grown;
    r->room = room;
    return HRR_OK;
}

static hrr_status read_name(text_reading *r, const hrr_table_row *row, hrr_error *err)
{
    bool fresh;
    int64_t value;
    char decimal[hrr_decimal_size];
    const char *name = row->fields[0];
    if (hrr_field_integer(name, &value)) { /* 7 and 07 are one node */
        hrr_decimal(decimal, value);
        name = decimal;
    }
    hrr_status status =
        hrr_name_index_add(&r->rows->names, name, (uint32_t)r->rows->n, &fresh, err);
    if (!status && !fresh)
        status = hrr_fail(err, HRR_EDATA, "%s:%" PRIu64 ": is about a node that had a row before",
                          r->rows->path, row->line);
    return status;
}

static hrr_status read_value(text_reading *r, const hrr_table_row *row, size_t column,
                             hrr_error *err)
{
    const char *field = row->fields[column + r->rows->named];
    const uint64_t at = r->rows->n * r->n_columns + column;
    if (r->integers ? hrr_field_integer(field, &r->integer[at])
                    : hrr_field_number(field, &r->number[at]))
        return HRR_OK;
    return hrr_fail(
        err, HRR_EDATA,
        "%s:%" PRIu64 ": column %zu is no %snumber; a column of ids needs a header that "
        "begins with id",
        r->rows->path, row->line, column + r->rows->named + 1, r->integers ? "whole " : "");
}

static hrr_status read_row(text_reading *r, const hrr_table_row *row, hrr_error *err)
{
    const size_t n_columns = row->n_fields - (r->rows->named ? 1 : 0);
    if (r->n_columns == 0) {
        r->n_columns = n_columns;
        r->integers = r->integers && n_columns == 1;
    }
    if (n_columns != r->n_columns || n_columns == 0)
        return hrr_fail(err, HRR_EDATA, "%s:%" PRIu64 ": has %zu %s where %zu %s expected",
                        r->rows->path, row->line, n_columns,
                        hrr_plural(n_columns, "value", "values"), r->n_columns ? r->n_columns : 1,
                        hrr_plural(r->n_columns ? r->n_columns : 1, "is", "are"));
    hrr_status status = make_room(r, err);
    if (!status && r->rows->named) status = read_name(r, row, err);
    for (size_t i = 0; i < n_columns && !status; i++)
        status = read_value(r, row, i, err);
    r->rows->n += !status;
    return status;
}

static hrr_status read_table(text_reading *r, hrr_error *err)
{
    hrr_table *table = NULL;
    const hrr_table_row *row = NULL;
    bool first = true;
    hrr_status status = hrr_table_open(&table, r->rows->path, '\0', err);
    while (!status && !(status = hrr_table_next(table, &row, err)) && row) {
        if (first && is_header(row))
            r->rows->named = names_ids(row->fields[0]);
        else
            status = read_row(r, row, err);
        first = false;
    }
    hrr_table_close(table);
    if (!status && r->rows->n == 0)
        status = hrr_fail(err, HRR_EDATA, "%s: has no rows", r->rows->path);
    return status;
}

static hrr_status read_text(hrr_node_rows *rows, bool integers, hrr_error *err)
{
    text_reading r = {.rows = rows, .integers = integers};
    hrr_status status = read_table(&r, err);
    void *data = r.integers ? (void *)r.integer : (void *)r.number;
    if (status) {
        hrr_free(data);
        return status;
    }
    const uint64_t n_items = rows->n * r.n_columns;
    rows->values = (hrr_array){.type = r.integers ? HRR_ARRAY_I64 : HRR_ARRAY_F64,
                               .item_size = sizeof(double),
                               .n_dims = r.integers ? 1 : 2,
                               .shape = {rows->n, r.n_columns},
                               .n_items = n_items,
                               .data = data,
                               .storage = {data, n_items * sizeof(double), HRR_REGION_HEAP}};
    return HRR_OK;
}

/* ---- both ------------------------------------------------------------------------------------ */

static bool is_array(const char *path)
{
    const size_t length = strlen(path);
    return length > 4 && strcasecmp(path + length - 4, ".npy") == 0;
}

hrr_status hrr_node_rows_read(hrr_node_rows *out, const char *path, bool integers, hrr_error *err)
{
    *out = (hrr_node_rows){.path = path};
    hrr_status status =
        is_array(path) ? hrr_array_read(&out->values, path, err) : read_text(out, integers, err);
    if (!status) out->n = out->values.n_dims ? out->values.shape[0] : 0;
    if (!status && (out->values.type == HRR_ARRAY_BYTES || out->values.type == HRR_ARRAY_UCS4))
        status = hrr_fail(err, HRR_EDATA, "%s: holds texts where numbers are needed", path);
    if (!status && (out->n == 0 || out->values.n_dims > 2))
        status = hrr_fail(err, HRR_EDATA, "%s: is not one row for each node", path);
    if (status) hrr_node_rows_clear(out);
    return status;
}

/* ---- joining --------------------------------------------------------------------------------- */

/* Rows in the order of the nodes, in memory of their own. */
static hrr_status reorder(hrr_node_rows *rows, const hrr_name_index *nodes, hrr_error *err)
{
    hrr_array *values = &rows->values;
    const size_t row_size = values->n_items / rows->n * values->item_size;
    char *sorted = hrr_alloc(rows->n, row_size);
    hrr_status status = sorted ? HRR_OK : hrr_no_memory(err);
    for (uint64_t i = 0; i < rows->n && !status; i++) {
        uint32_t node;
        if (!hrr_find_node(nodes, rows->names.text + rows->names.text_start[i], &node))
            status = hrr_fail(err, HRR_EDATA,
                              "%s: row %" PRIu64 " of values is about a node that the graph does "
                              "not have",
                              rows->path, i + 1);
        else
            memcpy(sorted + node * row_size, (const char *)values->data + i * row_size, row_size);
    }
    if (status) {
        hrr_free(sorted);
        return status;
    }
    hrr_region_clear(&values->storage);
    values->data = sorted;
    values->storage = (hrr_region){sorted, rows->n * row_size, HRR_REGION_HEAP};
    return HRR_OK;
}

hrr_status hrr_node_rows_join(hrr_node_rows *rows, const hrr_graph *graph, hrr_error *err)
{
    hrr_name_index nodes = {0};
    if (rows->n != hrr_graph_n_nodes(graph))
        return hrr_fail(err, HRR_EDATA, "%s: has %" PRIu64 " %s, but the graph has %" PRIu64 " %s",
                        rows->path, rows->n, hrr_plural(rows->n, "row", "rows"),
                        hrr_graph_n_nodes(graph),
                        hrr_plural(hrr_graph_n_nodes(graph), "node", "nodes"));
    if (!rows->named) return HRR_OK;
    hrr_status status = hrr_name_index_of_graph(&nodes, graph, err);
    if (!status) status = reorder(rows, &nodes, err);
    hrr_name_index_clear(&nodes);
    return status;
}
