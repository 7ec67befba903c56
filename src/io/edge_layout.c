/* edge_layout.c: see edge_layout.h. The table reader looks at two rows; the fast parser then
 * knows what to expect and where to start. */
#include "io/edge_layout.h"
#include "io/source.h"
#include "io/table.h"
#include "base/memory.h"

#include <inttypes.h>
#include <string.h>
#include <strings.h>

static const char *const known_pairs[][2] = {
    {"src", "dst"},
    {"source", "target"},
    {"from", "to"},
    {"u", "v"},
    {"id_1", "id_2"},
    {"id1", "id2"},
    {"node_1", "node_2"},
    {"node1", "node2"},
    {"src_id", "dst_id"},
    {"from_id", "to_id"},
    {"source_id", "target_id"},
    {"fromnodeid", "tonodeid"},
    {"head", "tail"},
    {"from_node_id", "to_node_id"},
};

static bool is_known_pair(char *const *fields)
{
    for (size_t i = 0; i < sizeof known_pairs / sizeof *known_pairs; i++)
        if (strcasecmp(fields[0], known_pairs[i][0]) == 0 &&
            strcasecmp(fields[1], known_pairs[i][1]) == 0)
            return true;
    return false;
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

/* Take `row` for the first edge. */
static void describe(hrr_edge_layout *layout, const hrr_table_row *row)
{
    layout->first_line = row->line;
    layout->integers = has_integers(row);
    layout->passed_over = row->n_fields > 2 + (size_t)layout->n_marks;
}

static bool is_mark(const char *name, const char *mark_column)
{
    return strncasecmp(name, "private", 7) == 0 || (mark_column && strcmp(name, mark_column) == 0);
}

static hrr_status find_marks(hrr_edge_layout *layout, const hrr_table_row *row,
                             const char *mark_column, const char *path, hrr_error *err)
{
    for (size_t column = 2; column < row->n_fields; column++) {
        if (!is_mark(row->fields[column], mark_column)) continue;
        if (layout->n_marks == HRR_MAX_MARKS)
            return hrr_fail(err, HRR_EDATA,
                            "%s:%" PRIu64 ": more than %d columns whose names begin with "
                            "\"private\"; keep those that are needed",
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
    if (n < 3 || !is_known_pair(fields)) return HRR_OK;
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
                    "%s:%" PRIu64 ": fewer than two columns; an edge list has a row of two ids "
                    "for each edge",
                    path, (*row)->line);
}

hrr_status hrr_edge_layout_read(hrr_edge_layout *out, const char *path, const char *mark_column,
                                hrr_error *err)
{
    *out = (hrr_edge_layout){0};
    hrr_edge_layout layout = {0};
    hrr_table *table = NULL;
    const hrr_table_row *row;
    hrr_status status = hrr_table_open(&table, path, '\0', err);
    if (status) goto done;
    if ((status = next_pair(table, &row, path, err))) goto done;
    if (!row) {
        if ((status = read_commented_marks(&layout, mark_column, path, err))) goto done;
    } else {
        if ((status = find_marks(&layout, row, mark_column, path, err))) goto done;
        bool header = layout.n_marks > 0 || is_known_pair(row->fields);
        if (!header && (status = read_commented_marks(&layout, mark_column, path, err))) goto done;
        describe(&layout, row);
        bool maybe = !is_integer(row->fields[0]) && !is_integer(row->fields[1]);
        if (header || maybe) {
            if ((status = next_pair(table, &row, path, err))) goto done;
            if (row && (header || has_integers(row))) describe(&layout, row);
            layout.maybe_header = !row && !header;
        }
    }
    layout.no_rows = !row && !layout.maybe_header;
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
    *layout = (hrr_edge_layout){0};
}
