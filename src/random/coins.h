/* coins.h: many equal coins at once, for when heads are common.
 *
 * Lane i of the words drawn spells a number U_i of 64 bits from the top; its coin shows heads if
 * U_i < weight, so each has the probability weight/2^64 exactly. A lane is decided at the first bit
 * where it differs from the weight; when all are, or only zeros of the weight are left (then U_i >=
 * weight), drawing stops: after 11 bits a lane on average, for 512 lanes side by side.
 *
 * Why 512: the number of rounds is hard to predict for processors, and a round over eight words is
 * hardly slower than over one. Half the time of 64 lanes, though those draw 8 bits each. */
#ifndef HRR_RANDOM_COINS_H
#define HRR_RANDOM_COINS_H

#include "random/stream.h"

enum { hrr_coin_words = 8, hrr_coin_lanes = 64 * hrr_coin_words };

/* Eight words as one value: compilers make of it what the processor has. */
typedef uint64_t hrr_coin_row __attribute__((vector_size(8 * hrr_coin_words)));

/* Bit i % 64 of heads[i / 64] is coin i. */
static inline void hrr_coins(uint64_t heads[hrr_coin_words], hrr_stream *stream, uint64_t weight)
{
    hrr_coin_row won = {0}, undecided = ~won, bits;
    uint64_t any = 1;
    for (int round = 0; weight != 0 && any != 0; weight <<= 1, round++) {
        if (__builtin_expect(stream->filled - stream->used >= sizeof bits, 1)) {
            memcpy(&bits, stream->buffer + stream->used, sizeof bits);
            stream->used += sizeof bits;
        } else {
            hrr_stream_bytes(stream, &bits, sizeof bits);
        }
        for (int w = 0; w < hrr_coin_words; w++)
            bits[w] = le64toh(bits[w]);
        if (weight >> 63) {
            won |= undecided & ~bits;
            undecided &= bits;
        } else {
            undecided &= ~bits;
        }
        if (round < 7) continue; /* 512 lanes are hardly ever decided before */
        any = 0;
        for (int w = 0; w < hrr_coin_words; w++)
            any |= undecided[w];
    }
    memcpy(heads, &won, sizeof won);
}

#endif
