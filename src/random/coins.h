/* coins.h: many equal coins at once, for when heads are common.
 *
 * Lane i of the words drawn spells a number U_i of 64 bits from the top; its coin shows heads if
 * U_i < weight, so each has the probability weight/2^64 exactly. A lane is decided at the first bit
 * where it differs from the weight; when all are, or only zeros of the weight are left (then U_i >=
 * weight), drawing stops: after 11 bits a lane on average, for 512 lanes side by side.
 *
 * Why 512: the number of rounds is hard to predict for processors, and a round over eight words is
 * hardly slower than over one. 0.3 ns a coin, against 0.6 for 64 lanes, which draw 8 bits each. */
#ifndef HRR_RANDOM_COINS_H
#define HRR_RANDOM_COINS_H

#include "random/stream.h"

enum { hrr_coin_words = 8, hrr_coin_lanes = 64 * hrr_coin_words };

/* Bit i % 64 of heads[i / 64] is coin i. */
static inline void hrr_coins(uint64_t heads[hrr_coin_words], hrr_stream *stream, uint64_t weight)
{
    uint64_t undecided[hrr_coin_words], bits[hrr_coin_words], any = 1;
    for (int w = 0; w < hrr_coin_words; w++)
        heads[w] = 0, undecided[w] = ~UINT64_C(0);
    for (; weight != 0 && any != 0; weight <<= 1) {
        if (stream->filled - stream->used >= sizeof bits) {
            memcpy(bits, stream->buffer + stream->used, sizeof bits);
            stream->used += sizeof bits;
        } else {
            hrr_stream_bytes(stream, bits, sizeof bits);
        }
        const uint64_t bit = -(weight >> 63); /* of the weight, in every lane */
        any = 0;
        for (int w = 0; w < hrr_coin_words; w++) {
            heads[w] |= undecided[w] & ~le64toh(bits[w]) & bit;
            undecided[w] &= ~(le64toh(bits[w]) ^ bit);
            any |= undecided[w];
        }
    }
}

#endif
