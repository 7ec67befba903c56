/* stream_rows.h: a matrix through a plan into a file, a block of rows at a time. */
#ifndef HRR_RELEASE_STREAM_ROWS_H
#define HRR_RELEASE_STREAM_ROWS_H

#include <heterorr/feature.h>

/* Randomise `in`, which may be a mapped file larger than memory, into DIRECTORY/NAME. Row i draws
 * from stream row first_row + i. `phase` must be a literal. The seconds that went into
 * writing are added to *writing.
 * Cost: one block of 2^20 outputs (or one row, if that is more) and the plan's scratch.
 * Errors: HRR_EDATA, HRR_EIO, HRR_ENOMEM, HRR_ECANCEL; then the file does not exist. */
hrr_status hrr_stream_rows(const char *directory, const char *name, const hrr_feature_plan *plan,
                           const hrr_dense *in, uint64_t first_row, const char *phase,
                           const hrr_random *random, int threads, double *writing,
                           hrr_progress *progress, hrr_error *err);

#endif
