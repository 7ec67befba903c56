#include "random/draws.h"
#include "random/fast.h"
#include "support/death.h"

#include "random/stream.h"

#include <stdio.h>
#include <stdlib.h>

static hrr_stream *open_stream(uint64_t seed)
{
    hrr_random *random;
    hrr_stream *stream;
    assert_ok(hrr_random_new_insecure(&random, seed, NULL));
    assert_ok(hrr_stream_new(&stream, random, NULL));
    hrr_random_free(random); /* the stream has its own copy of the key */
    return stream;
}

/* Expected bytes were made without this library:
 *     key=$(printf 'heterorr insecure seed 42' | sha256sum | cut -c1-32)
 *     head -c 40 /dev/zero | openssl enc -aes-128-ctr -K $key -iv $iv | xxd -p
 * with iv = purpose (4 bytes) row (7) block (5), in hexadecimal. */
typedef struct vector {
    uint64_t seed;
    hrr_purpose purpose;
    uint64_t row, skip_blocks;
    size_t size;
    const char *bytes;
} vector;

static const vector vectors[] = {
    {42, HRR_PURPOSE_TEST, 0, 0, 40,
     "\xb2\xe8\xa6\xf5\xb6\x89\xfe\xaf\x64\x73\x4c\x32\x95\xa2\xf1\xbd\x99\x5c\x3f\xfb"
     "\x13\x0e\x3c\x75\x21\xa1\xa8\x79\x41\x88\x06\xf7\x36\xa1\xbb\x6c\x82\x53\x96\x04"},
    {42, HRR_PURPOSE_TEST, 1, 0, 16,
     "\x54\x16\xe2\x3f\x93\x2d\x56\x3c\x06\xb6\xde\x06\x60\x3a\xd3\x65"},
    {42, HRR_PURPOSE_TEST, 0, 1 << 20, 16,
     "\x79\x1e\x17\x89\xf2\x24\x88\xec\x5f\xdf\x59\xa9\x68\xee\xf4\x98"},
    {UINT64_MAX, HRR_PURPOSE_EDGE_COUNTS, ((uint64_t)1 << 56) - 1, 0, 16,
     "\xa3\x32\xb9\x5c\xe0\x81\xf6\x06\x5e\xfa\xd2\x3e\x91\x4c\x55\xa2"},
    {0, HRR_PURPOSE_FEATURE_CHOICE, 0x123456789abcd, 0, 16,
     "\xf0\x3e\x6a\xa7\xf0\x8a\xaf\xd3\xd2\x33\x1e\x6a\xf1\xbc\x23\x90"},
};

static void test_stream__gives_the_known_bytes(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++) {
        const vector *known = &vectors[i];
        hrr_stream *stream = open_stream(known->seed);
        unsigned char found[64];
        hrr_stream_seek(stream, known->purpose, known->row);
        for (uint64_t word = 0; word < 2 * known->skip_blocks; word++)
            hrr_stream_u64(stream);
        hrr_stream_bytes(stream, found, known->size);
        assert_memory_equal(found, known->bytes, known->size);
        hrr_stream_free(stream);
    }
}

static void test_stream__words_are_little_endian(void **state)
{
    (void)state;
    hrr_stream *stream = open_stream(42);
    hrr_stream_seek(stream, HRR_PURPOSE_TEST, 0);
    assert_true(hrr_stream_u64(stream) == UINT64_C(0xaffe89b6f5a6e8b2));
    assert_true(hrr_stream_u64(stream) == UINT64_C(0xbdf1a295324c7364));
    hrr_stream_free(stream);
}

static void test_stream__how_it_is_cut_up_does_not_matter(void **state)
{
    enum { size = 100003 };
    static unsigned char whole[size], cut[size];
    hrr_stream *stream = *state;
    hrr_stream_seek(stream, HRR_PURPOSE_TEST, 5);
    hrr_stream_bytes(stream, whole, size);
    assert_int_equal(((uint64_t)1 << 40) - stream->blocks_left, size / 16 + 16); /* one refill */

    hrr_stream_seek(stream, HRR_PURPOSE_TEST, 5);
    for (size_t i = 0; i < size; i++)
        hrr_stream_bytes(stream, cut + i, 1);
    assert_memory_equal(whole, cut, size);

    /* Pieces around the size of a first refill, which may be encrypted in another way. */
    for (size_t piece = 240; piece <= 272; piece++) {
        memset(cut, 0, size);
        hrr_stream_seek(stream, HRR_PURPOSE_TEST, 5);
        for (size_t at = 0; at + piece <= 4096; at += piece)
            hrr_stream_bytes(stream, cut + at, piece);
        assert_memory_equal(whole, cut, 4096 / piece * piece);
    }

    /* Pieces of every kind, words among them at every alignment. */
    hrr_fast_random pieces;
    hrr_fast_init(&pieces, 1, 1);
    for (int round = 0; round < 50; round++) {
        memset(cut, 0, size);
        hrr_stream_seek(stream, HRR_PURPOSE_TEST, 5);
        for (size_t at = 0; at < size;) {
            size_t piece = hrr_fast_below(&pieces, (uint64_t)2 << hrr_fast_below(&pieces, 16));
            if (piece > size - at) piece = size - at;
            hrr_stream_bytes(stream, cut + at, piece);
            at += piece;
            if (size - at < 8) continue;
            uint64_t word = htole64(hrr_stream_u64(stream));
            memcpy(cut + at, &word, 8);
            at += 8;
        }
        assert_memory_equal(whole, cut, size);
    }
}

