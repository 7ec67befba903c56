/* edge_regular_avx512.c: see edge_regular_avx512.h.
 *
 * The two loops of edge_regular.c, in wider steps and without a look at any single byte. The
 * first takes 64 bytes: three compares give masks of digits, delimiters and newlines, a compress
 * turns the mask of all that is no digit into positions, and the kinds of those bytes, packed
 * together in their order, must alternate. The second takes four rows at once: eight fields,
 * whose last eight bytes are fetched into eight lanes by one permutation of the text; what
 * precedes a field's first digit is masked out. */
#include "io/edge_regular_avx512.h"
#include "base/vectors.h"

#if defined(__x86_64__)

#include <immintrin.h>

#define AVX512                                                                                     \
    __attribute__((target("avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,bmi,bmi2,popcnt")))

enum {
    window_size = 4 * HRR_REGULAR_ROWS, /* no row is shorter than four bytes */
    word_size = 64,
    most_ends = word_size / 2, /* in a word: with more, a field is empty */
    n_fields = 8,              /* of the four rows that are read at once */
    rows_at_once = 8,
};

/* Distances from the start of the window to the bytes that are no digits, behind one that stands
 * for the line end before the window. */
typedef uint16_t field_ends[1 + window_size / 2 + most_ends];

bool hrr_edge_regular_has_avx512(void)
{
    return hrr_widest_vectors() == HRR_VECTORS_AVX512 && __builtin_cpu_supports("avx512vbmi") &&
           __builtin_cpu_supports("avx512vbmi2") && __builtin_cpu_supports("bmi");
}

/* Returns how many fields end as they should: with a delimiter and a newline in turn. */
AVX512 static size_t find_ends(uint16_t *ends, const char *bytes, size_t size, char delimiter)
{
    const uint64_t every_other = 0x5555555555555555;
    const __m512i places = _mm512_set_epi64(
        0x3f3e3d3c3b3a3938, 0x3736353433323130, 0x2f2e2d2c2b2a2928, 0x2726252423222120,
        0x1f1e1d1c1b1a1918, 0x1716151413121110, 0x0f0e0d0c0b0a0908, 0x0706050403020100);
    size_t n_ends = 0;
    for (size_t start = 0; start + word_size <= size; start += word_size) {
        __m512i text = _mm512_loadu_si512(bytes + start);
        __m512i moved = _mm512_sub_epi8(text, _mm512_set1_epi8('0'));
        uint64_t others = _mm512_cmpgt_epu8_mask(moved, _mm512_set1_epi8(9));
        uint64_t delimiters = _mm512_cmpeq_epi8_mask(text, _mm512_set1_epi8(delimiter));
        uint64_t newlines = _mm512_cmpeq_epi8_mask(text, _mm512_set1_epi8('\n'));
        size_t count = (size_t)__builtin_popcountll(others);

        __m512i found = _mm512_maskz_compress_epi8(others, places);
        found = _mm512_cvtepu8_epi16(_mm512_castsi512_si256(found));
        found = _mm512_add_epi16(found, _mm512_set1_epi16((short)start));
        _mm512_storeu_si512(ends + n_ends, found);

        uint64_t turn = every_other << (n_ends & 1); /* the delimiters' */
        uint64_t wrong =
            (_pext_u64(delimiters, others) ^ turn) | (_pext_u64(newlines, others) ^ ~turn);
        wrong = _bzhi_u64(wrong, (unsigned)count);
        if (count > most_ends) wrong |= UINT64_C(1) << most_ends;
        if (__builtin_expect(wrong != 0, 0)) return n_ends + (size_t)__builtin_ctzll(wrong);
        n_ends += count;
    }
    return n_ends;
}

/* The numbers of the eight fields that end at ends[0..7] and begin after ends[-1], each in the
 * lower half of 64 bits; 128 bytes can be read where they begin. False if a field is empty or
 * too long. */
