/* featurerr.c: FeatureRR (paper, Algorithm 1): every feature through its own channel.
 *
 * Neighbours:  any two feature vectors of one node (local DP).
 * Claim:       sum over i of eps_i <= eps, with eps_i = floor(theta_i eps) in units of 1e-9;
 *              channels are independent, so they compose by addition.
 * Departures:  theta is normalised by the integer split whatever it sums to; bounds are public and
 *              values outside are clipped, where the paper takes minimum and maximum of the data;
 *              bins are half open, where the paper's overlap; midpoints are the default decoding.
 *              A feature whose budget is below 1e-9 gets uniform noise: it tells nothing.
 *
 * Feature i of row r takes the i-th word of stream (HRR_PURPOSE_FEATURE_CHANNEL, r): 32 bits with
 * narrow tables, else 64. A block is looked through for values that are not finite while it is
 * binned.
 *
 * Workload: 10^4 x 2048 and up; featurerr_kernel.c says where the time goes. */
#include "feature/mechanism.h"
#include "feature/channels.h"
#include "feature/channel.h"
#include "base/memory.h"
#include "random/stream.h"

#include <endian.h>
#include <string.h>

enum { cache_line = 64 };

typedef struct featurerr {
    hrr_channels channels;
    const hrr_featurerr_kernel *kernel;
    /* Decoding, in the units of each feature. Midpoints and t/k are evenly spaced; the others take
     * a table; bins neither. */
    double *first, *step; /* bin u is first[i] + step[i] u; step NULL when not used */
    float *value;         /* d x k, NULL when not used */
} featurerr;

static void release(void *state)
{
    featurerr *self = state;
    hrr_channels_clear(&self->channels);
    hrr_free(self->first);
    hrr_free(self->step);
    hrr_free(self->value);
    hrr_free(self);
}

static hrr_status prepare_table(featurerr *self, const hrr_feature_plan *plan,
                                hrr_decoding decoding, hrr_error *err)
{
    const uint32_t k = self->channels.limits.n_bins;
    self->value = hrr_alloc(plan->n_features, k * sizeof *self->value);
    if (!self->value) return hrr_no_memory(err);
    double unit[HRR_MAX_BINS];
    uint32_t table_of_unit = UINT32_MAX;
    for (uint64_t i = 0; i < plan->n_features; i++) {
        uint32_t table = hrr_channels_table(&self->channels, i);
        if (table != table_of_unit)
            hrr_decoding_values(unit, decoding, k, self->channels.table_eps[table]);
        table_of_unit = table;
        for (uint32_t u = 0; u < k; u++)
            self->value[i * k + u] = (float)(plan->lo[i] + unit[u] * plan->range[i]);
    }
    return HRR_OK;
}

static hrr_status prepare_steps(featurerr *self, const hrr_feature_plan *plan,
                                hrr_decoding decoding, hrr_error *err)
{
    const uint32_t k = self->channels.limits.n_bins;
    double unit[HRR_MAX_BINS];
    hrr_decoding_values(unit, decoding, k, 0);
    self->first = hrr_alloc(plan->n_features, sizeof *self->first);
    self->step = hrr_alloc(plan->n_features, sizeof *self->step);
    if (!self->first || !self->step) return hrr_no_memory(err);
    for (uint64_t i = 0; i < plan->n_features; i++) {
        self->first[i] = plan->lo[i] + unit[0] * plan->range[i];
        self->step[i] = plan->range[i] / k;
    }
    return HRR_OK;
}

static hrr_status prepare_decoding(featurerr *self, hrr_feature_plan *plan, hrr_decoding decoding,
                                   hrr_error *err)
{
    switch (decoding) {
    case HRR_DECODE_BINS:
        plan->claim.dtype_out = HRR_U8;
        return HRR_OK;
    case HRR_DECODE_MIDPOINT:
    case HRR_DECODE_PAPER:
        return prepare_steps(self, plan, decoding, err);
    case HRR_DECODE_UNBIASED:
    case HRR_DECODE_POSTERIOR:
        return prepare_table(self, plan, decoding, err);
    }
    return HRR_OK;
}

static hrr_status say(hrr_feature_plan *plan, const hrr_channels *channels, hrr_error *err)
{
    char eps[HRR_EPS_TEXT_SIZE];
    hrr_eps_format(eps, plan->claim.eps_nano);
    plan->statement = hrr_format_text(
        "FeatureRR with %u bins: eps = %s for one node's whole feature vector, whatever the vector",
        channels->limits.n_bins, eps);
    plan->evidence = hrr_format_text(
        "the sum over %llu features of the largest log-ratio in their integer tables (%u distinct, "
        "each certified against a lower bound of e^eps)",
        (unsigned long long)plan->n_features, channels->limits.n_tables);
    return plan->statement && plan->evidence ? HRR_OK : hrr_no_memory(err);
}

static hrr_status prepare(hrr_feature_plan *plan, const hrr_feature_options *options,
                          hrr_error *err)
{
    const uint64_t n = plan->n_features;
    hrr_status status = HRR_OK;
    featurerr *self = hrr_alloc_zero(1, sizeof *self);
    plan->state = self;
    uint64_t *eps_nano = hrr_alloc(n, sizeof *eps_nano);
    if (!self || !eps_nano) {
        status = hrr_no_memory(err);
        goto done;
    }
    if ((status = hrr_channels_split(eps_nano, options->eps_nano, options->theta, n, err)))
        goto done;
    if ((status = hrr_channels_init_narrow(&self->channels, eps_nano, n, options->n_bins, err)))
        goto done;
    self->kernel = hrr_featurerr_kernels()[0];
    if ((status = prepare_decoding(self, plan, options->decoding, err))) goto done;
    plan->claim.realised_eps = self->channels.realised_eps;
    plan->claim.n_bins = self->channels.limits.n_bins;
    status = say(plan, &self->channels, err);
done:
    hrr_free(eps_nano);
    return status;
}

