/* coins.h: 64 equal coins at once, for when heads are common.
 *
 * Lane i of the words drawn spells a number U_i of 64 bits from the top; its coin shows heads if
 * U_i < weight, so each has the probability weight/2^64 exactly. A lane is decided at the first bit
 * where it differs from the weight; when all are, or only zeros of the weight are left (then U_i >=
 * weight), drawing stops. 8 words on average, an eighth of a word a coin. */
#ifndef HRR_RANDOM_COINS_H
#define HRR_RANDOM_COINS_H

#include "random/stream.h"

/* Bit i of the result is coin i. */
static inline uint64_t hrr_coins_64(hrr_stream *stream, uint64_t weight)
{
    uint64_t heads = 0, undecided = ~UINT64_C(0);
    for (; weight != 0 && undecided != 0; weight <<= 1) {
        const uint64_t bits = hrr_stream_word(stream);
        if (weight >> 63) {
            heads |= undecided & ~bits;
            undecided &= bits;
        } else {
            undecided &= ~bits;
        }
    }
    return heads;
}

#endif
