/* plan.c: the one road that private features take through any mechanism.
 *
 * A plan is made from public data alone. Applying it reads the private rows twice: once to see that
 * every value is finite (a crash or an error halfway would be an output too), once to randomise
 * them. Rows are cut into blocks that threads take one by one; each row has its own random stream,
 * so neither the cut nor the threads show in the result.
 *
 * Workload: thousands to millions of rows of tens to thousands of features. */
#include "feature/mechanism.h"
#include "feature/channel.h"
#include "base/memory.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

/* The two arrays run in step, and both end with NULL. */
static const char *const names[] = {"featurerr",
                                    "featurerr-sampled",
                                    "featurerr-projected",
                                    "duchi",
                                    "duchi-sampled",
                                    "piecewise",
                                    "piecewise-sampled",
                                    "hybrid",
                                    "hybrid-sampled",
                                    "three-output",
                                    "three-output-sampled",
                                    "pm-sub",
                                    "pm-sub-sampled",
                                    "multibit",
                                    "laplace",
                                    "gaussian",
                                    "featfree",
                                    "none",
                                    NULL};
static const hrr_mechanism *const mechanisms[] = {&hrr_mechanism_featurerr,
                                                  &hrr_mechanism_featurerr_sampled,
                                                  &hrr_mechanism_featurerr_projected,
                                                  &hrr_mechanism_duchi,
                                                  &hrr_mechanism_duchi_sampled,
                                                  &hrr_mechanism_piecewise,
                                                  &hrr_mechanism_piecewise_sampled,
                                                  &hrr_mechanism_hybrid,
                                                  &hrr_mechanism_hybrid_sampled,
                                                  &hrr_mechanism_three_output,
                                                  &hrr_mechanism_three_output_sampled,
                                                  &hrr_mechanism_pm_sub,
                                                  &hrr_mechanism_pm_sub_sampled,
                                                  &hrr_mechanism_multibit,
                                                  &hrr_mechanism_laplace,
                                                  &hrr_mechanism_gaussian,
                                                  &hrr_mechanism_featfree,
                                                  &hrr_mechanism_none,
                                                  NULL};
_Static_assert(sizeof names == sizeof mechanisms, "a name for every mechanism");

const char *const *hrr_feature_mechanisms(void)
{
    return names;
}

void hrr_feature_options_init(hrr_feature_options *options)
{
    *options = (hrr_feature_options){.mechanism = "featurerr", .eps_nano = HRR_EPS_UNIT};
}

/* ---- making a plan ------------------------------------------------------------------------ */

static hrr_status find_mechanism(const hrr_mechanism **out, const char *name, hrr_error *err)
{
    char list[512] = "";
    size_t used = 0;
    for (int i = 0; names[i]; i++) {
        if (name && strcmp(names[i], name) == 0) {
            *out = mechanisms[i];
            return HRR_OK;
        }
        size_t length = strlen(names[i]);
        if (used + length + 3 > sizeof list) continue;
        if (used > 0) memcpy(list + used, ", ", 2), used += 2;
        memcpy(list + used, names[i], length + 1), used += length;
    }
    return hrr_fail(err, HRR_EINVAL, "there is no feature mechanism \"%s\"; choose one of %s",
                    name ? name : "", list);
}

static hrr_status check_options(const hrr_feature_options *options, const hrr_mechanism *mechanism,
                                uint64_t n_features, hrr_error *err)
{
    if (n_features < 1) return hrr_fail(err, HRR_EINVAL, "there are no features to randomise");
    if (!mechanism->without_eps && (options->eps_nano < 1 || options->eps_nano > HRR_EPS_MAX))
        return hrr_fail(err, HRR_EINVAL, "the epsilon of the features must lie in (0, 20]");
    if (!(options->delta >= 0 && options->delta < 1))
        return hrr_fail(err, HRR_EINVAL, "delta must lie in [0, 1)");
    if (options->n_bins != 0 && (options->n_bins < HRR_MIN_BINS || options->n_bins > HRR_MAX_BINS))
        return hrr_fail(err, HRR_EINVAL,
                        "the number of bins must lie between %d and %d, or be 0 to choose it",
                        HRR_MIN_BINS, HRR_MAX_BINS);
    if ((unsigned)options->decoding > HRR_DECODE_BINS)
        return hrr_fail(err, HRR_EINVAL, "there is no decoding number %d", (int)options->decoding);
    if (options->n_sampled > n_features)
        return hrr_fail(err, HRR_EINVAL, "cannot sample %u of %llu features", options->n_sampled,
                        (unsigned long long)n_features);
    return HRR_OK;
}

