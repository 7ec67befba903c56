/* edge_layout.c: see edge_layout.h. The table reader looks at the first rows; the fast parser then
 * knows what to expect and where to start. */
#include "io/edge_layout.h"
#include "io/edge_columns.h"
#include "io/source.h"
#include "io/table.h"
#include "base/memory.h"

#include <inttypes.h>
#include <string.h>

static bool is_usual_pair(char *const *fields)
{
    return hrr_is_usual_pair(fields[0], fields[1]);
}

static bool is_integer(const char *field)
{
    int64_t ignored;
    return hrr_field_integer(field, &ignored);
}

static bool has_integers(const hrr_table_row *row)
{
    return is_integer(row->fields[0]) && is_integer(row->fields[1]);
}

/* Take `row` for the first edge; NULL: there is none. */
static void describe(hrr_edge_layout *layout, const hrr_table_row *row)
{
    layout->no_rows = !row;
    if (!row) return;
    layout->first_line = row->line;
    layout->integers = has_integers(row);
    layout->n_columns = row->n_fields;
    layout->passed_over = row->n_fields > 2 + (size_t)layout->n_marks;
    if (!*row->fields[row->n_fields - 1]) layout->n_columns--; /* a delimiter at the end */
}

static hrr_status find_marks(hrr_edge_layout *layout, const hrr_table_row *row,
                             const char *mark_column, const char *path, hrr_error *err)
{
    for (size_t column = 2; column < row->n_fields; column++) {
        if (!hrr_is_mark_column(row->fields[column], mark_column)) continue;
        if (layout->n_marks == HRR_MAX_MARKS)
            return hrr_fail(err, HRR_EDATA,
                            "%s:%" PRIu64 ": more than %d columns have names that begin with "
                            "\"private\"; keep only those that you need",
                            path, row->line, HRR_MAX_MARKS);
        char *name = hrr_copy_text(row->fields[column]);
        if (!name) return hrr_no_memory(err);
        layout->mark_columns[layout->n_marks] = column;
        layout->mark_names[layout->n_marks++] = name;
    }
    return HRR_OK;
}

/* A comment such as "# src,dst,private", which numpy.savetxt writes as a header: the marks it names
 * must not be lost, or private edges would pass for public ones. Other comments are prose. */
static hrr_status find_commented_marks(hrr_edge_layout *layout, char *line, uint64_t number,
                                       const char *mark_column, const char *path, hrr_error *err)
{
    enum { most_columns = 64 };
    char *fields[most_columns], *rest = line;
    size_t n = 0;
    for (char *field; n < most_columns && (field = strtok_r(rest, "#% ,\t;|\r", &rest));)
        fields[n++] = field;
    if (n < 3 || !is_usual_pair(fields)) return HRR_OK;
    const hrr_table_row row = {.line = number, .n_fields = n, .fields = fields};
    return find_marks(layout, &row, mark_column, path, err);
}

/* Look through the comments before the first row. */
static hrr_status read_commented_marks(hrr_edge_layout *layout, const char *mark_column,
                                       const char *path, hrr_error *err)
{
    hrr_source *source = NULL;
    const char *at;
    size_t left;
    hrr_status status = hrr_source_open(&source, path, err);
    if (!status) status = hrr_source_next(source, &at, &left, err);
    for (uint64_t number = 1; !status && left > 0 && (*at == '#' || *at == '%'); number++) {
        const char *newline = memchr(at, '\n', left);
        size_t length = newline ? (size_t)(newline - at) : left;
        char *line = hrr_format_text("%.*s", length < 4096 ? (int)length : 4096, at);
        if (!line) {
            status = hrr_no_memory(err);
            break;
        }
        if (layout->n_marks == 0)
            status = find_commented_marks(layout, line, number, mark_column, path, err);
        hrr_free(line);
        length += newline != NULL;
        at += length;
        left -= length;
    }
    hrr_source_close(source);
    return status;
}

/* Read the next row, which must have two columns; NULL at the end. */
static hrr_status next_pair(hrr_table *table, const hrr_table_row **row, const char *path,
                            hrr_error *err)
{
    hrr_status status = hrr_table_next(table, row, err);
    if (status || !*row || (*row)->n_fields >= 2) return status;
    return hrr_fail(err, HRR_EDATA,
                    "%s:%" PRIu64 ": fewer than two columns; an edge list has one row per edge "
                    "with two ids, separated by a comma, tab, semicolon, | or blanks",
                    path, (*row)->line);
}

