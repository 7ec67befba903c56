/* edge_regular.c: see edge_regular.h.
 *
 * Two loops over a window of the file. The first compares 64 bytes at a time and writes down
 * where bytes are that are no digits: the ends of fields. Rows are then known without looking at
 * their text, so that the second loop, which turns a row into two numbers, has no step that waits
 * for the row before. Both numbers of a row are made at once: a shuffle moves their digits to the
 * right of two 8-byte lanes, and three multiply-and-add instructions join neighbours to numbers
 * of two, four and eight digits. Indexing first is the idea of simdjson (Langdale and Lemire, The
 * VLDB Journal 2019).
 *
 * It needs SSE4.1, which is asked for when the program runs. Without it edge_parse.c, which reads
 * every row, reads these too; with AVX-512 edge_regular_avx512.c is asked first. bench_io tells
 * what it gains. */
#include "io/edge_regular.h"
#include "io/edge_regular_avx512.h"

#if defined(__x86_64__)

#include <smmintrin.h>
#include <string.h>

#define SSE41 __attribute__((target("sse4.1,popcnt")))

enum {
    window_size = 4096, /* of HRR_REGULAR_ROWS rows, which have four bytes at least */
    word_size = 64,
    row_size = 2 * HRR_REGULAR_DIGITS,
    at_once = 8, /* positions written without asking how many there are */
};

/* ends[i]: distance from the start of the window to the i-th byte that is no digit. */
typedef uint16_t field_ends[window_size + 2 * at_once];

/* One bit for each of 64 bytes that is no digit. */
SSE41 static uint64_t not_digits(const char *bytes)
{
    uint64_t digits = 0;
    for (int i = 0; i < word_size; i += 16) {
        __m128i text = _mm_loadu_si128((const __m128i *)(bytes + i));
        /* '0'..'9' become the ten smallest signed bytes. */
        __m128i moved = _mm_add_epi8(text, _mm_set1_epi8(128 - '0'));
        __m128i found = _mm_cmplt_epi8(moved, _mm_set1_epi8(-128 + 10));
        digits |= (uint64_t)(uint32_t)_mm_movemask_epi8(found) << i;
    }
    return ~digits;
}

SSE41 static size_t find_ends(uint16_t *ends, const char *bytes, size_t size)
{
    size_t n_ends = 0;
    const uint64_t never_zero = UINT64_C(1) << 63;
    for (size_t start = 0; start + word_size <= size; start += word_size) {
        uint64_t bits = not_digits(bytes + start);
        size_t count = (size_t)__builtin_popcountll(bits);
        uint16_t *to = ends + n_ends;
        /* Rounds of a fixed length are predicted; what they write too much is overwritten. */
        for (size_t done = 0; done < count; done += at_once)
            for (size_t i = done; i < done + at_once; i++) {
                to[i] = (uint16_t)(start + (size_t)__builtin_ctzll(bits | never_zero));
                bits &= bits - 1;
            }
        n_ends += count;
    }
    return n_ends;
}

void hrr_edge_regular_init(hrr_regular *regular, char delimiter)
{
    regular->delimiter = delimiter;
    regular->way = HRR_REGULAR_NOT;
    if (__builtin_cpu_supports("sse4.1") && __builtin_cpu_supports("popcnt"))
        regular->way = hrr_edge_regular_has_avx512() ? HRR_REGULAR_AVX512 : HRR_REGULAR_SSE41;
    memset(regular->shuffles, 128, sizeof regular->shuffles); /* 128 makes a zero */
    for (int a = 1; a <= HRR_REGULAR_DIGITS; a++)
        for (int b = 1; b <= HRR_REGULAR_DIGITS; b++) {
            uint8_t *lanes = regular->shuffles[a - 1][b - 1];
            for (int i = 0; i < a; i++)
                lanes[HRR_REGULAR_DIGITS - a + i] = (uint8_t)i;
            for (int i = 0; i < b; i++)
                lanes[2 * HRR_REGULAR_DIGITS - b + i] = (uint8_t)((a + 1 + i) & 15);
        }
}