/* Rows of words and bins are this far apart in scratch memory, in features. A row of many features
 * is often a power of two long, and the same columns of such rows share a few lines of the cache
 * next to the core; with a gap they do not. Short rows need none. */
static size_t pitch_of(const hrr_feature_plan *plan)
{
    return plan->n_features + (plan->n_features < 512 ? 0 : 64);
}

/* Scratch: the words of all rows, from the beginning of a cache line, one unit row, the bins of all
 * rows. */
static size_t scratch_size(const hrr_feature_plan *plan, uint64_t n_rows)
{
    const featurerr *self = plan->state;
    const size_t all = n_rows * pitch_of(plan);
    const size_t words = all * hrr_limits_word_size(&self->channels.limits) + sizeof(double);
    return cache_line + words + plan->n_features * sizeof(double) + all;
}

/* The words of rows r.. of a block, where they belong. */
static void draw_words(const hrr_featurerr_rows *rows, size_t r, uint64_t row, size_t n,
                       hrr_stream *stream)
{
    hrr_stream_seek(stream, HRR_PURPOSE_FEATURE_CHANNEL, row);
    if (rows->narrow_word) {
        int32_t *word = (int32_t *)(uintptr_t)rows->narrow_word + r * rows->pitch;
        hrr_stream_bytes(stream, word, n * sizeof *word);
        for (size_t i = 0; i < n; i++)
            word[i] = (int32_t)le32toh((uint32_t)word[i]);
    } else {
        int64_t *word = (int64_t *)(uintptr_t)rows->word + r * rows->pitch;
        hrr_stream_bytes(stream, word, n * sizeof *word);
        for (size_t i = 0; i < n; i++)
            word[i] = (int64_t)le64toh((uint64_t)word[i]);
    }
}

static bool find_bins(const hrr_featurerr_rows *rows, const hrr_feature_plan *plan,
                      const hrr_dense *in, uint64_t begin, double *unit)
{
    const featurerr *self = plan->state;
    const size_t n = plan->n_features;
    if (in->dtype == HRR_F32)
        return self->kernel->find_bins(rows, (const float *)in->data + begin * n, plan->lo,
                                       plan->scale, &self->channels.limits);
    bool finite = true;
    for (size_t r = 0; r < rows->n_rows; r++) {
        finite &= hrr_feature_row_is_finite(in, begin + r);
        hrr_feature_unit_row(unit, plan, in, begin + r);
        for (size_t i = 0; i < n; i++)
            rows->bin[r * rows->pitch + i] = hrr_bin_of(unit[i], self->channels.limits.n_bins);
    }
    return finite;
}

static void decode(hrr_dense *out, const featurerr *self, const uint8_t *bin, uint64_t row,
                   size_t n)
{
    const uint32_t k = self->channels.limits.n_bins;
    float *released = (float *)out->data + row * n;
    if (self->step)
        self->kernel->place(released, bin, self->first, self->step, n);
    else if (self->value)
        for (size_t i = 0; i < n; i++)
            released[i] = self->value[i * k + bin[i]];
    else
        memcpy((uint8_t *)out->data + row * n, bin, n);
}

enum { rows_together = 4 }; /* are binned together, while the cache next to the core holds them */

static bool randomise(hrr_dense *out, const hrr_feature_plan *plan, const hrr_dense *in,
                      uint64_t begin, uint64_t end, uint64_t first_row, hrr_stream *stream,
                      void *scratch)
{
    const featurerr *self = plan->state;
    const bool narrow = self->channels.limits.narrow;
    const size_t n = plan->n_features, n_rows = end - begin, pitch = pitch_of(plan);
    const size_t off = (uintptr_t)scratch % cache_line;
    char *const words = (char *)scratch + (off ? cache_line - off : 0);
    const size_t words_size = n_rows * pitch * hrr_limits_word_size(&self->channels.limits);
    double *unit =
        (double *)(words + (words_size + sizeof *unit - 1) / sizeof *unit * sizeof *unit);
    const hrr_featurerr_rows rows = {.n_rows = n_rows,
                                     .pitch = pitch,
                                     .bin = (uint8_t *)(unit + n),
                                     .word = narrow ? NULL : (const int64_t *)words,
                                     .narrow_word = narrow ? (const int32_t *)words : NULL};
    bool finite = true;
    for (size_t r = 0; r < n_rows; r += rows_together) {
        const size_t few = n_rows - r < rows_together ? n_rows - r : rows_together;
        for (size_t i = r; i < r + few; i++) {
            hrr_feature_fetch_row(in, begin + i); /* comes while AES, which uses no memory, runs */
            draw_words(&rows, i, first_row + begin + i, n, stream);
        }
        const hrr_featurerr_rows some = {few, pitch, rows.bin + r * pitch, NULL, NULL};
        finite &= find_bins(&some, plan, in, begin + r, unit);
    }
    if (!finite) return false;
    self->kernel->draw(&rows, &self->channels.limits);
    for (size_t r = 0; r < n_rows; r++)
        decode(out, self, rows.bin + r * pitch, begin + r, n);
    return true;
}

const hrr_feature_method hrr_feature_featurerr = {
    .about.name = "featurerr",
    .about.what = "randomised bins, the budget split by public weights",
    .about.page = "docs/mechanisms/featurerr.md",
    .about.certified = true,
    .about.needs_bounds = true,
    .about.has_bins = true,
    .about.has_decodings = true,
    .about.weighs_budget = true,
    .about.sampled_form = "featurerr-sampled",
    .prepare = prepare,
    .release = release,
    .scratch_size = scratch_size,
    .randomise_finite = randomise};
