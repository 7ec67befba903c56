/* featurerr_kernel.c: binning, drawing and decoding, 10^8 features a second and more.
 *
 * Drawing compares a 64-bit word with all k - 1 limits of the row of the private bin and counts.
 * No branch and no loop length depends on the bin or the word; the one thing that does is which
 * row of the table is read, so the cache line, not the time by the clock. The words of a row are
 * made before its bins are looked at.
 *
 * With a different budget for every feature the tables are larger than the cache next to the core
 * (k = 10, d = 2048: 2.6 MB). So features are cut into tiles of 16, whose tables (20 KB) stay there
 * while all rows of the block pass, and while they pass the tables of the next tile are fetched.
 * Measured for k = 10, d = 2048, blocks of 64 rows, AVX-512, ns a feature: 2.3 without tiles, 1.7
 * with tiles of 16 to 64, 1.4 with tiles of 16 and fetching ahead. The rest of a feature's 3.5 to 4
 * is AES (1.0) and waiting for memory. */
#include "feature/featurerr_kernel.h"

#include <stdbool.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

enum { tile_features = 16, cache_line = 64, page = 4096 };

/* Inlined into one function for each kind of processor, which then compiles it its own way. */
#define INLINE static inline __attribute__((always_inline))

/* ---- loops that compilers turn into vectors by themselves ---------------------------------- */

INLINE void find_some_bins(uint8_t *bin, const float *x, const double *lo, const double *scale,
                           uint32_t n_bins, size_t n)
{
    const double k = n_bins, last = n_bins - 1;
    for (size_t i = 0; i < n; i++) {
        double z = ((double)x[i] - lo[i]) * scale[i] * k;
        z = z > 0 ? z : 0; /* also what keeps the conversion defined for any input */
        z = z < last ? z : last;
        bin[i] = (uint8_t)(int32_t)z;
    }
}

/* A page at a time, because processors do not fetch from memory across its end by themselves: the
 * beginning of the next one is asked for here. */
INLINE void find_bins(uint8_t *bin, const float *x, const double *lo, const double *scale,
                      uint32_t n_bins, size_t n)
{
    const size_t step = page / sizeof *x;
    for (size_t i = 0; i < n; i += step) {
        for (size_t line = 0; line < 8; line++)
            __builtin_prefetch((const char *)(x + i) + page + line * cache_line);
        find_some_bins(bin + i, x + i, lo + i, scale + i, n_bins, n - i < step ? n - i : step);
    }
}

INLINE void place(float *out, const uint8_t *bin, const double *first, const double *step, size_t n)
{
    for (size_t i = 0; i < n; i++)
        out[i] = (float)(first[i] + step[i] * bin[i]);
}

/* ---- the walk over tiles -------------------------------------------------------------------- */

/* How many of the limits in so many vectors lie below the word. */
typedef uint32_t count_below(const int64_t *limit, size_t vectors, const int64_t *word);

/* Inlined where `count` and, for the common k, `vectors` are constants. */
INLINE void walk_tiles(uint8_t *bin, const int64_t *word, const hrr_limits *limits, size_t n_rows,
                       count_below *count, size_t vectors)
{
    const size_t n = limits->n_features, stride = vectors * hrr_limit_lanes;
    const uint32_t *const first_row = limits->first_row;
    const int64_t *const limit = limits->limit;
    const size_t all_rows = (size_t)limits->n_tables * limits->n_bins;
    const size_t tile_rows = (size_t)limits->n_bins * tile_features;
    const size_t rows_a_step = tile_rows / (n_rows ? n_rows : 1) + 1;
    for (size_t begin = 0; begin < n; begin += tile_features) {
        const size_t end = n - begin < tile_features ? n : begin + tile_features;
        /* The rows of the next tile's tables. They follow each other, because tables are numbered
         * by first use; where features share tables this fetches some that are there already. */
        size_t ahead = end < n ? first_row[end] : all_rows;
        const size_t ahead_end = all_rows - ahead < tile_rows ? all_rows : ahead + tile_rows;
        for (size_t row = 0; row < n_rows; row++) {
            uint8_t *row_bin = bin + row * n;
            const int64_t *row_word = word + row * n;
            for (size_t i = 0; i < rows_a_step && ahead < ahead_end; i++, ahead++)
                for (size_t v = 0; v < vectors; v++)
                    __builtin_prefetch(limit + ahead * stride + v * hrr_limit_lanes);
            if (row + 1 < n_rows) {
                __builtin_prefetch(row_word + n + begin);
                __builtin_prefetch(row_word + n + begin + cache_line / sizeof *word);
            }
            for (size_t i = begin; i < end; i++) {
                const size_t table_row = (size_t)first_row[i] + row_bin[i];
                row_bin[i] = (uint8_t)count(limit + table_row * stride, vectors, row_word + i);
            }
        }
    }
}

/* k up to 9 and up to 17 take one and two vectors: those loops are laid out flat. */
INLINE void draw(uint8_t *bin, const int64_t *word, const hrr_limits *limits, size_t n_rows,
                 count_below *count)
{
    const size_t vectors = hrr_limit_stride(limits->n_bins) / hrr_limit_lanes;
    if (vectors == 1)
        walk_tiles(bin, word, limits, n_rows, count, 1);
    else if (vectors == 2)
        walk_tiles(bin, word, limits, n_rows, count, 2);
    else
        walk_tiles(bin, word, limits, n_rows, count, vectors);
}

/* ---- one kernel for each kind of processor -------------------------------------------------- */

