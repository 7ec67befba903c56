/* none.c: the features as they are, for the non-private reference run. NOT PRIVATE, and every
 * description of the result says so. In single precision, so that what does not fit it becomes the
 * largest number that does. */
#include "feature/mechanism.h"
#include "base/memory.h"

#include <float.h>
#include <math.h>

static hrr_status prepare(hrr_feature_plan *plan, const hrr_feature_options *options,
                          hrr_error *err)
{
    (void)options;
    plan->claim.realised_eps = INFINITY;
    plan->statement = hrr_copy_text("none: NOT PRIVATE, the features are released as they are");
    plan->evidence = hrr_copy_text("the output is the input");
    return plan->statement && plan->evidence ? HRR_OK : hrr_no_memory(err);
}

static void copy(hrr_dense *out, const hrr_feature_plan *plan, const hrr_dense *in, uint64_t begin,
                 uint64_t end, uint64_t first_row, hrr_stream *stream, void *scratch)
{
    (void)first_row, (void)stream, (void)scratch;
    for (uint64_t row = begin; row < end; row++) {
        float *released = (float *)out->data + row * plan->n_features;
        for (uint64_t i = 0; i < plan->n_features; i++)
            released[i] = (float)fmin(fmax(hrr_dense_get(in, row, i), -FLT_MAX), FLT_MAX);
    }
}

const hrr_feature_method hrr_feature_none = {.about.name = "none",
                                             .about.what = "features as they are",
                                             .about.page = "docs/mechanisms/none.md",
                                             .about.effect = HRR_EFFECT_KEEP,
                                             .prepare = prepare,
                                             .randomise = copy};
