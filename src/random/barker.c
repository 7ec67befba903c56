/* barker.c: acceptance with probability 1/(1 + e^-z), z = num/den, exactly.
 *
 * For z >= 0, in rounds: a fair coin accepts; otherwise a coin of probability e^-z rejects;
 * otherwise another round. A round accepts with 1/2 and rejects with e^-z / 2, so the first to
 * decide accepts with 1/(1 + e^-z). For z < 0, 1/(1 + e^-z) = 1 - 1/(1 + e^z). */
#include "random/barker.h"
#include "random/bernoulli_exp.h"
#include "random/stream.h"

bool hrr_sample_barker(hrr_stream *stream, int64_t num, uint64_t den)
{
    bool positive = num >= 0;
    uint64_t size = positive ? (uint64_t)num : -(uint64_t)num;
    for (;;) {
        if (hrr_stream_word(stream) & 1) return positive;
        if (hrr_sample_bernoulli_exp(stream, size, den)) return !positive;
    }
}