static void test_stream__threads_and_order_do_not_matter(void **state)
{
    (void)state;
    enum { rows = 2000, draws = 40 };
    static uint64_t forward[rows][draws], threaded[rows][draws];
    hrr_random *random;
    hrr_stream *stream;
    assert_ok(hrr_random_new_insecure(&random, 3, NULL));
    assert_ok(hrr_stream_new(&stream, random, NULL));
    for (uint64_t row = 0; row < rows; row++) {
        hrr_stream_seek(stream, HRR_PURPOSE_TEST, row);
        for (int i = 0; i < draws; i++)
            forward[row][i] = hrr_stream_u64(stream);
    }
    hrr_stream_free(stream);
#pragma omp parallel num_threads(8)
    {
        hrr_stream *mine = NULL;
        if (hrr_stream_new(&mine, random, NULL)) abort();
#pragma omp for schedule(dynamic)
        for (int row = rows - 1; row >= 0; row--) {
            /* What was drawn before on this cursor must not show. */
            hrr_stream_seek(mine, HRR_PURPOSE_LABELS, (uint64_t)row);
            for (int i = 0; i < row % 100; i++)
                hrr_stream_u64(mine);
            hrr_stream_seek(mine, HRR_PURPOSE_TEST, (uint64_t)row);
            for (int i = 0; i < draws; i++)
                threaded[row][i] = hrr_stream_u64(mine);
        }
        hrr_stream_free(mine);
    }
    assert_memory_equal(forward, threaded, sizeof forward);
    hrr_random_free(random);
}

static int compare_words(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static void test_stream__purposes_and_rows_do_not_overlap(void **state)
{
    /* 8 purposes x 501 rows x 40 words, all distinct: two streams that overlapped, at any distance
     * within what is drawn, would repeat words. Chance repeats one with probability 7e-10. */
    enum { rows = 501, draws = 40, purposes = HRR_PURPOSE_POSTPROCESS_SEED };
    static uint64_t words[purposes * rows * draws];
    size_t n = 0;
    for (int purpose = 1; purpose <= purposes; purpose++)
        for (uint64_t row = 0; row < rows; row++) {
            bool far = row == rows - 1;
            hrr_stream_seek(*state, (hrr_purpose)purpose, far ? ((uint64_t)1 << 56) - 1 : row);
            for (int i = 0; i < draws; i++)
                words[n++] = hrr_stream_u64(*state);
        }
    qsort(words, n, sizeof words[0], compare_words);
    for (size_t i = 1; i < n; i++)
        assert_true(words[i] != words[i - 1]);
}

static void draw_before_seek(void *user)
{
    hrr_stream_u64(user);
}

static void seek_too_far(void *user)
{
    hrr_stream_seek(user, HRR_PURPOSE_TEST, (uint64_t)1 << 56);
}

static void draw_the_last_and_one_more(void *user)
{
    /* 2^40 blocks take an hour to draw; say that all but 300 are. */
    hrr_stream *stream = user;
    hrr_stream_seek(stream, HRR_PURPOSE_TEST, 0);
    stream->blocks_left = 300;
    for (int i = 0; i < 600; i++)
        hrr_stream_u64(stream);
    fputs("so far so good: ", stderr);
    hrr_stream_u64(stream);
}

static void draw_too_many_bytes(void *user)
{
    hrr_stream *stream = user;
    static unsigned char bytes[16 * 1001];
    hrr_stream_seek(stream, HRR_PURPOSE_TEST, 0);
    stream->blocks_left = 1000;
    hrr_stream_bytes(stream, bytes, sizeof bytes);
}

static void test_stream__stops_rather_than_overlap_another(void **state)
{
    hrr_stream *fresh = open_stream(1);
    assert_true(aborts_saying("before a seek", draw_before_seek, fresh));
    hrr_stream_free(fresh);
    assert_true(aborts_saying("2^56", seek_too_far, *state));
    assert_true(aborts_saying("good: heterorr: a random stream is exhausted",
                              draw_the_last_and_one_more, *state));
    assert_true(aborts_saying("exhausted", draw_too_many_bytes, *state));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stream__gives_the_known_bytes),
        cmocka_unit_test(test_stream__words_are_little_endian),
        with_stream(test_stream__how_it_is_cut_up_does_not_matter),
        cmocka_unit_test(test_stream__threads_and_order_do_not_matter),
        with_stream(test_stream__purposes_and_rows_do_not_overlap),
        with_stream(test_stream__stops_rather_than_overlap_another),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
