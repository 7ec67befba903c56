/* edge_layout.h: what the first rows of an edge list tell about the rest. */
#ifndef HRR_IO_EDGE_LAYOUT_H
#define HRR_IO_EDGE_LAYOUT_H

#include "io/header.h"

#include <heterorr/graph.h>

typedef struct hrr_edge_layout_options {
    const char *mark_column; /* a column that holds marks whatever its name; NULL: none */
    hrr_told_header header;
    bool numbers_only; /* ids cannot be names */
} hrr_edge_layout_options;

typedef struct hrr_edge_layout {
    char delimiter;      /* ' ' for blanks */
    uint64_t first_line; /* of the first row that is surely an edge */
    bool integers;       /* ids are integers, as those of that row are, until one is a name */
    bool no_rows;        /* no row is surely an edge; first_line means nothing */
    bool passed_over;    /* there are columns that are neither ids nor marks */
    bool open;           /* whether `first` is a header depends on the ids of the other rows */
    bool usual;          /* its ids are called as in most edge lists: source,target */
    hrr_header_signs signs;
    hrr_table_row first; /* a copy of the header, or of the row that is open; or empty */
    size_t n_columns;    /* of the row at first_line */
    int n_marks;
    size_t mark_columns[HRR_MAX_MARKS]; /* ascending */
    char *mark_names[HRR_MAX_MARKS];
} hrr_edge_layout;

/* Whether the first row is a header is decided by header.h; a reserved name is a column after the
 * second that begins with "private", or is called mark_column (these are the marks). Marks are also
 * taken from a comment before the first row that begins with a usual pair of names
 * ("# src,dst,private").
 * Errors: HRR_EDATA: fewer than two columns, more than HRR_MAX_MARKS marks, a header under which
 * the first two columns cannot be the ids. */
hrr_status hrr_edge_layout_read(hrr_edge_layout *out, const char *path,
                                const hrr_edge_layout_options *options, hrr_error *err);
/* Whether layout->first can be the header of this list: the names and columns of the rows fit.
 * Errors: HRR_EDATA. */
hrr_status hrr_edge_header_check(const hrr_edge_layout *layout, const char *path, hrr_error *err);
void hrr_edge_layout_clear(hrr_edge_layout *layout);

/* Whether an id that begins so is a name and not a damaged number: a letter, or no ASCII at all. */
static inline bool hrr_begins_name(char first)
{
    const unsigned char lower = (unsigned char)first | 0x20;
    return (lower >= 'a' && lower <= 'z') || (unsigned char)first >= 0x80;
}

#endif
