/* edge_layout.h: what the first rows of an edge list tell about the rest. */
#ifndef HRR_IO_EDGE_LAYOUT_H
#define HRR_IO_EDGE_LAYOUT_H

#include <heterorr/graph.h>

typedef struct hrr_edge_layout {
    char delimiter;      /* ' ' for blanks */
    uint64_t first_line; /* of the first edge */
    bool integers;       /* ids are integers, as those of the first edge are, until one is a name */
    bool no_rows;        /* there is no edge; delimiter and first_line mean nothing */
    bool maybe_header;   /* the only row has two names: an edge, or a header without edges */
    bool passed_over;    /* there are columns that are neither ids nor marks */
    int n_marks;
    size_t mark_columns[HRR_MAX_MARKS]; /* ascending */
    char *mark_names[HRR_MAX_MARKS];
} hrr_edge_layout;

/* A first row is a header if
 *   - a column after the second has a name that begins with "private", or is called mark_column
 *     (these are the marks), or
 *   - its first two fields are a known pair of names: src,dst source,target from,to u,v ..., or
 *   - they are both no integers and those of the next row both are.
 * Marks are also taken from a comment before the first row that begins with a known pair of names
 * ("# src,dst,private").
 * Errors: HRR_EDATA: fewer than two columns, more than HRR_MAX_MARKS marks. */
hrr_status hrr_edge_layout_read(hrr_edge_layout *out, const char *path, const char *mark_column,
                                hrr_error *err);
/* Whether an id that begins so is a name and not a damaged number: a letter, or no ASCII at all. */
static inline bool hrr_begins_name(char first)
{
    const unsigned char lower = (unsigned char)first | 0x20;
    return (lower >= 'a' && lower <= 'z') || (unsigned char)first >= 0x80;
}
void hrr_edge_layout_clear(hrr_edge_layout *layout);

#endif
