/* scores_file.c: see scores_file.h. Arrays alpha, beta, theta (d numbers each), gamma and public
 * (one number each), record (one text). */
#include "cli/scores_file.h"

#include <heterorr/io.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

hrr_status cli_scores_new(cli_scores *out, uint64_t n_features, hrr_error *err)
{
    *out = (cli_scores){.n_features = n_features};
    out->alpha = calloc(n_features, 3 * sizeof *out->alpha);
    if (!out->alpha) return hrr_fail(err, HRR_ENOMEM, "out of memory");
    out->beta = out->alpha + n_features;
    out->theta = out->beta + n_features;
    return HRR_OK;
}

void cli_scores_clear(cli_scores *scores)
{
    free(scores->alpha);
    *scores = (cli_scores){0};
}

static hrr_array vector(hrr_array_type type, size_t item_size, const void *data, uint64_t n)
{
    return (hrr_array){.type = type,
                       .item_size = item_size,
                       .n_dims = 1,
                       .shape = {n},
                       .n_items = n,
                       .data = (void *)(uintptr_t)data};
}

hrr_status cli_scores_write(const cli_scores *scores, const char *record, const char *path,
                            hrr_error *err)
{
    const uint64_t d = scores->n_features;
    const uint8_t is_public = scores->is_public;
    const hrr_array alpha = vector(HRR_ARRAY_F64, sizeof(double), scores->alpha, d);
    const hrr_array beta = vector(HRR_ARRAY_F64, sizeof(double), scores->beta, d);
    const hrr_array theta = vector(HRR_ARRAY_F64, sizeof(double), scores->theta, d);
    const hrr_array gamma = vector(HRR_ARRAY_F64, sizeof(double), &scores->gamma, 1);
    const hrr_array declared = vector(HRR_ARRAY_BOOL, 1, &is_public, 1);
    const hrr_array text = vector(HRR_ARRAY_BYTES, strlen(record), record, 1);
    const hrr_npz_item items[] = {{"alpha", &alpha}, {"beta", &beta},       {"theta", &theta},
                                  {"gamma", &gamma}, {"public", &declared}, {"record", &text}};
    return hrr_npz_write(path, items, sizeof items / sizeof *items, err);
}

static hrr_status read_numbers(double *out, hrr_npz_reader *npz, const char *name, uint64_t n,
                               const char *path, hrr_error *err)
{
    hrr_array array = {0};
    hrr_dense column = {0};
    hrr_status status = hrr_npz_read(&array, npz, name, err);
    if (!status) status = hrr_array_into_dense(&column, &array, name, err);
    if (!status && (column.rows != n || column.cols != 1))
        status = hrr_fail(
            err, HRR_EDATA,
            "%s: %s has %" PRIu64 " %s, but %" PRIu64
            " %s needed; make the scores from embeddings with as many features as the graph has",
            path, name, column.rows * column.cols,
            hrr_plural(column.rows * column.cols, "number", "numbers"), n,
            hrr_plural(n, "is", "are"));
    for (uint64_t i = 0; !status && i < n; i++)
        out[i] = hrr_dense_get(&column, i, 0);
    hrr_array_clear(&array);
    hrr_dense_clear(&column);
    return status;
}

hrr_status cli_scores_read(cli_scores *out, const char *path, uint64_t n_features, hrr_error *err)
{
    hrr_npz_reader *npz = NULL;
    double declared = 0;
    hrr_status status = cli_scores_new(out, n_features, err);
    if (status) return status;
    if ((status = hrr_npz_open(&npz, path, err))) goto done;
    if ((status = read_numbers(out->alpha, npz, "alpha", n_features, path, err))) goto done;
    if ((status = read_numbers(out->beta, npz, "beta", n_features, path, err))) goto done;
    if ((status = read_numbers(out->theta, npz, "theta", n_features, path, err))) goto done;
    if ((status = read_numbers(&out->gamma, npz, "gamma", 1, path, err))) goto done;
    if ((status = read_numbers(&declared, npz, "public", 1, path, err))) goto done;
    out->is_public = declared != 0;
done:
    if (npz) hrr_npz_close(npz);
    if (status) cli_scores_clear(out);
    return status;
}
