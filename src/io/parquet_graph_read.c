/* parquet_graph_read.c: a graph from Parquet tables.
 *
 * One file is a table of edges: columns source and target, or the first two, hold ids, integers or
 * texts, which are numbered as those of an edge list in text are. A folder has such a table as
 * edges.parquet and may have nodes.parquet, which then says which nodes there are: its first column
 * holds the ids if it is called as ids are, otherwise row i is node i. Other columns mean what
 * attributes of that name mean (listing.h). */
#include "io/edge_columns.h"
#include "io/edge_ids.h"
#include "io/file_names.h"
#include "io/graph_formats.h"
#include "io/graph_parts.h"
#include "io/header.h"
#include "io/listing.h"
#include "io/parquet.h"
#include "io/table.h"
#include "base/memory.h"
#include "base/paths.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- a table in memory ----------------------------------------------------------------------- */

enum { none = UINT32_MAX };

typedef struct table {
    hrr_place place; /* first, so that a place is its table */
    hrr_parquet file;
    hrr_parquet_values *columns; /* of kind 0: not read */
    uint64_t row;                /* the one that messages are about */
} table;

static uint64_t row_of(const hrr_place *place)
{
    return ((const table *)place)->row + 1;
}

static uint64_t same_row(const char *path, uint64_t position)
{
    (void)path;
    return position;
}

static void close_table(table *t)
{
    for (uint32_t i = 0; t->columns && i < t->file.n_columns; i++)
        hrr_parquet_values_clear(&t->columns[i]);
    hrr_free(t->columns);
    hrr_parquet_close(&t->file);
}

static hrr_status open_table(table *t, const char *path, hrr_error *err)
{
    hrr_status status = hrr_parquet_open(&t->file, path, err);
    t->place = (hrr_place){path, row_of, row_of, same_row};
    if (status) return status;
    t->columns = hrr_alloc_zero(t->file.n_columns, sizeof *t->columns);
    return t->columns || !t->file.n_columns ? HRR_OK : hrr_no_memory(err);
}

static hrr_status load(table *t, uint32_t column, hrr_error *err)
{
    if (t->columns[column].kind || t->file.columns[column].kind == HRR_PARQUET_OTHERS)
        return HRR_OK;
    return hrr_parquet_read(&t->columns[column], &t->file, column, err);
}

static hrr_status load_ids(table *t, uint32_t column, hrr_error *err)
{
    const hrr_parquet_column *c = &t->file.columns[column];
    if (c->kind != HRR_PARQUET_INTEGERS && c->kind != HRR_PARQUET_TEXTS)
        return hrr_fail(err, HRR_EDATA,
                        "%s: column %.80s contains neither integers nor texts, as ids must",
                        t->file.path, c->name);
    return load(t, column, err);
}

static bool is_missing(const table *t, uint32_t column, uint64_t row)
{
    return t->columns[column].missing && t->columns[column].missing[row];
}

/* An id as text, in `decimal` if it is an integer; NULL if it is missing. */
static const char *id_at(char decimal[hrr_decimal_size], const table *t, uint32_t column)
{
    const hrr_parquet_values *values = &t->columns[column];
    if (is_missing(t, column, t->row)) return NULL;
    if (values->start) return values->text + values->start[t->row];
    hrr_decimal(decimal, values->integers[t->row]);
    return decimal;
}

/* ---- attributes ------------------------------------------------------------------------------ */

static hrr_attribute_type type_of(hrr_parquet_kind kind)
{
    switch (kind) {
    case HRR_PARQUET_TRUTHS:
        return HRR_ATTRIBUTE_TRUTH;
    case HRR_PARQUET_INTEGERS:
        return HRR_ATTRIBUTE_INTEGER;
    case HRR_PARQUET_FLOATS:
        return HRR_ATTRIBUTE_FLOAT;
    case HRR_PARQUET_DOUBLES:
        return HRR_ATTRIBUTE_DOUBLE;
    case HRR_PARQUET_TEXTS:
    case HRR_PARQUET_OTHERS:
        break;
    }
    return HRR_ATTRIBUTE_TEXT;
}

