/* laplace.c: the discrete Laplace, P(y) = (1 - a)/(1 + a) a^|y| with a = e^-eps, eps = s/t.
 *
 * Claim.  Integer arithmetic only, and exactly this law.
 * Method. Canonne, Kamath, Steinke (2020), algorithm 2. u = below(t), kept with probability
 *         e^(-u/t); v = how many coins of probability e^-1 show heads before the first tails;
 *         magnitude y = floor((u + t v) / s); a fair sign; -0 is drawn again.
 * Why.    x = u + t v has P(x) proportional to e^(-u/t) e^-v = e^(-x/t): a geometric law of ratio
 *         e^(-1/t). Its s-fold floor y is geometric with ratio e^(-s/t) = a. Signing it and
 *         redrawing -0 gives 0 its weight once and +-y each theirs.
 * Size.   t < 2^32 and v < 2^31, so u + t v < t (v + 1) < 2^63 and the result fits. v = 2^31 stops
 *         the process: its probability is e^(-2^31).
 * Cost.   Words a draw, on average: 3.8 at eps = 1; 2.6 to 5.2 at other integers; 6.9 (small eps)
 * to 13.8 (large) at the rest. */
#include "random/bernoulli_exp.h"
#include "random/generator.h"

static uint64_t heads_in_a_row(hrr_stream *stream)
{
    uint64_t heads = 0;
    while (hrr_coin_exp1(stream))
        if (++heads == (uint64_t)1 << 31)
            hrr_random_stop("a draw returned an impossibly long run of heads");
    return heads;
}

static int64_t draw(hrr_stream *stream, uint64_t s, uint64_t t)
{
    for (;;) {
        uint64_t u = t == 1 ? 0 : hrr_below(stream, t);
        if (u > 0 && !hrr_coin_exp_run(stream, u, t)) continue;
        uint64_t x = u + t * heads_in_a_row(stream);
        uint64_t magnitude = s == 1 ? x : x / s;
        bool negative = hrr_stream_word(stream) & 1;
        if (magnitude == 0 && negative) continue;
        return negative ? -(int64_t)magnitude : (int64_t)magnitude;
    }
}

static uint64_t greatest_common_divisor(uint64_t a, uint64_t b)
{
    while (b != 0) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

void hrr_sample_laplace_fill(int64_t *out, size_t count, hrr_stream *stream, uint64_t num,
                             uint64_t den)
{
    if (num == 0 || den == 0 || num > UINT32_MAX || den > UINT32_MAX)
        hrr_random_stop("epsilon must be a fraction of two integers between 1 and 2^32-1");
    uint64_t divisor = greatest_common_divisor(num, den);
    for (size_t i = 0; i < count; i++)
        out[i] = draw(stream, num / divisor, den / divisor);
}

int64_t hrr_sample_laplace(hrr_stream *stream, uint64_t num, uint64_t den)
{
    int64_t noise;
    hrr_sample_laplace_fill(&noise, 1, stream, num, den);
    return noise;
}
