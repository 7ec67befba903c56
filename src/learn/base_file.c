/* base_file.c: see base_file.h. */
#include "learn/base_file.h"
#include "base/memory.h"
#include "base/paths.h"
#include "io/npz.h"

#include <heterorr/io.h>

#include <inttypes.h>
#include <math.h>
#include <string.h>

static const char no_edges_name[] = "no_edges.npz";

hrr_status hrr_base_write(const hrr_public_base *base, const char *directory, hrr_error *err)
{
    double weights[HRR_N_BASE_PARTS], best = base->best;
    memcpy(weights, base->weight, sizeof weights);
    const hrr_array arrays[] = {{.type = HRR_ARRAY_F64,
                                 .item_size = sizeof(double),
                                 .n_dims = 1,
                                 .shape = {HRR_N_BASE_PARTS},
                                 .n_items = HRR_N_BASE_PARTS,
                                 .data = weights},
                                {.type = HRR_ARRAY_F64,
                                 .item_size = sizeof(double),
                                 .n_dims = 1,
                                 .shape = {1},
                                 .n_items = 1,
                                 .data = &best},
                                {.type = HRR_ARRAY_F32,
                                 .item_size = sizeof(float),
                                 .n_dims = 2,
                                 .shape = {base->free.rows, base->free.cols},
                                 .n_items = base->free.rows * base->free.cols,
                                 .data = base->free.data}};
    const hrr_npz_item items[] = {
        {"part_weights", &arrays[0]}, {"best", &arrays[1]}, {"free_scores", &arrays[2]}};
    char *path = hrr_path_join(directory, "base.npz");
    hrr_status status =
        path ? hrr_npz_write(path, items, base->free.data ? 3 : 2, err) : hrr_no_memory(err);
    if (!status && base->no_edges)
        status = hrr_weights_write(base->no_edges, directory, no_edges_name, err);
    hrr_free(path);
    return status;
}

/* ---- reading --------------------------------------------------------------------------------- */

static hrr_status damaged(const char *path, const char *name, hrr_error *err)
{
    return hrr_fail(
        err, HRR_EDATA,
        "%s: the array %s does not match the model; the model is damaged, train it again", path,
        name);
}

/* An array of finite numbers with as many rows and columns. */
static hrr_status read_array(hrr_array *out, hrr_npz_reader *npz, const char *name,
                             hrr_array_type type, uint64_t rows, uint64_t cols, const char *path,
                             hrr_error *err)
{
    if (!hrr_npz_has(npz, name))
        return hrr_fail(err, HRR_EDATA,
                        "%s: the array %s is missing; the model is incomplete, train it again",
                        path, name);
    hrr_status status = hrr_npz_read(out, npz, name, err);
    if (status) return status;
    bool good = out->type == type && out->n_dims == (cols ? 2 : 1) &&
                (!rows || out->shape[0] == rows) && (!cols || out->shape[1] == cols) &&
                out->n_items > 0;
    for (size_t k = 0; good && k < out->n_items; k++)
        good = type == HRR_ARRAY_F64 ? isfinite(((const double *)out->data)[k])
                                     : isfinite(((const float *)out->data)[k]);
    return good ? HRR_OK : damaged(path, name, err);
}

static hrr_status read_weights(hrr_public_base *out, hrr_npz_reader *npz, const char *path,
                               hrr_error *err)
{
    hrr_array weights = {0}, best = {0};
    hrr_status status =
        read_array(&weights, npz, "part_weights", HRR_ARRAY_F64, HRR_N_BASE_PARTS, 0, path, err);
    if (!status) status = read_array(&best, npz, "best", HRR_ARRAY_F64, 1, 0, path, err);
    for (int part = 0; part < HRR_N_BASE_PARTS && !status; part++) {
        out->weight[part] = ((const double *)weights.data)[part];
        if (out->weight[part] < 0) status = damaged(path, "part_weights", err);
    }
    if (!status) {
        const double number = *(const double *)best.data;
        if (number == 0 || number == 1 || number == 2)
            out->best = (hrr_base_part)number;
        else
            status = damaged(path, "best", err);
    }
    hrr_array_clear(&weights);
    hrr_array_clear(&best);
    return status;
}

static hrr_status read_free(hrr_public_base *out, hrr_npz_reader *npz, uint64_t n_classes,
                            const char *path, hrr_error *err)
{
    hrr_array array = {0};
    hrr_status status =
        read_array(&array, npz, "free_scores", HRR_ARRAY_F32, 0, n_classes, path, err);
    if (!status) status = hrr_dense_init(&out->free, HRR_F32, array.shape[0], n_classes, err);
    if (!status) memcpy(out->free.data, array.data, array.n_items * sizeof(float));
    hrr_array_clear(&array);
    return status;
}

/* It has the shape of the network beside it, without edges. */
static hrr_status read_no_edges(hrr_model **out, const hrr_model *beside, const char *directory,
                                hrr_error *err)
{
    hrr_model_shape shape = beside->shape;
    shape.arch = HRR_ARCH_MLP;
    shape.n_propagate = 0;
    hrr_status status = hrr_model_new(out, &shape, err);
    if (!status)
        status = hrr_weights_read(*out, beside->standards != NULL, directory, no_edges_name, err);
    return status;
}

hrr_status hrr_base_read(hrr_public_base *out, const hrr_model *beside, const char *directory,
                         hrr_error *err)
{
    hrr_npz_reader *npz = NULL;
    *out = (hrr_public_base){.output = beside->shape.output};
    for (int part = 0; part < HRR_N_BASE_PARTS; part++)
        out->valid_loss[part] = NAN; /* not remembered */
    char *path = hrr_path_join(directory, "base.npz");
    hrr_status status = path ? hrr_npz_open(&npz, path, err) : hrr_no_memory(err);
    if (!status) status = read_weights(out, npz, path, err);
    if (!status && hrr_base_needs(out, HRR_BASE_FREE))
        status = read_free(out, npz, beside->shape.n_classes, path, err);
    if (!status && hrr_base_needs(out, HRR_BASE_NO_EDGES))
        status = read_no_edges(&out->no_edges, beside, directory, err);
    if (npz) hrr_npz_close(npz);
    hrr_free(path);
    if (status) hrr_public_base_clear(out);
    return status;
}
