/* geometric.c: see geometric.h. */
#include "random/geometric.h"

#include <assert.h>

/* Doubling while 2 N num <= den keeps N num in 64 bits: it is at most den, or below 2^64. */
hrr_gaps hrr_gaps_of(uint64_t num, uint64_t den)
{
    assert(num > 0 && (den == 0 || num <= den));
    hrr_gaps gaps = {.num = num, .den = den};
    if (den == 0) {
        gaps.log2_stride = (unsigned)__builtin_clzll(num);
        return gaps;
    }
    while (num <= den / 2) {
        num *= 2;
        gaps.log2_stride++;
    }
    return gaps;
}

/* True with probability m p <= 1. */
static bool coin_of_any(const hrr_gaps *gaps, uint64_t m, hrr_stream *stream)
{
    if (gaps->den == 0) return hrr_stream_word(stream) < m * gaps->num;
    return hrr_below(stream, gaps->den) < m * gaps->num;
}

/* True with probability (1 - p)^m, m <= N: the run. */
static bool coin_of_none(const hrr_gaps *gaps, uint64_t m, hrr_stream *stream)
{
    uint64_t k = 1;
    while (k <= m && coin_of_any(gaps, m - k + 1, stream) && (k == 1 || hrr_below(stream, k) == 0))
        k++;
    return k % 2 == 1;
}

uint64_t hrr_gap(const hrr_gaps *gaps, uint64_t limit, hrr_stream *stream)
{
    const uint64_t stride = UINT64_C(1) << gaps->log2_stride;
    uint64_t whole = 0;
    while (coin_of_none(gaps, stride, stream)) {
        whole += stride;
        if (whole >= limit || whole < stride) return limit; /* the second: 2^64 was passed */
    }
    for (;;) {
        /* The top bits of a word: uniform on 0..N-1, since N is a power of two. */
        const uint64_t rest = stride == 1 ? 0 : hrr_stream_word(stream) >> (64 - gaps->log2_stride);
        if (!coin_of_none(gaps, rest, stream)) continue;
        return rest < limit - whole ? whole + rest : limit;
    }
}
