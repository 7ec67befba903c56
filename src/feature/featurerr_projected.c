/* featurerr_projected.c: FeatureRR on a few public directions instead of on d features.
 *
 * With r orthonormal public directions v_a (principal components of a public sample, the weights of
 * a public head), a node tells r numbers instead of d:
 *
 *     c_a = sum over i of v_ai (z_i - m_i), clipped to public bounds lo_a, hi_a (projection.c),
 *     released z_i = m_i + sum over a of v_ai decode(channel_a(c_a)),   m a public centre.
 *
 * Neighbours:  any two feature vectors of one node (local DP).
 * Claim:       directions, centre and bounds are public; clipping puts every vector into them; r
 *              channels with budgets adding up to at most eps; going back to d features is
 *              post-processing.
 * Weights:     direction a gets the share sum over i of theta_i v_ai^2: the weight of the features
 *              it is made of. Equal theta give equal shares, because directions have length 1.
 *
 * What lies outside the directions is lost, so this pays when r is small and they hold most of what
 * matters. Sums run in a fixed order, so that bins do not depend on the processor or the blocks. */
#include "feature/mechanism.h"
#include "feature/projection.h"
#include "feature/channels.h"
#include "feature/channel.h"
#include "base/memory.h"
#include "matrix/dense.h"
#include "random/stream.h"

#include <math.h>
#include <string.h>

typedef struct projected {
    hrr_channels channels;
    size_t n_directions; /* r */
    hrr_projection projection;
    double *value; /* r x k: decoded c_a */
} projected;

static void release(void *state)
{
    projected *self = state;
    hrr_channels_clear(&self->channels);
    hrr_projection_clear(&self->projection);
    hrr_free(self->value);
    hrr_free(self);
}

/* a += factor b */
static void add(double *a, double factor, const double *b, size_t n)
{
    for (size_t i = 0; i < n; i++)
        a[i] += factor * b[i];
}

/* Features are in units of their bounds here; far beyond, a release would not fit single precision.
 */
static bool is_moderate(double x)
{
    return fabs(x) <= 1e6;
}

/* Bounds that are empty or directions that are not numbers would put every node into one bin: safe,
 * and never meant. */
static hrr_status check_projection(const hrr_projection *projection, hrr_error *err)
{
    const size_t r = projection->directions.rows, n = projection->directions.cols;
    bool good = projection->directions.dtype == HRR_F64;
    for (size_t i = 0; good && i < r * n; i++)
        good = is_moderate(((const double *)projection->directions.data)[i]);
    for (size_t i = 0; good && i < n; i++)
        good = is_moderate(projection->centre[i]);
    for (size_t a = 0; good && a < r; a++)
        good = is_moderate(projection->lo[a]) && is_moderate(projection->hi[a]) &&
               projection->lo[a] < projection->hi[a];
    if (good) return HRR_OK;
    return hrr_fail(err, HRR_EINVAL,
                    "the projection (`features.projection`) contains numbers that are not finite "
                    "or far too large, or bounds that are not in order");
}

static hrr_status read_directions(projected *self, const hrr_feature_options *options, size_t n,
                                  hrr_error *err)
{
    if (!options->directions == !options->projection)
        return hrr_fail(
            err, HRR_EINVAL,
            options->directions
                ? "featurerr-projected takes directions (`features.directions`) or a projection "
                  "(`features.projection`), not both"
                : "featurerr-projected needs public directions (`features.directions`)");
    const hrr_dense *directions =
        options->directions ? options->directions : &options->projection->directions;
    if (directions->rows < 1)
        return hrr_fail(err, HRR_EINVAL,
                        "featurerr-projected needs public directions (`features.directions`)");
    if (directions->cols != n || directions->rows > n)
        return hrr_fail(err, HRR_EINVAL,
                        "the directions (`features.directions`) are %llu x %llu; at most %llu "
                        "directions of %llu numbers each are possible",
                        (unsigned long long)directions->rows, (unsigned long long)directions->cols,
                        (unsigned long long)n, (unsigned long long)n);
    self->n_directions = directions->rows;
    if (options->directions)
        return hrr_projection_from_directions(&self->projection, directions, NULL, NULL, NULL, err);
    hrr_status status = check_projection(options->projection, err);
    if (!status) status = hrr_dense_convert(&self->projection.directions, directions, HRR_F64, err);
    if (status) return status;
    const size_t r = self->n_directions;
    double *centre = self->projection.centre = hrr_alloc(n + 2 * r, sizeof *centre);
    if (!centre) return hrr_no_memory(err);
    self->projection.lo = centre + n, self->projection.hi = centre + n + r;
    memcpy(centre, options->projection->centre, n * sizeof *centre);
    memcpy(self->projection.lo, options->projection->lo, r * sizeof *centre);
    memcpy(self->projection.hi, options->projection->hi, r * sizeof *centre);
    return HRR_OK;
}

/* v_a */
static const double *direction(const projected *self, size_t a)
{
    return (const double *)self->projection.directions.data + a * self->projection.directions.cols;
}

