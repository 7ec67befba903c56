/* featurerr_projected.c: FeatureRR on a few public directions instead of on d features.
 *
 * With r orthonormal public directions v_a (principal components of a public sample, the weights of
 * a public head), a node tells r numbers instead of d:
 *
 *     c_a = sum over i of v_ai (z_i - 1/2),   |c_a| <= B_a = (1/2) sum over i of |v_ai|,
 *     released z_i = 1/2 + sum over a of v_ai decode(channel_a(c_a)).
 *
 * Neighbours:  any two feature vectors of one node (local DP).
 * Claim:       the bounds B_a follow from the directions and the public bounds alone; r channels
 *              with budgets adding up to at most eps; going back to d features is post-processing.
 * Weights:     direction a gets the share sum over i of theta_i v_ai^2: the weight of the features
 *              it is made of. Equal theta give equal shares, because directions have length 1.
 *
 * What lies outside the directions is lost, so this pays when r is small and they hold most of what
 * matters. Sums run in a fixed order, so that bins do not depend on the processor or the blocks. */
#include "feature/mechanism.h"
#include "feature/channels.h"
#include "feature/channel.h"
#include "base/memory.h"

#include <endian.h>
#include <math.h>
#include <string.h>

typedef struct projected {
    hrr_channels channels;
    size_t n_directions; /* r */
    double *direction;   /* r x d, rows orthonormal */
    double *bound;       /* B_a */
    double *value;       /* r x k: decoded c_a */
} projected;

static void release(void *state)
{
    projected *self = state;
    hrr_channels_clear(&self->channels);
    hrr_free(self->direction);
    hrr_free(self->bound);
    hrr_free(self->value);
    hrr_free(self);
}

static double dot(const double *a, const double *b, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

/* a += factor b */
static void add(double *a, double factor, const double *b, size_t n)
{
    for (size_t i = 0; i < n; i++)
        a[i] += factor * b[i];
}

/* Gram-Schmidt, twice over, which is enough for full accuracy. */
static hrr_status orthonormalise(double *direction, size_t n_directions, size_t n, hrr_error *err)
{
    const double dependent = 1e-8; /* what is left of a direction once the others are taken away */
    for (size_t a = 0; a < n_directions; a++) {
        double *row = direction + a * n;
        double length = sqrt(dot(row, row, n));
        for (int pass = 0; pass < 2; pass++)
            for (size_t b = 0; b < a; b++)
                add(row, -dot(row, direction + b * n, n), direction + b * n, n);
        double rest = sqrt(dot(row, row, n));
        if (!isfinite(length) || !(rest > dependent * length))
            return hrr_fail(err, HRR_EINVAL,
                            "direction %llu is zero, not finite, or depends on the ones before it",
                            (unsigned long long)a);
        for (size_t i = 0; i < n; i++)
            row[i] /= rest;
    }
    return HRR_OK;
}

static hrr_status read_directions(projected *self, const hrr_dense *directions, size_t n,
                                  hrr_error *err)
{
    if (!directions || directions->rows < 1)
        return hrr_fail(err, HRR_EINVAL,
                        "featurerr-projected needs public directions (--directions)");
    if (directions->cols != n || directions->rows > n)
        return hrr_fail(err, HRR_EINVAL,
                        "the directions are %llu x %llu; at most %llu of %llu numbers each fit",
                        (unsigned long long)directions->rows, (unsigned long long)directions->cols,
                        (unsigned long long)n, (unsigned long long)n);
    const size_t r = self->n_directions = directions->rows;
    self->direction = hrr_alloc(r, n * sizeof *self->direction);
    self->bound = hrr_alloc_zero(r, sizeof *self->bound);
    if (!self->direction || !self->bound) return hrr_no_memory(err);
    for (size_t a = 0; a < r; a++)
        for (size_t i = 0; i < n; i++)
            self->direction[a * n + i] = hrr_dense_get(directions, a, i);
    hrr_status status = orthonormalise(self->direction, r, n, err);
    if (status) return status;
    for (size_t a = 0; a < r; a++)
        for (size_t i = 0; i < n; i++)
            self->bound[a] += fabs(self->direction[a * n + i]) / 2;
    return HRR_OK;
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
            double v = self->direction[a * n + i];
            weight[a] += options->theta[i] * v * v;
        }
    if ((status = hrr_channels_split(eps_nano, options->eps_nano, weight, r, err))) goto done;
    if ((status = hrr_channels_init(&self->channels, eps_nano, r, options->n_bins, err))) goto done;
    const uint32_t k = self->channels.limits.n_bins;
    self->value = hrr_alloc(r, k * sizeof *self->value);
    if (!self->value) {
        status = hrr_no_memory(err);
        goto done;
    }
    for (size_t a = 0; a < r; a++) {
        double *value = self->value + a * k;
        hrr_decoding_values(value, options->decoding, k,
                            self->channels.table_eps[hrr_channels_table(&self->channels, a)]);
        for (uint32_t u = 0; u < k; u++)
            value[u] = (2 * value[u] - 1) * self->bound[a];
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
                        "featurerr-projected releases features, not bins; choose another decoding");
    projected *self = hrr_alloc_zero(1, sizeof *self);
    if (!self) return hrr_no_memory(err);
    plan->state = self;
    hrr_status status = read_directions(self, options->directions, plan->n_features, err);
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

/* Scratch: the words of a row, the unit row and the released row, the bins. */
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
        unit[i] -= 0.5;
    for (size_t a = 0; a < self->n_directions; a++) {
        double place = dot(unit, self->direction + a * n, n) / self->bound[a]; /* in [-1, 1] */
        place = (place + 1) / 2;
        /* Rounding can step over the bound by a hair. */
        bin[a] = hrr_bin_of(place > 0 ? place : 0, self->channels.limits.n_bins);
    }
}

static void randomise(hrr_dense *out, const hrr_feature_plan *plan, const hrr_dense *in,
                      uint64_t begin, uint64_t end, uint64_t first_row, hrr_stream *stream,
                      void *scratch)
{
    const projected *self = plan->state;
    const uint32_t k = self->channels.limits.n_bins;
    const size_t n = plan->n_features, r = self->n_directions;
    int64_t *word = scratch;
    double *unit = (double *)(word + r), *released = unit + n;
    uint8_t *bin = (uint8_t *)(released + n);
    for (uint64_t row = begin; row < end; row++) {
        hrr_stream_seek(stream, HRR_PURPOSE_FEATURE_CHANNEL, first_row + row);
        hrr_stream_bytes(stream, word, r * sizeof *word);
        hrr_feature_unit_row(unit, plan, in, row);
        find_bins(bin, unit, self, n);
        for (size_t i = 0; i < n; i++)
            released[i] = 0.5;
        for (size_t a = 0; a < r; a++) {
            uint32_t u = hrr_limits_draw(&self->channels.limits, a, bin[a],
                                         (int64_t)le64toh((uint64_t)word[a]));
            add(released, self->value[a * k + u], self->direction + a * n, n);
        }
        float *row_out = (float *)out->data + row * n;
        for (size_t i = 0; i < n; i++)
            row_out[i] = (float)(plan->lo[i] + plan->range[i] * released[i]);
    }
}

const hrr_mechanism hrr_mechanism_featurerr_projected = {.name = "featurerr-projected",
                                                         .weighted = true,
                                                         .prepare = prepare,
                                                         .release = release,
                                                         .scratch_size = scratch_size,
                                                         .randomise = randomise};