/* Columns but the two given ones are attributes `first`, first + 1, ... of the listing. */
static hrr_status declare(hrr_listing *listing, table *t, hrr_attribute_owner owner, uint32_t one,
                          uint32_t other, hrr_error *err)
{
    hrr_status status = HRR_OK;
    for (uint32_t i = 0; i < t->file.n_columns && !status; i++) {
        const hrr_parquet_column *c = &t->file.columns[i];
        if (i == one || i == other) continue;
        if (strncmp(c->name, "__index_level_", 14) == 0)
            return hrr_fail(err, HRR_EDATA,
                            "%s: column %.80s is the index of a pandas frame; write the frame with "
                            "index=False, or after reset_index() if the index carries information",
                            t->file.path, c->name);
        const hrr_attribute_declaration declaration = {
            .owner = owner,
            .type = type_of(c->kind),
            .id = c->name,
            .name = c->name,
            .choices = strcmp(c->name, "class") == 0 ? t->file.classes : NULL};
        status = hrr_listing_declare(listing, &declaration, &t->place, err);
        if (!status) status = load(t, i, err);
    }
    return status;
}

static hrr_status take_values(hrr_listing *listing, const table *t, uint32_t first, uint32_t one,
                              uint32_t other, hrr_error *err)
{
    hrr_status status = HRR_OK;
    for (uint32_t i = 0, attribute = first; i < t->file.n_columns && !status; i++) {
        const hrr_parquet_values *values = &t->columns[i];
        if (i == one || i == other) continue;
        const uint32_t number = attribute++;
        if (!values->kind || is_missing(t, i, t->row)) continue;
        status = values->start
                     ? hrr_listing_value(listing, t->file.columns[i].name,
                                         values->text + values->start[t->row], &t->place, err)
                     : hrr_listing_take_number(listing, number,
                                               values->numbers ? values->numbers[t->row]
                                                               : (double)values->integers[t->row],
                                               &t->place, err);
    }
    return status;
}

/* ---- nodes ----------------------------------------------------------------------------------- */

static hrr_status read_nodes(hrr_listing *listing, table *t, uint32_t *n_attributes, hrr_error *err)
{
    const bool named = t->file.n_columns && hrr_header_names_nodes(t->file.columns[0].name);
    const uint32_t id = named ? 0 : none;
    hrr_status status = declare(listing, t, HRR_OF_NODES, id, none, err);
    if (!status && named) status = load_ids(t, id, err);
    if (!status && t->file.inferred)
        status = hrr_listing_note(listing, t->file.inferred, &t->place, err);
    for (t->row = 0; t->row < t->file.n_rows && !status; t->row++) {
        char decimal[hrr_decimal_size];
        hrr_decimal(decimal, (int64_t)t->row);
        status = hrr_listing_node(listing, named ? id_at(decimal, t, id) : decimal, &t->place, err);
        if (!status) status = take_values(listing, t, 0, id, none, err);
        if (!status) status = hrr_listing_end(listing, &t->place, err);
    }
    *n_attributes = t->file.n_columns - named;
    return status;
}

/* ---- edges ----------------------------------------------------------------------------------- */

static const char *name_of_column(const void *file, uint64_t column)
{
    return ((const hrr_parquet *)file)->columns[column].name;
}

static hrr_status find_ends(uint32_t ends[2], table *t, const char *told, hrr_error *err)
{
    const hrr_named_columns columns = {t->file.path, t->file.n_columns, name_of_column, &t->file};
    uint64_t found[2];
    hrr_status status = hrr_edge_ends_find(found, &columns, told, err);
    for (int i = 0; i < 2 && !status; i++) {
        ends[i] = (uint32_t)found[i];
        status = load_ids(t, ends[i], err);
    }
    if (!status && t->columns[ends[0]].kind != t->columns[ends[1]].kind)
        status =
            hrr_fail(err, HRR_EDATA, "%s: one column of ids contains integers and the other texts",
                     t->file.path);
    return status;
}