static hrr_status check_theta(const double *theta, uint64_t n_features, hrr_error *err)
{
    double total = 0;
    for (uint64_t i = 0; theta && i < n_features; i++) {
        if (!isfinite(theta[i]) || theta[i] < 0)
            return hrr_fail(err, HRR_EINVAL,
                            "the weight (theta) of feature %llu is negative or not a number",
                            (unsigned long long)i);
        total += theta[i];
    }
    if (theta && !(total > 0 && isfinite(total)))
        return hrr_fail(err, HRR_EINVAL,
                        "the weights (theta) are all zero, or their sum is "
                        "too large");
    return HRR_OK;
}

/* Public bounds to lo, range and scale; range and scale must both be finite and positive. */
static hrr_status set_bounds(hrr_feature_plan *plan, const hrr_feature_options *options,
                             hrr_error *err)
{
    if (!options->lo != !options->hi)
        return hrr_fail(err, HRR_EINVAL, "a lower bound needs an upper bound, and the other way");
    for (uint64_t i = 0; i < plan->n_features; i++) {
        double lo = options->lo ? options->lo[i] : 0, hi = options->hi ? options->hi[i] : 1;
        double range = hi - lo, scale = 1 / range;
        if (!isfinite(lo) || !(range > 0) || !isfinite(range) || !isfinite(scale))
            return hrr_fail(err, HRR_EINVAL,
                            "the bounds of feature %llu must be finite, the lower one below the "
                            "upper one; a feature that is constant by public knowledge needs "
                            "bounds around its value",
                            (unsigned long long)i);
        plan->lo[i] = lo;
        plan->range[i] = range;
        plan->scale[i] = scale;
    }
    return HRR_OK;
}

hrr_status hrr_feature_plan_new(hrr_feature_plan **out, uint64_t n_features,
                                const hrr_feature_options *options, hrr_error *err)
{
    *out = NULL;
    const hrr_mechanism *mechanism = NULL;
    hrr_status status = find_mechanism(&mechanism, options->mechanism, err);
    if (!status) status = check_options(options, mechanism, n_features, err);
    if (!status) status = check_theta(options->theta, n_features, err);
    if (status) return status;

    hrr_feature_plan *plan = hrr_alloc_zero(1, sizeof *plan);
    if (!plan) return hrr_no_memory(err);
    plan->mechanism = mechanism;
    plan->n_features = n_features;
    plan->claim = (hrr_feature_claim){
        .eps_nano = options->eps_nano, .n_features_out = n_features, .dtype_out = HRR_F32};
    plan->lo = hrr_alloc(n_features, sizeof *plan->lo);
    plan->range = hrr_alloc(n_features, sizeof *plan->range);
    plan->scale = hrr_alloc(n_features, sizeof *plan->scale);
    if (!plan->lo || !plan->range || !plan->scale) {
        status = hrr_no_memory(err);
        goto done;
    }
    if ((status = set_bounds(plan, options, err))) goto done;
    if ((status = mechanism->prepare(plan, options, err))) goto done;
    plan->claim.statement = plan->statement;
    plan->claim.evidence = plan->evidence;
    *out = plan;
    plan = NULL;
done:
    hrr_feature_plan_free(plan);
    return status;
}

void hrr_feature_plan_free(hrr_feature_plan *plan)
{
    if (!plan) return;
    if (plan->mechanism->release && plan->state) plan->mechanism->release(plan->state);
    hrr_free(plan->statement);
    hrr_free(plan->evidence);
    hrr_free(plan->lo);
    hrr_free(plan->range);
    hrr_free(plan->scale);
    hrr_free(plan);
}

