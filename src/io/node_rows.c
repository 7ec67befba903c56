/* node_rows.c: see node_rows.h. */
#include "io/node_rows.h"
#include "io/node_names.h"
#include "io/table.h"
#include "io/utf8.h"
#include "base/memory.h"

#include <inttypes.h>
#include <stdio.h>
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
    const hrr_node_rows_options *options;
    hrr_table_row header; /* a copy, or empty */
    bool integers;        /* labels in one column */
    size_t first;         /* column of values, counting from 0 */
    size_t left_out;      /* column that is passed over, counting from 1; 0: none */
    size_t n_columns;     /* of them; 0: not known yet */
    double *number;
    int64_t *integer;
    uint64_t room;
} text_reading;

/* A number, or what programs write where one is missing: never the name of a column. */
static bool is_value(const char *field)
{
    static const char *const missing[] = {"na", "n/a", "null", "none"};
    double ignored;
    if (hrr_field_number(field, &ignored)) return true;
    for (size_t i = 0; i < sizeof missing / sizeof *missing; i++)
        if (strcasecmp(field, missing[i]) == 0) return true;
    return false;
}

static hrr_status line_fails(const text_reading *r, const hrr_table_row *row, const char *problem,
                             hrr_error *err)
{
    return hrr_fail(err, HRR_EDATA, "%s:%" PRIu64 ": %s", r->rows->path, row->line, problem);
}

/* ---- the header */

static hrr_status find_column(text_reading *r, hrr_error *err)
{
    const char *wanted = r->options->column;
    size_t n_found = 0;
    for (size_t i = 0; i < r->header.n_fields; i++) {
        if (strcmp(r->header.fields[i], wanted) != 0) continue;
        r->first = i;
        n_found++;
    }
    r->n_columns = 1;
    r->integers = r->options->labels;
    if (n_found == 1) return HRR_OK;
    return hrr_fail(err, HRR_EDATA,
                    "%s: %s; `label_column` needs a header that contains the column exactly once",
                    r->rows->path,
                    !r->header.fields ? "has no header"
                    : n_found > 1     ? "has that column more than once"
                                      : "has no column of that name");
}

/* The labels are not a feature as well, where one table holds both. */
static hrr_status leave_out(text_reading *r, const char *unwanted, hrr_error *err)
{
    size_t n_found = 0;
    for (size_t i = r->first; i < r->header.n_fields; i++) {
        if (strcmp(r->header.fields[i], unwanted) != 0) continue;
        r->left_out = i + 1;
        n_found++;
    }
    if (n_found < 2) return HRR_OK;
    return hrr_fail(err, HRR_EDATA,
                    "%s: has more than one column with the name given by `label_column`",
                    r->rows->path);
}

/* Where value i of a row stands. */
static size_t column_of(const text_reading *r, size_t i)
{
    const size_t column = r->first + i;
    return column + (r->left_out && column + 1 >= r->left_out);
}

/* Keep the first row if it is a header; *is_header says so. */
static hrr_status look_at_first(text_reading *r, bool *is_header, const hrr_table_row *row,
                                hrr_error *err)
{
    hrr_header_signs signs = {.told = r->options->header,
                              .reserved = hrr_header_names_nodes(row->fields[0]),
                              .numbers_only = true};
    hrr_status status = HRR_OK;
    for (size_t i = 0; i < row->n_fields; i++)
        signs.numbers |= is_value(row->fields[i]);
    *is_header = hrr_header_decide(&signs) == HRR_FIRST_IS_HEADER;
    if (*is_header) {
        if (hrr_header_is_unnamed(row->fields[0]))
            return line_fails(
                r, row,
                "the first column has no name; name it id if it identifies the nodes, or remove it "
                "if it only numbers the rows (index=False in pandas)",
                err);
        if ((status = hrr_table_row_copy(&r->header, row, err))) return status;
        /* Ids taken for a feature would spend budget on them, and join rows to nodes by order. */
        r->rows->named = hrr_header_names_nodes(row->fields[0]);
        r->first = r->rows->named;
        if (r->options->without) return leave_out(r, r->options->without, err);
    }
    return r->options->column ? find_column(r, err) : HRR_OK;
}

/* ---- rows */

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
    if (!*name) return line_fails(r, row, "the id in column 1 is blank", err);
    if (!hrr_is_utf8(name)) return line_fails(r, row, "the id in column 1 " HRR_NOT_UTF8, err);
    if (hrr_field_integer(name, &value)) { /* 7 and 07 are one node */
        hrr_decimal(decimal, value);
        name = decimal;
    }
    hrr_status status =
        hrr_name_index_add(&r->rows->names, name, (uint32_t)r->rows->n, &fresh, err);
    if (!status && !fresh)
        status = line_fails(r, row, "refers to a node that already has a row", err);
    return status;
}

