/* featurerr_kernel.c: binning, drawing and decoding, 10^8 features a second and more.
 *
 * Drawing compares a word with all k - 1 limits of the row of the private bin and counts. No branch
 * and no loop length depends on the bin or the word; the one thing that does is which row of the
 * table is read, so the cache line, not the time by the clock. The words of a row are made before
 * its bins are looked at.
 *
 * Narrow tables are the common case and the fast one: with k up to 17 a row of limits is one
 * vector. With a different budget for every feature the tables are larger than the cache next to
 * the core (k = 10, d = 2048: 0.65 MB, of which the second level holds all). So features are cut
 * into tiles of 16, whose tables (5 KB) stay there while a strip of rows passes, and while it
 * passes those of the next tile are fetched. Wide tables take the same walk in plain loops.
 *
 * Measured for k = 10, d = 2048, AVX-512, 2.0 ns a feature in all: drawing 0.6, of which comparing
 * takes a cycle; binning with the look for values that are not finite 0.4, decoding 0.2. Outside of
 * this file: AES 0.5, fetching rows 0.2. */
#include "feature/featurerr_kernel.h"
#include "feature/finite.h"
#include "base/vectors.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

enum { tile_features = 16, strip_rows = 32, cache_line = 64, most_fetched_lines = 160 };

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

INLINE bool find_bins(const hrr_featurerr_rows *rows, const float *x, const double *lo,
                      const double *scale, const hrr_limits *limits)
{
    const size_t n = limits->n_features;
    bool finite = true;
    for (size_t row = 0; row < rows->n_rows; row++) {
        finite &= hrr_finite_loop_f32(x + row * n, n);
        find_some_bins(rows->bin + row * rows->pitch, x + row * n, lo, scale, limits->n_bins, n);
    }
    return finite;
}

INLINE void place(float *out, const uint8_t *bin, const double *first, const double *step, size_t n)
{
    for (size_t i = 0; i < n; i++)
        out[i] = (float)(first[i] + step[i] * bin[i]);
}

/* ---- the walk over tiles -------------------------------------------------------------------- */

/* A tile of a strip, on its way through three steps. */
typedef struct tile {
    _Alignas(64) int32_t word[strip_rows][tile_features]; /* turned round where the bin is */
    uint32_t row[strip_rows][tile_features];              /* of limits, to compare with */
    uint16_t answer[strip_rows][tile_features];           /* what comparing gave */
} tile;

/* The steps for one row of a tile, r, some features wide. */
typedef struct drawing {
    void (*turn)(tile *self, size_t r, const uint8_t *bin, const int32_t *word,
                 const uint32_t *first_row, uint32_t n_bins, size_t width);
    void (*compare)(tile *self, size_t r, const int32_t *limit, size_t vectors, size_t width);
    void (*count)(uint8_t *bin, const tile *self, size_t r, uint32_t n_bins, size_t vectors,
                  size_t width);
} drawing;

/* Lines of the tables of the tile after this one, a few at each row. Tables follow each other,
 * because they are numbered by first use; where features share tables this fetches some that are
 * there already. */
typedef struct fetching {
    const int32_t *next, *end;
    size_t lines_a_row;
} fetching;

INLINE fetching fetch_tables_of(const hrr_limits *limits, size_t feature, size_t vectors,
                                size_t n_rows)
{
    if (feature >= limits->n_features) return (fetching){0};
    const size_t all_rows = (size_t)limits->n_tables * hrr_limit_rows(limits->n_bins);
    const size_t tile_rows = (size_t)hrr_limit_rows(limits->n_bins) * tile_features;
    const size_t begin = limits->first_row[feature];
    const size_t end = all_rows - begin < tile_rows ? all_rows : begin + tile_rows;
    const size_t stride = vectors * hrr_narrow_lanes;
    /* Of larger tables a strip reads a part only; to fetch all of them costs more than it saves. */
    if (tile_rows * vectors > most_fetched_lines) return (fetching){0};
    return (fetching){limits->narrow + begin * stride, limits->narrow + end * stride,
                      tile_rows * vectors / n_rows + 1};
}

INLINE void fetch_some(fetching *self)
{
    for (size_t i = 0; i < self->lines_a_row && self->next < self->end; i++) {
        __builtin_prefetch(self->next);
        self->next += hrr_narrow_lanes;
    }
}

