/* below.h: uniform on 0..n-1 from uniform words, exactly, without a division in the usual case.
 *
 * Claim.  With w uniform on 0..W-1, W = 2^bits, write w n = v W + l, 0 <= l < W, and accept v
 *         unless l < W mod n. An accepted v is uniform on 0..n-1.
 * Why.    The products w n are the multiples of n below W n. Those accepted as v lie in
 *         [v W + (W mod n), (v+1) W), an interval whose length W - W mod n is a multiple of n: it
 *         holds exactly (W - W mod n) / n of them, whatever v is.
 * Test.   `bits` is a parameter so that the tests walk through every word of 8 and 12 bits; draws
 *         use 64.
 * (D. Lemire, "Fast random integer generation in an interval", ACM TOMACS 29, 2019.) */
#ifndef HRR_RANDOM_BELOW_H
#define HRR_RANDOM_BELOW_H

#include "random/stream.h"

/* True and *value set if the word is accepted; 1 <= n < 2^bits, word < 2^bits, bits <= 64. */
static inline bool hrr_below_accepts(uint64_t word, uint64_t n, unsigned bits, uint64_t *value)
{
    const uint64_t mask = ~(uint64_t)0 >> (64 - bits);
    unsigned __int128 product = (unsigned __int128)word * n;
    uint64_t low = (uint64_t)product & mask;
    *value = (uint64_t)(product >> bits);
    if (__builtin_expect(low >= n, 1)) return true; /* then low > W mod n: no division needed */
    return low >= (-n & mask) % n;                  /* (W - n) mod n = W mod n */
}

/* hrr_sample_below(), inlined; n >= 1. */
static inline uint64_t hrr_below(hrr_stream *stream, uint64_t n)
{
    uint64_t value;
    while (!hrr_below_accepts(hrr_stream_word(stream), n, 64, &value))
        continue;
    return value;
}

#endif
