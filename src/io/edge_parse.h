/* edge_parse.h: lines of an edge list with integer ids to rows, fast. */
#ifndef HRR_IO_EDGE_PARSE_H
#define HRR_IO_EDGE_PARSE_H

#include "io/edge_layout.h"
#include "io/edge_rows.h"

enum { HRR_EDGE_PADDING = 16 }; /* bytes after a chunk that must be readable */

typedef struct hrr_edge_chunk {
    const char *begin, *end; /* whole lines: a newline is last */
    uint64_t n_joined;       /* chunks like this whose rows will be joined to its own */
    hrr_edge_rows rows;
    uint64_t n_lines;    /* read, or before the one that is wrong */
    const char *problem; /* what is wrong with it (HRR_EDATA), or NULL */
    bool quoted;         /* nothing is wrong, but it needs the table reader */
    bool named;          /* the same, and an id begins with a letter: ids are names */
} hrr_edge_chunk;

/* Parse a chunk. Ids must be below id_limit. Returns HRR_EDATA with `problem` or `quoted` set and
 * err untouched, for only the caller knows the number of the line; other failures fill err. */
hrr_status hrr_edge_parse(hrr_edge_chunk *chunk, const hrr_edge_layout *layout, uint64_t id_limit,
                          hrr_progress *progress, hrr_error *err);

#endif
