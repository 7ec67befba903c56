/* sgemm_tile.c: see sgemm_tile.h.
 *
 * A tile of C stays in registers while the inner dimension runs: for each step a row of B is
 * loaded, and each of A's elements, spread over a vector, is multiplied with it and added. 14 rows
 * of two vectors use 28 of the 32 registers of AVX-512, 6 rows of two 12 of the 16 of AVX2: enough
 * independent sums to hide the latency of a fused multiply-add. Strides of A are constants, so that
 * no register is spent on addresses. */
#include "matrix/sgemm_tile.h"

#include <string.h>

/* clang-format off: it knows no _Pragma in a macro */
#define UNROLLED(i, n) _Pragma("GCC unroll 16") for (int i = 0; i < (n); i++)

/* Sums in registers, of tile_rows rows of tile_vectors vectors, from and to c. */
#define TILE_BEGIN(vector, lanes, tile_rows, tile_vectors, LOAD)                                   \
    vector sum[tile_rows][tile_vectors];                                                           \
    UNROLLED(r, tile_rows)                                                                         \
    UNROLLED(v, tile_vectors) sum[r][v] = LOAD(c + (size_t)r * c_stride + (size_t)v * (lanes));
#define TILE_END(lanes, tile_rows, tile_vectors, STORE)                                            \
    UNROLLED(r, tile_rows)                                                                         \
    UNROLLED(v, tile_vectors) STORE(c + (size_t)r * c_stride + (size_t)v * (lanes), sum[r][v]);

/* `depth` steps; A's element (r, k) is a[r row + k step], row k of B begins at b + k b_step. */
#define TILE_STEPS(vector, lanes, tile_rows, tile_vectors, row, step, b_step, LOAD, SPREAD, FMA)   \
    for (size_t k = 0; k < depth; k++, a += (step), b += (b_step)) {                               \
        vector from_b[tile_vectors];                                                               \
        UNROLLED(v, tile_vectors) from_b[v] = LOAD(b + (size_t)v * (lanes));                       \
        UNROLLED(r, tile_rows)                                                                     \
        {                                                                                          \
            const vector spread = SPREAD(a[(size_t)r * (row)]);                                    \
            UNROLLED(v, tile_vectors) sum[r][v] = FMA(spread, from_b[v], sum[r][v]);               \
        }                                                                                          \
    }

#define TILE(name, attribute, vector, lanes, tile_rows, tile_vectors, row, step, LOAD, STORE,      \
             SPREAD, FMA)                                                                          \
    attribute static void name(float *c, size_t c_stride, const float *a, const float *b,          \
                               size_t depth)                                                       \
    {                                                                                              \
        TILE_BEGIN(vector, lanes, tile_rows, tile_vectors, LOAD)                                   \
        TILE_STEPS(vector, lanes, tile_rows, tile_vectors, row, step, (tile_vectors) * (lanes),    \
                   LOAD, SPREAD, FMA)                                                              \
        TILE_END(lanes, tile_rows, tile_vectors, STORE)                                            \
    }

#define PLACED_TILE(name, attribute, vector, lanes, tile_rows, tile_vectors, row, step, LOAD,      \
                    STORE, SPREAD, FMA)                                                            \
    attribute static void name(float *c, size_t c_stride, const hrr_placed_product *product)       \
    {                                                                                              \
        const size_t a_stride = product->a_stride, b_stride = product->b_stride;                   \
        const size_t depth = product->depth;                                                       \
        TILE_BEGIN(vector, lanes, tile_rows, tile_vectors, LOAD)                                   \
        for (size_t run = 0; run < product->runs; run++) {                                         \
            const float *a = product->a + (ptrdiff_t)run * product->a_jump;                        \
            const float *b = product->b + (ptrdiff_t)run * product->b_jump;                        \
            TILE_STEPS(vector, lanes, tile_rows, tile_vectors, row, step, b_stride, LOAD, SPREAD,  \
                       FMA)                                                                        \
        }                                                                                          \
        TILE_END(lanes, tile_rows, tile_vectors, STORE)                                            \
    }
/* clang-format on */

/* Both layouts of A. */
#define TILES(name, attribute, vector, lanes, tile_rows, tile_vectors, LOAD, STORE, SPREAD, FMA)   \
    TILE(name, attribute, vector, lanes, tile_rows, tile_vectors, HRR_TILE_DEPTH, 1, LOAD, STORE,  \
         SPREAD, FMA)                                                                              \
    TILE(name##_transposed, attribute, vector, lanes, tile_rows, tile_vectors, 1, HRR_TILE_GROUP,  \
         LOAD, STORE, SPREAD, FMA)
