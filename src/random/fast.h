/* fast.h: what the fast generator draws, and its step, inlined for loops that draw at every turn.
 * NOT for privacy. */
#ifndef HRR_RANDOM_FAST_H
#define HRR_RANDOM_FAST_H

#include <heterorr/random.h>

uint64_t hrr_fast_u64(hrr_fast_random *random);
uint64_t hrr_fast_below(hrr_fast_random *random, uint64_t n); /* n >= 1 */
double hrr_fast_normal(hrr_fast_random *random);
/* Failures before the first success of probability p in (0, 1]: gaps for sparse sampling. */
uint64_t hrr_fast_geometric(hrr_fast_random *random, double p);

static inline uint64_t hrr_fast_rotate(uint64_t x, int by)
{
    return (x << by) | (x >> (64 - by));
}

/* hrr_fast_u64(), inlined. */
static inline uint64_t hrr_fast_word(hrr_fast_random *random)
{
    uint64_t *s = random->state;
    uint64_t result = hrr_fast_rotate(s[0] + s[3], 23) + s[0];
    uint64_t shifted = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= shifted;
    s[3] = hrr_fast_rotate(s[3], 45);
    return result;
}

#endif
