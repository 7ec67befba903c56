/* pgb_published.h: values of PGB's queries that others have published. */
#ifndef HRR_EXPERIMENT_PGB_PUBLISHED_H
#define HRR_EXPERIMENT_PGB_PUBLISHED_H

#include "experiment/rows.h"

/* Add the values of a file to the rows of HRR_ROWS_PGB.
 * Errors: as hrr_all_rows_read(); HRR_EDATA also for a file of runs. */
hrr_status hrr_pgb_published_read(hrr_all_rows *all, const char *path, hrr_error *err);

/* Which of two published names is that of `graph`: the same name, whatever its case, or the longest
 * that the graph's name begins with as whole words ("econ-poli-large" of
 * "econ-poli-large-no-weights"). best may be NULL; NULL: neither is. */
const char *hrr_pgb_nearer_name(const char *best, const char *candidate, const char *graph);

#endif
