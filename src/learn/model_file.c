/* model_file.c: a model as a directory: weights.npz with weight_0, bias_0, weight_1, ... (n_in x
 * n_out, so that numpy computes A @ H @ weight + bias), and model.json with the shape and whatever
 * the writer wants remembered about the training. A model whose counts join more than one network
 * has format version 2 and what base_file.h says beside them; others are still written as version
 * 1, which older programs read. */
#include "learn/base_file.h"
#include "learn/count_model.h"
#include "learn/model.h"
#include "base/memory.h"
#include "base/paths.h"
#include "io/json_write.h"
#include "io/npz.h"

#include <heterorr/io.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { plain_version = 1, version_with_base = 2, name_size = 24 };

static const char weights_name[] = "weights.npz";
static const char standards_name[] = "standards"; /* means, then factors, of the features */

static const char *const arch_names[] = {"gcn", "mlp", "sign"};   /* by hrr_arch */
static const char *const output_names[] = {"softmax", "sigmoid"}; /* by hrr_output_kind */
static const char *const norm_names[] = {"none", "symmetric", "mean",
                                         "first-order"}; /* by hrr_normalisation */

/* ---- writing ----------------------------------------------------------------------------------
 */

hrr_status hrr_weights_write(const hrr_model *model, const char *directory, const char *file,
                             hrr_error *err)
{
    static const char *const kinds[] = {"weight", "bias"};
    hrr_array arrays[2 * HRR_MOST_LAYERS + 1];
    char names[2 * HRR_MOST_LAYERS][name_size];
    hrr_npz_item items[2 * HRR_MOST_LAYERS + 1];
    size_t count = 0;
    for (uint32_t i = 0; i < model->shape.n_layers; i++) {
        const hrr_dense parts[] = {hrr_model_weight(model, i), hrr_model_bias(model, i)};
        for (int k = 0; k < (model->shape.bias ? 2 : 1); k++, count++) {
            snprintf(names[count], name_size, "%s_%" PRIu32, kinds[k], i);
            arrays[count] = (hrr_array){.type = HRR_ARRAY_F32,
                                        .item_size = sizeof(float),
                                        .n_dims = k ? 1 : 2,
                                        .n_items = parts[k].rows * parts[k].cols,
                                        .data = parts[k].data};
            arrays[count].shape[0] = k ? parts[k].cols : parts[k].rows;
            arrays[count].shape[1] = k ? 0 : parts[k].cols;
            items[count] = (hrr_npz_item){names[count], &arrays[count]};
        }
    }
    if (model->standards) {
        arrays[count] = (hrr_array){.type = HRR_ARRAY_F32,
                                    .item_size = sizeof(float),
                                    .n_dims = 2,
                                    .shape = {2, model->shape.n_features},
                                    .n_items = 2 * model->shape.n_features,
                                    .data = model->standards};
        items[count] = (hrr_npz_item){standards_name, &arrays[count]};
        count++;
    }
    char *path = hrr_path_join(directory, file);
    hrr_status status = path ? hrr_npz_write(path, items, count, err) : hrr_no_memory(err);
    hrr_free(path);
    return status;
}

static json_t *provenance_json(const hrr_model *model)
{
    return json_pack("{s:b, s:o, s:b, s:s?, s:s*}", "released", model->released, "epsilon",
                     model->is_private ? json_null() : json_string("infinity"), "private",
                     model->is_private, "statement", model->statement, "release_sha256",
                     model->release_id[0] ? model->release_id : NULL);
}

/* The writer's own record, and what the model was trained on. */
static hrr_status training_json(json_t **out, const hrr_model *model, const char *record,
                                hrr_error *err)
{
    json_error_t wrong = {.text = "it is not an object"};
    *out = record ? json_loads(record, JSON_REJECT_DUPLICATES, &wrong) : json_object();
    if (record && !json_is_object(*out)) {
        json_decref(*out);
        return hrr_fail(err, HRR_EINVAL, "the record of a model is not a JSON object: %s",
                        wrong.text);
    }
    if (json_object_set_new(*out, "provenance", provenance_json(model)) == 0) return HRR_OK;
    json_decref(*out);
    return hrr_no_memory(err);
}

