/* edge_table.c: the rows of an edge list that are not plain integers: names, and quoted fields. The
 * table reader cuts them; see edge_reader.h. */
#include "io/edge_reader.h"
#include "graph/name_index.h"
#include "io/node_names.h"
#include "io/read_report.h"
#include "io/table.h"
#include "io/utf8.h"

#include <inttypes.h>
#include <string.h>

static hrr_status row_fails(const hrr_edge_reader *r, const hrr_table_row *row, const char *problem,
                            hrr_error *err)
{
    return hrr_fail(err, HRR_EDATA, "%s:%" PRIu64 ": %s", r->path, row->line, problem);
}

/* A name that was not seen before. One of digits alone may be longer than any integer. */
static hrr_status check_name(const hrr_edge_reader *r, const hrr_table_row *row, const char *name,
                             hrr_error *err)
{
    if (!hrr_is_utf8(name)) return row_fails(r, row, "an id " HRR_NOT_UTF8, err);
    if (name[strspn(name, "-0123456789")] && hrr_header_is_number(name))
        return row_fails(r, row,
                         "an id is a number but not an integer; ids are integers, or names that "
                         "begin with a letter",
                         err);
    return HRR_OK;
}

static hrr_status take_name(hrr_edge_reader *r, const hrr_table_row *row, const char *name,
                            uint64_t *id, hrr_error *err)
{
    if (!*name)
        return row_fails(r, row, "an id is empty; each row must contain the two ids of an edge",
                         err);
    const uint64_t n_before = r->names.n_names;
    hrr_status status = hrr_edge_names_number(&r->names, name, id, err);
    if (!status && r->names.n_names > n_before) status = check_name(r, row, name, err);
    return status;
}

static hrr_status take_id(hrr_edge_reader *r, const hrr_table_row *row, int column, uint64_t *id,
                          hrr_error *err)
{
    const char *field = row->fields[column];
    int64_t integer;
    if (!r->layout.integers) return take_name(r, row, field, id, err);
    bool is_integer = hrr_field_integer(field, &integer);
    r->named = !is_integer && r->options->ids == HRR_IDS_MAP && hrr_begins_name(*field);
    if (r->named) return HRR_EDATA;
    if (!is_integer)
        return row_fails(r, row,
                         "an id is not an integer, but the ids of the first edge are; correct the "
                         "row, or begin every id with a letter if ids are names",
                         err);
    if (integer < 0) return row_fails(r, row, "an id is negative; ids are 0, 1, 2, ...", err);
    *id = (uint64_t)integer;
    if (*id >= r->id_limit)
        return row_fails(r, row, "an id is too large to be a row number of this graph", err);
    return HRR_OK;
}

static bool repeats_header(const hrr_edge_layout *layout, const hrr_table_row *row)
{
    const hrr_table_row *header = &layout->first;
    if (!header->fields || layout->open || row->n_fields != header->n_fields) return false;
    for (size_t i = 0; i < row->n_fields; i++)
        if (strcmp(row->fields[i], header->fields[i]) != 0) return false;
    return true;
}

static hrr_status take_row(hrr_edge_reader *r, const hrr_table_row *row, hrr_edge_block *block,
                           hrr_error *err)
{
    hrr_status status = HRR_OK;
    if (row->n_fields < 2)
        return row_fails(
            r, row, "fewer than two columns; each row must contain the two ids of an edge", err);
    if (!r->layout.integers && repeats_header(&r->layout, row))
        return row_fails(r, row, "the header is repeated here; remove this row", err);
    size_t at = block->n_rows;
    if ((status = take_id(r, row, 0, &block->source[at], err))) return status;
    if ((status = take_id(r, row, 1, &block->target[at], err))) return status;
    block->marks[at] = 0;
    for (int i = 0; i < r->layout.n_marks; i++) {
        size_t column = r->layout.mark_columns[i];
        bool truth;
        if (column >= row->n_fields)
            return row_fails(r, row, "fewer columns than the header; a private mark is missing",
                             err);
        if (!hrr_field_truth(row->fields[column], &truth))
            return row_fails(r, row, "a private mark is neither 0 nor 1", err);
        block->marks[at] |= (uint8_t)(truth << i);
    }
    block->n_rows++;
    return HRR_OK;
}