INLINE void draw_tile(const hrr_featurerr_rows *rows, const hrr_limits *limits, size_t begin,
                      size_t n_rows, size_t feature, size_t width, size_t vectors,
                      const drawing *how)
{
    const size_t pitch = rows->pitch;
    const uint32_t *first_row = limits->first_row + feature, k = limits->n_bins;
    const int32_t *const word = rows->narrow_word + begin * pitch + feature;
    uint8_t *const bin = rows->bin + begin * pitch + feature;
    tile now;
    for (size_t r = 0; r < n_rows; r++)
        how->turn(&now, r, bin + r * pitch, word + r * pitch, first_row, k, width);
    fetching tables = fetch_tables_of(limits, feature + width, vectors, n_rows);
    for (size_t r = 0; r < n_rows; r++) {
        fetch_some(&tables);
        /* Words and bins of the next tile; past the last one this asks for memory in vain. */
        __builtin_prefetch(word + r * pitch + tile_features);
        __builtin_prefetch(bin + r * pitch + tile_features);
        how->compare(&now, r, limits->narrow, vectors, width);
    }
    for (size_t r = 0; r < n_rows; r++)
        how->count(bin + r * pitch, &now, r, k, vectors, width);
}

/* Inlined where `how` and, for the common k, `vectors` are constants. */
INLINE void walk_tiles(const hrr_featurerr_rows *rows, const hrr_limits *limits, size_t vectors,
                       const drawing *how)
{
    const size_t n = limits->n_features, whole = n - n % tile_features;
    for (size_t begin = 0; begin < rows->n_rows; begin += strip_rows) {
        const size_t n_rows = rows->n_rows - begin < strip_rows ? rows->n_rows - begin : strip_rows;
        for (size_t feature = 0; feature < whole; feature += tile_features)
            draw_tile(rows, limits, begin, n_rows, feature, tile_features, vectors, how);
        if (whole < n) draw_tile(rows, limits, begin, n_rows, whole, n - whole, vectors, how);
    }
}

/* The same walk for wide tables, which are rare. */
INLINE void walk_wide(const hrr_featurerr_rows *rows, const hrr_limits *limits)
{
    for (size_t begin = 0; begin < rows->n_rows; begin += strip_rows)
        for (size_t feature = 0; feature < limits->n_features; feature += tile_features)
            for (size_t r = begin; r < rows->n_rows && r < begin + strip_rows; r++)
                for (size_t i = feature; i < limits->n_features && i < feature + tile_features;
                     i++) {
                    uint8_t *bin = rows->bin + r * rows->pitch + i;
                    *bin =
                        (uint8_t)hrr_limits_draw(limits, i, *bin, rows->word[r * rows->pitch + i]);
                }
}

/* k up to 17 takes one vector: that loop is laid out flat. */
INLINE void walk(const hrr_featurerr_rows *rows, const hrr_limits *limits, const drawing *how)
{
    const size_t vectors = hrr_narrow_stride(limits->n_bins) / hrr_narrow_lanes;
    if (!limits->narrow)
        walk_wide(rows, limits);
    else if (vectors == 1)
        walk_tiles(rows, limits, 1, how);
    else
        walk_tiles(rows, limits, vectors, how);
}

/* How many of the limits in so many vectors lie below the word. */
typedef uint32_t count_below(const int32_t *limit, size_t vectors, int32_t word);

/* The arithmetic is that of hrr_limits_draw(). */
INLINE void turn_one_by_one(tile *self, size_t r, const uint8_t *bin, const int32_t *word,
                            const uint32_t *first_row, uint32_t n_bins, size_t width)
{
    for (size_t i = 0; i < width; i++) {
        const uint32_t t = bin[i], turned = t >= hrr_limit_rows(n_bins);
        self->row[r][i] = first_row[i] + t + turned * (n_bins - 1 - 2 * t);
        self->word[r][i] = word[i] ^ -(int32_t)turned;
    }
}

INLINE void compare_one_by_one(tile *self, size_t r, const int32_t *limit, size_t vectors,
                               size_t width, count_below *below)
{
    for (size_t i = 0; i < width; i++)
        self->answer[r][i] = (uint16_t)below(limit + self->row[r][i] * vectors * hrr_narrow_lanes,
                                             vectors, self->word[r][i]);
}

/* Where the answers are counts already. */
INLINE void turn_counts_back(uint8_t *bin, const tile *self, size_t r, uint32_t n_bins,
                             size_t vectors, size_t width)
{
    (void)vectors;
    for (size_t i = 0; i < width; i++) {
        const uint32_t u = self->answer[r][i], turned = bin[i] >= hrr_limit_rows(n_bins);
        bin[i] = (uint8_t)(u + turned * (n_bins - 1 - 2 * u));
    }
}

/* ---- one kernel for each kind of processor -------------------------------------------------- */

