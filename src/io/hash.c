/* hash.c: SHA-256 through libcrypto, which uses the processor's instructions for it. */
#include "io/hash.h"
#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <openssl/evp.h>
#include <string.h>
#include <unistd.h>

enum { block_size = 1 << 20 }; /* about a millisecond */

static hrr_status hash_all(EVP_MD_CTX *context, uint64_t *size, int fd, unsigned char *block,
                           const char *path, hrr_progress *progress, hrr_error *err)
{
    *size = 0;
    for (;;) {
        ssize_t length = read(fd, block, block_size);
        if (length < 0 && errno == EINTR) continue;
        if (length < 0)
            return hrr_fail(err, HRR_EIO, "%s: cannot be read: %s", path, strerror(errno));
        if (length == 0) return HRR_OK;
        if (!EVP_DigestUpdate(context, block, (size_t)length)) return hrr_no_memory(err);
        *size += (uint64_t)length;
        hrr_status status = hrr_progress_advance(progress, (uint64_t)length, err);
        if (status) return status;
    }
}

hrr_status hrr_sha256_file(char text[HRR_SHA256_TEXT_SIZE], uint64_t *size, const char *path,
                           hrr_progress *progress, hrr_error *err)
{
    hrr_status status = HRR_OK;
    unsigned char digest[EVP_MAX_MD_SIZE];
    unsigned digest_size = 0;
    int fd = -1;
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    unsigned char *block = hrr_alloc(block_size, 1);
    if (!context || !block || !EVP_DigestInit_ex(context, EVP_sha256(), NULL)) {
        status = hrr_no_memory(err);
        goto done;
    }
    fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        status = hrr_fail(err, HRR_EIO, "%s: cannot be read: %s", path, strerror(errno));
        goto done;
    }
    if ((status = hash_all(context, size, fd, block, path, progress, err))) goto done;
    if (!EVP_DigestFinal_ex(context, digest, &digest_size)) {
        status = hrr_no_memory(err);
        goto done;
    }
    for (unsigned i = 0; i < digest_size; i++) {
        text[2 * i] = "0123456789abcdef"[digest[i] >> 4];
        text[2 * i + 1] = "0123456789abcdef"[digest[i] & 15];
    }
    text[2 * digest_size] = '\0';
done:
    if (fd >= 0) close(fd);
    hrr_free(block);
    EVP_MD_CTX_free(context);
    return status;
}
