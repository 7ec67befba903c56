/* count_model_file.c: counts.npz: rate (C x blocks; of several labels a node 2 C x blocks),
 * level_share, and law: shape (0: Poisson), the weights of the model, of the counts and of
 * neighbours' counts one and two edges away. All float64. Files without the last two weights, which
 * earlier versions wrote, are read as if they were 0. */
#include "learn/count_model.h"
#include "base/memory.h"
#include "base/paths.h"
#include "io/npz.h"

#include <heterorr/io.h>

#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>

enum { n_parts = 3, n_law = 5, n_law_once = 3 };
static const char *const names[n_parts] = {"rate", "level_share", "law"};

static hrr_array reals(const double *data, uint64_t rows, uint64_t cols)
{
    hrr_array array = {.type = HRR_ARRAY_F64,
                       .item_size = sizeof(double),
                       .n_dims = cols ? 2 : 1,
                       .n_items = rows * (cols ? cols : 1),
                       .data = (void *)(uintptr_t)data};
    array.shape[0] = rows;
    array.shape[1] = cols;
    return array;
}

hrr_status hrr_count_model_write(const hrr_count_model *model, const char *directory,
                                 hrr_error *err)
{
    const double law[n_law] = {isinf(model->shape) ? 0 : model->shape, model->weight_model,
                               model->weight_counts, model->weight_spread[0],
                               model->weight_spread[1]};
    const hrr_array arrays[n_parts] = {reals(model->rate.data, model->rate.rows, model->rate.cols),
                                       reals(model->level_share, HRR_COUNT_LEVELS, 0),
                                       reals(law, n_law, 0)};
    hrr_npz_item items[n_parts];
    for (int i = 0; i < n_parts; i++)
        items[i] = (hrr_npz_item){names[i], &arrays[i]};
    char *path = hrr_path_join(directory, "counts.npz");
    hrr_status status = path ? hrr_npz_write(path, items, n_parts, err) : hrr_no_memory(err);
    hrr_free(path);
    return status;
}

/* Numbers from 0 up, in as many rows as asked for, or `or_rows`. */
static hrr_status read_reals(hrr_array *out, hrr_npz_reader *npz, const char *name, uint64_t rows,
                             uint64_t or_rows, bool two_dims, const char *path, hrr_error *err)
{
    if (!hrr_npz_has(npz, name))
        return hrr_fail(err, HRR_EDATA,
                        "%s: the array %s is missing; the model is incomplete, train it again",
                        path, name);
    hrr_status status = hrr_npz_read(out, npz, name, err);
    if (status) return status;
    bool good = out->type == HRR_ARRAY_F64 && out->n_dims == (two_dims ? 2 : 1) &&
                (out->shape[0] == rows || out->shape[0] == or_rows) &&
                out->n_items >= out->shape[0];
    for (size_t k = 0; good && k < out->n_items; k++) {
        const double value = ((const double *)out->data)[k];
        good = value >= 0 && isfinite(value);
    }
    if (good) return HRR_OK;
    return hrr_fail(err, HRR_EDATA,
                    "%s: the array %s must have %" PRIu64
                    " rows of float64 that are at least 0; the model is damaged, train it again",
                    path, name, rows);
}

static hrr_status read_parts(hrr_count_model *out, hrr_array parts[n_parts], const char *path,
                             uint64_t n_rates, hrr_error *err)
{
    const uint64_t rows[n_parts] = {n_rates, HRR_COUNT_LEVELS, n_law};
    const uint64_t or_rows[n_parts] = {n_rates, HRR_COUNT_LEVELS, n_law_once};
    hrr_npz_reader *npz = NULL;
    hrr_status status = hrr_npz_open(&npz, path, err);
    for (int i = 0; i < n_parts && !status; i++)
        status = read_reals(&parts[i], npz, names[i], rows[i], or_rows[i], i == 0, path, err);
    if (npz) hrr_npz_close(npz);
    if (!status) status = hrr_dense_init(&out->rate, HRR_F64, n_rates, parts[0].shape[1], err);
    if (status) return status;
    const double *law = parts[2].data;
    double *rate = out->rate.data;
    memcpy(rate, parts[0].data, parts[0].n_items * sizeof *rate);
    for (size_t k = 0; k < parts[0].n_items; k++)
        rate[k] = fmax(rate[k], 1e-6); /* a law of mean 0 has no logarithm */
    double shares = 0;
    memcpy(out->level_share, parts[1].data, sizeof out->level_share);
    for (int l = 0; l < HRR_COUNT_LEVELS; l++)
        shares += out->level_share[l];
    if (!(shares > 0))
        return hrr_fail(err, HRR_EDATA,
                        "%s: the array level_share is empty; the model is damaged, train it again",
                        path);
    out->shape = law[0] > 0 ? law[0] : INFINITY;
    out->weight_model = law[1];
    out->weight_counts = law[2];
    if (parts[2].n_items == n_law)
        memcpy(out->weight_spread, law + n_law_once, sizeof out->weight_spread);
    return HRR_OK;
}

hrr_status hrr_count_model_read(hrr_count_model *out, const char *directory, uint32_t n_classes,
                                hrr_output_kind output, hrr_error *err)
{
    const uint64_t n_rates = (uint64_t)n_classes * (output == HRR_OUTPUT_SIGMOID ? 2 : 1);
    hrr_array parts[n_parts] = {0};
    struct stat there;
    *out = (hrr_count_model){.output = output};
    char *path = hrr_path_join(directory, "counts.npz");
    if (!path) return hrr_no_memory(err);
    hrr_status status =
        stat(path, &there) == 0 ? read_parts(out, parts, path, n_rates, err) : HRR_OK;
    for (int i = 0; i < n_parts; i++)
        hrr_array_clear(&parts[i]);
    hrr_free(path);
    if (status) hrr_count_model_clear(out);
    return status;
}