hrr_feature_claim hrr_feature_plan_claim(const hrr_feature_plan *plan)
{
    return plan->claim;
}

/* ---- reading private rows ------------------------------------------------------------------ */

static double clip(double unit)
{
    unit = unit > 0 ? unit : 0;
    return unit < 1 ? unit : 1;
}

double hrr_feature_unit(const hrr_feature_plan *plan, const hrr_dense *in, uint64_t row,
                        uint64_t col)
{
    return clip((hrr_dense_get(in, row, col) - plan->lo[col]) * plan->scale[col]);
}

void hrr_feature_unit_row(double *unit, const hrr_feature_plan *plan, const hrr_dense *in,
                          uint64_t row)
{
    const uint64_t n = plan->n_features;
    const double *lo = plan->lo, *scale = plan->scale;
    switch (in->dtype) {
    case HRR_U8: {
        const uint8_t *x = (const uint8_t *)in->data + row * n;
        for (uint64_t i = 0; i < n; i++)
            unit[i] = x[i];
        break;
    }
    case HRR_F32: {
        const float *x = (const float *)in->data + row * n;
        for (uint64_t i = 0; i < n; i++)
            unit[i] = x[i];
        break;
    }
    case HRR_F64:
        memcpy(unit, (const double *)in->data + row * n, n * sizeof *unit);
        break;
    }
    for (uint64_t i = 0; i < n; i++)
        unit[i] = clip((unit[i] - lo[i]) * scale[i]);
}

/* True if all n values are finite: no exponent has all its bits set. Integers, and no way out of
 * the loop, so that compilers turn it into vectors. */
static bool all_finite_f32(const float *value, uint64_t n)
{
    const uint32_t exponent = UINT32_C(0x7f800000);
    uint32_t bad = 0;
    for (uint64_t i = 0; i < n; i++) {
        uint32_t bits;
        memcpy(&bits, &value[i], sizeof bits);
        bad |= (bits & exponent) == exponent;
    }
    return !bad;
}

static bool all_finite_f64(const double *value, uint64_t n)
{
    const uint64_t exponent = UINT64_C(0x7ff0000000000000);
    uint64_t bad = 0;
    for (uint64_t i = 0; i < n; i++) {
        uint64_t bits;
        memcpy(&bits, &value[i], sizeof bits);
        bad |= (bits & exponent) == exponent;
    }
    return !bad;
}

static bool row_is_finite(const hrr_dense *in, uint64_t row)
{
    switch (in->dtype) {
    case HRR_U8:
        break;
    case HRR_F32:
        return all_finite_f32((const float *)in->data + row * in->cols, in->cols);
    case HRR_F64:
        return all_finite_f64((const double *)in->data + row * in->cols, in->cols);
    }
    return true;
}

/* The first row that is not finite, whatever the threads, so that the message does not vary. */
static hrr_status check_finite(const hrr_dense *in, uint64_t first_row, int threads, hrr_error *err)
{
    if (in->dtype == HRR_U8) return HRR_OK;
    uint64_t bad_row = UINT64_MAX;
#pragma omp parallel for num_threads(threads) schedule(static) reduction(min : bad_row)
    for (uint64_t row = 0; row < in->rows; row++)
        if (row < bad_row && !row_is_finite(in, row)) bad_row = row;
    if (bad_row == UINT64_MAX) return HRR_OK;
    uint64_t col = 0;
    while (isfinite(hrr_dense_get(in, bad_row, col)))
        col++;
    return hrr_fail(err, HRR_EDATA, "row %llu, column %llu of the features is not a finite number",
                    (unsigned long long)(first_row + bad_row), (unsigned long long)col);
}

/* ---- applying ------------------------------------------------------------------------------- */

enum {
    features_per_block = 131072, /* a fraction of a millisecond: often enough for progress */
    most_rows_per_block = 4096
};

