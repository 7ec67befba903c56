/* ladder.c: see ladder.h. */
#include "edge/ladder.h"

static const int64_t farthest = (int64_t)1 << 62;

static uint64_t width(const hrr_ladder *ladder, uint64_t t)
{
    uint64_t grown;
    if (__builtin_mul_overflow(ladder->slope, t, &grown) ||
        __builtin_add_overflow(grown, ladder->first, &grown) || grown > ladder->most)
        return ladder->most;
    return grown;
}

/* How far rung k begins from the value, less one; k >= 1: the sum of width(t) over t < k - 1. */
static unsigned __int128 distance_before(const hrr_ladder *ladder, uint64_t k)
{
    const uint64_t grows = ladder->most - ladder->first;
    uint64_t below = k - 1; /* how many widths are below the largest */
    if (ladder->slope && grows / ladder->slope < below)
        below = grows / ladder->slope + (grows % ladder->slope != 0);
    unsigned __int128 sum = (unsigned __int128)below * ladder->first;
    sum += (unsigned __int128)below * (below ? below - 1 : 0) / 2 * ladder->slope;
    return sum + (unsigned __int128)(k - 1 - below) * ladder->most;
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
        const __int128 step =
            (__int128)(distance_before(ladder, k) + 1 + hrr_sample_below(stream, size));
        const __int128 drawn = z < 0 ? value - step : value + step;
        /* The result and not the step: a limit that moves with the value would tell it. */
        return drawn > farthest ? farthest : drawn < -farthest ? -farthest : (int64_t)drawn;
    }
}