/* The functions of a kernel, compiled for a target. */
#define DEFINE_KERNEL(kind, attribute, find_function, place_function)                              \
    attribute static bool find_bins_##kind(const hrr_featurerr_rows *rows, const float *x,         \
                                           const double *lo, const double *scale,                  \
                                           const hrr_limits *limits)                               \
    {                                                                                              \
        return find_function(rows, x, lo, scale, limits);                                          \
    }                                                                                              \
    attribute static void draw_##kind(const hrr_featurerr_rows *rows, const hrr_limits *limits)    \
    {                                                                                              \
        walk(rows, limits, &drawing_##kind);                                                       \
    }                                                                                              \
    attribute static void place_##kind(float *out, const uint8_t *bin, const double *first,        \
                                       const double *step, size_t n)                               \
    {                                                                                              \
        place_function(out, bin, first, step, n);                                                  \
    }                                                                                              \
    static const hrr_featurerr_kernel kernel_##kind = {#kind, find_bins_##kind, draw_##kind,       \
                                                       place_##kind};

INLINE uint32_t count_portable(const int32_t *limit, size_t vectors, int32_t word)
{
    return hrr_narrow_below(limit, vectors * hrr_narrow_lanes, word);
}

INLINE void compare_portable(tile *self, size_t r, const int32_t *limit, size_t vectors,
                             size_t width)
{
    compare_one_by_one(self, r, limit, vectors, width, count_portable);
}

static const drawing drawing_portable = {turn_one_by_one, compare_portable, turn_counts_back};
DEFINE_KERNEL(portable, , find_bins, place)

#if defined(__x86_64__)

#define AVX2 __attribute__((target("avx2,bmi2,popcnt")))
#define AVX512 __attribute__((target("avx512f,avx512cd,avx512bw,avx512dq,avx512vl,bmi2,popcnt")))

AVX2 INLINE uint32_t count_avx2(const int32_t *limit, size_t vectors, int32_t word)
{
    const __m256i r = _mm256_set1_epi32(word);
    uint32_t below = 0;
    for (size_t v = 0; v < vectors; v++, limit += hrr_narrow_lanes) {
        const __m256i low = _mm256_load_si256((const __m256i *)limit);
        const __m256i high = _mm256_load_si256((const __m256i *)(limit + 8));
        /* A comparison gives all ones where true; packing puts the sixteen answers side by side. */
        const __m256i both =
            _mm256_packs_epi32(_mm256_cmpgt_epi32(r, low), _mm256_cmpgt_epi32(r, high));
        below += (uint32_t)__builtin_popcount((unsigned)_mm256_movemask_epi8(both));
    }
    return below / 2; /* two bytes of the pack for each comparison */
}

AVX2 INLINE void compare_avx2(tile *self, size_t r, const int32_t *limit, size_t vectors,
                              size_t width)
{
    compare_one_by_one(self, r, limit, vectors, width, count_avx2);
}

static const drawing drawing_avx2 = {turn_one_by_one, compare_avx2, turn_counts_back};
DEFINE_KERNEL(avx2, AVX2, find_bins, place)

AVX512 INLINE uint32_t count_avx512(const int32_t *limit, size_t vectors, int32_t word)
{
    const __m512i r = _mm512_set1_epi32(word);
    uint32_t below = 0;
    for (size_t v = 0; v < vectors; v++, limit += hrr_narrow_lanes)
        below += (uint32_t)__builtin_popcount(_mm512_cmpgt_epi32_mask(r, _mm512_load_si512(limit)));
    return below;
}

AVX512 INLINE void turn_avx512(tile *self, size_t r, const uint8_t *bin, const int32_t *word,
                               const uint32_t *first_row, uint32_t n_bins, size_t width)
{
    if (width != tile_features) {
        turn_one_by_one(self, r, bin, word, first_row, n_bins, width);
        return;
    }
    const __m128i t = _mm_loadu_si128((const __m128i *)bin);
    const __m128i mirrored = _mm_sub_epi8(_mm_set1_epi8((char)(n_bins - 1)), t);
    const __mmask16 turned = _mm_cmpgt_epu8_mask(t, mirrored);
    const __m512i row = _mm512_add_epi32(_mm512_cvtepu8_epi32(_mm_min_epu8(t, mirrored)),
                                         _mm512_loadu_si512(first_row));
    const __m512i drawn = _mm512_loadu_si512(word);
    _mm512_storeu_si512(self->row[r], row);
    _mm512_store_si512(self->word[r],
                       _mm512_mask_xor_epi32(drawn, turned, drawn, _mm512_set1_epi32(-1)));
}

/* With one vector the answer is the mask that comparing gives. Storing it is the one way out of a
 * mask register that does not compete with comparing; one at a time (volatile), because compilers
 * would first gather 16 in a vector register. They are read back when the whole strip is done: by
 * then the stores are, too. */
AVX512 INLINE void compare_avx512(tile *self, size_t r, const int32_t *limit, size_t vectors,
                                  size_t width)
{
    if (vectors > 1) {
        compare_one_by_one(self, r, limit, vectors, width, count_avx512);
        return;
    }
    volatile __mmask16 *mask = (volatile __mmask16 *)self->answer[r];
    for (size_t i = 0; i < width; i++) {
        const int32_t *row = limit + (size_t)self->row[r][i] * hrr_narrow_lanes;
        mask[i] =
            _mm512_cmpgt_epi32_mask(_mm512_set1_epi32(self->word[r][i]), _mm512_load_si512(row));
    }
}

