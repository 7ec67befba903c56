/* source.h: the bytes of a file in order, whether it is stored plain, gzip or zstd (recognised by
 * its first bytes, not its name). A plain file is mapped and comes as one piece. */
#ifndef HRR_IO_SOURCE_H
#define HRR_IO_SOURCE_H

#include <heterorr/base.h>

typedef struct hrr_source hrr_source;

/* Errors: HRR_EIO (missing, unreadable, a directory). */
hrr_status hrr_source_open(hrr_source **out, const char *path, hrr_error *err);
/* The next piece; *size 0 at the end. Valid until the next call. Errors: HRR_EDATA for a damaged
 * or truncated compressed file, HRR_EIO, HRR_ENOMEM. */
hrr_status hrr_source_next(hrr_source *source, const char **bytes, size_t *size, hrr_error *err);
/* Whether the next piece is the whole file, mapped. */
bool hrr_source_is_whole(const hrr_source *source);
const char *hrr_source_path(const hrr_source *source);
/* Stored size of the file and how much of it was consumed, for progress. */
uint64_t hrr_source_size(const hrr_source *source);
uint64_t hrr_source_consumed(const hrr_source *source);
void hrr_source_close(hrr_source *source);

#endif