/* Between nodes that are listed. */
static hrr_status list_edges(hrr_listing *listing, table *t, uint32_t first, const char *told,
                             hrr_error *err)
{
    uint32_t ends[2];
    hrr_status status = find_ends(ends, t, told, err);
    if (!status) status = declare(listing, t, HRR_OF_EDGES, ends[0], ends[1], err);
    for (t->row = 0; t->row < t->file.n_rows && !status; t->row++) {
        char source[hrr_decimal_size], target[hrr_decimal_size];
        status = hrr_listing_edge(listing, id_at(source, t, ends[0]), id_at(target, t, ends[1]),
                                  &t->place, err);
        if (!status) status = take_values(listing, t, first, ends[0], ends[1], err);
        if (!status) status = hrr_listing_end(listing, &t->place, err);
    }
    return status;
}

/* ---- edges alone ----------------------------------------------------------------------------- */

static hrr_status find_marks(uint32_t marks[HRR_MAX_MARKS], hrr_edge_text *text, table *t,
                             const uint32_t ends[2], const char *told, hrr_error *err)
{
    hrr_status status = HRR_OK;
    for (uint32_t i = 0; i < t->file.n_columns && !status; i++) {
        const hrr_parquet_column *c = &t->file.columns[i];
        if (i == ends[0] || i == ends[1]) continue;
        if (!hrr_is_mark_column(c->name, told)) {
            text->passed_over |= !hrr_edge_attribute_is_harmless(c->name);
            continue;
        }
        if (text->n_marks == HRR_MAX_MARKS)
            return hrr_fail(err, HRR_EDATA,
                            "%s: more than %d columns have names that begin with \"private\"",
                            t->file.path, HRR_MAX_MARKS);
        if (c->kind == HRR_PARQUET_OTHERS)
            return hrr_fail(err, HRR_EDATA,
                            "%s: column %.80s marks edges, so its values must be true or false",
                            t->file.path, c->name);
        marks[text->n_marks] = i;
        text->mark_names[text->n_marks] = hrr_copy_text(c->name);
        if (!text->mark_names[text->n_marks]) return hrr_no_memory(err);
        text->n_marks++;
        status = load(t, i, err);
    }
    return status;
}

static hrr_status read_mark(bool *out, const table *t, uint32_t column, hrr_error *err)
{
    const hrr_parquet_values *values = &t->columns[column];
    const uint64_t row = t->row;
    const double number = values->numbers    ? values->numbers[row]
                          : values->integers ? (double)values->integers[row]
                                             : 0;
    *out = number == 1;
    if (is_missing(t, column, row) ||
        (values->start ? !hrr_field_truth(values->text + values->start[row], out)
                       : number != 0 && number != 1))
        return hrr_place_fail(&t->place, err, "a private mark is neither 0 nor 1");
    return HRR_OK;
}

static hrr_status number_end(uint64_t *out, hrr_edge_names *names, const table *t, uint32_t column,
                             hrr_error *err)
{
    const hrr_parquet_values *values = &t->columns[column];
    if (is_missing(t, column, t->row)) return hrr_place_fail(&t->place, err, "an id is missing");
    if (values->start) {
        const char *name = values->text + values->start[t->row];
        if (!*name) return hrr_place_fail(&t->place, err, "an id is empty");
        return hrr_edge_names_number(names, name, out, err);
    }
    if (values->integers[t->row] < 0)
        return hrr_place_fail(&t->place, err, "an id is negative; ids are 0, 1, 2, ...");
    *out = (uint64_t)values->integers[t->row];
    return HRR_OK;
}

static hrr_status read_rows(hrr_edge_rows *rows, hrr_edge_names *names, table *t,
                            const uint32_t ends[2], const uint32_t *marks, int n_marks,
                            hrr_error *err)
{
    hrr_edge_block block;
    block.n_rows = 0;
    rows->with_marks = n_marks > 0;
    hrr_status status = HRR_OK;
    for (t->row = 0; t->row < t->file.n_rows && !status; t->row++) {
        const size_t at = block.n_rows;
        status = number_end(&block.source[at], names, t, ends[0], err);
        if (!status) status = number_end(&block.target[at], names, t, ends[1], err);
        block.marks[at] = 0;
        for (int i = 0; i < n_marks && !status; i++) {
            bool truth = false;
            status = read_mark(&truth, t, marks[i], err);
            block.marks[at] |= (uint8_t)(truth << i);
        }
        block.n_rows++;
        if (!status && block.n_rows == HRR_EDGE_BLOCK)
            status = hrr_edge_rows_append(rows, &block, err);
    }
    return status ? status : hrr_edge_rows_append(rows, &block, err);
}

