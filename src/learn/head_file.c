/* head_file.c: heads in files: an .npz of weight (d x C), bias (C) and, for a hidden layer,
 * hidden_weight (d x h) and hidden_bias (h), or an .npy that is the weight alone. An .npz may say
 * what its outputs are (output: 0 softmax, 1 sigmoid) and what each label is worth (shares, C). A
 * framework's weights become one with numpy.savez(path, weight=..., bias=...) (PyTorch stores the
 * transpose). */
#include "learn/head.h"

#include <heterorr/io.h>

#include "base/memory.h"
#include "io/npz.h"
#include "matrix/dense.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A matrix of finite doubles out of an array, which is left empty. */
static hrr_status take_matrix(hrr_dense *out, hrr_array *array, const char *what, hrr_error *err)
{
    hrr_dense matrix = {0};
    hrr_status status = hrr_array_into_dense(&matrix, array, what, err);
    if (status) goto done;
    if (matrix.rows == 0 || matrix.cols == 0) {
        status = hrr_fail(err, HRR_EDATA, "%s: is empty", what);
        goto done;
    }
    if ((status = hrr_check_finite(&matrix, what, err))) goto done;
    status = hrr_dense_convert(out, &matrix, HRR_F64, err);
done:
    hrr_dense_clear(&matrix);
    return status;
}

static hrr_status read_matrix(hrr_dense *out, hrr_npz_reader *npz, const char *path,
                              const char *name, hrr_error *err)
{
    hrr_array array = {0};
    hrr_status status = HRR_OK;
    char *what = hrr_format_text("%s: %s", path, name);
    if (!what) return hrr_no_memory(err);
    if (!hrr_npz_has(npz, name)) {
        status = hrr_fail(err, HRR_EDATA,
                          "%s: the array %s is missing; a head has the arrays weight and bias, and "
                          "with a hidden layer also hidden_weight and hidden_bias",
                          path, name);
        goto done;
    }
    if ((status = hrr_npz_read(&array, npz, name, err))) goto done;
    if (array.n_dims == 0) array.n_dims = 1, array.shape[0] = 1; /* numpy.savez(output=1) */
    status = take_matrix(out, &array, what, err);
done:
    hrr_array_clear(&array);
    hrr_free(what);
    return status;
}

/* A bias is C numbers, in any of the shapes that frameworks give it. */
static hrr_status shape_bias(hrr_dense *bias, uint64_t count, const char *path, const char *name,
                             hrr_error *err)
{
    if (bias->rows * bias->cols != count || (bias->rows != 1 && bias->cols != 1))
        return hrr_fail(err, HRR_EDATA,
                        "%s: %s is %" PRIu64 " x %" PRIu64 ", but the weight has %" PRIu64
                        " columns; give one number per column",
                        path, name, bias->rows, bias->cols, count);
    bias->rows = 1;
    bias->cols = count;
    return HRR_OK;
}

/* What its outputs are, where the file says it. */
static hrr_status read_output(hrr_output_kind *output, hrr_npz_reader *npz, const char *path,
                              hrr_error *err)
{
    hrr_dense kind = {0};
    if (!hrr_npz_has(npz, "output")) return HRR_OK;
    hrr_status status = read_matrix(&kind, npz, path, "output", err);
    const double value = status ? 0 : *(const double *)kind.data;
    if (!status && (kind.rows * kind.cols != 1 || (value != 0 && value != 1)))
        status = hrr_fail(err, HRR_EDATA,
                          "%s: output must be 0 (softmax) or 1 (sigmoid for each label)", path);
    if (!status) *output = value == 1 ? HRR_OUTPUT_SIGMOID : HRR_OUTPUT_SOFTMAX;
    hrr_dense_clear(&kind);
    return status;
}

static hrr_status read_shares(hrr_head *head, hrr_npz_reader *npz, const char *path, hrr_error *err)
{
    if (!hrr_npz_has(npz, "shares")) return HRR_OK;
    hrr_status status = read_matrix(&head->shares, npz, path, "shares", err);
    return status ? status : shape_bias(&head->shares, head->weight.cols, path, "shares", err);
}

