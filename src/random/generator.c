/* generator.c: where the key comes from. The 128-bit key is all the randomness there is: draws
 * are AES-128-CTR under it (stream.c), so it is taken whole from the operating system or not at
 * all. */
#include "random/generator.h"
#include "random/stream.h"
#include "base/memory.h"

#include <errno.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <openssl/crypto.h>
#include <openssl/sha.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

void hrr_random_stop(const char *reason)
{
    fprintf(stderr, "heterorr: %s; the program stops, because predictable noise protects nobody\n",
            reason);
    abort();
}

static void key_from_system(unsigned char key[hrr_key_size])
{
    size_t got = 0;
    while (got < hrr_key_size) {
        ssize_t size = getrandom(key + got, hrr_key_size - got, 0);
        if (size < 0 && errno == EINTR) continue;
        if (size <= 0) hrr_random_stop("the operating system provides no entropy");
        got += (size_t)size;
    }
}

/* key = the first 16 bytes of SHA-256("heterorr insecure seed N"), N in decimal. */
static void key_from_seed(unsigned char key[hrr_key_size], uint64_t seed)
{
    char text[64];
    unsigned char digest[SHA256_DIGEST_LENGTH];
    int length = snprintf(text, sizeof text, "heterorr insecure seed %" PRIu64, seed);
    if (!SHA256((const unsigned char *)text, (size_t)length, digest))
        hrr_random_stop("libcrypto has no SHA-256");
    memcpy(key, digest, hrr_key_size);
}

hrr_status hrr_random_new(hrr_random **out, hrr_error *err)
{
    *out = NULL;
    hrr_random *random = hrr_alloc_zero(1, sizeof *random);
    if (!random) return hrr_no_memory(err);
    key_from_system(random->key);
    random->owner = getpid();
    *out = random;
    return HRR_OK;
}

hrr_status hrr_random_new_insecure(hrr_random **out, uint64_t seed, hrr_error *err)
{
    *out = NULL;
    hrr_random *random = hrr_alloc_zero(1, sizeof *random);
    if (!random) return hrr_no_memory(err);
    key_from_seed(random->key, seed);
    random->insecure = true;
    random->owner = getpid();
    *out = random;
    return HRR_OK;
}

hrr_status hrr_random_new_child(hrr_random **out, hrr_random *parent, hrr_error *err)
{
    *out = NULL;
    hrr_random *child = hrr_alloc_zero(1, sizeof *child);
    if (!child) return hrr_no_memory(err);
    hrr_stream *stream;
    hrr_status status = hrr_stream_new(&stream, parent, err);
    if (status) {
        hrr_free(child);
        return status;
    }
    hrr_stream_seek(stream, HRR_PURPOSE_CHILD_KEY, atomic_fetch_add(&parent->n_children, 1));
    hrr_stream_bytes(stream, child->key, sizeof child->key);
    hrr_stream_free(stream);
    child->insecure = parent->insecure;
    child->owner = parent->owner;
    *out = child;
    return HRR_OK;
}

hrr_status hrr_random_share(hrr_random *random, hrr_ranks *ranks, hrr_error *err)
{
    unsigned char key[hrr_key_size];
    bool insecure = random->insecure, same;
    if (!ranks) return HRR_OK;
    memcpy(key, random->key, sizeof key);
    hrr_status status = hrr_ranks_same(&same, ranks, &insecure, sizeof insecure, err);
    if (!status) status = hrr_ranks_broadcast(ranks, key, sizeof key, 0, err);
    if (!status && insecure && memcmp(key, random->key, sizeof key) != 0) same = false;
    if (!status && !same)
        status = hrr_fail(err, HRR_ERANKS,
                          "rank %d has a different seed from rank 0; start all ranks with the same "
                          "command. Nothing was charged or drawn",
                          hrr_ranks_rank(ranks));
    status = hrr_ranks_agree(ranks, status, err);
    if (!status) memcpy(random->key, key, sizeof key);
    OPENSSL_cleanse(key, sizeof key);
    return status;
}

bool hrr_random_is_insecure(const hrr_random *random)
{
    return random->insecure;
}

void hrr_random_free(hrr_random *random)
{
    if (!random) return;
    OPENSSL_cleanse(random, sizeof *random);
    hrr_free(random);
}
