/* start_random.c: the tree that knows nothing: a random order of the leaves, halved again and
 * again. */
#include "edge/trees.h"
#include "random/fast.h"

hrr_status hrr_start_random(hrr_dendrogram *out, uint32_t n_leaves, uint64_t seed, hrr_error *err)
{
    hrr_status status = hrr_dendrogram_init(out, n_leaves, err);
    if (status) return status;
    hrr_fast_random random;
    hrr_fast_init(&random, seed, 0);
    for (uint32_t p = 0; p < n_leaves; p++) {
        const uint32_t q = (uint32_t)hrr_fast_below(&random, p + 1);
        out->leaf[p] = out->leaf[q];
        out->leaf[q] = p;
    }
    for (uint32_t p = 0; p < n_leaves; p++)
        out->position[out->leaf[p]] = p;
    /* In preorder a parent hands its children their blocks before they are reached. */
    if (n_leaves > 1) out->begin[0] = 0, out->end[0] = n_leaves;
    for (uint32_t r = 0; r + 1 < n_leaves; r++) {
        const uint32_t begin = out->begin[r], end = out->end[r];
        const uint32_t middle = begin + (end - begin) / 2, right = r + (middle - begin);
        out->middle[r] = middle;
        if (middle - begin > 1) out->begin[r + 1] = begin, out->end[r + 1] = middle;
        if (end - middle > 1) out->begin[right] = middle, out->end[right] = end;
    }
    return HRR_OK;
}
