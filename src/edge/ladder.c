/* ladder.c: see ladder.h. */
#include "edge/ladder.h"

static const uint64_t farthest = (uint64_t)1 << 62;

static uint64_t width(const hrr_ladder *ladder, uint64_t t)
{
    uint64_t grown;
    if (__builtin_mul_overflow(ladder->slope, t, &grown) ||
        __builtin_add_overflow(grown, ladder->first, &grown) || grown > ladder->most)
        return ladder->most;
    return grown;
}

/* How far rung k begins from the value, less one; k >= 1. */
static uint64_t distance_before(const hrr_ladder *ladder, uint64_t k)
{
    uint64_t sum = 0;
    for (uint64_t t = 0; t + 1 < k && sum < farthest; t++)
        if (__builtin_add_overflow(sum, width(ladder, t), &sum)) return farthest;
    return sum;
}

int64_t hrr_ladder_draw(hrr_stream *stream, int64_t value, const hrr_ladder *ladder, uint64_t num,
                        uint64_t den)
{
    for (;;) {
        const int64_t z = hrr_sample_laplace(stream, num, den);
        const uint64_t k = z < 0 ? -(uint64_t)z : (uint64_t)z;
        const uint64_t size = k == 0 ? 1 : width(ladder, k - 1);
        if (size == 0 || !hrr_sample_bernoulli(stream, size, ladder->most)) continue;
        if (k == 0) return value;
        uint64_t step;
        if (__builtin_add_overflow(distance_before(ladder, k), hrr_sample_below(stream, size) + 1,
                                   &step) ||
            step > farthest)
            step = farthest;
        return z < 0 ? value - (int64_t)step : value + (int64_t)step;
    }
}
