/* hash.h: SHA-256 of files, to tell a bundle from one that was changed, and of whatever else needs
 * a name that cannot be forged. */
#ifndef HRR_IO_HASH_H
#define HRR_IO_HASH_H

#include <heterorr/base.h>

enum { hrr_sha256_size = 32 };
#define HRR_SHA256_TEXT_SIZE 65 /* 64 hexadecimal digits and NUL */

/* A hash under way. Its only failure is want of memory, which is remembered and reported at the
 * end, so that a list of parts reads like one. */
typedef struct hrr_hash {
    void *context; /* NULL: out of memory */
} hrr_hash;

void hrr_hash_init(hrr_hash *hash);
void hrr_hash_add(hrr_hash *hash, const void *bytes, size_t size);
/* A part with its length before it, so that no two lists of parts have the same bytes. NULL is a
 * part of its own, other than the empty one. */
void hrr_hash_part(hrr_hash *hash, const void *bytes, size_t size);
void hrr_hash_text(hrr_hash *hash, const char *text);
void hrr_hash_u64(hrr_hash *hash, uint64_t number);
/* Ends the hash and releases what it holds. Errors: HRR_ENOMEM. */
hrr_status hrr_hash_finish(uint8_t digest[hrr_sha256_size], hrr_hash *hash, hrr_error *err);
/* Gives up; nothing to do after finish. */
void hrr_hash_clear(hrr_hash *hash);

/* 64 hexadecimal digits. */
void hrr_sha256_text(char text[HRR_SHA256_TEXT_SIZE], const uint8_t digest[hrr_sha256_size]);

/* The hash and size of the file as it is on disk now. progress counts bytes; the caller begins the
 * phase.
 * Errors: HRR_EIO, HRR_ENOMEM, HRR_ECANCEL. */
hrr_status hrr_sha256_file(char text[HRR_SHA256_TEXT_SIZE], uint64_t *size, const char *path,
                           hrr_progress *progress, hrr_error *err);

typedef struct hrr_hashed_file {
    const char *path; /* borrowed */
    char sha256[HRR_SHA256_TEXT_SIZE];
    uint64_t size;
    hrr_error error; /* of this file alone: HRR_OK or HRR_EIO */
} hrr_hashed_file;

/* The same for n files, on several threads at once, large ones first; threads 0: all there are.
 * SHA-256 of one file runs on one core, at some 1.5 GB/s with the processor's instructions for it.
 * A file that cannot be read fails by itself.
 * Errors: HRR_ENOMEM, HRR_ECANCEL. */
hrr_status hrr_sha256_files(hrr_hashed_file *files, size_t n, int threads, hrr_progress *progress,
                            hrr_error *err);

#endif
