/* stream.c: the generator's output, AES-128 in counter mode, addressed by (purpose, row).
 *
 *     block i of stream (purpose, row) = AES_key(purpose, 4 bytes | row, 7 bytes | i, 5 bytes)
 *
 * all big endian. Streams are disjoint because their counters are, and depend on nothing but the
 * key: not on threads, ranks, the order of rows, or how the draws are cut into calls.
 *
 * Workload: millions of short rows (a seek and a few dozen draws) and a few very long ones. So a
 * seek costs nothing until the first draw, the key schedule is kept, and refills start small and
 * double. Telling libcrypto a new counter takes longer than encrypting a first refill (145 ns the
 * two, 69 without), so there the counters are written out and encrypted as they are: the same
 * blocks by definition of counter mode. */
#include "random/stream.h"
#include "random/generator.h"
#include "base/memory.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <unistd.h>

static const uint64_t blocks_per_stream = (uint64_t)1 << 40;
static const uint64_t row_limit = (uint64_t)1 << 56;

/* What is encrypted. As long as one call to libcrypto, and small enough to stay in the cache. */
static const unsigned char zeros[8192];

static void set_key(EVP_CIPHER_CTX *cipher, const char *name, const hrr_random *random)
{
    EVP_CIPHER *aes = EVP_CIPHER_fetch(NULL, name, NULL);
    if (!aes || !EVP_EncryptInit_ex2(cipher, aes, random->key, NULL, NULL))
        hrr_random_stop("libcrypto has no AES-128");
    EVP_CIPHER_free(aes); /* the context keeps its own reference */
}

hrr_status hrr_stream_new(hrr_stream **out, const hrr_random *random, hrr_error *err)
{
    hrr_status status = HRR_OK;
    *out = NULL;
    if (!random->insecure && random->owner != getpid())
        hrr_random_stop(
            "a generator was used after fork(); both processes would draw the same numbers");
    hrr_stream *stream = hrr_alloc_zero(1, sizeof *stream);
    if (!stream) return hrr_no_memory(err);
    stream->refill = hrr_stream_first_refill;
    stream->cipher = EVP_CIPHER_CTX_new();
    if (!stream->cipher) {
        status = hrr_no_memory(err);
        goto done;
    }
    stream->block_cipher = EVP_CIPHER_CTX_new();
    if (!stream->block_cipher) {
        status = hrr_no_memory(err);
        goto done;
    }
    set_key(stream->cipher, "AES-128-CTR", random);
    set_key(stream->block_cipher, "AES-128-ECB", random);
    EVP_CIPHER_CTX_set_padding(stream->block_cipher, 0);
    *out = stream;
    stream = NULL;
done:
    hrr_stream_free(stream);
    return status;
}

void hrr_stream_free(hrr_stream *stream)
{
    if (!stream) return;
    EVP_CIPHER_CTX_free(stream->cipher); /* wipes the key schedule */
    EVP_CIPHER_CTX_free(stream->block_cipher);
    OPENSSL_cleanse(stream, sizeof *stream);
    hrr_free(stream);
}

void hrr_stream_seek(hrr_stream *stream, hrr_purpose purpose, uint64_t row)
{
    /* A larger row would run into another purpose's streams: two mechanisms, one noise. */
    if (row >= row_limit) hrr_random_stop("a row number of a random stream must be below 2^56");
    stream->purpose = purpose;
    stream->row = row;
    stream->blocks_left = blocks_per_stream;
    stream->cipher_in_place = false;
    stream->used = stream->filled = 0;
    stream->refill = hrr_stream_first_refill;
}

/* The counter of a block of this stream. */
static void set_counter(unsigned char counter[hrr_block_size], const hrr_stream *stream,
                        uint64_t block)
{
    const uint32_t purpose = htobe32((uint32_t)stream->purpose);
    /* 7 bytes of the row and the first of the block number's 5; then the other 4. */
    const uint64_t row = htobe64(stream->row << 8 | block >> 32);
    const uint32_t low = htobe32((uint32_t)block);
    memcpy(counter, &purpose, sizeof purpose);
    memcpy(counter + sizeof purpose, &row, sizeof row);
    memcpy(counter + sizeof purpose + sizeof row, &low, sizeof low);
}

static void place_cipher(hrr_stream *stream, uint64_t block)
{
    unsigned char counter[hrr_block_size];
    set_counter(counter, stream, block);
    if (!EVP_EncryptInit_ex2(stream->cipher, NULL, NULL, counter, NULL))
        hrr_random_stop("libcrypto cannot set a counter");
    stream->cipher_in_place = true;
}

static void encrypt(EVP_CIPHER_CTX *cipher, unsigned char *out, const unsigned char *in,
                    size_t size)
{
    int written = 0;
    if (!EVP_EncryptUpdate(cipher, out, &written, in, (int)size) || written != (int)size)
        hrr_random_stop("libcrypto cannot encrypt");
}

/* The next `size` bytes of the stream, whole blocks, into out. */
static void generate(hrr_stream *stream, unsigned char *out, size_t size)
{
    const uint64_t first = blocks_per_stream - stream->blocks_left;
    if (size / hrr_block_size > stream->blocks_left)
        hrr_random_stop("a random stream is exhausted, or it was used before a seek");
    stream->blocks_left -= size / hrr_block_size;
    if (!stream->cipher_in_place && size <= hrr_stream_first_refill) {
        unsigned char counters[hrr_stream_first_refill];
        for (size_t i = 0; i < size; i += hrr_block_size)
            set_counter(counters + i, stream, first + i / hrr_block_size);
        encrypt(stream->block_cipher, out, counters, size);
        return;
    }
    if (!stream->cipher_in_place) place_cipher(stream, first);
    for (size_t piece; size > 0; out += piece, size -= piece) {
        piece = size < sizeof zeros ? size : sizeof zeros;
        encrypt(stream->cipher, out, zeros, piece);
    }
}

static void refill(hrr_stream *stream)
{
    size_t size = stream->refill;
    /* The last refill is what is left; when nothing is, one block too many stops the process. */
    if (size / hrr_block_size > stream->blocks_left)
        size = stream->blocks_left ? stream->blocks_left * hrr_block_size : hrr_block_size;
    generate(stream, stream->buffer, size);
    stream->used = 0;
    stream->filled = size;
    if (stream->refill < hrr_stream_buffer_size) stream->refill *= 2;
}

void hrr_stream_bytes(hrr_stream *stream, void *bytes, size_t size)
{
    unsigned char *out = bytes;
    while (size > 0) {
        if (stream->used == stream->filled && size >= hrr_stream_first_refill) {
            size_t whole = size - size % hrr_block_size;
            generate(stream, out, whole);
            out += whole;
            size -= whole;
            continue;
        }
        if (stream->used == stream->filled) refill(stream);
        size_t ready = stream->filled - stream->used;
        size_t piece = size < ready ? size : ready;
        memcpy(out, stream->buffer + stream->used, piece);
        stream->used += piece;
        out += piece;
        size -= piece;
    }
}

uint64_t hrr_stream_word_across(hrr_stream *stream)
{
    uint64_t word;
    hrr_stream_bytes(stream, &word, sizeof word);
    return le64toh(word);
}

uint64_t hrr_stream_u64(hrr_stream *stream)
{
    return hrr_stream_word(stream);
}
