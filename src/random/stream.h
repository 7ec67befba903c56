/* stream.h: the cursor, opened up so that samplers take a word without a call.
 *
 * Stream (purpose, row) is one sequence of bytes, the same however it is cut up: a word is the
 * next 8 bytes, little endian, wherever in the sequence they begin. */
#ifndef HRR_RANDOM_STREAM_H
#define HRR_RANDOM_STREAM_H

#include <heterorr/random.h>

#include <endian.h>
#include <string.h>
#include <openssl/types.h>

enum {
    hrr_block_size = 16,
    hrr_stream_first_refill = 256, /* 32 words: most rows end there */
    hrr_stream_buffer_size = 8192  /* where the cost of a libcrypto call has vanished */
};

struct hrr_stream {
    size_t used, filled; /* buffer[used .. filled) is drawn next */
    size_t refill;       /* size of the next refill; doubles from first to buffer size */
    hrr_purpose purpose;
    uint64_t row;
    uint64_t blocks_left;         /* 0 before the first seek: drawing then stops the process */
    bool cipher_in_place;         /* the cipher's counter stands at the next block of this stream */
    EVP_CIPHER_CTX *cipher;       /* counter mode, for long pieces */
    EVP_CIPHER_CTX *block_cipher; /* the same key, block by block, for first refills */
    unsigned char buffer[hrr_stream_buffer_size];
};

/* The next bytes, and the next word. */
void hrr_stream_bytes(hrr_stream *stream, void *bytes, size_t size);
uint64_t hrr_stream_u64(hrr_stream *stream);

/* The word that does not lie whole in the buffer. */
uint64_t hrr_stream_word_across(hrr_stream *stream);

/* hrr_stream_u64(), inlined. */
static inline uint64_t hrr_stream_word(hrr_stream *stream)
{
    uint64_t word;
    if (__builtin_expect(stream->filled - stream->used < sizeof word, 0))
        return hrr_stream_word_across(stream);
    memcpy(&word, stream->buffer + stream->used, sizeof word);
    stream->used += sizeof word;
    return le64toh(word);
}

#endif
