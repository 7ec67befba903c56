/* columns.h: finding the columns of a results file by name, so that a file of a later version with
 * more of them still reads. */
#ifndef HRR_EXPERIMENT_COLUMNS_H
#define HRR_EXPERIMENT_COLUMNS_H

#include "io/table.h"

/* -1: there is none of this name. */
int hrr_column_find(const hrr_table_row *header, const char *name);

/* The whole field as a number; "nan" is one. */
bool hrr_column_number(double *out, const hrr_table_row *row, int column);

/* HRR_EDATA naming the line if the row has not as many fields as the header had. */
hrr_status hrr_columns_check(const hrr_table_row *row, size_t n_columns, const char *path,
                             hrr_error *err);
/* HRR_EDATA naming the line. */
hrr_status hrr_column_no_number(const hrr_table_row *row, const char *path, hrr_error *err);

#endif
