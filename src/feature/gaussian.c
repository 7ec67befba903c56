/* gaussian.c: Gaussian noise on every feature, in integers.
 *
 * Neighbours:  two feature vectors of one node, arbitrary inside the public bounds.
 * Sensitivity: d features move by at most G steps each (grid.h): G sqrt(d) in L2.
 * Claim:       discrete Gaussian noise of parameter sigma (in steps) on each feature is
 *              rho-zCDP with rho = d G^2 / (2 sigma^2), hence (eps, delta)-DP (gaussian_eps.c).
 *
 * Where we depart from the analytic Gaussian of Balle and Wang (ICML 2018): their calibration is
 * for real numbers, which a computer does not draw. The price of a proof for the noise that is
 * drawn, a few percent of sigma, is stated in the evidence. The draws are exact; the calibration is
 * in doubles, with sigma rounded up by a whole step, at least 2^-31 of it and far above their
 * error. */
#include "feature/discrete_gaussian.h"
#include "feature/gaussian_eps.h"
#include "feature/grid.h"
#include "base/memory.h"
#include "base/number.h"

#include <math.h>

typedef struct gaussian {
    uint64_t steps; /* G */
    uint64_t sigma; /* in steps */
} gaussian;

static hrr_status prepare(hrr_feature_plan *plan, const hrr_feature_options *options,
                          hrr_error *err)
{
    const double eps = (double)options->eps_nano / HRR_EPS_UNIT, d = (double)plan->n_features;
    if (!(options->delta > 0))
        return hrr_fail(err, HRR_EINVAL,
                        "gaussian needs a delta in (0, 1), such as 1e-6 (`features.delta`)");
    const double sigma_of_range = sqrt(d / (2 * hrr_zcdp_rho(eps, options->delta)));
    const uint64_t steps = hrr_grid_steps(sigma_of_range);
    if (steps == 0)
        return hrr_fail(err, HRR_EINVAL,
                        "the epsilon (`features.eps_nano`) is too small for gaussian on %llu %s",
                        (unsigned long long)plan->n_features,
                        hrr_plural(plan->n_features, "feature", "features"));
    gaussian *self = hrr_alloc(1, sizeof *self);
    if (!self) return hrr_no_memory(err);
    plan->state = self;
    self->steps = steps;
    self->sigma = (uint64_t)ceil(sigma_of_range * (double)steps) + 1;

    const double relative = (double)self->sigma / (double)steps / sqrt(d); /* to the sensitivity */
    const double rho = 1 / (2 * relative * relative);
    plan->claim.realised_eps = hrr_zcdp_eps(rho, options->delta);
    plan->claim.delta = options->delta;
    char text[HRR_EPS_TEXT_SIZE];
    hrr_eps_format(text, options->eps_nano);
    char delta[HRR_REAL_TEXT_SIZE];
    hrr_real_text(delta, options->delta);
    plan->statement = hrr_format_text("gaussian: (eps = %s, delta = %s) for one node's feature "
                                      "vector, noise of %.6g ranges on each feature",
                                      text, delta, relative * sqrt(d));
    plan->evidence = hrr_format_text(
        "exact discrete Gaussian draws, rho = %.6g zCDP, converted to (eps, delta) in double "
        "precision; %.4g times the noise of the idealised analytic Gaussian",
        rho, relative / hrr_analytic_gaussian_sigma(eps, options->delta));
    return plan->statement && plan->evidence ? HRR_OK : hrr_no_memory(err);
}

static void randomise(hrr_dense *out, const hrr_feature_plan *plan, const hrr_dense *in,
                      uint64_t begin, uint64_t end, uint64_t first_row, hrr_stream *stream,
                      void *scratch)
{
    const gaussian *self = plan->state;
    double *unit = scratch;
    int64_t *noise = (int64_t *)(unit + plan->n_features);
    for (uint64_t row = begin; row < end; row++) {
        hrr_stream_seek(stream, HRR_PURPOSE_FEATURE_CHANNEL, first_row + row);
        for (uint64_t i = 0; i < plan->n_features; i++)
            noise[i] = hrr_sample_discrete_gaussian(stream, self->sigma);
        hrr_grid_release(out, plan, in, row, self->steps, noise, unit);
    }
}

const hrr_feature_method hrr_feature_gaussian = {
    .about.name = "gaussian",
    .about.what = "Gaussian noise on every feature, with a delta",
    .about.page = "docs/mechanisms/gaussian.md",
    .about.certified = true,
    .about.needs_bounds = true,
    .about.needs_delta = true,
    .prepare = prepare,
    .release = hrr_free,
    .scratch_size = hrr_grid_scratch_size,
    .randomise = randomise};
