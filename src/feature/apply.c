/* apply.c: the one road that private features take through any mechanism.
 *
 * Rows are cut into blocks that threads take one by one; each row has its own random stream, so
 * neither the cut nor the threads show in the result. A block is looked through for values that are
 * not finite before any of it is randomised, while the cache holds it; one such value anywhere and
 * the whole call fails, and what other blocks became is wiped.
 *
 * Workload: thousands to millions of rows of tens to thousands of features. */
#include "feature/mechanism.h"
#include "feature/finite.h"
#include "matrix/dense.h"
#include "base/memory.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

/* ---- reading private rows ------------------------------------------------------------------ */

double hrr_feature_unit(const hrr_feature_plan *plan, const hrr_dense *in, uint64_t row,
                        uint64_t col)
{
    return hrr_clip_unit((hrr_dense_get(in, row, col) - plan->lo[col]) * plan->scale[col]);
}

void hrr_feature_unit_row(double *unit, const hrr_feature_plan *plan, const hrr_dense *in,
                          uint64_t row)
{
    const uint64_t n = plan->n_features;
    const double *lo = plan->lo, *scale = plan->scale;
    hrr_row_as_f64(unit, in, row);
    for (uint64_t i = 0; i < n; i++)
        unit[i] = hrr_clip_unit((unit[i] - lo[i]) * scale[i]);
}

bool hrr_feature_row_is_finite(const hrr_dense *in, uint64_t row)
{
    switch (in->dtype) {
    case HRR_U8:
        break;
    case HRR_F32:
        return hrr_all_finite_f32((const float *)in->data + row * in->cols, in->cols);
    case HRR_F64:
        return hrr_all_finite_f64((const double *)in->data + row * in->cols, in->cols);
    }
    return true;
}

/* Some row is not finite: which is the first, whatever the threads, so that the message does not
 * vary? */
static hrr_status name_the_value(const hrr_dense *in, uint64_t first_row, hrr_error *err)
{
    uint64_t row = 0, col = 0;
    while (row + 1 < in->rows && hrr_feature_row_is_finite(in, row))
        row++;
    while (col + 1 < in->cols && isfinite(hrr_dense_get(in, row, col)))
        col++;
    return hrr_fail(err, HRR_EDATA, "row %llu, column %llu of the features is not a finite number",
                    (unsigned long long)(first_row + row), (unsigned long long)col);
}

/* ---- applying ------------------------------------------------------------------------------- */

enum {
    /* A fraction of a millisecond: often enough for progress. Half a megabyte of random words: the
     * second cache holds them next to the tables of 2,048 features. */
    features_per_block = 65536,
    most_rows_per_block = 4096
};

typedef struct row_job {
    hrr_dense *out;
    const hrr_feature_plan *plan;
    const hrr_dense *in;
    uint64_t first_row, rows_per_block, n_blocks;
    atomic_uint_fast64_t next_block;
    atomic_bool not_finite; /* a value that is not was seen: all stop */
    hrr_progress *progress;
} row_job;

typedef struct worker {
    hrr_stream *stream;
    void *scratch;
} worker;

/* False if a value is not finite. */
static bool randomise(const row_job *job, const worker *self, uint64_t begin, uint64_t end)
{
    const hrr_feature_method *mechanism = job->plan->mechanism;
    if (mechanism->randomise_finite)
        return mechanism->randomise_finite(job->out, job->plan, job->in, begin, end, job->first_row,
                                           self->stream, self->scratch);
    bool finite = true;
    for (uint64_t row = begin; row < end; row++)
        finite &= hrr_feature_row_is_finite(job->in, row);
    if (finite)
        mechanism->randomise(job->out, job->plan, job->in, begin, end, job->first_row, self->stream,
                             self->scratch);
    return finite;
}

static void work(row_job *job, worker *self)
{
    for (;;) {
        uint64_t block = atomic_fetch_add(&job->next_block, 1);
        if (block >= job->n_blocks) return;
        uint64_t begin = block * job->rows_per_block, end = begin + job->rows_per_block;
        if (end > job->in->rows) end = job->in->rows;
        if (hrr_progress_cancelled(job->progress)) return;
        if (!randomise(job, self, begin, end)) atomic_store(&job->not_finite, true);
        if (atomic_load(&job->not_finite)) return;
        if (hrr_progress_advance(job->progress, end - begin, NULL)) return;
    }
}

static hrr_status check_shapes(const hrr_dense *out, const hrr_feature_plan *plan,
                               const hrr_dense *in, uint64_t first_row, hrr_error *err)
{
    const hrr_feature_claim *claim = &plan->claim;
    if (in->cols != plan->n_features)
        return hrr_fail(err, HRR_EINVAL,
                        "the plan was made for %llu features, but the rows have %llu",
                        (unsigned long long)plan->n_features, (unsigned long long)in->cols);
    if (out->rows != in->rows || out->cols != claim->n_features_out ||
        out->dtype != claim->dtype_out)
        return hrr_fail(err, HRR_EINVAL, "the output must be a matrix of %llu x %llu of type %s",
                        (unsigned long long)in->rows, (unsigned long long)claim->n_features_out,
                        hrr_dtype_name(claim->dtype_out));
    const uint64_t row_limit = (uint64_t)1 << 56; /* of a random stream */
    if (first_row >= row_limit || in->rows >= row_limit - first_row)
        return hrr_fail(err, HRR_EINVAL, "row numbers must be below 2^56");
    return HRR_OK;
}

hrr_status hrr_feature_plan_apply(hrr_dense *out, const hrr_feature_plan *plan, const hrr_dense *in,
                                  uint64_t first_row, const hrr_random *random, int threads,
                                  hrr_progress *progress, hrr_error *err)
{
    hrr_status status = check_shapes(out, plan, in, first_row, err);
    if (status) return status;
    threads = hrr_threads(threads);

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
    if (atomic_load(&job.not_finite)) status = name_the_value(in, first_row, err);
    if (status) memset(out->data, 0, out->rows * out->cols * hrr_dtype_size(out->dtype));
done:
    for (int i = 0; i < threads; i++) {
        hrr_stream_free(workers[i].stream);
        hrr_free(workers[i].scratch);
    }
    hrr_free(workers);
    return status;
}