AVX512 static inline bool eight_numbers(__m512i *numbers, const char *at, const uint16_t *ends)
{
    const __m512i spread = _mm512_set_epi64(
        0x0e0e0e0e0e0e0e0e, 0x0c0c0c0c0c0c0c0c, 0x0a0a0a0a0a0a0a0a, 0x0808080808080808,
        0x0606060606060606, 0x0404040404040404, 0x0202020202020202, 0);
    uint16_t start = (uint16_t)(ends[-1] + 1);
    __m128i from = _mm_set1_epi16((short)start);
    __m128i stop = _mm_sub_epi16(_mm_loadu_si128((const __m128i *)ends), from);
    __m128i before = _mm_sub_epi16(_mm_loadu_si128((const __m128i *)(ends - 1)), from);
    /* Digits, less one, so that none at all becomes the largest number. */
    __m128i length = _mm_sub_epi16(_mm_sub_epi16(stop, before), _mm_set1_epi16(2));
    if (_mm_cmpge_epu16_mask(length, _mm_set1_epi16(HRR_REGULAR_DIGITS))) return false;

    /* Eight bytes before each end; those at or before the previous end are not of the field. */
    __m512i from_end = _mm512_set1_epi64((long long)0xfffefdfcfbfaf9f8);
    __m512i places = _mm512_permutexvar_epi8(spread, _mm512_castsi128_si512(stop));
    places = _mm512_add_epi8(places, from_end);
    __m512i previous = _mm512_permutexvar_epi8(spread, _mm512_castsi128_si512(before));
    __mmask64 own = _mm512_cmpgt_epi8_mask(places, previous);
    const char *text = at + start;
    __m512i near = _mm512_loadu_si512(text), digits;
    if (__builtin_expect(ends[n_fields - 1] - start <= word_size, 1)) {
        digits = _mm512_maskz_permutexvar_epi8(own, places, near);
    } else {
        __m512i far = _mm512_loadu_si512(text + word_size);
        digits = _mm512_maskz_permutex2var_epi8(own, near, places, far);
    }
    digits = _mm512_and_si512(digits, _mm512_set1_epi8(15));

    __m512i of_two = _mm512_maddubs_epi16(digits, _mm512_set1_epi16(1 << 8 | 10));
    __m512i of_four = _mm512_madd_epi16(of_two, _mm512_set1_epi32(1 << 16 | 100));
    of_four = _mm512_or_si512(of_four, _mm512_srli_epi64(of_four, 16));
    *numbers = _mm512_madd_epi16(of_four, _mm512_set1_epi32(1 << 16 | 10000));
    return true;
}

AVX512 static hrr_regular_rows read_window(uint32_t *source, uint32_t *target, char delimiter,
                                           const char *at, size_t size, size_t readable)
{
    /* From eight and eight numbers in 64 bits: those of the first column, then of the second. */
    const __m512i by_column =
        _mm512_set_epi32(30, 26, 22, 18, 14, 10, 6, 2, 28, 24, 20, 16, 12, 8, 4, 0);
    field_ends all_ends;
    uint16_t *ends = all_ends + 1;
    ends[-1] = UINT16_MAX;
    size_t n_rows = find_ends(ends, at, size, delimiter) / 2, n = 0, after = 0;
    __m512i largest = _mm512_setzero_si512();
    while (n + rows_at_once <= n_rows && after + 4 * word_size <= readable) {
        __m512i four, next_four;
        if (!eight_numbers(&four, at, ends + 2 * n)) break;
        if (!eight_numbers(&next_four, at, ends + 2 * n + n_fields)) break;
        __m512i columns = _mm512_permutex2var_epi32(four, by_column, next_four);
        largest = _mm512_max_epu32(largest, columns);
        _mm256_storeu_si256((__m256i *)(source + n), _mm512_castsi512_si256(columns));
        _mm256_storeu_si256((__m256i *)(target + n), _mm512_extracti64x4_epi64(columns, 1));
        n += rows_at_once;
        after = (size_t)ends[2 * n - 1] + 1;
    }
    return (hrr_regular_rows){
        .n_rows = n, .largest = _mm512_reduce_max_epu32(largest), .after = at + after};
}

hrr_regular_rows hrr_edge_regular_read_avx512(uint32_t *source, uint32_t *target, char delimiter,
                                              const char *at, const char *end)
{
    size_t readable = (size_t)(end - at);
    size_t size = readable < window_size ? readable : window_size;
    return read_window(source, target, delimiter, at, size, readable);
}

#else

bool hrr_edge_regular_has_avx512(void)
{
    return false;
}

hrr_regular_rows hrr_edge_regular_read_avx512(uint32_t *source, uint32_t *target, char delimiter,
                                              const char *at, const char *end)
{
    (void)source, (void)target, (void)delimiter, (void)end;
    return (hrr_regular_rows){.after = at};
}

#endif
