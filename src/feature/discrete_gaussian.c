/* discrete_gaussian.c: Gaussian noise on the integers by rejection from the discrete Laplace
 * (Canonne, Kamath, Steinke, "The discrete Gaussian for differential privacy", NeurIPS 2020,
 * algorithm 3).
 *
 * Claim. Integer arithmetic only, and exactly this law.
 * Why.   Propose y with P(y) proportional to exp(-|y|/sigma), accept with probability
 *        exp(-(|y| - sigma)^2 / (2 sigma^2)). The product of the two is
 *        exp(-y^2/(2 sigma^2) - 1/2): the law wanted, up to a constant.
 * Size.  The exponent has the denominator 2 sigma^2, too large for the coins of bernoulli_exp.h.
 * With
 *        ||y| - sigma| = a sigma + r, r < sigma, it falls apart into a^2/2 + a r/sigma +
 *        (r/sigma)^2/2: three coins, all of which must show heads.
 * Cost.  1.3 proposals on average. Time depends on the noise, never on what it is added to. */
#include "feature/discrete_gaussian.h"
#include "random/bernoulli_exp.h"

/* True with probability exp(-(r/n)^2 / 2), r < n: the run of bernoulli_exp.h, P(K > k) = x^k / k!,
 * where a step that succeeds with probability x/k is three coins: r/n, r/n and 1/(2 k). */
static bool coin_exp_half_square(hrr_stream *stream, uint64_t r, uint64_t n)
{
    uint64_t k = 1;
    while (hrr_sample_bernoulli(stream, r, n) && hrr_sample_bernoulli(stream, r, n) &&
           hrr_sample_bernoulli(stream, 1, 2 * k))
        k++;
    return k % 2 == 1;
}

int64_t hrr_sample_discrete_gaussian(hrr_stream *stream, uint64_t sigma)
{
    for (;;) {
        const int64_t y = hrr_sample_laplace(stream, 1, sigma);
        const uint64_t magnitude = (uint64_t)(y < 0 ? -y : y);
        const uint64_t off = magnitude < sigma ? sigma - magnitude : magnitude - sigma;
        const uint64_t a = off / sigma, r = off % sigma;
        if (hrr_sample_bernoulli_exp(stream, a * a, 2) &&
            hrr_sample_bernoulli_exp(stream, a * r, sigma) &&
            coin_exp_half_square(stream, r, sigma))
            return y;
    }
}