#define PLACED_TILES(name, attribute, vector, lanes, tile_rows, tile_vectors, LOAD, STORE, SPREAD, \
                     FMA)                                                                          \
    PLACED_TILE(name, attribute, vector, lanes, tile_rows, tile_vectors, a_stride, 1, LOAD, STORE, \
                SPREAD, FMA)                                                                       \
    PLACED_TILE(name##_transposed, attribute, vector, lanes, tile_rows, tile_vectors, 1, a_stride, \
                LOAD, STORE, SPREAD, FMA)

/* Any processor: four floats as the compiler sees fit. */
typedef float four __attribute__((vector_size(16)));

static inline four load_four(const float *from)
{
    four x;
    memcpy(&x, from, sizeof x);
    return x;
}

static inline void store_four(float *to, four x)
{
    memcpy(to, &x, sizeof x);
}

#define SPREAD_FOUR(x)                                                                             \
    (four)                                                                                         \
    {                                                                                              \
        x, x, x, x                                                                                 \
    }
#define FMA_FOUR(a, b, c) ((a) * (b) + (c))
TILES(tile_plain, , four, 4, 4, 2, load_four, store_four, SPREAD_FOUR, FMA_FOUR)
PLACED_TILES(placed_plain, , four, 4, 4, 2, load_four, store_four, SPREAD_FOUR, FMA_FOUR)

#if defined(__x86_64__)
#include <immintrin.h>
TILES(tile_avx512, HRR_AVX512, __m512, 16, 14, 2, _mm512_loadu_ps, _mm512_storeu_ps, _mm512_set1_ps,
      _mm512_fmadd_ps)
TILES(tile_avx512_narrow, HRR_AVX512, __m512, 16, 14, 1, _mm512_loadu_ps, _mm512_storeu_ps,
      _mm512_set1_ps, _mm512_fmadd_ps)
TILES(tile_avx2, HRR_AVX2, __m256, 8, 6, 2, _mm256_loadu_ps, _mm256_storeu_ps, _mm256_set1_ps,
      _mm256_fmadd_ps)
TILES(tile_avx2_narrow, HRR_AVX2, __m256, 8, 6, 1, _mm256_loadu_ps, _mm256_storeu_ps,
      _mm256_set1_ps, _mm256_fmadd_ps)
PLACED_TILES(placed_avx512, HRR_AVX512, __m512, 16, 8, 2, _mm512_loadu_ps, _mm512_storeu_ps,
             _mm512_set1_ps, _mm512_fmadd_ps)
PLACED_TILES(placed_avx512_narrow, HRR_AVX512, __m512, 16, 8, 1, _mm512_loadu_ps, _mm512_storeu_ps,
             _mm512_set1_ps, _mm512_fmadd_ps)
PLACED_TILES(placed_avx2, HRR_AVX2, __m256, 8, 4, 2, _mm256_loadu_ps, _mm256_storeu_ps,
             _mm256_set1_ps, _mm256_fmadd_ps)
PLACED_TILES(placed_avx2_narrow, HRR_AVX2, __m256, 8, 8, 1, _mm256_loadu_ps, _mm256_storeu_ps,
             _mm256_set1_ps, _mm256_fmadd_ps)
#endif

hrr_tile hrr_tile_for(hrr_vector_width width, size_t n)
{
#if defined(__x86_64__)
    if (width == HRR_VECTORS_AVX512)
        return n <= 16 ? (hrr_tile){14, 16, tile_avx512_narrow, tile_avx512_narrow_transposed}
                       : (hrr_tile){14, 32, tile_avx512, tile_avx512_transposed};
    if (width == HRR_VECTORS_AVX2)
        return n <= 8 ? (hrr_tile){6, 8, tile_avx2_narrow, tile_avx2_narrow_transposed}
                      : (hrr_tile){6, 16, tile_avx2, tile_avx2_transposed};
#endif
    (void)width, (void)n;
    return (hrr_tile){4, 8, tile_plain, tile_plain_transposed};
}

hrr_placed_tile hrr_placed_tile_for(hrr_vector_width width, size_t n)
{
#if defined(__x86_64__)
    if (width == HRR_VECTORS_AVX512)
        return n <= 16
                   ? (hrr_placed_tile){8, 16, placed_avx512_narrow, placed_avx512_narrow_transposed}
                   : (hrr_placed_tile){8, 32, placed_avx512, placed_avx512_transposed};
    if (width == HRR_VECTORS_AVX2)
        return n <= 8 ? (hrr_placed_tile){8, 8, placed_avx2_narrow, placed_avx2_narrow_transposed}
                      : (hrr_placed_tile){4, 16, placed_avx2, placed_avx2_transposed};
#endif
    (void)width, (void)n;
    return (hrr_placed_tile){4, 8, placed_plain, placed_plain_transposed};
}
