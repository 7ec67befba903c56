/* featurerr_sampled.c: FeatureRR on m coordinates of each node, chosen without looking at them.
 *
 * Splitting eps over d features leaves each almost nothing: the noise of the mean grows with d^2.
 * Telling m coordinates with eps/m each grows with d only. Here
 *
 *     m = max(1, min(d, floor(eps / 2.18))),   coordinate i is chosen with probability pi_i,
 *     sum of pi_i = m, pi_i proportional to theta_i as far as pi_i <= 1 allows.
 *
 * Neighbours:  any two feature vectors of one node (local DP).
 * Claim:       the choice does not depend on the vector; given the choice, m channels of
 *              floor(eps/m) each compose. So (choice, values) is m floor(eps/m) <= eps.
 * Unbiased:    a unit value is rounded at random to one of its two neighbours on the grid 0,
 * 1/(k-1),
 *              ..., 1 (mixing inputs of an eps-LDP channel is eps-LDP), drawn through the channel,
 *              decoded without bias, and weighted: centre + (value - centre) / pi_i. Coordinates
 *              not chosen are the centre. So E[output] = input for every theta_i > 0, exactly,
 * where rounding to midpoints would leave half a bin.
 *
 * The choice is systematic sampling: the pi_i laid end to end on a line of length m, and m points
 * at distance 1 dropped on it from one random start. pi_i are multiples of 2^-40, so that they are
 * known exactly and add up to m exactly.
 *
 * Row r draws its start from stream (HRR_PURPOSE_FEATURE_CHOICE, r), and for each chosen coordinate
 * the word that rounds and the word of the channel from (HRR_PURPOSE_FEATURE_CHANNEL, r). */
#include "feature/mechanism.h"
#include "feature/channels.h"
#include "feature/channel.h"
#include "privacy/exp_bound.h"
#include "base/memory.h"
#include "random/stream.h"

#include <string.h>

enum { unit_bits = 40 }; /* of an inclusion probability: m 2^40 fits 64 bits for m < 2^24 */
static const uint64_t one = UINT64_C(1) << unit_bits;
static const uint32_t most_sampled = (UINT32_C(1) << 24) - 1;

/* 2.18: where another coordinate with less for each stops paying. */
static const uint64_t eps_worth_splitting = 2180000000;

typedef struct sampled {
    hrr_channels channels; /* one table, for eps/m */
    uint32_t n_sampled;    /* m */
    uint64_t *end;         /* end[i] = pi_0 + ... + pi_i in units of 2^-40; the last is m */
    float *centre;         /* lo + range/2 */
    double value[HRR_MAX_BINS];
} sampled;

static void release(void *state)
{
    sampled *self = state;
    hrr_channels_clear(&self->channels);
    hrr_free(self->end);
    hrr_free(self->centre);
    hrr_free(self);
}

/* Inclusion probabilities into pi[], in units of 2^-40, sum m exactly, none above 1. A weight above
 * its share is cut to 1 and the others share what is left, until none is above: at most m rounds,
 * because each round that goes on cuts at least one. */
static hrr_status set_probabilities(uint64_t *pi, const double *theta, size_t n, uint32_t m,
                                    hrr_error *err)
{
    size_t n_positive = 0;
    for (size_t i = 0; i < n; i++) {
        pi[i] = 0;
        n_positive += !theta || theta[i] > 0;
    }
    if (n_positive < m)
        return hrr_fail(err, HRR_EINVAL,
                        "cannot sample %u features (`features.n_sampled`): only %llu %s a weight "
                        "(`features.theta`) above 0",
                        m, (unsigned long long)n_positive, hrr_plural(n_positive, "has", "have"));
    uint64_t left = m * one;
    for (bool cut = true; cut;) {
        cut = false;
        double total = 0;
        for (size_t i = 0; i < n; i++)
            if (pi[i] < one) total += theta ? theta[i] : 1;
        const double scale = total > 0 ? (double)left / total : 0;
        for (size_t i = 0; i < n; i++)
            if (pi[i] < one && (theta ? theta[i] : 1) * scale >= (double)one) {
                pi[i] = one;
                left -= one;
                cut = true;
            }
        if (cut) continue;
        for (size_t i = 0; i < n; i++) {
            if (pi[i] == one || (theta && theta[i] == 0)) continue;
            uint64_t part = (uint64_t)((theta ? theta[i] : 1) * scale);
            pi[i] = part < 1 ? 1 : part; /* a weight above 0 has a chance, or E would be wrong */
        }
    }
    return HRR_OK;
}

