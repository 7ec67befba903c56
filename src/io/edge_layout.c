/* edge_layout.c: see edge_layout.h. The table reader looks at two rows; the fast parser then
 * knows what to expect and where to start. */
#include "io/edge_layout.h"
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

static bool is_known_pair(const hrr_table_row *row)
{
    for (size_t i = 0; i < sizeof known_pairs / sizeof *known_pairs; i++)
        if (strcasecmp(row->fields[0], known_pairs[i][0]) == 0 &&
            strcasecmp(row->fields[1], known_pairs[i][1]) == 0)
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
}

static bool is_mark(const char *name)
{
    return strncasecmp(name, "private", 7) == 0;
}

static hrr_status find_marks(hrr_edge_layout *layout, const hrr_table_row *row, const char *path,
                             hrr_error *err)
{
    for (size_t column = 2; column < row->n_fields; column++) {
        if (!is_mark(row->fields[column])) continue;
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

hrr_status hrr_edge_layout_read(hrr_edge_layout *out, const char *path, hrr_error *err)
{
    *out = (hrr_edge_layout){0};
    hrr_edge_layout layout = {0};
    hrr_table *table = NULL;
    const hrr_table_row *row;
    hrr_status status = hrr_table_open(&table, path, '\0', err);
    if (status) goto done;
    if ((status = next_pair(table, &row, path, err))) goto done;
    if (row) {
        if ((status = find_marks(&layout, row, path, err))) goto done;
        describe(&layout, row);
        bool header = layout.n_marks > 0 || is_known_pair(row);
        bool maybe = !is_integer(row->fields[0]) && !is_integer(row->fields[1]);
        if (header || maybe) {
            if ((status = next_pair(table, &row, path, err))) goto done;
            if (row && (header || has_integers(row))) describe(&layout, row);
            if (!row && !header) goto found; /* one row of two names: an edge */
        }
    }
    if (!row) {
        status =
            hrr_fail(err, HRR_EDATA,
                     "%s: has no edges; an edge list has a row of two ids for each edge", path);
        goto done;
    }
found:
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
