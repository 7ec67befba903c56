/* new_file.h: a small file that is made once, such as a key. */
#ifndef HRR_BASE_NEW_FILE_H
#define HRR_BASE_NEW_FILE_H

#include <heterorr/base.h>

/* Write a small file for its owner alone: at path it is seen whole or not at all, and what is there
 * already is not touched (*was_there, HRR_OK). On the disk when this returns.
 * Errors: HRR_EIO, with `what` in its words; HRR_ENOMEM. */
hrr_status hrr_new_file_put(bool *was_there, const char *path, const void *bytes, size_t size,
                            const char *what, hrr_error *err);

#endif
