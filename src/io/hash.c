/* hash.c: SHA-256 through libcrypto, which uses the processor's instructions for it. */
#include "io/hash.h"
#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <openssl/evp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- a hash under way ----------------------------------------------------------------------- */

void hrr_hash_init(hrr_hash *hash)
{
    hash->context = EVP_MD_CTX_new();
    if (hash->context && !EVP_DigestInit_ex(hash->context, EVP_sha256(), NULL))
        hrr_hash_clear(hash);
}

void hrr_hash_clear(hrr_hash *hash)
{
    EVP_MD_CTX_free(hash->context);
    hash->context = NULL;
}

void hrr_hash_add(hrr_hash *hash, const void *bytes, size_t size)
{
    if (hash->context && !EVP_DigestUpdate(hash->context, bytes, size)) hrr_hash_clear(hash);
}

void hrr_hash_u64(hrr_hash *hash, uint64_t number)
{
    unsigned char bytes[8]; /* lowest first, on every machine */
    for (int i = 0; i < 8; i++)
        bytes[i] = (unsigned char)(number >> 8 * i);
    hrr_hash_add(hash, bytes, sizeof bytes);
}

void hrr_hash_part(hrr_hash *hash, const void *bytes, size_t size)
{
    hrr_hash_u64(hash, bytes ? size : UINT64_MAX); /* no part is that long */
    if (bytes) hrr_hash_add(hash, bytes, size);
}

void hrr_hash_text(hrr_hash *hash, const char *text)
{
    hrr_hash_part(hash, text, text ? strlen(text) : 0);
}

hrr_status hrr_hash_finish(uint8_t digest[hrr_sha256_size], hrr_hash *hash, hrr_error *err)
{
    bool done = hash->context && EVP_DigestFinal_ex(hash->context, digest, NULL);
    hrr_hash_clear(hash);
    return done ? HRR_OK : hrr_no_memory(err);
}

void hrr_sha256_text(char text[HRR_SHA256_TEXT_SIZE], const uint8_t digest[hrr_sha256_size])
{
    for (int i = 0; i < hrr_sha256_size; i++) {
        text[2 * i] = "0123456789abcdef"[digest[i] >> 4];
        text[2 * i + 1] = "0123456789abcdef"[digest[i] & 15];
    }
    text[2 * hrr_sha256_size] = '\0';
}

/* ---- files ---------------------------------------------------------------------------------- */

enum { block_size = 1 << 20 }; /* about a millisecond */

static hrr_status hash_all(hrr_hash *hash, uint64_t *size, int fd, unsigned char *block,
                           const char *path, hrr_progress *progress, hrr_error *err)
{
    *size = 0;
    for (;;) {
        ssize_t length = read(fd, block, block_size);
        if (length < 0 && errno == EINTR) continue;
        if (length < 0)
            return hrr_fail(err, HRR_EIO, "%s: cannot be read: %s", path, strerror(errno));
        if (length == 0) return HRR_OK;
        hrr_hash_add(hash, block, (size_t)length);
        *size += (uint64_t)length;
        hrr_status status = hrr_progress_advance(progress, (uint64_t)length, err);
        if (status) return status;
    }
}

hrr_status hrr_sha256_file(char text[HRR_SHA256_TEXT_SIZE], uint64_t *size, const char *path,
                           hrr_progress *progress, hrr_error *err)
{
    hrr_status status = HRR_OK;
    uint8_t digest[hrr_sha256_size];
    int fd = -1;
    hrr_hash hash;
    hrr_hash_init(&hash);
    unsigned char *block = hrr_alloc(block_size, 1);
    if (!block) {
        status = hrr_no_memory(err);
        goto done;
    }
    fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        status = hrr_fail(err, HRR_EIO, "%s: cannot be read: %s", path, strerror(errno));
        goto done;
    }
    if ((status = hash_all(&hash, size, fd, block, path, progress, err))) goto done;
    if ((status = hrr_hash_finish(digest, &hash, err))) goto done;
    hrr_sha256_text(text, digest);
done:
    if (fd >= 0) close(fd);
    hrr_free(block);
    hrr_hash_clear(&hash);
    return status;
}

/* ---- several files -------------------------------------------------------------------------- */

static int larger_first(const void *a, const void *b)
{
    const hrr_hashed_file *x = *(hrr_hashed_file *const *)a, *y = *(hrr_hashed_file *const *)b;
    return (x->size < y->size) - (x->size > y->size);
}

/* Longest first, each to whoever is free: no thread is left with a long one at the end. */
hrr_status hrr_sha256_files(hrr_hashed_file *files, size_t n, int threads, hrr_progress *progress,
                            hrr_error *err)
{
    hrr_hashed_file **order = hrr_alloc(n, sizeof *order);
    if (!order) return hrr_no_memory(err);
    for (size_t i = 0; i < n; i++) {
        struct stat there;
        files[i].size = stat(files[i].path, &there) == 0 ? (uint64_t)there.st_size : 0;
        files[i].error.status = HRR_OK;
        order[i] = &files[i];
    }
    qsort(order, n, sizeof *order, larger_first);
    threads = hrr_threads(threads);
    (void)threads; /* the fuzz targets are built without OpenMP */
#pragma omp parallel for num_threads(threads) schedule(dynamic, 1)
    for (size_t i = 0; i < n; i++)
        (void)!hrr_sha256_file(order[i]->sha256, &order[i]->size, order[i]->path, progress,
                               &order[i]->error);
    hrr_free(order);
    for (size_t i = 0; i < n; i++) {
        const hrr_error *wrong = &files[i].error;
        if (wrong->status && wrong->status != HRR_EIO)
            return hrr_fail(err, wrong->status, "%s", wrong->message);
    }
    return HRR_OK;
}
