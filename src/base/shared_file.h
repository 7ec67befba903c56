/* shared_file.h: a range of a file that several processes write, each its own. The file is in a
 * staging directory, which appears whole or not at all; by itself it does not. */
#ifndef HRR_BASE_SHARED_FILE_H
#define HRR_BASE_SHARED_FILE_H

#include <heterorr/base.h>

typedef struct hrr_shared_file hrr_shared_file;

/* Make the file at `path`, which exists, `size` bytes long. Errors: HRR_EIO. */
hrr_status hrr_shared_file_resize(const char *path, uint64_t size, hrr_error *err) HRR_CHECKED;

/* Write from `offset` on, one block after another. Errors: HRR_EIO, HRR_ENOMEM. */
hrr_status hrr_shared_file_open(hrr_shared_file **out, const char *path, uint64_t offset,
                                hrr_error *err) HRR_CHECKED;
hrr_status hrr_shared_file_write(hrr_shared_file *file, const void *bytes, size_t size,
                                 hrr_error *err) HRR_CHECKED;
/* What was written is on the disk, or this fails. */
hrr_status hrr_shared_file_sync(hrr_shared_file *file, hrr_error *err) HRR_CHECKED;
/* NULL is allowed. */
void hrr_shared_file_free(hrr_shared_file *file);

/* ---- a directory that one process fills and others write into ---------------------------------
 */

/* Hold the directory until close(): tells the others that this process lives. -1: it cannot be
 * held, and nobody will sweep it. */
int hrr_staging_hold(const char *path);

/* Remove the directory if the process that held it is dead. A living one removes it, or renames it,
 * itself: never pull files out from under a directory that is about to be published. */
void hrr_staging_sweep(const char *path);

#endif