hrr_status hrr_edge_table_read(hrr_edge_reader *r, hrr_error *err)
{
    hrr_edge_block block;
    block.n_rows = 0;
    hrr_table *table = NULL;
    const hrr_table_row *row;
    hrr_edge_rows_clear(&r->rows);
    r->rows.with_marks = r->layout.n_marks > 0;
    hrr_status status = hrr_table_open(&table, r->path, r->layout.delimiter, err);
    if (status) goto done;
    hrr_progress_begin(r->progress, "reading edges", 0);
    for (;;) {
        if ((status = hrr_table_next(table, &row, err))) goto done;
        if (!row) break;
        if (row->line < r->layout.first_line) continue;
        if ((status = take_row(r, row, &block, err))) goto done;
        if (block.n_rows < HRR_EDGE_BLOCK) continue;
        if ((status = hrr_edge_rows_append(&r->rows, &block, err))) goto done;
        if ((status = hrr_progress_advance(r->progress, HRR_EDGE_BLOCK, err))) goto done;
    }
    status = hrr_edge_rows_append(&r->rows, &block, err);
done:
    hrr_table_close(table);
    return status;
}

/* ---- the first row --------------------------------------------------------------------------- */

/* Whether a cell of the first row is the id of a node: one that is known, or that a row names. */
static bool is_id(const hrr_edge_reader *r, const char *cell)
{
    uint32_t ignored;
    if (r->options->nodes) return hrr_find_node(r->options->nodes, cell, &ignored);
    return !r->layout.integers && hrr_edge_names_has(&r->names, cell);
}

static hrr_status doubt(const hrr_edge_reader *r, hrr_error *err)
{
    const hrr_header_signs *signs = &r->layout.signs;
    return hrr_fail(
        err, HRR_EDATA,
        "%s:%" PRIu64
        ": %s; set `header` to yes if this row names the columns, or to no if it is an edge",
        r->path, r->layout.first.line,
        !signs->ids_again
            ? "contains names, and it is unclear whether they name two nodes or the columns"
            : "looks like column names, but the same names occur as ids (or the header occurs "
              "twice in the file)");
}

static hrr_status take_first(hrr_edge_reader *r, hrr_error *err)
{
    hrr_edge_block block;
    block.n_rows = 0;
    r->rows.with_marks = r->layout.n_marks > 0;
    hrr_status status = take_row(r, &r->layout.first, &block, err);
    if (!status) status = hrr_edge_rows_append(&r->rows, &block, err);
    return status;
}

hrr_status hrr_edge_settle_first(hrr_edge_reader *r, hrr_error *err)
{
    hrr_edge_layout *layout = &r->layout;
    hrr_header_signs *signs = &layout->signs;
    if (!layout->open) return HRR_OK;
    signs->ids_again = is_id(r, layout->first.fields[0]) || is_id(r, layout->first.fields[1]);
    signs->numbers_only = r->options->nodes && hrr_names_are_numbers(r->options->nodes);
    hrr_status status;
    switch (hrr_header_decide(signs)) {
    case HRR_FIRST_IN_DOUBT:
        return doubt(r, err);
    case HRR_FIRST_IS_DATA:
        if ((status = take_first(r, err))) return status;
        layout->no_rows = false;
        /* If the nodes are known there was no choice, and an empty list must look the same. */
        if (r->options->nodes) return HRR_OK;
        return hrr_read_report_add(r->options->report, err,
                                   "%s:%" PRIu64
                                   ": was read as an edge, because its ids occur in other rows; if "
                                   "this row names the columns, set `header` to yes.",
                                   r->path, layout->first.line);
    case HRR_FIRST_IS_HEADER:
        break;
    }
    if ((status = hrr_edge_header_check(layout, r->path, err))) return status;
    if (layout->usual || signs->numbers_only) return HRR_OK;
    return hrr_read_report_add(
        r->options->report, err,
        "%s:%" PRIu64 ": was read as column names; if this row is an edge, set `header` to no.",
        r->path, layout->first.line);
}