/* The three functions of a kernel, compiled for a target. */
#define DEFINE_KERNEL(kind, attribute, place_function)                                             \
    attribute static void find_bins_##kind(uint8_t *bin, const float *x, const double *lo,         \
                                           const double *scale, uint32_t n_bins, size_t n)         \
    {                                                                                              \
        find_bins(bin, x, lo, scale, n_bins, n);                                                   \
    }                                                                                              \
    attribute static void draw_##kind(uint8_t *bin, const int64_t *word, const hrr_limits *limits, \
                                      size_t n_rows)                                               \
    {                                                                                              \
        draw(bin, word, limits, n_rows, count_##kind);                                             \
    }                                                                                              \
    attribute static void place_##kind(float *out, const uint8_t *bin, const double *first,        \
                                       const double *step, size_t n)                               \
    {                                                                                              \
        place_function(out, bin, first, step, n);                                                  \
    }                                                                                              \
    static const hrr_featurerr_kernel kernel_##kind = {#kind, find_bins_##kind, draw_##kind,       \
                                                       place_##kind};

INLINE uint32_t count_portable(const int64_t *limit, size_t vectors, const int64_t *word)
{
    return hrr_limits_below(limit, vectors * hrr_limit_lanes, *word);
}

DEFINE_KERNEL(portable, , place)

#if defined(__x86_64__)

#define AVX2 __attribute__((target("avx2,bmi2,popcnt")))
#define AVX512 __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,bmi2,popcnt")))

AVX2 INLINE uint32_t count_avx2(const int64_t *limit, size_t vectors, const int64_t *word)
{
    const __m256i r = _mm256_set1_epi64x(*word);
    uint32_t below = 0;
    for (size_t v = 0; v < vectors; v++, limit += hrr_limit_lanes) {
        const __m256i low = _mm256_load_si256((const __m256i *)limit);
        const __m256i high = _mm256_load_si256((const __m256i *)(limit + 4));
        /* A comparison gives all ones where true; packing puts the eight answers side by side. */
        const __m256i both =
            _mm256_packs_epi32(_mm256_cmpgt_epi64(r, low), _mm256_cmpgt_epi64(r, high));
        below += (uint32_t)__builtin_popcount((unsigned)_mm256_movemask_epi8(both));
    }
    return below / 4; /* four bytes of the pack for each comparison */
}

AVX512 INLINE uint32_t count_avx512(const int64_t *limit, size_t vectors, const int64_t *word)
{
    const __m512i r = _mm512_set1_epi64(*word);
    if (vectors == 2) { /* one population count for both */
        const __mmask8 low = _mm512_cmpgt_epi64_mask(r, _mm512_load_si512(limit));
        const __mmask8 high =
            _mm512_cmpgt_epi64_mask(r, _mm512_load_si512(limit + hrr_limit_lanes));
        return (uint32_t)__builtin_popcount(_mm512_kunpackb(high, low));
    }
    uint32_t below = 0;
    for (size_t v = 0; v < vectors; v++, limit += hrr_limit_lanes)
        below += (uint32_t)__builtin_popcount(_mm512_cmpgt_epi64_mask(r, _mm512_load_si512(limit)));
    return below;
}

DEFINE_KERNEL(avx2, AVX2, place)
/* place(), storing past the caches: the output is not read again here, and without the read that an
 * ordinary store makes first it takes 0.2 ns a feature instead of 0.45. */
AVX512 INLINE void place_streaming(float *out, const uint8_t *bin, const double *first,
                                   const double *step, size_t n)
{
    size_t i = 0;
    const size_t head = (cache_line - (uintptr_t)out % cache_line) % cache_line / sizeof *out;
    if ((uintptr_t)out % sizeof *out == 0 && head <= n) {
        place(out, bin, first, step, head);
        for (i = head; i + 16 <= n; i += 16) {
            const __m512i u = _mm512_cvtepu8_epi32(_mm_loadu_si128((const __m128i *)(bin + i)));
            const __m512d low = _mm512_cvtepi32_pd(_mm512_castsi512_si256(u));
            const __m512d high = _mm512_cvtepi32_pd(_mm512_extracti64x4_epi64(u, 1));
            const __m512d a = _mm512_add_pd(_mm512_loadu_pd(first + i),
                                            _mm512_mul_pd(_mm512_loadu_pd(step + i), low));
            const __m512d b = _mm512_add_pd(_mm512_loadu_pd(first + i + 8),
                                            _mm512_mul_pd(_mm512_loadu_pd(step + i + 8), high));
            _mm512_stream_ps(out + i, _mm512_insertf32x8(_mm512_castps256_ps512(_mm512_cvtpd_ps(a)),
                                                         _mm512_cvtpd_ps(b), 1));
        }
        _mm_sfence(); /* other threads see the stores before they see that the work is done */
    }
    place(out + i, bin + i, first + i, step + i, n - i);
}

DEFINE_KERNEL(avx512, AVX512, place_streaming)

const hrr_featurerr_kernel *const *hrr_featurerr_kernels(void)
{
    static const hrr_featurerr_kernel *const all[] = {&kernel_avx512, &kernel_avx2,
                                                      &kernel_portable, NULL};
    const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2") &&
                      __builtin_cpu_supports("popcnt");
    const bool avx512 = avx2 && __builtin_cpu_supports("avx512f") &&
                        __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
                        __builtin_cpu_supports("avx512vl");
    return all + (avx512 ? 0 : avx2 ? 1 : 2);
}

#else

const hrr_featurerr_kernel *const *hrr_featurerr_kernels(void)
{
    static const hrr_featurerr_kernel *const all[] = {&kernel_portable, NULL};
    return all;
}

#endif
