/* bernoulli_exp.c: the coin of probability e^(-num/den) for any num; see bernoulli_exp.h.
 *
 * e^(-num/den) = (e^-1)^q e^(-r/den) with num = q den + r: q coins and a last one, all heads. The
 * first tails ends it, so that a huge num costs 1.6 words on average. */
#include "random/bernoulli_exp.h"
#include "random/generator.h"

bool hrr_exp1_continue(hrr_stream *stream, hrr_exp1 undecided)
{
    while (undecided == HRR_EXP1_DRAW_AGAIN)
        undecided = hrr_exp1_decide(hrr_stream_word(stream));
    if (undecided != HRR_EXP1_RUN_ON) return undecided == HRR_EXP1_HEADS;
    uint64_t k = 19;
    while (hrr_below(stream, k) == 0)
        k++;
    return k % 2 == 1;
}

bool hrr_sample_bernoulli_exp(hrr_stream *stream, uint64_t num, uint64_t den)
{
    if (den == 0 || den > UINT32_MAX)
        hrr_random_stop("the denominator of e^-x must lie between 1 and 2^32-1");
    for (uint64_t coins = num / den; coins > 0; coins--)
        if (!hrr_coin_exp1(stream)) return false;
    return num % den == 0 || hrr_coin_exp_run(stream, num % den, den);
}
