/* split.c: nodes dealt at random into training, validation and test. */
#include <heterorr/learn.h>

#include "base/memory.h"
#include "random/fast.h"

#include <math.h>
#include <string.h>

uint8_t *hrr_split_new(uint64_t n, double train, double valid, uint64_t seed, hrr_error *err)
{
    if (!(train > 0 && valid >= 0 && train + valid <= 1 + 1e-9)) {
        hrr_fail(err, HRR_EINVAL,
                 "the training share of a split must be above 0, the validation share at least 0, "
                 "and their sum at most 1");
        return NULL;
    }
    uint8_t *split = hrr_alloc(n, sizeof *split);
    if (!split) {
        hrr_no_memory(err);
        return NULL;
    }
    const uint64_t n_train = (uint64_t)llround(train * (double)n);
    const uint64_t n_rest = n - (n_train < n ? n_train : n);
    uint64_t n_valid = (uint64_t)llround(valid * (double)n);
    if (n_valid > n_rest) n_valid = n_rest;
    memset(split, HRR_TEST, n);
    memset(split, HRR_TRAIN, n - n_rest);
    memset(split + (n - n_rest), HRR_VALID, n_valid);
    hrr_fast_random random;
    hrr_fast_init(&random, seed, UINT64_C(0x73706c6974)); /* apart from the weights' stream */
    for (uint64_t i = n; i > 1; i--) {
        const uint64_t j = hrr_fast_below(&random, i);
        const uint8_t kept = split[i - 1];
        split[i - 1] = split[j];
        split[j] = kept;
    }
    return split;
}
