/* edge_rows.h: the rows of an edge list as they are read: two ids and the marks. Ids take 32 bits
 * each until one does not fit; then all take 64. */
#ifndef HRR_IO_EDGE_ROWS_H
#define HRR_IO_EDGE_ROWS_H

#include <heterorr/graph.h>

typedef struct hrr_edge_rows {
    uint64_t n_rows, capacity;
    uint64_t largest; /* id */
    bool wide, with_marks;
    void *columns; /* unless wide: the block that source and target are in */
    uint32_t *source, *target;
    uint64_t *wide_source, *wide_target; /* if wide */
    uint8_t *marks;                      /* if with_marks */
} hrr_edge_rows;

/* A piece of rows on its way in. */
enum { HRR_EDGE_BLOCK = 1024 };
typedef struct hrr_edge_block {
    size_t n_rows;
    uint64_t source[HRR_EDGE_BLOCK], target[HRR_EDGE_BLOCK];
    uint8_t marks[HRR_EDGE_BLOCK];
} hrr_edge_block;

/* Make room for so many rows in all; a good guess saves copies. */
hrr_status hrr_edge_rows_reserve(hrr_edge_rows *rows, uint64_t n_rows, hrr_error *err);
/* Make room for so many more than there are. */
hrr_status hrr_edge_rows_make_room(hrr_edge_rows *rows, uint64_t more, hrr_error *err);
/* Append the block and empty it. */
hrr_status hrr_edge_rows_append(hrr_edge_rows *rows, hrr_edge_block *block, hrr_error *err);
/* Move the rows of `more` behind these; `more` is left empty on success. */
hrr_status hrr_edge_rows_join(hrr_edge_rows *rows, hrr_edge_rows *more, hrr_error *err);
/* Move 32-bit rows into an edge list, without a copy unless much memory would stay unused. */
void hrr_edge_rows_into_list(hrr_edge_list *out, hrr_edge_rows *rows);
void hrr_edge_rows_clear(hrr_edge_rows *rows);

#endif