hrr_status hrr_edge_header_check(const hrr_edge_layout *layout, const char *path, hrr_error *err)
{
    const hrr_table_row *first = &layout->first;
    if (hrr_header_is_unnamed(first->fields[0]) || hrr_header_is_unnamed(first->fields[1]))
        return hrr_fail(err, HRR_EDATA,
                        "%s:%" PRIu64 ": a column of ids has no name; if it only numbers the rows, "
                        "remove it (index=False in pandas, row.names=FALSE in R)",
                        path, first->line);
    for (size_t i = 1; i + 1 < first->n_fields && !is_usual_pair(first->fields); i++)
        if (is_usual_pair(first->fields + i))
            return hrr_fail(
                err, HRR_EDATA,
                "%s:%" PRIu64
                ": columns %zu and %zu have names of edge ends; they must be the first two columns",
                path, first->line, i + 1, i + 2);
    if (!layout->no_rows && layout->n_columns > first->n_fields)
        return hrr_fail(err, HRR_EDATA,
                        "%s:%" PRIu64
                        ": the row has %zu columns, but the header names %zu; if the first column "
                        "only numbers the rows, remove it (row.names=FALSE in R)",
                        path, layout->first_line, layout->n_columns, first->n_fields);
    return HRR_OK;
}

/* Compare the first row with those below it. *is_data: it is an edge, whatever else follows. */
static hrr_status compare_first(bool *is_data, hrr_edge_layout *layout, hrr_table *table,
                                const char *path, hrr_error *err)
{
    const hrr_table_row *next;
    hrr_header_signs *signs = &layout->signs;
    hrr_status status = next_pair(table, &next, path, err);
    if (status) return status;
    describe(layout, next);
    /* Usual names above integers need no longer look: a hundred rows are a twentieth of the time
     * that an edge list of this common kind takes. */
    if (layout->usual && next && layout->integers)
        signs->over_numbers = true;
    else if ((status = hrr_header_compare(signs, &layout->first, next, table, err)))
        return status;
    hrr_header_signs again = *signs;
    again.ids_again = true;
    const hrr_header_verdict verdict = hrr_header_decide(signs);
    layout->open = verdict != hrr_header_decide(&again);
    *is_data = !layout->open && verdict == HRR_FIRST_IS_DATA;
    if (*is_data) return HRR_OK;
    const bool unnamed = hrr_header_is_unnamed(layout->first.fields[0]) ||
                         hrr_header_is_unnamed(layout->first.fields[1]);
    return layout->open && !unnamed ? HRR_OK : hrr_edge_header_check(layout, path, err);
}

/* Decide about the first row, of which there is a copy, as far as the first rows allow. */
static hrr_status look_at_first(hrr_edge_layout *layout, hrr_table *table, const char *path,
                                const char *mark_column, hrr_error *err)
{
    const hrr_table_row *first = &layout->first;
    hrr_header_signs *signs = &layout->signs;
    hrr_status status = HRR_OK;
    bool is_data = signs->told == HRR_HEADER_NO;
    if (!is_data) {
        if ((status = find_marks(layout, first, mark_column, path, err))) return status;
        signs->reserved = layout->n_marks > 0;
        layout->usual = is_usual_pair(first->fields);
        signs->words = layout->usual || hrr_header_has_words(first->fields[0], first->fields[1]);
    }
    if (signs->told != HRR_HEADER_YES && !signs->reserved && !signs->words) {
        if ((status = read_commented_marks(layout, mark_column, path, err))) return status;
        /* The columns have names already, or a number or the same word where names would stand. */
        is_data = is_data || layout->n_marks > 0 || hrr_header_is_number(first->fields[0]) ||
                  hrr_header_is_number(first->fields[1]) ||
                  (*first->fields[0] && strcmp(first->fields[0], first->fields[1]) == 0);
    }
    if (!is_data && (status = compare_first(&is_data, layout, table, path, err))) return status;
    if (is_data) {
        describe(layout, first);
        hrr_table_row_clear(&layout->first);
    }
    return HRR_OK;
}

hrr_status hrr_edge_layout_read(hrr_edge_layout *out, const char *path,
                                const hrr_edge_layout_options *options, hrr_error *err)
{
    *out = (hrr_edge_layout){0};
    hrr_edge_layout layout = {
        .signs = {.told = options->header, .numbers_only = options->numbers_only}};
    hrr_table *table = NULL;
    const hrr_table_row *row;
    hrr_status status = hrr_table_open(&table, path, '\0', err);
    if (status) goto done;
    if ((status = next_pair(table, &row, path, err))) goto done;
    if (row) {
        if ((status = hrr_table_row_copy(&layout.first, row, err))) goto done;
        status = look_at_first(&layout, table, path, options->mark_column, err);
    } else {
        layout.no_rows = true;
        status = read_commented_marks(&layout, options->mark_column, path, err);
    }
    if (status) goto done;
    layout.delimiter = hrr_table_delimiter(table);
    *out = layout;
    layout = (hrr_edge_layout){0};
done:
    hrr_edge_layout_clear(&layout);
    hrr_table_close(table);
    return status;
}

void hrr_edge_layout_clear(hrr_edge_layout *layout)
{
    for (int i = 0; i < layout->n_marks; i++)
        hrr_free(layout->mark_names[i]);
    hrr_table_row_clear(&layout->first);
    *layout = (hrr_edge_layout){0};
}