/* Budgets of the directions, their channels, and what their outputs mean. */
static hrr_status make_channels(projected *self, const hrr_feature_options *options, size_t n,
                                hrr_error *err)
{
    const size_t r = self->n_directions;
    hrr_status status = HRR_OK;
    double *weight = options->theta ? hrr_alloc_zero(r, sizeof *weight) : NULL;
    uint64_t *eps_nano = hrr_alloc(r, sizeof *eps_nano);
    if ((options->theta && !weight) || !eps_nano) {
        status = hrr_no_memory(err);
        goto done;
    }
    for (size_t a = 0; weight && a < r; a++)
        for (size_t i = 0; i < n; i++) {
            const double v = direction(self, a)[i];
            weight[a] += options->theta[i] * v * v;
        }
    if ((status = hrr_channels_split(eps_nano, options->eps_nano, weight, r, err))) goto done;
    if ((status = hrr_channels_init_narrow(&self->channels, eps_nano, r, options->n_bins, err)))
        goto done;
    const uint32_t k = self->channels.limits.n_bins;
    self->value = hrr_alloc(r, k * sizeof *self->value);
    if (!self->value) {
        status = hrr_no_memory(err);
        goto done;
    }
    for (size_t a = 0; a < r; a++) {
        double *value = self->value + a * k;
        const double lo = self->projection.lo[a], range = self->projection.hi[a] - lo;
        hrr_decoding_values(value, options->decoding, k,
                            self->channels.table_eps[hrr_channels_table(&self->channels, a)]);
        for (uint32_t u = 0; u < k; u++)
            value[u] = lo + value[u] * range;
    }
done:
    hrr_free(weight);
    hrr_free(eps_nano);
    return status;
}

static hrr_status prepare(hrr_feature_plan *plan, const hrr_feature_options *options,
                          hrr_error *err)
{
    if (options->decoding == HRR_DECODE_BINS)
        return hrr_fail(err, HRR_EINVAL,
                        "featurerr-projected releases features, not bins; choose another decoding "
                        "(`features.decoding`)");
    projected *self = hrr_alloc_zero(1, sizeof *self);
    if (!self) return hrr_no_memory(err);
    plan->state = self;
    hrr_status status = read_directions(self, options, plan->n_features, err);
    if (!status) status = make_channels(self, options, plan->n_features, err);
    if (status) return status;
    plan->claim.realised_eps = self->channels.realised_eps;
    plan->claim.n_bins = self->channels.limits.n_bins;

    char eps[HRR_EPS_TEXT_SIZE];
    hrr_eps_format(eps, plan->claim.eps_nano);
    plan->statement =
        hrr_format_text("FeatureRR on %zu public directions with %u bins: eps = %s for "
                        "one node's whole feature vector, whatever the vector",
                        self->n_directions, self->channels.limits.n_bins, eps);
    plan->evidence = hrr_format_text("the sum over %zu directions of the largest log-ratio in "
                                     "their integer tables (%u distinct, "
                                     "each certified against a lower bound of e^eps)",
                                     self->n_directions, self->channels.limits.n_tables);
    return plan->statement && plan->evidence ? HRR_OK : hrr_no_memory(err);
}

/* Scratch: the unit row and the released row, the words of a row, the bins. */
static size_t scratch_size(const hrr_feature_plan *plan, uint64_t n_rows)
{
    (void)n_rows;
    const projected *self = plan->state;
    return self->n_directions * (sizeof(int64_t) + 1) + 2 * plan->n_features * sizeof(double);
}

/* The bin of each c_a of one row; unit is centred in place. */
static void find_bins(uint8_t *bin, double *unit, const projected *self, size_t n)
{
    for (size_t i = 0; i < n; i++)
        unit[i] -= self->projection.centre[i];
    for (size_t a = 0; a < self->n_directions; a++) {
        const double lo = self->projection.lo[a], range = self->projection.hi[a] - lo;
        const double place = (hrr_dot(unit, direction(self, a), n) - lo) / range;
        bin[a] = hrr_bin_of(hrr_clip_unit(place), self->channels.limits.n_bins);
    }
}

static void randomise(hrr_dense *out, const hrr_feature_plan *plan, const hrr_dense *in,
                      uint64_t begin, uint64_t end, uint64_t first_row, hrr_stream *stream,
                      void *scratch)
{
    const projected *self = plan->state;
    const uint32_t k = self->channels.limits.n_bins;
    const size_t n = plan->n_features, r = self->n_directions;
    double *unit = scratch, *released = unit + n;
    uint64_t *drawn = (uint64_t *)(released + n); /* room for the larger kind */
    uint8_t *bin = (uint8_t *)(drawn + r);
    const hrr_limits *limits = &self->channels.limits;
    for (uint64_t row = begin; row < end; row++) {
        hrr_stream_seek(stream, HRR_PURPOSE_FEATURE_CHANNEL, first_row + row);
        hrr_stream_bytes(stream, drawn, r * hrr_limits_word_size(limits));
        hrr_feature_unit_row(unit, plan, in, row);
        find_bins(bin, unit, self, n);
        memcpy(released, self->projection.centre, n * sizeof *released);
        for (size_t a = 0; a < r; a++) {
            uint32_t u = hrr_limits_draw(limits, a, bin[a], hrr_limits_word(limits, drawn, a));
            add(released, self->value[a * k + u], direction(self, a), n);
        }
        float *row_out = (float *)out->data + row * n;
        for (size_t i = 0; i < n; i++)
            row_out[i] = (float)(plan->lo[i] + plan->range[i] * released[i]);
    }
}

const hrr_feature_method hrr_feature_featurerr_projected = {
    .about.name = "featurerr-projected",
    .about.what = "randomised bins, along a few public directions",
    .about.page = "docs/mechanisms/featurerr-projected.md",
    .about.certified = true,
    .about.needs_bounds = true,
    .about.has_bins = true,
    .about.has_decodings = true,
    .about.needs_directions = true,
    .prepare = prepare,
    .release = release,
    .scratch_size = scratch_size,
    .randomise = randomise};
