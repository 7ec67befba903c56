/* table.h: rows of a delimited text file (comma, tab, semicolon or blanks; quoted fields as in
 * RFC 4180), one at a time, from any hrr_source. */
#ifndef HRR_IO_TABLE_H
#define HRR_IO_TABLE_H

#include "io/source.h"

#define HRR_TABLE_MAX_ROW (64 << 20) /* bytes; a longer row is refused */

typedef struct hrr_table hrr_table;

typedef struct hrr_table_row {
    uint64_t line; /* where the row begins, from 1 */
    size_t n_fields;
    char *const *fields; /* NUL-terminated, without quotes and surrounding blanks */
} hrr_table_row;

/* delimiter '\0': recognise from the first row: tab, comma, semicolon or | if it has one outside
 * quotes (in this order), otherwise runs of blanks. Lines that begin with # or % and blank lines
 * are passed over; \r\n and a UTF-8 byte-order mark are handled. */
hrr_status hrr_table_open(hrr_table **out, const char *path, char delimiter, hrr_error *err);
/* *row is NULL at the end; valid until the next call. */
hrr_status hrr_table_next(hrr_table *table, const hrr_table_row **row, hrr_error *err);
/* The delimiter in use, ' ' for blanks; '\0' before the first row when it is to be recognised. */
char hrr_table_delimiter(const hrr_table *table);
void hrr_table_close(hrr_table *table);

/* A row that outlives the next call; all zero bytes is none. Errors: HRR_ENOMEM. */
hrr_status hrr_table_row_copy(hrr_table_row *out, const hrr_table_row *row, hrr_error *err);
void hrr_table_row_clear(hrr_table_row *copy);

/* Whole-field conversions: false if the field is anything else. */
bool hrr_field_integer(const char *field, int64_t *out);
bool hrr_field_number(const char *field, double *out);
bool hrr_field_truth(const char *field, bool *out); /* 0 1 true false yes no, any case */

#endif
