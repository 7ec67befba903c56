/* stream_rows.c: randomise and write block by block.
 *
 * A block is large enough to occupy all threads and small enough that a slow mechanism answers
 * Ctrl-C within a second: 2^20 outputs are 4 MB of floats, some milliseconds of FeatureRR on one
 * core and half a second of the Gaussian. Mechanisms that read more numbers than they give
 * (featurerr-projected) are measured by what they read. The plan is given no progress of its own,
 * because it would count each block from 0. */
#include "release/stream_rows.h"
#include "release/clock.h"
#include "io/npy.h"
#include "base/memory.h"
#include "base/paths.h"
#include "base/shared_file.h"

#include <sys/stat.h>

enum { numbers_per_block = 1 << 20 };

static hrr_array_type array_type(hrr_dtype dtype)
{
    return dtype == HRR_U8 ? HRR_ARRAY_U8 : dtype == HRR_F32 ? HRR_ARRAY_F32 : HRR_ARRAY_F64;
}

/* Rows [begin, begin + rows) of a matrix, without a copy. */
static hrr_dense rows_of(const hrr_dense *matrix, uint64_t begin, uint64_t rows)
{
    size_t offset = begin * matrix->cols * hrr_dtype_size(matrix->dtype);
    return (hrr_dense){.dtype = matrix->dtype,
                       .rows = rows,
                       .cols = matrix->cols,
                       .data = (char *)matrix->data + offset};
}

/* Where blocks go: a file of one process, or its part of one that ranks share. */
typedef struct sink {
    hrr_output *output;
    hrr_shared_file *part;
} sink;

static hrr_status put(const sink *to, const void *bytes, size_t size, hrr_error *err)
{
    return to->part ? hrr_shared_file_write(to->part, bytes, size, err)
                    : hrr_output_write(to->output, bytes, size, err);
}

static hrr_status write_blocks(const sink *to, hrr_dense *block, hrr_share rows,
                               const hrr_feature_plan *plan, const hrr_dense *in,
                               const hrr_random *random, int threads, hrr_ranks *ranks,
                               double *writing, hrr_progress *progress, hrr_error *err)
{
    const uint64_t rows_per_block = block->rows;
    const size_t row_size = block->cols * hrr_dtype_size(block->dtype);
    for (uint64_t begin = rows.begin; begin < rows.end; begin += block->rows) {
        uint64_t left = rows.end - begin;
        block->rows = left < rows_per_block ? left : rows_per_block;
        hrr_dense part = rows_of(in, begin, block->rows);
        hrr_status status =
            hrr_feature_plan_apply(block, plan, &part, begin, random, threads, NULL, err);
        const double began = hrr_clock();
        if (!status) status = put(to, block->data, block->rows * row_size, err);
        *writing += hrr_clock() - began;
        if (!status) status = hrr_progress_advance(progress, block->rows, err);
        if (!status) status = hrr_ranks_check(ranks, err);
        if (status) return status;
    }
    return HRR_OK;
}

/* Rank 0 makes the file with its header, in full length; every rank opens its part. */
static hrr_status open_part(sink *out, const char *path, const hrr_array *shape, hrr_share rows,
                            hrr_ranks *ranks, hrr_error *err)
{
    const size_t row_size = shape->shape[1] * shape->item_size;
    uint64_t header_size = 0;
    hrr_status status = HRR_OK;
    if (hrr_ranks_rank(ranks) == 0) {
        struct stat there;
        status = hrr_npy_begin(&out->output, path, shape, err);
        if (!status) status = hrr_output_commit(out->output, err);
        hrr_output_free(out->output);
        out->output = NULL;
        if (!status && stat(path, &there) == 0) header_size = (uint64_t)there.st_size;
        if (!status)
            status = hrr_shared_file_resize(path, header_size + shape->shape[0] * row_size, err);
    }
    status = hrr_ranks_agree(ranks, status, err);
    if (!status) status = hrr_ranks_broadcast(ranks, &header_size, sizeof header_size, 0, err);
    if (status) return status;
    return hrr_shared_file_open(&out->part, path, header_size + rows.begin * row_size, err);
}

hrr_status hrr_stream_rows(double *writing, const char *directory, const hrr_feature_plan *plan,
                           const hrr_dense *in, const hrr_random *random, int threads,
                           hrr_ranks *ranks, hrr_progress *progress, hrr_error *err)
{
    const hrr_feature_claim claim = hrr_feature_plan_claim(plan);
    const uint64_t cols = claim.n_features_out;
    const hrr_share own = hrr_ranks_own_share(ranks, in->rows);
    uint64_t rows = numbers_per_block / (cols > in->cols ? cols : in->cols);
    if (rows < 1) rows = 1;
    if (rows > in->rows) rows = in->rows;
    const hrr_array shape = {.type = array_type(claim.dtype_out),
                             .item_size = hrr_dtype_size(claim.dtype_out),
                             .n_dims = 2,
                             .shape = {in->rows, cols},
                             .n_items = in->rows * cols};
    sink to = {0};
    hrr_dense block = {0};
    char *path = hrr_path_join(directory, "features.npy");
    hrr_status status = HRR_OK;
    *writing = 0;
    if (!path) {
        status = hrr_no_memory(err);
        goto done;
    }
    if ((status = hrr_dense_init(&block, claim.dtype_out, rows, cols, err))) goto done;
    status = ranks ? open_part(&to, path, &shape, own, ranks, err)
                   : hrr_npy_begin(&to.output, path, &shape, err);
    if (status) goto done;
    hrr_progress_begin(progress, "randomising features", own.end - own.begin);
    if ((status = write_blocks(&to, &block, own, plan, in, random, threads, ranks, writing,
                               progress, err)))
        goto done;
    const double began = hrr_clock();
    status = to.part ? hrr_shared_file_sync(to.part, err) : hrr_output_commit(to.output, err);
    *writing += hrr_clock() - began;
done:
    hrr_output_free(to.output);
    hrr_shared_file_free(to.part);
    hrr_dense_clear(&block);
    hrr_free(path);
    return hrr_ranks_agree(ranks, status, err);
}
