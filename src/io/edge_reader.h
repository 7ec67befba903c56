/* edge_reader.h: the reading of one edge list: what edge_text.c and edge_table.c share. */
#ifndef HRR_IO_EDGE_READER_H
#define HRR_IO_EDGE_READER_H

#include "io/edge_layout.h"
#include "io/edge_names.h"
#include "io/edge_rows.h"
#include "io/edge_text.h"

typedef struct hrr_edge_reader {
    const char *path;
    const hrr_edge_text_options *options;
    hrr_edge_layout layout;
    uint64_t id_limit; /* ids must be below */
    hrr_edge_rows rows;
    hrr_edge_names names;
    uint64_t n_lines; /* of the file, before the bytes that are parsed next */
    bool quoted;      /* found quotes: start again with the table reader */
    bool named;       /* found a name among integers: start again, all ids are names */
    hrr_progress *progress;
} hrr_edge_reader;

/* Read all rows from layout.first_line on through the table reader, from the start: names, and any
 * file with quotes. Errors: HRR_EDATA, also with `named` set and err untouched. */
hrr_status hrr_edge_table_read(hrr_edge_reader *r, hrr_error *err);

/* After all other rows: if the first row is open, decide whether it is a header or one more edge.
 * Errors: HRR_EDATA if nothing tells, or if the header is repeated among the rows. */
hrr_status hrr_edge_settle_first(hrr_edge_reader *r, hrr_error *err);

#endif
