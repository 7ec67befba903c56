/* laplace.c: Laplace noise on every feature, in integers (Dwork, McSherry, Nissim, Smith, TCC 2006;
 * discrete: Ghosh, Roughgarden, Sundararajan, STOC 2009).
 *
 * Neighbours:  two feature vectors of one node, arbitrary inside the public bounds.
 * Sensitivity: d features move by at most G steps each (grid.h): d G in L1.
 * Claim:       noise with P(y) proportional to exp(-(s/t) |y|) on each feature, s/t <= eps/(d G),
 * is eps-DP for the whole vector: the ratio of any outcome is at most exp((s/t) d G). Unbiased up
 * to the move to the grid, half a step. In units of the range the scale is d/eps: each feature pays
 * for all of them, which is why this is only a baseline.
 *
 * s/t is a fraction of 32-bit integers, as the exact sampler needs, rounded down from eps/(d G) by
 * less than a relative 2^-30 (s is as large as t < 2^32 allows). */
#include "privacy/exp_bound.h"
#include "feature/grid.h"
#include "base/memory.h"

__extension__ typedef unsigned __int128 uint128;

typedef struct laplace {
    uint64_t steps;    /* G */
    uint64_t num, den; /* s / t, epsilon of one step */
} laplace;

/* The largest s/t <= eps/(d G) with t < 2^32, nearly: s = floor(eps/(d G) (2^32 - 1)), t the
 * smallest that keeps s/t below. */
static void eps_of_one_step(laplace *self, uint64_t eps_nano, uint64_t n_features)
{
    const uint128 whole = (uint128)HRR_EPS_UNIT * n_features * self->steps; /* < 2^30 2^32 2^20 */
    self->num = (uint64_t)(eps_nano * (uint128)UINT32_MAX / whole);
    self->den = (uint64_t)((self->num * whole + eps_nano - 1) / eps_nano);
}

static hrr_status prepare(hrr_feature_plan *plan, const hrr_feature_options *options,
                          hrr_error *err)
{
    const uint64_t d = plan->n_features;
    const double eps = (double)options->eps_nano / HRR_EPS_UNIT;
    const uint64_t steps = d <= UINT32_MAX ? hrr_grid_steps((double)d / eps) : 0;
    if (steps == 0)
        return hrr_fail(err, HRR_EINVAL,
                        "the epsilon (`features.eps_nano`) is too small for laplace on %llu %s: it "
                        "must be at least %.3g",
                        (unsigned long long)d, hrr_plural(d, "feature", "features"),
                        (double)d * 0x1p-31);
    laplace *self = hrr_alloc(1, sizeof *self);
    if (!self) return hrr_no_memory(err);
    plan->state = self;
    self->steps = steps;
    eps_of_one_step(self, options->eps_nano, d);

    const long double realised = (long double)self->num * d * steps / self->den;
    plan->claim.realised_eps = hrr_eps_round_up(realised, options->eps_nano);
    char text[HRR_EPS_TEXT_SIZE];
    hrr_eps_format(text, options->eps_nano);
    plan->statement = hrr_format_text("laplace: eps = %s for one node's feature vector, noise of "
                                      "scale %.6g ranges on each feature",
                                      text, (double)d / plan->claim.realised_eps);
    plan->evidence = hrr_format_text("exact: discrete Laplace noise with eps = %llu/%llu a step on "
                                     "%llu steps a feature, L1 sensitivity %llu x %llu steps",
                                     (unsigned long long)self->num, (unsigned long long)self->den,
                                     (unsigned long long)steps, (unsigned long long)d,
                                     (unsigned long long)steps);
    return plan->statement && plan->evidence ? HRR_OK : hrr_no_memory(err);
}

static void randomise(hrr_dense *out, const hrr_feature_plan *plan, const hrr_dense *in,
                      uint64_t begin, uint64_t end, uint64_t first_row, hrr_stream *stream,
                      void *scratch)
{
    const laplace *self = plan->state;
    double *unit = scratch;
    int64_t *noise = (int64_t *)(unit + plan->n_features);
    for (uint64_t row = begin; row < end; row++) {
        hrr_stream_seek(stream, HRR_PURPOSE_FEATURE_CHANNEL, first_row + row);
        hrr_sample_laplace_fill(noise, plan->n_features, stream, self->num, self->den);
        hrr_grid_release(out, plan, in, row, self->steps, noise, unit);
    }
}

const hrr_feature_method hrr_feature_laplace = {.about.name = "laplace",
                                                .about.what = "Laplace noise on every feature",
                                                .about.page = "docs/mechanisms/laplace.md",
                                                .about.certified = true,
                                                .about.needs_bounds = true,
                                                .prepare = prepare,
                                                .release = hrr_free,
                                                .scratch_size = hrr_grid_scratch_size,
                                                .randomise = randomise};
