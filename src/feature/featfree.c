/* featfree.c: random features that have nothing to do with the node: the floor that every
 * mechanism must beat (FeatFree of the Revisit-LDPGNN experiments). What a graph network learns
 * with them it learned from the edges, at no feature budget at all.
 *
 * Each feature is uniform on 2^24 points of its public range, two to a word. The private rows are
 * not read; the caller's check that they are finite is the only look taken. */
#include "feature/mechanism.h"
#include "base/memory.h"
#include "random/stream.h"

static hrr_status prepare(hrr_feature_plan *plan, const hrr_feature_options *options,
                          hrr_error *err)
{
    (void)options;
    plan->claim.realised_eps = 0;
    plan->statement = hrr_copy_text("featfree: eps = 0, random features that do not depend on any "
                                    "node's features");
    plan->evidence = hrr_copy_text("the feature values are not read");
    return plan->statement && plan->evidence ? HRR_OK : hrr_no_memory(err);
}

static void randomise(hrr_dense *out, const hrr_feature_plan *plan, const hrr_dense *in,
                      uint64_t begin, uint64_t end, uint64_t first_row, hrr_stream *stream,
                      void *scratch)
{
    (void)in, (void)scratch;
    for (uint64_t row = begin; row < end; row++) {
        float *released = (float *)out->data + row * plan->n_features;
        hrr_stream_seek(stream, HRR_PURPOSE_FEATURE_CHANNEL, first_row + row);
        uint64_t word = 0;
        for (uint64_t i = 0; i < plan->n_features; i++) {
            word = i % 2 == 0 ? hrr_stream_word(stream) : word >> 32;
            const double unit = ((double)(word & 0xffffff) + 0.5) * 0x1p-24;
            released[i] = (float)(plan->lo[i] + plan->range[i] * unit);
        }
    }
}

const hrr_feature_method hrr_feature_featfree = {.about.name = "featfree",
                                                 .about.what =
                                                     "random features, not the node's own",
                                                 .about.page = "docs/mechanisms/featfree.md",
                                                 .about.effect = HRR_EFFECT_LEAVE_OUT,
                                                 .about.certified = true,
                                                 .prepare = prepare,
                                                 .randomise = randomise};
