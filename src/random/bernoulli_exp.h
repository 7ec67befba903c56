/* bernoulli_exp.h: coins of probability e^-x, x rational, exactly and in integers.
 *
 * The run (Canonne, Kamath, Steinke, "The Discrete Gaussian for Differential Privacy", 2020,
 * after von Neumann). For 0 <= a <= b let K be the first k = 1, 2, ... with below(b k) >= a. Then
 * P(K > k) = (a/b)^k / k!, so P(K odd) = sum over even k of P(K > k) - P(K > k+1) = e^(-a/b).
 *
 * The run for a = b in one word. There P(K > k) = 1/k!, so u uniform below 18! decides every K up
 * to 18, each K by 18!/(K-1)! - 18!/K! values of u, and one value is left for K > 18. Which values
 * belong to which K is free to choose; we put those of odd K first. Their number is
 *     sum over even k <= 16 of 18!/k! - 18!/(k+1)!  =  D - 1,   D = sum_(k=0..18) (-1)^k 18!/k!
 * (D counts the permutations of 18 things that leave none in place). So: u < D - 1 is heads,
 * u = D - 1 goes on with the run at k = 19, above is tails. Scaling both sides by c = floor(2^64 /
 * 18!) compares a plain word, and the 2^64 - c 18! last words (one in 12,000) are drawn again. 18!
 * is the largest factorial with such a small remainder. */
#ifndef HRR_RANDOM_BERNOULLI_EXP_H
#define HRR_RANDOM_BERNOULLI_EXP_H

#include "random/below.h"

#define HRR_FACTORIAL_18 UINT64_C(6402373705728000)
#define HRR_DERANGEMENTS_18 UINT64_C(2355301661033953)
#define HRR_EXP1_SCALE UINT64_C(2881)

typedef enum hrr_exp1 {
    HRR_EXP1_HEADS,
    HRR_EXP1_TAILS,
    HRR_EXP1_RUN_ON,    /* K > 18 */
    HRR_EXP1_DRAW_AGAIN /* the word is no u below 18! */
} hrr_exp1;

/* What one word says about a coin of probability e^-1. */
static inline hrr_exp1 hrr_exp1_decide(uint64_t word)
{
    if (word < HRR_EXP1_SCALE * (HRR_DERANGEMENTS_18 - 1)) return HRR_EXP1_HEADS;
    if (__builtin_expect(word < HRR_EXP1_SCALE * HRR_DERANGEMENTS_18, 0)) return HRR_EXP1_RUN_ON;
    if (__builtin_expect(word < HRR_EXP1_SCALE * HRR_FACTORIAL_18, 1)) return HRR_EXP1_TAILS;
    return HRR_EXP1_DRAW_AGAIN;
}

/* The coin once its first word did not decide it. */
bool hrr_exp1_continue(hrr_stream *stream, hrr_exp1 undecided);

/* True with probability e^-1. */
static inline bool hrr_coin_exp1(hrr_stream *stream)
{
    hrr_exp1 said = hrr_exp1_decide(hrr_stream_word(stream));
    if (__builtin_expect(said > HRR_EXP1_TAILS, 0)) return hrr_exp1_continue(stream, said);
    return said == HRR_EXP1_HEADS;
}

/* True with probability e^(-a/b), 0 <= a <= b < 2^32, b >= 1, by the run. Reaching k = 2^32, where
 * b k would overflow, has probability below 1/(2^32)!. */
static inline bool hrr_coin_exp_run(hrr_stream *stream, uint64_t a, uint64_t b)
{
    uint64_t k = 1;
    while (hrr_below(stream, b * k) < a)
        k++;
    return k % 2 == 1;
}

/* True with probability exp(-num/den) exactly; den >= 1, den < 2^32. */
bool hrr_sample_bernoulli_exp(hrr_stream *stream, uint64_t num, uint64_t den);

#endif
