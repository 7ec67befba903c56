/* report_model_file.c: reports.npz: confusion (G x k) and weights (of the model, of a node's own
 * evidence, of what is one, two and four steps away). All float64. */
#include "learn/report_model.h"
#include "learn/head.h"
#include "base/memory.h"
#include "base/paths.h"
#include "io/npz.h"

#include <heterorr/io.h>

#include <sys/stat.h>

static const char file_name[] = "reports.npz";

static hrr_array as_array(const double *data, uint64_t rows, uint64_t cols)
{
    return (hrr_array){.type = HRR_ARRAY_F64,
                       .item_size = sizeof *data,
                       .n_dims = 2,
                       .shape = {rows, cols},
                       .n_items = rows * cols,
                       .data = (void *)(uintptr_t)data};
}

hrr_status hrr_report_model_write(const hrr_report_model *model, const char *directory,
                                  hrr_error *err)
{
    double weights[1 + HRR_REPORT_TERMS] = {model->weight_model};
    for (int t = 0; t < HRR_REPORT_TERMS; t++)
        weights[1 + t] = model->weight[t];
    const hrr_array arrays[] = {
        as_array(model->confusion.data, model->confusion.rows, model->confusion.cols),
        as_array(weights, 1, 1 + HRR_REPORT_TERMS)};
    const hrr_npz_item items[] = {{"confusion", &arrays[0]}, {"weights", &arrays[1]}};
    char *path = hrr_path_join(directory, file_name);
    hrr_status status = path ? hrr_npz_write(path, items, 2, err) : hrr_no_memory(err);
    hrr_free(path);
    return status;
}

/* Numbers from 0 up to `most`, in so many rows. */
static hrr_status read_numbers(hrr_dense *out, hrr_npz_reader *npz, const char *name, uint64_t rows,
                               double most, const char *path, hrr_error *err)
{
    hrr_array array = {0};
    bool good = hrr_npz_has(npz, name);
    hrr_status status = good ? hrr_npz_read(&array, npz, name, err) : HRR_OK;
    if (!status && good) status = hrr_array_into_dense(out, &array, path, err);
    hrr_array_clear(&array);
    if (status) return status;
    good = good && out->dtype == HRR_F64 && out->rows == rows && out->cols > 0;
    for (uint64_t i = 0; good && i < out->rows * out->cols; i++) {
        const double value = ((const double *)out->data)[i];
        good = value >= 0 && value <= most;
    }
    return good ? HRR_OK
                : hrr_fail(err, HRR_EDATA,
                           "%s: the array %s does not match the model; the model is damaged, train "
                           "it again",
                           path, name);
}

static hrr_status read_parts(hrr_report_model *out, const char *path, uint32_t n_classes,
                             hrr_error *err)
{
    const uint64_t rows = out->output == HRR_OUTPUT_SIGMOID ? 2 * (uint64_t)n_classes : n_classes;
    hrr_npz_reader *npz = NULL;
    hrr_dense weights = {0};
    hrr_status status = hrr_npz_open(&npz, path, err);
    if (!status) status = read_numbers(&out->confusion, npz, "confusion", rows, 1, path, err);
    if (!status) status = read_numbers(&weights, npz, "weights", 1, 1e6, path, err);
    if (!status && weights.cols != 1 + HRR_REPORT_TERMS)
        status = hrr_fail(err, HRR_EDATA,
                          "%s: there must be %d weights; the model is damaged, train it again",
                          path, 1 + HRR_REPORT_TERMS);
    if (!status) out->weight_model = ((const double *)weights.data)[0];
    for (int t = 0; t < HRR_REPORT_TERMS && !status; t++)
        out->weight[t] = ((const double *)weights.data)[1 + t];
    if (npz) hrr_npz_close(npz);
    hrr_dense_clear(&weights);
    return status;
}

hrr_status hrr_report_model_read(hrr_report_model *out, const char *directory, uint32_t n_classes,
                                 hrr_output_kind output, hrr_error *err)
{
    struct stat there;
    *out = (hrr_report_model){.output = output};
    char *path = hrr_path_join(directory, file_name);
    if (!path) return hrr_no_memory(err);
    hrr_status status = stat(path, &there) == 0 ? read_parts(out, path, n_classes, err) : HRR_OK;
    hrr_free(path);
    if (status) hrr_report_model_clear(out);
    return status;
}
