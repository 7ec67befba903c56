/* fast.c: the generator for everything that privacy does not rest on: 256 bits of open state, no
 * secret, a few cycles a draw. Floating point is welcome here.
 *
 * Steps: xoshiro256++ (D. Blackman, S. Vigna, "Scrambled linear pseudorandom number generators",
 * ACM TOMS 47, 2021). Seeding: the finaliser of SplitMix64 (G. Steele, D. Lea, C. Flood, OOPSLA
 * 2014). */
#include "random/fast.h"

#include <assert.h>
#include <math.h>

static const uint64_t golden = UINT64_C(0x9e3779b97f4a7c15); /* 2^64 / golden ratio, odd */

/* A bijection of 64-bit words that looks random. */
static uint64_t mix(uint64_t x)
{
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

void hrr_fast_init(hrr_fast_random *random, uint64_t seed, uint64_t stream)
{
    /* The first two words are bijections of seed and stream: distinct pairs, distinct states. The
     * others depend on both; they are not zero when the first two are, as xoshiro requires. */
    uint64_t *state = random->state;
    state[0] = mix(seed + golden);
    state[1] = mix(stream + 2 * golden);
    state[2] = mix(state[0] + hrr_fast_rotate(state[1], 32) + 3 * golden);
    state[3] = mix(state[1] + hrr_fast_rotate(state[2], 32) + 4 * golden);
}

uint64_t hrr_fast_u64(hrr_fast_random *random)
{
    return hrr_fast_word(random);
}

uint64_t hrr_fast_below(hrr_fast_random *random, uint64_t n)
{
    /* Lemire's method; random/below.h has the argument, for the other type of generator. */
    assert(n > 0);
    for (;;) {
        unsigned __int128 product = (unsigned __int128)hrr_fast_u64(random) * n;
        uint64_t low = (uint64_t)product;
        if (low >= n || low >= -n % n) return (uint64_t)(product >> 64);
    }
}

double hrr_fast_uniform(hrr_fast_random *random)
{
    return (double)(hrr_fast_u64(random) >> 11) * 0x1p-53;
}

double hrr_fast_normal(hrr_fast_random *random)
{
    /* Marsaglia's polar method. Its second value is thrown away: keeping it would be state beyond
     * the generator's. */
    for (;;) {
        double x = 2 * hrr_fast_uniform(random) - 1, y = 2 * hrr_fast_uniform(random) - 1;
        double square = x * x + y * y;
        if (square < 1 && square > 0) return x * sqrt(-2 * log(square) / square);
    }
}

uint64_t hrr_fast_geometric(hrr_fast_random *random, double p)
{
    assert(p > 0 && p <= 1);
    if (p == 1) return 0;
    /* P(floor(ln u / ln(1-p)) >= k) = P(u <= (1-p)^k) = (1-p)^k for u uniform on (0, 1]. */
    double failures = log(1 - hrr_fast_uniform(random)) / log1p(-p);
    return failures < 0x1p64 ? (uint64_t)failures : UINT64_MAX;
}
