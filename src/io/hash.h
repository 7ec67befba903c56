/* hash.h: SHA-256 of files, to tell a bundle from one that was changed. */
#ifndef HRR_IO_HASH_H
#define HRR_IO_HASH_H

#include <heterorr/base.h>

#define HRR_SHA256_TEXT_SIZE 65 /* 64 hexadecimal digits and NUL */

/* The hash and size of the file as it is on disk now. progress counts bytes; the caller begins the
 * phase.
 * Errors: HRR_EIO, HRR_ENOMEM, HRR_ECANCEL. */
hrr_status hrr_sha256_file(char text[HRR_SHA256_TEXT_SIZE], uint64_t *size, const char *path,
                           hrr_progress *progress, hrr_error *err);

#endif
