/* choose.c: see choose.h. */
#include "edge/choose.h"
#include "random/bernoulli_exp.h"

#include <heterorr/privacy.h>

uint64_t hrr_choose_scale(uint64_t sensitivity, uint64_t eps_nano)
{
    if (eps_nano == 0) return 0;
    const unsigned __int128 twice = (unsigned __int128)2 * sensitivity * HRR_EPS_UNIT;
    const unsigned __int128 scale = (twice + eps_nano - 1) / eps_nano;
    return scale <= UINT32_MAX ? (uint64_t)scale : 0;
}

double hrr_choose_eps(uint64_t sensitivity, uint64_t scale)
{
    return scale == 0 ? 0 : 2 * (double)sensitivity / (double)scale;
}

static void shuffle(uint32_t *order, hrr_stream *stream, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t j = (uint32_t)hrr_sample_below(stream, i + 1);
        order[i] = order[j];
        order[j] = i;
    }
}

uint32_t hrr_choose(uint32_t *order, hrr_stream *stream, const int64_t *scores, uint32_t n,
                    uint64_t scale)
{
    shuffle(order, stream, n);
    int64_t best = scores[0];
    for (uint32_t i = 1; i < n; i++)
        if (scores[i] > best) best = scores[i];
    uint32_t chosen = n;
    for (uint32_t i = 0; i < n; i++) {
        const uint64_t gap = (uint64_t)best - (uint64_t)scores[order[i]];
        const bool heads = scale == 0 || hrr_sample_bernoulli_exp(stream, gap, scale);
        if (heads && chosen == n) chosen = order[i];
    }
    return chosen;
}
