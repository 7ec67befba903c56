/* split_arrays.h: the files {train,valid,test}_WHAT.npy of a collection, one below the other. */
#ifndef HRR_IO_SPLIT_ARRAYS_H
#define HRR_IO_SPLIT_ARRAYS_H

#include <heterorr/io.h>

/* "DIRECTORY/SPLIT_WHAT"; NULL: out of memory. */
char *hrr_split_path(const char *directory, int split, const char *what);

/* How many of the splits that are present have a WHAT file; *first_missing is the first split
 * without one (3: none). */
hrr_status hrr_split_count(int *count, int *first_missing, const char *directory, const char *what,
                           const bool present[3], hrr_error *err);

/* Rows of all splits that are present, rows[split] from each file; the widest element type of
 * them. Errors: HRR_EDATA if the rows or columns of a file do not fit. */
hrr_status hrr_split_stack(hrr_dense *out, const char *directory, const char *what,
                           const bool present[3], const uint64_t rows[3], hrr_error *err);

/* Graph numbers of a split's nodes: any integers that do not decrease, renumbered from
 * *n_graphs, which is moved on. */
hrr_status hrr_split_graph_ids(uint32_t *out, uint32_t *n_graphs, const hrr_array *graph_ids,
                               const char *where, hrr_error *err);

#endif