typedef struct row_job {
    hrr_dense *out;
    const hrr_feature_plan *plan;
    const hrr_dense *in;
    uint64_t first_row, rows_per_block, n_blocks;
    atomic_uint_fast64_t next_block;
    hrr_progress *progress;
} row_job;

typedef struct worker {
    hrr_stream *stream;
    void *scratch;
} worker;

static void work(row_job *job, worker *self)
{
    for (;;) {
        uint64_t block = atomic_fetch_add(&job->next_block, 1);
        if (block >= job->n_blocks) return;
        uint64_t begin = block * job->rows_per_block, end = begin + job->rows_per_block;
        if (end > job->in->rows) end = job->in->rows;
        if (hrr_progress_cancelled(job->progress)) return;
        job->plan->mechanism->randomise(job->out, job->plan, job->in, begin, end, job->first_row,
                                        self->stream, self->scratch);
        if (hrr_progress_advance(job->progress, end - begin, NULL)) return;
    }
}

static hrr_status check_shapes(const hrr_dense *out, const hrr_feature_plan *plan,
                               const hrr_dense *in, uint64_t first_row, hrr_error *err)
{
    const hrr_feature_claim *claim = &plan->claim;
    if (in->cols != plan->n_features)
        return hrr_fail(err, HRR_EINVAL, "the plan is for %llu features, the rows have %llu",
                        (unsigned long long)plan->n_features, (unsigned long long)in->cols);
    if (out->rows != in->rows || out->cols != claim->n_features_out ||
        out->dtype != claim->dtype_out)
        return hrr_fail(err, HRR_EINVAL, "the output must be %llu x %llu of type %s",
                        (unsigned long long)in->rows, (unsigned long long)claim->n_features_out,
                        hrr_dtype_name(claim->dtype_out));
    const uint64_t row_limit = (uint64_t)1 << 56; /* of a random stream */
    if (first_row >= row_limit || in->rows >= row_limit - first_row)
        return hrr_fail(err, HRR_EINVAL, "row numbers must lie below 2^56");
    return HRR_OK;
}

hrr_status hrr_feature_plan_apply(hrr_dense *out, const hrr_feature_plan *plan, const hrr_dense *in,
                                  uint64_t first_row, const hrr_random *random, int threads,
                                  hrr_progress *progress, hrr_error *err)
{
    hrr_status status = check_shapes(out, plan, in, first_row, err);
    if (status) return status;
    threads = hrr_threads(threads);
    if ((status = check_finite(in, first_row, threads, err))) return status;

    uint64_t rows_per_block = features_per_block / plan->n_features;
    if (rows_per_block < 1) rows_per_block = 1;
    if (rows_per_block > most_rows_per_block) rows_per_block = most_rows_per_block;
    row_job job = {.out = out,
                   .plan = plan,
                   .in = in,
                   .first_row = first_row,
                   .rows_per_block = rows_per_block,
                   .n_blocks = (in->rows + rows_per_block - 1) / rows_per_block,
                   .progress = progress};
    if ((uint64_t)threads > job.n_blocks) threads = job.n_blocks > 0 ? (int)job.n_blocks : 1;

    worker *workers = hrr_alloc_zero((size_t)threads, sizeof *workers);
    if (!workers) return hrr_no_memory(err);
    for (int i = 0; i < threads; i++) {
        if ((status = hrr_stream_new(&workers[i].stream, random, err))) goto done;
        if (!plan->mechanism->scratch_size) continue;
        workers[i].scratch = hrr_alloc(plan->mechanism->scratch_size(plan, rows_per_block), 1);
        if (!workers[i].scratch) {
            status = hrr_no_memory(err);
            goto done;
        }
    }
    hrr_progress_begin(progress, "randomising features", in->rows);
#pragma omp parallel for num_threads(threads) schedule(static, 1)
    for (int i = 0; i < threads; i++)
        work(&job, &workers[i]);
    status = hrr_progress_advance(progress, 0, err);
done:
    for (int i = 0; i < threads; i++) {
        hrr_stream_free(workers[i].stream);
        hrr_free(workers[i].scratch);
    }
    hrr_free(workers);
    return status;
}