/* Rounding left the sum off m by at most n units or so: spread the difference. */
static void settle_sum(uint64_t *pi, size_t n, uint32_t m)
{
    uint64_t total = 0;
    for (size_t i = 0; i < n; i++)
        total += pi[i];
    for (size_t i = 0; total != m * one; i = (i + 1) % n) {
        if (total < m * one && pi[i] > 0 && pi[i] < one)
            pi[i]++, total++;
        else if (total > m * one && pi[i] > 1)
            pi[i]--, total--;
    }
}

static hrr_status prepare_choice(sampled *self, const hrr_feature_plan *plan, const double *theta,
                                 hrr_error *err)
{
    const size_t n = plan->n_features;
    hrr_status status = set_probabilities(self->end, theta, n, self->n_sampled, err);
    if (status) return status;
    settle_sum(self->end, n, self->n_sampled);
    for (size_t i = 1; i < n; i++)
        self->end[i] += self->end[i - 1];
    for (size_t i = 0; i < n; i++)
        self->centre[i] = (float)(plan->lo[i] + plan->range[i] / 2);
    return HRR_OK;
}

static hrr_status say(hrr_feature_plan *plan, const sampled *self, hrr_error *err)
{
    char eps[HRR_EPS_TEXT_SIZE];
    hrr_eps_format(eps, plan->claim.eps_nano);
    plan->statement = hrr_format_text(
        "FeatureRR on %u of %llu features, chosen for each node without looking at "
        "its data, with %u bins: eps = %s for one node's whole feature vector; "
        "which features were chosen is released and tells nothing",
        self->n_sampled, (unsigned long long)plan->n_features, self->channels.limits.n_bins, eps);
    plan->evidence = hrr_format_text(
        "%u times the largest log-ratio in one integer table, certified against a lower bound of "
        "e^eps",
        self->n_sampled);
    return plan->statement && plan->evidence ? HRR_OK : hrr_no_memory(err);
}

static hrr_status check_request(const hrr_feature_options *options, uint32_t n_sampled,
                                hrr_error *err)
{
    if (options->decoding != HRR_DECODE_MIDPOINT && options->decoding != HRR_DECODE_UNBIASED)
        return hrr_fail(err, HRR_EINVAL,
                        "featurerr-sampled supports only the unbiased decoding, because sampled "
                        "features are weighted; leave `features.decoding` out");
    if (n_sampled > most_sampled)
        return hrr_fail(err, HRR_EINVAL,
                        "cannot sample more than %u features (`features.n_sampled`)", most_sampled);
    if (options->eps_nano / n_sampled == 0)
        return hrr_fail(
            err, HRR_EINVAL,
            "the epsilon (`features.eps_nano`) is too small to be split over %u features",
            n_sampled);
    return HRR_OK;
}

static hrr_status prepare(hrr_feature_plan *plan, const hrr_feature_options *options,
                          hrr_error *err)
{
    const uint64_t n = plan->n_features;
    uint64_t m = options->n_sampled ? options->n_sampled : options->eps_nano / eps_worth_splitting;
    if (m < 1) m = 1;
    if (m > n) m = n;
    hrr_status status = check_request(options, (uint32_t)m, err);
    if (status) return status;

    sampled *self = hrr_alloc_zero(1, sizeof *self);
    if (!self) return hrr_no_memory(err);
    plan->state = self;
    self->n_sampled = (uint32_t)m;
    self->end = hrr_alloc(n, sizeof *self->end);
    self->centre = hrr_alloc(n, sizeof *self->centre);
    if (!self->end || !self->centre) return hrr_no_memory(err);
    if ((status = prepare_choice(self, plan, options->theta, err))) return status;
    const uint64_t eps_nano = options->eps_nano / m;
    if ((status = hrr_channels_init(&self->channels, &eps_nano, 1, options->n_bins, err)))
        return status;

    const uint32_t k = self->channels.limits.n_bins;
    double grid[HRR_MAX_BINS];
    for (uint32_t t = 0; t < k; t++)
        grid[t] = (double)t / (k - 1);
    hrr_unbiased_values(self->value, grid, k, self->channels.table_eps[0]);
    plan->claim.realised_eps =
        hrr_eps_round_up((long double)self->channels.realised_eps * m, m * eps_nano);
    plan->claim.n_bins = k;
    plan->claim.n_sampled = self->n_sampled;
    return say(plan, self, err);
}