static hrr_status read_npz(hrr_head *head, hrr_npz_reader *npz, const char *path, hrr_error *err)
{
    hrr_status status = read_matrix(&head->weight, npz, path, "weight", err);
    if (status || (status = read_matrix(&head->bias, npz, path, "bias", err)) ||
        (status = shape_bias(&head->bias, head->weight.cols, path, "bias", err)) ||
        (status = read_output(&head->output, npz, path, err)) ||
        (status = read_shares(head, npz, path, err)))
        return status;
    if (!hrr_npz_has(npz, "hidden_weight") && !hrr_npz_has(npz, "hidden_bias")) return HRR_OK;
    if ((status = read_matrix(&head->hidden_weight, npz, path, "hidden_weight", err)) ||
        (status = read_matrix(&head->hidden_bias, npz, path, "hidden_bias", err)) ||
        (status =
             shape_bias(&head->hidden_bias, head->hidden_weight.cols, path, "hidden_bias", err)))
        return status;
    if (head->hidden_weight.cols != head->weight.rows)
        return hrr_fail(
            err, HRR_EDATA,
            "%s: hidden_weight has %" PRIu64 " columns, but weight has %" PRIu64
            " rows; both must be the number of hidden units. One of them may be transposed",
            path, head->hidden_weight.cols, head->weight.rows);
    return HRR_OK;
}

static hrr_status read_npy(hrr_head *head, const char *path, hrr_error *err)
{
    hrr_array array = {0};
    hrr_status status = hrr_array_read(&array, path, err);
    if (status) return status;
    status = take_matrix(&head->weight, &array, path, err);
    hrr_array_clear(&array);
    if (status) return status;
    return hrr_dense_init(&head->bias, HRR_F64, 1, head->weight.cols, err);
}

hrr_status hrr_head_read(hrr_head *out, const char *path, hrr_output_kind output, hrr_error *err)
{
    hrr_head made = {.output = output};
    hrr_npz_reader *npz = NULL;
    hrr_status status = HRR_OK;
    *out = (hrr_head){0};
    size_t length = strlen(path);
    if (length >= 4 && strcmp(path + length - 4, ".npy") == 0) {
        if ((status = read_npy(&made, path, err))) goto done;
    } else {
        if ((status = hrr_npz_open(&npz, path, err))) goto done;
        if ((status = read_npz(&made, npz, path, err))) goto done;
    }
    *out = made;
    made = (hrr_head){0};
done:
    if (npz) hrr_npz_close(npz);
    hrr_head_clear(&made);
    return status;
}

static hrr_array as_array(const hrr_dense *matrix, int n_dims)
{
    return (hrr_array){
        .type = HRR_ARRAY_F64,
        .item_size = sizeof(double),
        .n_dims = n_dims,
        .shape = {n_dims == 2 ? matrix->rows : matrix->cols, n_dims == 2 ? matrix->cols : 0},
        .n_items = matrix->rows * matrix->cols,
        .data = matrix->data,
    };
}

hrr_status hrr_head_write(const hrr_head *head, const char *path, hrr_error *err)
{
    const double kind = head->output == HRR_OUTPUT_SIGMOID;
    const hrr_dense output = hrr_f64_view(&kind, 1, 1);
    const struct {
        const char *name;
        const hrr_dense *matrix;
        int n_dims;
    } parts[] = {{"weight", &head->weight, 2},
                 {"bias", &head->bias, 1},
                 {"output", &output, 1},
                 {"hidden_weight", &head->hidden_weight, 2},
                 {"hidden_bias", &head->hidden_bias, 1},
                 {"shares", &head->shares, 1}};
    enum { n_parts = sizeof parts / sizeof *parts };
    hrr_array arrays[n_parts];
    hrr_npz_item items[n_parts];
    size_t n = 0;
    for (size_t i = 0; i < n_parts; i++) {
        if (!parts[i].matrix->data) continue;
        arrays[n] = as_array(parts[i].matrix, parts[i].n_dims);
        items[n] = (hrr_npz_item){parts[i].name, &arrays[n]};
        n++;
    }
    return hrr_npz_write(path, items, n, err);
}
