/* columns.c: see columns.h. */
#include "experiment/columns.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

int hrr_column_find(const hrr_table_row *header, const char *name)
{
    for (size_t i = 0; i < header->n_fields; i++)
        if (strcmp(header->fields[i], name) == 0) return (int)i;
    return -1;
}

bool hrr_column_number(double *out, const hrr_table_row *row, int column)
{
    char *end;
    const char *field = row->fields[column];
    *out = strtod(field, &end);
    return end != field && *end == '\0';
}

hrr_status hrr_columns_check(const hrr_table_row *row, size_t n_columns, const char *path,
                             hrr_error *err)
{
    if (row->n_fields == n_columns) return HRR_OK;
    return hrr_fail(err, HRR_EDATA, "%s: line %" PRIu64 " has %zu fields, the header has %zu", path,
                    row->line, row->n_fields, n_columns);
}

hrr_status hrr_column_no_number(const hrr_table_row *row, const char *path, hrr_error *err)
{
    return hrr_fail(err, HRR_EDATA, "%s: line %" PRIu64 " has a field that is no number", path,
                    row->line);
}