static size_t scratch_size(const hrr_feature_plan *plan, uint64_t n_rows)
{
    (void)n_rows;
    const sampled *self = plan->state;
    return self->n_sampled * sizeof(uint32_t);
}

/* The m coordinates of a row, ascending. */
static void choose(uint32_t *chosen, const sampled *self, size_t n, uint64_t row,
                   hrr_stream *stream)
{
    hrr_stream_seek(stream, HRR_PURPOSE_FEATURE_CHOICE, row);
    const uint64_t start = hrr_stream_word(stream) >> (64 - unit_bits);
    for (uint32_t j = 0; j < self->n_sampled; j++) {
        const uint64_t point = start + j * one;
        size_t low = 0, high = n - 1; /* the first i with end[i] > point */
        while (low < high) {
            size_t middle = low + (high - low) / 2;
            if (self->end[middle] > point)
                high = middle;
            else
                low = middle + 1;
        }
        chosen[j] = (uint32_t)low;
    }
}

/* A neighbour of z on the grid 0..k-1 whose mean is z (k-1), to 53 bits. */
static uint32_t round_at_random(double unit, uint32_t n_bins, uint64_t word)
{
    double place = unit * (n_bins - 1);
    uint32_t below = (uint32_t)place;
    if (below > n_bins - 2) below = n_bins - 2;
    return below + ((word >> 11) < (uint64_t)((place - below) * 0x1p53));
}

static void randomise(hrr_dense *out, const hrr_feature_plan *plan, const hrr_dense *in,
                      uint64_t begin, uint64_t end, uint64_t first_row, hrr_stream *stream,
                      void *scratch)
{
    const sampled *self = plan->state;
    const hrr_limits *limits = &self->channels.limits;
    const size_t n = plan->n_features;
    uint32_t *chosen = scratch;
    for (uint64_t row = begin; row < end; row++) {
        float *released = (float *)out->data + row * n;
        memcpy(released, self->centre, n * sizeof *released);
        choose(chosen, self, n, first_row + row, stream);
        hrr_stream_seek(stream, HRR_PURPOSE_FEATURE_CHANNEL, first_row + row);
        for (uint32_t j = 0; j < self->n_sampled; j++) {
            const uint32_t i = chosen[j];
            const uint64_t pi = self->end[i] - (i > 0 ? self->end[i - 1] : 0);
            uint32_t t = round_at_random(hrr_feature_unit(plan, in, row, i), limits->n_bins,
                                         hrr_stream_word(stream));
            uint32_t u = hrr_limits_draw(limits, 0, t, (int64_t)hrr_stream_word(stream));
            double off_centre = (self->value[u] - 0.5) * ((double)one / (double)pi);
            released[i] = (float)(plan->lo[i] + plan->range[i] * (0.5 + off_centre));
        }
    }
}

const hrr_feature_method hrr_feature_featurerr_sampled = {
    .about.name = "featurerr-sampled",
    .about.what = "randomised bins, for some features of each node",
    .about.page = "docs/mechanisms/featurerr-sampled.md",
    .about.certified = true,
    .about.needs_bounds = true,
    .about.has_bins = true,
    .about.samples = true,
    .prepare = prepare,
    .release = release,
    .scratch_size = scratch_size,
    .randomise = randomise};
