/* node_rows.h: values of nodes from a file of their own, beside a graph that has none: an array
 * (.npy), or text with a row for each node. */
#ifndef HRR_IO_NODE_ROWS_H
#define HRR_IO_NODE_ROWS_H

#include "io/header.h"
#include "graph/name_index.h"

#include <heterorr/io.h>

typedef struct hrr_node_rows {
    const char *path; /* not owned */
    hrr_array values; /* n, or n x d */
    uint64_t n;
    bool named;           /* rows say whose they are; otherwise row i is about node i */
    hrr_name_index names; /* if named */
} hrr_node_rows;

typedef struct hrr_node_rows_options {
    bool labels;         /* one column is read as whole numbers */
    const char *column;  /* of the text, the only one to read; NULL: all */
    const char *without; /* of the text, one that is not read if it is there; NULL: none */
    hrr_told_header header;
} hrr_node_rows_options;

/* Text: numbers with any delimiter, and a header or none (header.h). If the header's first name
 * is that of a column of ids, it names the node.
 * Errors: HRR_EDATA names the file, the line and the column; those of hrr_array_read(). */
hrr_status hrr_node_rows_read(hrr_node_rows *out, const char *path,
                              const hrr_node_rows_options *options, hrr_error *err);
void hrr_node_rows_clear(hrr_node_rows *rows);

/* Bring the rows into the order of the graph's nodes, each of which must have one.
 * Errors: HRR_EDATA, HRR_ENOMEM. */
hrr_status hrr_node_rows_join(hrr_node_rows *rows, const hrr_graph *graph, hrr_error *err);

#endif