/* Edges that say themselves which nodes there are, as those of an edge list in text. */
static hrr_status read_edges_alone(hrr_graph **out, const char *path,
                                   const hrr_read_options *options, hrr_progress *progress,
                                   hrr_error *err)
{
    table t = {0};
    uint32_t ends[2], marks[HRR_MAX_MARKS];
    hrr_edge_text text = {0};
    hrr_edge_rows rows = {0};
    hrr_edge_names names = {0};
    int64_t bits = 0;
    hrr_status status = open_table(&t, path, err);
    if (!status) status = find_ends(ends, &t, options->private_column, err);
    if (!status) status = find_marks(marks, &text, &t, ends, options->private_column, err);
    if (!status) status = read_rows(&rows, &names, &t, ends, marks, text.n_marks, err);
    if (!status && rows.n_rows > 0)
        status = t.columns[ends[0]].start
                     ? hrr_edge_names_into_ids(&text, &rows, &names, path, err)
                     : hrr_edge_ids_compact(&text, &rows, path, hrr_threads(options->threads), err);
    if (!status && text.n_nodes == 0)
        status = hrr_fail(err, HRR_EDATA,
                          "%s: has no edges, and there is no file of nodes beside it", path);
    if (!status) status = hrr_edge_text_into_graph(out, &text, text.n_nodes, path, progress, err);
    if (!status) hrr_graph_add_inferred(*out, HRR_INFERRED_NODES);
    const char *note = t.file.inferred;
    if (!status && note && strncmp(note, HRR_LISTING_INFERRED, strlen(HRR_LISTING_INFERRED)) == 0 &&
        hrr_field_integer(note + strlen(HRR_LISTING_INFERRED), &bits) && bits > 0 &&
        bits < HRR_INFERRED_END)
        hrr_graph_add_inferred(*out, (hrr_inferred)bits);
    hrr_edge_text_clear(&text);
    hrr_edge_rows_clear(&rows);
    hrr_edge_names_clear(&names);
    close_table(&t);
    return status;
}

/* ---- the whole ------------------------------------------------------------------------------- */

static hrr_status read_both(hrr_graph **out, const char *path, const char *nodes_path,
                            const char *edges_path, const hrr_read_options *options,
                            hrr_progress *progress, hrr_error *err)
{
    table nodes = {0}, edges = {0};
    hrr_listing *listing = NULL;
    uint32_t n_attributes = 0;
    hrr_status status = hrr_listing_new(&listing, path, options, err);
    hrr_progress_begin(progress, "reading nodes and edges", 0);
    if (!status) status = open_table(&nodes, nodes_path, err);
    if (!status) status = open_table(&edges, edges_path, err);
    if (!status) status = read_nodes(listing, &nodes, &n_attributes, err);
    if (!status) status = hrr_progress_advance(progress, nodes.file.n_rows, err);
    if (!status) status = list_edges(listing, &edges, n_attributes, options->private_column, err);
    if (!status) status = hrr_progress_advance(progress, edges.file.n_rows, err);
    if (!status) status = hrr_listing_into_graph(out, listing, false, progress, err);
    hrr_listing_free(listing);
    close_table(&nodes);
    close_table(&edges);
    return status;
}

hrr_status hrr_parquet_graph_read(hrr_graph **out, const char *path,
                                  const hrr_read_options *options, hrr_progress *progress,
                                  hrr_error *err)
{
    *out = NULL;
    if (!hrr_path_is_directory(path)) return read_edges_alone(out, path, options, progress, err);
    char *nodes = hrr_path_join(path, HRR_PARQUET_NODES);
    char *edges = hrr_path_join(path, HRR_PARQUET_EDGES);
    hrr_status status = nodes && edges ? HRR_OK : hrr_no_memory(err);
    if (!status)
        status = hrr_path_is_file(nodes)
                     ? read_both(out, path, nodes, edges, options, progress, err)
                     : read_edges_alone(out, edges, options, progress, err);
    hrr_free(nodes);
    hrr_free(edges);
    return status;
}
