/* coordinates.c: a law for single numbers, applied to the d features of a node.
 *
 * Two ways to spend eps. `NAME` splits it: eps/d on every feature, as the paper runs its baselines.
 * `NAME-sampled` draws m features without replacement, spends eps/m on each, scales the answers by
 * d/m and releases the middle of the bounds for the others; unbiased too, and far better for d in
 * the hundreds (the variance grows with d instead of d^2).
 *
 * Claim: eps for one node's whole feature vector. Features are answered independently, so their
 *        integer budgets add up, and floor(eps / m) m <= eps. Which features are drawn is decided
 *        from the CHOICE stream before the data is looked at; given the choice, m laws add up.
 * Cost:  d draws a row, or m draws and d stores.
 * These baselines treat features alike: weights (theta) are not looked at. */
#include "feature/coordinates.h"
#include "feature/streaming.h"
#include "privacy/exp_bound.h"
#include "base/memory.h"

#include <string.h>

typedef struct coordinates {
    hrr_coordinate law;
    uint32_t n_drawn; /* m; d when every feature is answered */
    double gain;      /* d / m */
    float *middle;    /* (lo + hi) / 2 of each feature */
} coordinates;

/* ---- before private data is read ----------------------------------------------------------- */

void hrr_coordinates_release(void *state)
{
    coordinates *self = state;
    hrr_free(self->middle);
    hrr_free(self);
}

static hrr_status prepare(hrr_feature_plan *plan, uint64_t n_drawn, hrr_error *err)
{
    if (plan->n_features > UINT32_MAX)
        return hrr_fail(err, HRR_EINVAL, "there are more than 2^32 features");
    const uint64_t eps_each = plan->claim.eps_nano / n_drawn;
    if (eps_each < 1)
        return hrr_fail(err, HRR_EINVAL,
                        "the epsilon (`features.eps_nano`) is too small to be split over %llu "
                        "features: each feature needs at least 1e-9",
                        (unsigned long long)n_drawn);
    coordinates *self = hrr_alloc_zero(1, sizeof *self);
    if (!self) return hrr_no_memory(err);
    plan->state = self;
    plan->mechanism->law(&self->law, eps_each);
    plan->claim.n_sampled = n_drawn < plan->n_features ? (uint32_t)n_drawn : 0;
    self->n_drawn = (uint32_t)n_drawn;
    self->gain = (double)plan->n_features / (double)n_drawn;
    self->middle = hrr_alloc(plan->n_features, sizeof *self->middle);
    if (!self->middle) return hrr_no_memory(err);
    for (uint64_t i = 0; i < plan->n_features; i++)
        self->middle[i] = (float)(plan->lo[i] + plan->range[i] / 2);

    char eps[HRR_EPS_TEXT_SIZE], each[HRR_EPS_TEXT_SIZE];
    hrr_eps_format(eps, plan->claim.eps_nano);
    hrr_eps_format(each, eps_each);
    plan->claim.realised_eps =
        hrr_eps_round_up((long double)self->law.realised_eps * n_drawn, plan->claim.eps_nano);
    plan->statement = hrr_format_text(
        "%s: eps = %s for one node's feature vector, as eps = %s on each of %s%llu %s",
        plan->mechanism->about.name, eps, each,
        n_drawn < plan->n_features ? "a random choice of " : "", (unsigned long long)n_drawn,
        hrr_plural(n_drawn, "feature", "features"));
    plan->evidence =
        hrr_copy_text("exact: the integer weights that are drawn from are compared with "
                      "an integer lower bound of e^eps");
    return plan->statement && plan->evidence ? HRR_OK : hrr_no_memory(err);
}

hrr_status hrr_coordinates_prepare_all(hrr_feature_plan *plan, const hrr_feature_options *options,
                                       hrr_error *err)
{
    (void)options;
    return prepare(plan, plan->n_features, err);
}

hrr_status hrr_coordinates_prepare_sampled(hrr_feature_plan *plan,
                                           const hrr_feature_options *options, hrr_error *err)
{
    uint64_t n_drawn = options->n_sampled ? options->n_sampled
                                          : options->eps_nano / plan->mechanism->eps_each_nano;
    if (n_drawn < 1) n_drawn = 1;
    if (n_drawn > plan->n_features) n_drawn = plan->n_features;
    return prepare(plan, n_drawn, err);
}

