/* edge_columns.h: what the columns of a table of edges are, by their names. */
#ifndef HRR_IO_EDGE_COLUMNS_H
#define HRR_IO_EDGE_COLUMNS_H

#include <heterorr/base.h>

/* Whether a column marks private edges: its name begins with "private", or is `told` (NULL: none
 * is). */
bool hrr_is_mark_column(const char *name, const char *told);

/* Whether columns of ids are called so in most edge lists: source and target, src and dst, ... */
bool hrr_is_usual_pair(const char *one, const char *other);

/* A table whose columns surely have names. */
typedef struct hrr_named_columns {
    const char *called; /* what messages call the table */
    uint64_t n;
    const char *(*name)(const void *table, uint64_t column);
    const void *table;
} hrr_named_columns;

/* The columns that hold the ids of the two nodes: source and target, wherever they are; otherwise
 * the first two.
 * Errors: HRR_EDATA: fewer than two columns; a mark where an id should be, since private edges
 * would then pass for edges that nobody marked; a usual pair behind the first two columns. */
hrr_status hrr_edge_ends_find(uint64_t ends[2], const hrr_named_columns *columns, const char *told,
                              hrr_error *err);

#endif
