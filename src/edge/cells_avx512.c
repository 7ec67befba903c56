/* cells_avx512.c: see cells_avx512.h. A round of coins is one load and three operations. Sixteen
 * targets at a time are packed together by their mask and stored whole; the next store overwrites
 * what was too much. A third of the cells being heads, this takes a quarter of the time of going
 * from bit to bit. */
#include "edge/cells_avx512.h"
#include "base/vectors.h"

#if defined(__x86_64__)

#include <immintrin.h>

bool hrr_cells_have_avx512(void)
{
    return hrr_widest_vectors() == HRR_VECTORS_AVX512;
}

/* The function is the one of coins.h; inlined here it is compiled for this processor. */
__attribute__((target("avx512f"))) void hrr_coins_avx512(uint64_t heads[hrr_coin_words],
                                                         hrr_stream *stream, uint64_t weight)
{
    hrr_coins(heads, stream, weight);
}

__attribute__((target("avx512f,popcnt"))) size_t
hrr_row_heads_avx512(uint32_t *source_out, uint32_t *target_out, uint32_t source, uint32_t first,
                     uint64_t heads)
{
    const __m512i steps = _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
    const __m512i sources = _mm512_set1_epi32((int)source);
    size_t n = 0;
    for (unsigned at = 0; at < 64; at += 16) {
        const __mmask16 mask = (__mmask16)(heads >> at);
        const __m512i targets = _mm512_add_epi32(_mm512_set1_epi32((int)(first + at)), steps);
        _mm512_storeu_si512(target_out + n, _mm512_maskz_compress_epi32(mask, targets));
        _mm512_storeu_si512(source_out + n, sources);
        n += (size_t)__builtin_popcount(mask);
    }
    return n;
}

#else

bool hrr_cells_have_avx512(void)
{
    return false;
}

void hrr_coins_avx512(uint64_t heads[hrr_coin_words], hrr_stream *stream, uint64_t weight)
{
    hrr_coins(heads, stream, weight);
}

size_t hrr_row_heads_avx512(uint32_t *source_out, uint32_t *target_out, uint32_t source,
                            uint32_t first, uint64_t heads)
{
    (void)source_out, (void)target_out, (void)source, (void)first, (void)heads;
    return 0;
}

#endif