/* The two numbers of the row at `text`, the first in the low half. */
SSE41 static __m128i two_numbers(const char *text, const uint8_t *shuffle)
{
    __m128i row = _mm_loadu_si128((const __m128i *)text);
    row = _mm_xor_si128(row, _mm_set1_epi8('0'));
    row = _mm_shuffle_epi8(row, _mm_loadu_si128((const __m128i *)shuffle));
    __m128i of_two = _mm_maddubs_epi16(row, _mm_set1_epi16(1 << 8 | 10));
    __m128i of_four = _mm_madd_epi16(of_two, _mm_set1_epi32(1 << 16 | 100));
    of_four = _mm_packs_epi32(of_four, of_four);
    return _mm_madd_epi16(of_four, _mm_set1_epi32(1 << 16 | 10000));
}

/* The rows of a window whose fields end at `ends`; per_row of them make a row: 2 if lines end with
 * "\n", 3 if they end with "\r\n". Inlined for each, so that a loop knows its own. */
SSE41 __attribute__((always_inline)) static inline hrr_regular_rows
read_rows(uint32_t *source, uint32_t *target, const hrr_regular *regular, const char *at,
          const uint16_t *ends, size_t n_ends, const size_t per_row)
{
    const char delimiter = regular->delimiter;
    __m128i largest = _mm_setzero_si128();
    uint32_t start = 0;
    uint64_t n = 0;
    for (size_t i = 0; i + per_row <= n_ends; i += per_row) {
        uint32_t middle = ends[i], stop = ends[i + 1];
        uint32_t a = middle - start, b = stop - middle - 1; /* digits */
        bool odd = (at[middle] != delimiter) | (at[stop] != (per_row == 3 ? '\r' : '\n')) |
                   (a - 1 >= HRR_REGULAR_DIGITS) | (b - 1 >= HRR_REGULAR_DIGITS) |
                   (a + b >= row_size);
        if (per_row == 3) odd |= at[stop + 1] != '\n';
        if (__builtin_expect(odd, 0)) break;
        __m128i pair = two_numbers(at + start, regular->shuffles[a - 1][b - 1]);
        largest = _mm_max_epi32(largest, pair);
        source[n] = (uint32_t)_mm_cvtsi128_si32(pair);
        target[n++] = (uint32_t)_mm_extract_epi32(pair, 1);
        start = stop + (uint32_t)per_row - 1;
    }
    uint32_t one = (uint32_t)_mm_cvtsi128_si32(largest);
    uint32_t other = (uint32_t)_mm_extract_epi32(largest, 1);
    return (hrr_regular_rows){
        .n_rows = n, .largest = one > other ? one : other, .after = at + start};
}

SSE41 static hrr_regular_rows read_window(uint32_t *source, uint32_t *target,
                                          const hrr_regular *regular, const char *at, size_t size)
{
    field_ends ends;
    size_t n_ends = find_ends(ends, at, size);
    if (n_ends > 1 && at[ends[1]] == '\r') /* the first row shows how lines end */
        return read_rows(source, target, regular, at, ends, n_ends, 3);
    return read_rows(source, target, regular, at, ends, n_ends, 2);
}

hrr_regular_rows hrr_edge_regular_read(uint32_t *source, uint32_t *target,
                                       const hrr_regular *regular, const char *at, const char *end)
{
    size_t size = (size_t)(end - at);
    if (regular->way == HRR_REGULAR_NOT || size < word_size) return (hrr_regular_rows){.after = at};
    if (regular->way == HRR_REGULAR_AVX512) {
        hrr_regular_rows found =
            hrr_edge_regular_read_avx512(source, target, regular->delimiter, at, end);
        if (found.n_rows > 0) return found;
    }
    return read_window(source, target, regular, at, size < window_size ? size : window_size);
}

#else

void hrr_edge_regular_init(hrr_regular *regular, char delimiter)
{
    *regular = (hrr_regular){.delimiter = delimiter};
}

hrr_regular_rows hrr_edge_regular_read(uint32_t *source, uint32_t *target,
                                       const hrr_regular *regular, const char *at, const char *end)
{
    (void)source, (void)target, (void)regular, (void)end;
    return (hrr_regular_rows){.after = at};
}

#endif