/* Limits ascend, so a mask is ones followed by zeros, and where the ones end is their number. */
AVX512 INLINE void count_row_avx512(uint8_t *bin, const tile *self, size_t r, uint32_t n_bins,
                                    size_t vectors, size_t width)
{
    if (vectors > 1) {
        turn_counts_back(bin, self, r, n_bins, vectors, width);
        return;
    }
    const __mmask16 wanted = (__mmask16)((1u << width) - 1);
    const __m256i answer = _mm256_loadu_si256((const __m256i *)self->answer[r]);
    const __m512i u =
        _mm512_sub_epi32(_mm512_set1_epi32(32), _mm512_lzcnt_epi32(_mm512_cvtepu16_epi32(answer)));
    const __m128i t = _mm_maskz_loadu_epi8(wanted, bin), below = _mm512_cvtepi32_epi8(u);
    const __m128i last = _mm_set1_epi8((char)(n_bins - 1));
    const __mmask16 turned = _mm_cmpgt_epu8_mask(t, _mm_sub_epi8(last, t));
    _mm_mask_storeu_epi8(bin, wanted, _mm_mask_sub_epi8(below, turned, last, below));
}

static const drawing drawing_avx512 = {turn_avx512, compare_avx512, count_row_avx512};

/* find_bins(), 16 features of all rows before the next 16, whose bounds then stay in registers. */
AVX512 INLINE bool find_bins_wide(const hrr_featurerr_rows *rows, const float *x, const double *lo,
                                  const double *scale, const hrr_limits *limits)
{
    const size_t n = limits->n_features, whole = n - n % tile_features;
    const __m512d k = _mm512_set1_pd(limits->n_bins), last = _mm512_set1_pd(limits->n_bins - 1);
    const __m512d zero = _mm512_setzero_pd();
    enum { infinite_or_nan = 0x99 };
    __mmask16 bad = 0;
    bool finite = true;
    for (size_t i = 0; i < whole; i += tile_features) {
        const __m512d lo_a = _mm512_loadu_pd(lo + i), lo_b = _mm512_loadu_pd(lo + i + 8);
        const __m512d scale_a = _mm512_loadu_pd(scale + i),
                      scale_b = _mm512_loadu_pd(scale + i + 8);
        for (size_t row = 0; row < rows->n_rows; row++) {
            const float *at = x + row * n + i;
            bad |= _mm512_fpclass_ps_mask(_mm512_loadu_ps(at), infinite_or_nan);
            __m512d a = _mm512_sub_pd(_mm512_cvtps_pd(_mm256_loadu_ps(at)), lo_a);
            __m512d b = _mm512_sub_pd(_mm512_cvtps_pd(_mm256_loadu_ps(at + 8)), lo_b);
            a = _mm512_mul_pd(_mm512_mul_pd(a, scale_a), k);
            b = _mm512_mul_pd(_mm512_mul_pd(b, scale_b), k);
            a = _mm512_min_pd(_mm512_max_pd(a, zero), last);
            b = _mm512_min_pd(_mm512_max_pd(b, zero), last);
            const __m512i both = _mm512_inserti64x4(_mm512_castsi256_si512(_mm512_cvttpd_epi32(a)),
                                                    _mm512_cvttpd_epi32(b), 1);
            _mm_storeu_si128((__m128i *)(rows->bin + row * rows->pitch + i),
                             _mm512_cvtepi32_epi8(both));
        }
    }
    for (size_t row = 0; row < rows->n_rows; row++) {
        finite &= hrr_finite_loop_f32(x + row * n + whole, n - whole);
        find_some_bins(rows->bin + row * rows->pitch + whole, x + row * n + whole, lo + whole,
                       scale + whole, limits->n_bins, n - whole);
    }
    return finite && !bad;
}

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

DEFINE_KERNEL(avx512, AVX512, find_bins_wide, place_streaming)

const hrr_featurerr_kernel *const *hrr_featurerr_kernels(void)
{
    static const hrr_featurerr_kernel *const all[] = {&kernel_avx512, &kernel_avx2,
                                                      &kernel_portable, NULL};
    const hrr_vector_width width = hrr_widest_vectors();
    return all + (width == HRR_VECTORS_AVX512 ? 0 : width == HRR_VECTORS_AVX2 ? 1 : 2);
}

#else

const hrr_featurerr_kernel *const *hrr_featurerr_kernels(void)
{
    static const hrr_featurerr_kernel *const all[] = {&kernel_portable, NULL};
    return all;
}

#endif