/* ---- private rows --------------------------------------------------------------------------- */

/* y estimates x in [-1, 1]; back to the units of feature i. */
static inline float decode(const hrr_feature_plan *plan, uint64_t i, double y)
{
    return (float)(plan->lo[i] + plan->range[i] * (1 + y) / 2);
}

enum { most_cached_outputs = 4 << 20 }; /* 16 MB */

void hrr_coordinates_randomise_all(hrr_dense *out, const hrr_feature_plan *plan,
                                   const hrr_dense *in, uint64_t begin, uint64_t end,
                                   uint64_t first_row, hrr_stream *stream, void *scratch)
{
    const coordinates *self = plan->state;
    double *unit = scratch;
    for (uint64_t row = begin; row < end; row++) {
        float *released = (float *)out->data + row * plan->n_features;
        hrr_feature_unit_row(unit, plan, in, row);
        hrr_stream_seek(stream, HRR_PURPOSE_FEATURE_CHANNEL, first_row + row);
        for (uint64_t i = 0; i < plan->n_features; i++)
            released[i] = decode(plan, i, hrr_coordinate_draw(&self->law, unit[i], stream));
    }
}

/* m different numbers below d, every set of m equally likely, in O(m) (R. Floyd: J. Bentley,
 * "Programming pearls: a sample of brilliance", CACM 1987). taken: d bytes, zero before and after.
 */
static void choose(uint32_t *chosen, uint32_t m, uint32_t d, unsigned char *taken,
                   hrr_stream *stream)
{
    for (uint32_t n = 0; n < m; n++) {
        const uint32_t last = d - m + n;
        uint32_t pick = (uint32_t)hrr_below(stream, (uint64_t)last + 1);
        if (taken[pick]) pick = last;
        taken[pick] = 1;
        chosen[n] = pick;
    }
    for (uint32_t n = 0; n < m; n++)
        taken[chosen[n]] = 0;
}

/* Rows are few draws and much memory: the next row is read while this one is drawn and written, and
 * what does not stay in the caches anyway is written past them. A row is in `out` only after it was
 * looked through. */
bool hrr_coordinates_randomise_sampled(hrr_dense *out, const hrr_feature_plan *plan,
                                       const hrr_dense *in, uint64_t begin, uint64_t end,
                                       uint64_t first_row, hrr_stream *stream, void *scratch)
{
    const coordinates *self = plan->state;
    const uint64_t d = plan->n_features;
    const bool past_caches = out->rows * d > most_cached_outputs;
    float *const aside = scratch; /* the middle, where nothing was chosen */
    uint32_t *chosen = (uint32_t *)(aside + d);
    unsigned char *taken = (unsigned char *)(chosen + self->n_drawn);
    memset(taken, 0, d);
    memcpy(aside, self->middle, d * sizeof *aside);
    for (uint64_t row = begin; row < end; row++) {
        if (row + 1 < end) hrr_feature_fetch_row(in, row + 1);
        if (!hrr_feature_row_is_finite(in, row)) return false;
        float *const place = (float *)out->data + row * d, *released = past_caches ? aside : place;
        if (!past_caches) memcpy(place, self->middle, d * sizeof *place);
        hrr_stream_seek(stream, HRR_PURPOSE_FEATURE_CHOICE, first_row + row);
        choose(chosen, self->n_drawn, (uint32_t)d, taken, stream);
        hrr_stream_seek(stream, HRR_PURPOSE_FEATURE_CHANNEL, first_row + row);
        for (uint32_t n = 0; n < self->n_drawn; n++) {
            const uint32_t i = chosen[n];
            double y = hrr_coordinate_draw(&self->law, hrr_feature_unit(plan, in, row, i), stream);
            released[i] = decode(plan, i, self->gain * y);
        }
        if (!past_caches) continue;
        hrr_store_row(place, aside, d);
        for (uint32_t n = 0; n < self->n_drawn; n++)
            aside[chosen[n]] = self->middle[chosen[n]];
    }
    return true;
}

size_t hrr_coordinates_scratch_size(const hrr_feature_plan *plan, uint64_t n_rows)
{
    (void)n_rows;
    /* A unit row, or a released row, the choice and its marks. */
    return plan->n_features * (sizeof(float) + sizeof(uint32_t) + 1);
}