static hrr_status write_json(const hrr_model *model, const char *record, const char *directory,
                             hrr_error *err)
{
    const hrr_model_shape *shape = &model->shape;
    json_t *training;
    hrr_status status = training_json(&training, model, record, err);
    if (status) return status;
    json_t *json = json_pack(
        "{s:s, s:i, s:o, s:s, s:s, s:I, s:I, s:I, s:I, s:s, s:b, s:I, s:b, s:b, s:b, s:o*, s:o}",
        "kind", "heterorr model", "format_version",
        hrr_public_base_is_more(&model->base) ? version_with_base : plain_version, "written_by",
        json_sprintf("heterorr %s", hrr_version()), "arch", arch_names[shape->arch],
        "normalisation", norm_names[shape->arch != HRR_ARCH_MLP ? shape->normalisation : 0],
        "layers", (json_int_t)shape->n_layers, "hidden", (json_int_t)shape->n_hidden, "features",
        (json_int_t)shape->n_features, "classes", (json_int_t)shape->n_classes, "output",
        output_names[shape->output], "bias", shape->bias, "propagate",
        (json_int_t)shape->n_propagate, "node_rows", shape->node_rows, "standardised",
        model->standards != NULL, "non_private", !model->is_private, "epsilon",
        model->is_private ? NULL : json_string("infinity"), "training", training);
    status = hrr_json_write(json, directory, "model.json", err);
    json_decref(json);
    return status;
}

static const hrr_dir_kind model_directory = {
    .what = "model", .file = "model.json", .text = "\"heterorr model\""};

hrr_status hrr_model_write(const hrr_model *model, const char *record, const char *path,
                           bool replace, hrr_error *err)
{
    hrr_output_dir *dir = NULL;
    hrr_status status = hrr_output_dir_open(&dir, path, &model_directory, replace, err);
    if (!status) status = hrr_weights_write(model, hrr_output_dir_staging(dir), weights_name, err);
    if (!status && hrr_public_base_is_more(&model->base))
        status = hrr_base_write(&model->base, hrr_output_dir_staging(dir), err);
    if (!status && hrr_model_counts(model))
        status = hrr_count_model_write(&model->counts, hrr_output_dir_staging(dir), err);
    if (!status && model->reports.confusion.data)
        status = hrr_report_model_write(&model->reports, hrr_output_dir_staging(dir), err);
    if (!status) status = write_json(model, record, hrr_output_dir_staging(dir), err);
    if (!status) status = hrr_output_dir_commit(dir, err);
    hrr_output_dir_free(dir);
    return status;
}

/* ---- reading ----------------------------------------------------------------------------------
 */

static hrr_status count_of(uint64_t *out, const json_t *json, const char *key, uint64_t most,
                           const char *path, hrr_error *err)
{
    const json_t *value = json_object_get(json, key);
    if (!json_is_integer(value) || json_integer_value(value) < 0 ||
        (uint64_t)json_integer_value(value) > most)
        return hrr_fail(err, HRR_EDATA,
                        "%s: %s is missing, or is not a whole number up to %" PRIu64, path, key,
                        most);
    *out = (uint64_t)json_integer_value(value);
    return HRR_OK;
}

static hrr_status choice_of(int *out, const json_t *json, const char *key, const char *const *names,
                            int n_names, const char *path, hrr_error *err)
{
    const char *text = json_string_value(json_object_get(json, key));
    for (*out = 0; text && *out < n_names; (*out)++)
        if (strcmp(text, names[*out]) == 0) return HRR_OK;
    return hrr_fail(err, HRR_EDATA,
                    "%s: %s is missing, or has a value that this program does not know", path, key);
}