/* What is wrong, where, what the column was read as, and what to do; never the value. */
static hrr_status cell_fails(const text_reading *r, const hrr_table_row *row, size_t column,
                             hrr_error *err)
{
    const bool headed = column < r->header.n_fields;
    const char *kind =
        r->integers ? "is not a whole number; labels are classes 0, 1, 2, ..., or -1 where unknown"
        : r->options->labels ? "is not a number; several columns of labels must contain 0 and 1"
                             : "is not a number; features must be numbers";
    const char *cell = row->fields[column], *advice = "";
    char named[96] = "";
    if (*cell && column == 0 && !r->rows->named)
        advice = ". If the column identifies the nodes, name it id in a header";
    else if (*cell && r->integers)
        advice = ". Replace class names by numbers";
    else if (*cell && headed && !r->options->labels)
        advice = ". Remove the column, or select it with `label_column` if it contains the labels";
    if (headed) snprintf(named, sizeof named, " (%.80s)", r->header.fields[column]);
    return hrr_fail(err, HRR_EDATA, "%s:%" PRIu64 ": column %zu%s %s%s%s", r->rows->path, row->line,
                    column + 1, named, *cell ? "" : "is blank", *cell ? kind : strchr(kind, ';'),
                    advice);
}

static hrr_status read_value(text_reading *r, const hrr_table_row *row, size_t i, hrr_error *err)
{
    const size_t column = column_of(r, i);
    const char *field = row->fields[column];
    const uint64_t at = r->rows->n * r->n_columns + i;
    if (r->integers ? hrr_field_integer(field, &r->integer[at])
                    : hrr_field_number(field, &r->number[at]))
        return HRR_OK;
    return cell_fails(r, row, column, err);
}

static hrr_status read_row(text_reading *r, const hrr_table_row *row, hrr_error *err)
{
    const size_t other = r->first + (r->left_out > 0);
    const size_t here = row->n_fields > other ? row->n_fields - other : 0;
    if (r->n_columns == 0) {
        r->n_columns = r->header.fields ? r->header.n_fields - other : here;
        r->integers = r->options->labels && r->n_columns == 1;
    }
    if (r->n_columns == 0 || here < r->n_columns || (here > r->n_columns && !r->options->column))
        return hrr_fail(err, HRR_EDATA, "%s:%" PRIu64 ": has %zu %s, but %zu %s expected",
                        r->rows->path, row->line, here, hrr_plural(here, "value", "values"),
                        r->n_columns ? r->n_columns : 1,
                        hrr_plural(r->n_columns ? r->n_columns : 1, "is", "are"));
    hrr_status status = make_room(r, err);
    if (!status && r->rows->named) status = read_name(r, row, err);
    for (size_t i = 0; i < r->n_columns && !status; i++)
        status = read_value(r, row, i, err);
    r->rows->n += !status;
    return status;
}

static hrr_status read_table(text_reading *r, hrr_error *err)
{
    hrr_table *table = NULL;
    const hrr_table_row *row = NULL;
    bool first = true, is_header = false;
    hrr_status status = hrr_table_open(&table, r->rows->path, '\0', err);
    while (!status && !(status = hrr_table_next(table, &row, err)) && row) {
        if (first) status = look_at_first(r, &is_header, row, err);
        if (!status && !(first && is_header)) status = read_row(r, row, err);
        first = false;
    }
    hrr_table_close(table);
    if (!status && r->rows->n == 0)
        status = hrr_fail(err, HRR_EDATA, "%s: has no rows", r->rows->path);
    return status;
}

static hrr_status read_text(hrr_node_rows *rows, const hrr_node_rows_options *options,
                            hrr_error *err)
{
    text_reading r = {.rows = rows, .options = options};
    hrr_status status = read_table(&r, err);
    void *data = r.integers ? (void *)r.integer : (void *)r.number;
    hrr_table_row_clear(&r.header);
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

hrr_status hrr_node_rows_read(hrr_node_rows *out, const char *path,
                              const hrr_node_rows_options *options, hrr_error *err)
{
    *out = (hrr_node_rows){.path = path};
    hrr_status status =
        is_array(path) ? hrr_array_read(&out->values, path, err) : read_text(out, options, err);
    if (!status) out->n = out->values.n_dims ? out->values.shape[0] : 0;
    if (!status && (out->values.type == HRR_ARRAY_BYTES || out->values.type == HRR_ARRAY_UCS4))
        status = hrr_fail(err, HRR_EDATA, "%s: contains texts where numbers are needed", path);
    if (!status && (out->n == 0 || out->values.n_dims > 2))
        status = hrr_fail(err, HRR_EDATA, "%s: must have one row per node", path);
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
                              "%s: row %" PRIu64
                              " of values refers to a node that the graph does not have",
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
