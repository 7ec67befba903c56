/* stream_rows.h: features through a plan into a file, a block of rows at a time. */
#ifndef HRR_RELEASE_STREAM_ROWS_H
#define HRR_RELEASE_STREAM_ROWS_H

#include "base/ranks.h"

#include <heterorr/feature.h>

/* Randomise `in`, which may be a mapped file larger than memory, into DIRECTORY/features.npy. Row i
 * draws from stream row i. *writing: the seconds that went into writing.
 * ranks: each writes the rows of its share; all see the same directory.
 * Cost: one block of 2^20 outputs (or one row, if that is more) and the plan's scratch.
 * Errors: HRR_EDATA, HRR_EIO, HRR_ENOMEM, HRR_ECANCEL; then the file does not exist. */
hrr_status hrr_stream_rows(double *writing, const char *directory, const hrr_feature_plan *plan,
                           const hrr_dense *in, const hrr_random *random, int threads,
                           hrr_ranks *ranks, hrr_progress *progress, hrr_error *err);

#endif