static hrr_status read_version(uint64_t *version, const json_t *json, const char *path,
                               hrr_error *err)
{
    hrr_status status = count_of(version, json, "format_version", UINT32_MAX, path, err);
    if (status || *version == plain_version || *version == version_with_base) return status;
    return hrr_fail(err, HRR_EDATA,
                    "%s: has format version %" PRIu64
                    ", but this program reads versions %d and %d; use a newer heterorr",
                    path, *version, plain_version, version_with_base);
}

static hrr_status read_shape(hrr_model_shape *shape, const json_t *json, const char *path,
                             hrr_error *err)
{
    uint64_t layers = 0, hidden = 0, classes = 0, propagate = 0;
    int arch = 0, norm = 0, output = 0;
    hrr_status status = choice_of(&arch, json, "arch", arch_names, 3, path, err);
    if (!status) status = choice_of(&norm, json, "normalisation", norm_names, 4, path, err);
    if (!status) status = choice_of(&output, json, "output", output_names, 2, path, err);
    if (!status) status = count_of(&layers, json, "layers", HRR_MOST_LAYERS, path, err);
    if (!status) status = count_of(&hidden, json, "hidden", HRR_MOST_HIDDEN, path, err);
    if (!status) status = count_of(&shape->n_features, json, "features", UINT32_MAX, path, err);
    if (!status) status = count_of(&classes, json, "classes", UINT32_MAX, path, err);
    if (!status) status = count_of(&propagate, json, "propagate", HRR_MOST_PROPAGATE, path, err);
    if (!status && arch != HRR_ARCH_MLP && norm == HRR_NORMALISE_NONE)
        status = hrr_fail(err, HRR_EDATA, "%s: a %s has a normalisation", path, arch_names[arch]);
    if (status) return status;
    shape->arch = (hrr_arch)arch;
    shape->normalisation = (hrr_normalisation)norm;
    shape->output = (hrr_output_kind)output;
    shape->n_layers = (uint32_t)layers;
    shape->n_hidden = (uint32_t)hidden;
    shape->n_classes = (uint32_t)classes;
    shape->n_propagate = (uint32_t)propagate;
    shape->bias = json_is_true(json_object_get(json, "bias"));
    shape->node_rows = json_is_true(json_object_get(json, "node_rows"));
    return HRR_OK;
}

/* One array, which must have the shape that model.json promises. */
static hrr_status read_part(float *to, uint64_t rows, uint64_t cols, hrr_npz_reader *npz,
                            const char *name, const char *path, hrr_error *err)
{
    hrr_array array = {0};
    if (!hrr_npz_has(npz, name))
        return hrr_fail(err, HRR_EDATA,
                        "%s: the array %s is missing; the model is incomplete, train it again",
                        path, name);
    hrr_status status = hrr_npz_read(&array, npz, name, err);
    if (status) return status;
    const uint64_t shape[2] = {array.n_dims == 2 ? array.shape[0] : 1,
                               array.n_dims == 2 ? array.shape[1] : array.shape[0]};
    if (array.type != HRR_ARRAY_F32 || array.n_dims < 1 || array.n_dims > 2 || shape[0] != rows ||
        shape[1] != cols) {
        status =
            hrr_fail(err, HRR_EDATA,
                     "%s: %s is not %" PRIu64 " x %" PRIu64
                     " of float32 as model.json states; the two files belong to different models",
                     path, name, rows, cols);
    } else {
        memcpy(to, array.data, rows * cols * sizeof *to);
        for (uint64_t k = 0; k < rows * cols && !status; k++)
            if (!isfinite(to[k]))
                status = hrr_fail(err, HRR_EDATA, "%s: %s contains a value that is not finite",
                                  path, name);
    }
    hrr_array_clear(&array);
    return status;
}

hrr_status hrr_weights_read(hrr_model *model, bool standardised, const char *directory,
                            const char *file, hrr_error *err)
{
    hrr_npz_reader *npz = NULL;
    char *path = hrr_path_join(directory, file);
    hrr_status status = path ? hrr_npz_open(&npz, path, err) : hrr_no_memory(err);
    for (uint32_t i = 0; i < model->shape.n_layers && !status; i++) {
        const hrr_layer *l = &model->layers[i];
        char weight[name_size], bias[name_size];
        snprintf(weight, sizeof weight, "weight_%" PRIu32, i);
        snprintf(bias, sizeof bias, "bias_%" PRIu32, i);
        status =
            read_part(model->parameters + l->weight_at, l->n_in, l->n_out, npz, weight, path, err);
        if (!status && model->shape.bias)
            status = read_part(model->parameters + l->bias_at, 1, l->n_out, npz, bias, path, err);
    }
    if (!status && standardised) {
        const uint64_t d = model->shape.n_features;
        model->standards = hrr_alloc(2 * d, sizeof *model->standards);
        status = model->standards
                     ? read_part(model->standards, 2, d, npz, standards_name, path, err)
                     : hrr_no_memory(err);
    }
    if (npz) hrr_npz_close(npz);
    hrr_free(path);
    return status;
}

/* A model that says nothing, or says two things, is not private. */
static hrr_status read_provenance(hrr_model *model, const json_t *json, hrr_error *err)
{
    const json_t *said = json_object_get(json_object_get(json, "training"), "provenance");
    const char *statement = json_string_value(json_object_get(said, "statement"));
    model->released = json_is_true(json_object_get(said, "released"));
    model->is_private = json_is_true(json_object_get(said, "private")) &&
                        json_is_false(json_object_get(json, "non_private"));
    const char *id = json_string_value(json_object_get(said, "release_sha256"));
    if (id && strlen(id) == sizeof model->release_id - 1) strcpy(model->release_id, id);
    if (!statement) return HRR_OK;
    model->statement = hrr_copy_text(statement);
    return model->statement ? HRR_OK : hrr_no_memory(err);
}

static hrr_status load_json(json_t **out, const char *path, hrr_error *err)
{
    json_error_t wrong;
    *out = json_load_file(path, JSON_REJECT_DUPLICATES, &wrong);
    if (*out) return HRR_OK;
    if (json_error_code(&wrong) == json_error_cannot_open_file)
        return hrr_fail(err, HRR_EIO,
                        "%s: cannot be read; check that this is the directory of a model", path);
    return hrr_fail(err, HRR_EDATA, "%s:%d: is not JSON: %s", path, wrong.line, wrong.text);
}

hrr_status hrr_model_read(hrr_model **out, const char *path, hrr_error *err)
{
    hrr_model *model = NULL;
    hrr_model_shape shape = {0};
    uint64_t version = 0;
    json_t *json = NULL;
    *out = NULL;
    char *json_path = hrr_path_join(path, "model.json");
    hrr_status status = json_path ? load_json(&json, json_path, err) : hrr_no_memory(err);
    if (status) goto done;
    if ((status = read_version(&version, json, json_path, err))) goto done;
    if ((status = read_shape(&shape, json, json_path, err))) goto done;
    if ((status = hrr_model_new(&model, &shape, err))) {
        if (status == HRR_EINVAL)
            status = hrr_fail(
                err, HRR_EDATA,
                "%s: the stated sizes are impossible; the model is damaged, train it again",
                json_path);
        goto done;
    }
    const bool standardised = json_is_true(json_object_get(json, "standardised"));
    if ((status = hrr_weights_read(model, standardised, path, weights_name, err))) goto done;
    if (version == version_with_base && (status = hrr_base_read(&model->base, model, path, err)))
        goto done;
    if ((status = hrr_count_model_read(&model->counts, path, shape.n_classes, shape.output, err)))
        goto done;
    if ((status = hrr_report_model_read(&model->reports, path, shape.n_classes, shape.output, err)))
        goto done;
    if ((status = read_provenance(model, json, err))) goto done;
    *out = model;
    model = NULL;
done:
    hrr_model_free(model);
    json_decref(json);
    hrr_free(json_path);
    return status;
}
