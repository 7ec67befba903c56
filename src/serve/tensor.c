/* tensor.c: see tensor.h. Sizes are checked before memory is taken: a shape may say anything, so
 * that room is made for as many elements as the body has, never for as many as the shape claims. */
#include "serve/tensor.h"
#include "serve/json_lists.h"
#include "base/memory.h"
#include "base/size.h"

#include <endian.h>
#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <string.h>

static const hrr_datatype datatypes[] = {
    {"BOOL", HRR_TENSOR_INTEGERS, 1, false, 0, 1},
    {"UINT8", HRR_TENSOR_INTEGERS, 1, false, 0, UINT8_MAX},
    {"UINT16", HRR_TENSOR_INTEGERS, 2, false, 0, UINT16_MAX},
    {"UINT32", HRR_TENSOR_INTEGERS, 4, false, 0, UINT32_MAX},
    {"UINT64", HRR_TENSOR_INTEGERS, 8, false, 0, INT64_MAX},
    {"INT8", HRR_TENSOR_INTEGERS, 1, true, INT8_MIN, INT8_MAX},
    {"INT16", HRR_TENSOR_INTEGERS, 2, true, INT16_MIN, INT16_MAX},
    {"INT32", HRR_TENSOR_INTEGERS, 4, true, INT32_MIN, INT32_MAX},
    {"INT64", HRR_TENSOR_INTEGERS, 8, true, INT64_MIN, INT64_MAX},
    {"FP32", HRR_TENSOR_REALS, 4, true, 0, 0},
    {"FP64", HRR_TENSOR_REALS, 8, true, 0, 0},
    {"BYTES", HRR_TENSOR_TEXTS, 0, false, 0, 0},
};

static const hrr_datatype *find_datatype(const char *name)
{
    for (size_t i = 0; i < sizeof datatypes / sizeof datatypes[0]; i++)
        if (strcmp(datatypes[i].name, name) == 0) return &datatypes[i];
    return NULL;
}

static void clear_tensor(hrr_tensor *tensor)
{
    hrr_free(tensor->integers);
    hrr_free(tensor->reals);
    hrr_free(tensor->text);
    hrr_free(tensor->text_start);
    *tensor = (hrr_tensor){0};
}

void hrr_infer_request_clear(hrr_infer_request *request)
{
    for (uint32_t i = 0; i < request->n_inputs; i++)
        clear_tensor(&request->inputs[i]);
    *request = (hrr_infer_request){0};
}

const hrr_tensor *hrr_infer_input(const hrr_infer_request *request, const char *name)
{
    for (uint32_t i = 0; i < request->n_inputs; i++)
        if (strcmp(request->inputs[i].name, name) == 0) return &request->inputs[i];
    return NULL;
}

/* ---- room ------------------------------------------------------------------------------------ */

/* For n elements, n being what the body has room for. text_size: of all texts, NULs included. */
static hrr_status make_room(hrr_tensor *tensor, size_t text_size, hrr_error *err)
{
    switch (tensor->type->kind) {
    case HRR_TENSOR_INTEGERS:
        tensor->integers = hrr_alloc(tensor->n, sizeof *tensor->integers);
        return tensor->integers ? HRR_OK : hrr_no_memory(err);
    case HRR_TENSOR_REALS:
        tensor->reals = hrr_alloc(tensor->n, sizeof *tensor->reals);
        return tensor->reals ? HRR_OK : hrr_no_memory(err);
    case HRR_TENSOR_TEXTS:
        break;
    }
    tensor->text = hrr_alloc(text_size, 1);
    tensor->text_start = hrr_alloc(tensor->n, sizeof *tensor->text_start);
    return tensor->text && tensor->text_start ? HRR_OK : hrr_no_memory(err);
}

static hrr_status wrong_count(const hrr_tensor *tensor, const char *is, hrr_error *err)
{
    return hrr_fail(err, HRR_EINVAL,
                    "input '%s' has %s elements than the %" PRIu64 " that its shape states",
                    tensor->name, is, tensor->n);
}

static hrr_status wrong_element(const hrr_tensor *tensor, uint64_t i, hrr_error *err)
{
    return hrr_fail(err, HRR_EINVAL, "element %" PRIu64 " of input '%s' is not of type %s", i,
                    tensor->name, tensor->type->name);
}

/* ---- elements in JSON ------------------------------------------------------------------------ */

/* Elements as they stand, or nested as the shape is. */
static bool count_elements(const json_t *data, uint32_t depth, uint64_t *n, size_t *text_size)
{
    size_t i;
    const json_t *item;
    if (depth > HRR_TENSOR_DIMS) return false;
    json_array_foreach(data, i, item)
    {
        if (json_is_array(item)) {
            if (!count_elements(item, depth + 1, n, text_size)) return false;
        } else {
            ++*n;
            *text_size += json_string_length(item) + 1;
        }
    }
    return true;
}

static bool fits_integer(const hrr_datatype *type, int64_t value)
{
    return value >= type->least && value <= type->most;
}

typedef struct filling {
    hrr_tensor *tensor;
    uint64_t at;
    size_t text_at;
} filling;

static hrr_status put_element(filling *to, const json_t *item, hrr_error *err)
{
    hrr_tensor *tensor = to->tensor;
    const hrr_datatype *type = tensor->type;
    const uint64_t at = to->at++;
    if (type->kind == HRR_TENSOR_TEXTS && json_is_string(item)) {
        const size_t length = json_string_length(item);
        if (strlen(json_string_value(item)) == length) {
            memcpy(tensor->text + to->text_at, json_string_value(item), length + 1);
            tensor->text_start[at] = to->text_at;
            to->text_at += length + 1;
            return HRR_OK;
        }
    }
    if (type->kind == HRR_TENSOR_INTEGERS && (json_is_integer(item) || json_is_boolean(item))) {
        const int64_t value =
            json_is_boolean(item) ? json_boolean_value(item) : json_integer_value(item);
        tensor->integers[at] = value;
        if (fits_integer(type, value)) return HRR_OK;
    }
    if (type->kind == HRR_TENSOR_REALS && json_is_number(item)) {
        const double value = json_number_value(item);
        tensor->reals[at] = type->bytes == 4 ? (double)(float)value : value;
        if (isfinite(tensor->reals[at])) return HRR_OK;
    }
    return wrong_element(tensor, at, err);
}

static hrr_status put_elements(filling *to, const json_t *data, hrr_error *err)
{
    size_t i;
    const json_t *item;
    json_array_foreach(data, i, item)
    {
        const hrr_status status =
            json_is_array(item) ? put_elements(to, item, err) : put_element(to, item, err);
        if (status) return status;
    }
    return HRR_OK;
}

/* Numbers as they should be. Whatever else a list has is read again, and found, as a tree. */
static bool read_numbers(hrr_tensor *tensor, const hrr_json_list *list)
{
    if (tensor->type->kind == HRR_TENSOR_TEXTS || tensor->n > list->size / 2 ||
        make_room(tensor, 0, NULL))
        return false;
    bool good = tensor->integers
                    ? hrr_json_list_integers(tensor->integers, tensor->n, list, HRR_TENSOR_DIMS)
                    : hrr_json_list_reals(tensor->reals, tensor->n, list, HRR_TENSOR_DIMS);
    for (uint64_t i = 0; good && i < tensor->n; i++) {
        if (tensor->integers) {
            good = fits_integer(tensor->type, tensor->integers[i]);
        } else if (tensor->type->bytes == 4) {
            tensor->reals[i] = (double)(float)tensor->reals[i];
            good = isfinite(tensor->reals[i]);
        }
    }
    if (good) return true;
    hrr_free(tensor->integers);
    hrr_free(tensor->reals);
    tensor->integers = NULL;
    tensor->reals = NULL;
    return false;
}

static hrr_status read_tree(hrr_tensor *tensor, const json_t *data, hrr_error *err)
{
    uint64_t n = 0;
    size_t text_size = 1;
    if (!count_elements(data, 1, &n, &text_size))
        return hrr_fail(err, HRR_EINVAL, "the 'data' of input '%s' is nested too deeply",
                        tensor->name);
    if (n != tensor->n) return wrong_count(tensor, n < tensor->n ? "fewer" : "more", err);
    hrr_status status = make_room(tensor, text_size, err);
    if (status) return status;
    filling to = {.tensor = tensor};
    return put_elements(&to, data, err);
}

static hrr_status not_json(const json_error_t *why, hrr_error *err)
{
    return hrr_fail(err, HRR_EINVAL, "the request is not valid JSON: %s", why->text);
}

/* data: [i] in the place of the list (json_lists.h). */
static hrr_status read_json_data(hrr_tensor *tensor, const json_t *data, hrr_json_lists *lists,
                                 hrr_error *err)
{
    json_error_t why;
    if (!json_is_array(data))
        return hrr_fail(err, HRR_EINVAL, "input '%s' needs a list 'data'", tensor->name);
    hrr_json_list *list = &lists->list[json_integer_value(json_array_get(data, 0))];
    list->is_read = true;
    if (read_numbers(tensor, list)) return HRR_OK;
    json_t *tree = json_loadb(list->at, list->size, JSON_REJECT_DUPLICATES, &why);
    if (!tree) return not_json(&why, err);
    const hrr_status status = read_tree(tensor, tree, err);
    json_decref(tree);
    return status;
}

/* ---- elements as bytes ----------------------------------------------------------------------- */

typedef struct bytes {
    const uint8_t *at;
    size_t left;
} bytes;

/* The protocol's numbers are little-endian, on any machine. Inline: where n is known, it is one
 * load. */
static inline uint64_t little(const uint8_t *from, uint32_t n)
{
    uint64_t value = 0;
    memcpy(&value, from, n);
    return le64toh(value);
}

/* Each text has its length, 4 bytes, before it. */
static hrr_status read_binary_texts(hrr_tensor *tensor, bytes from, hrr_error *err)
{
    /* A text of n bytes takes 4 more there and 1 more here. */
    if (from.left / 4 < tensor->n) return wrong_count(tensor, "fewer", err);
    hrr_status status = make_room(tensor, from.left + 1, err);
    size_t to = 0;
    for (uint64_t i = 0; i < tensor->n && !status; i++) {
        const uint64_t length = from.left >= 4 ? little(from.at, 4) : UINT64_MAX;
        if (from.left < 4 || length > from.left - 4 || memchr(from.at + 4, 0, length))
            return hrr_fail(err, HRR_EINVAL, "text %" PRIu64 " of input '%s' is damaged", i,
                            tensor->name);
        memcpy(tensor->text + to, from.at + 4, length);
        tensor->text_start[i] = to;
        to += length;
        tensor->text[to++] = 0;
        from.at += 4 + length;
        from.left -= 4 + length;
    }
    if (!status && from.left) return wrong_count(tensor, "more", err);
    return status;
}

/* How many elements from the first on are of the tensor's type: all, or the place of a wrong one.
 */
static inline uint64_t read_integers(hrr_tensor *tensor, const uint8_t *from, uint32_t width)
{
    const hrr_datatype *type = tensor->type;
    const uint32_t unused = type->is_signed ? 64 - 8 * width : 0;
    int64_t *to = tensor->integers, least = INT64_MAX, most = INT64_MIN;
    for (uint64_t i = 0; i < tensor->n; i++) {
        to[i] = (int64_t)(little(from + i * width, width) << unused) >> unused;
        least = to[i] < least ? to[i] : least;
        most = to[i] > most ? to[i] : most;
    }
    if (!tensor->n || (fits_integer(type, least) && fits_integer(type, most))) return tensor->n;
    uint64_t wrong = 0;
    while (fits_integer(type, to[wrong]))
        wrong++;
    return wrong;
}

static uint64_t read_reals(hrr_tensor *tensor, const uint8_t *from)
{
    for (uint64_t i = 0; i < tensor->n; i++) {
        if (tensor->type->bytes == 4) {
            const uint32_t bits = (uint32_t)little(from + 4 * i, 4);
            float value;
            memcpy(&value, &bits, sizeof value);
            tensor->reals[i] = (double)value;
        } else {
            const uint64_t bits = little(from + 8 * i, 8);
            memcpy(&tensor->reals[i], &bits, sizeof bits);
        }
        if (!isfinite(tensor->reals[i])) return i;
    }
    return tensor->n;
}

static uint64_t read_elements(hrr_tensor *tensor, const uint8_t *from)
{
    if (tensor->reals) return read_reals(tensor, from);
    switch (tensor->type->bytes) {
    case 1:
        return read_integers(tensor, from, 1);
    case 2:
        return read_integers(tensor, from, 2);
    case 4:
        return read_integers(tensor, from, 4);
    default:
        return read_integers(tensor, from, 8);
    }
}

static hrr_status read_binary_data(hrr_tensor *tensor, bytes from, hrr_error *err)
{
    const uint32_t width = tensor->type->bytes;
    size_t needed;
    if (!width) return read_binary_texts(tensor, from, err);
    if (!hrr_mul_fits(tensor->n, width, &needed) || needed > from.left)
        return wrong_count(tensor, "fewer", err);
    if (needed < from.left) return wrong_count(tensor, "more", err);
    const hrr_status status = make_room(tensor, 0, err);
    if (status) return status;
    const uint64_t right = read_elements(tensor, from.at);
    return right == tensor->n ? HRR_OK : wrong_element(tensor, right, err);
}

/* ---- one tensor ------------------------------------------------------------------------------ */

static hrr_status read_name(char out[HRR_TENSOR_NAME], const json_t *from, const char *what,
                            hrr_error *err)
{
    const json_t *name = json_object_get(from, "name");
    const size_t length = json_string_length(name);
    if (!length || length >= HRR_TENSOR_NAME || strlen(json_string_value(name)) != length)
        return hrr_fail(err, HRR_EINVAL, "an %s has no name, or one that is too long", what);
    memcpy(out, json_string_value(name), length + 1);
    return HRR_OK;
}

static hrr_status read_shape(hrr_tensor *tensor, const json_t *shape, hrr_error *err)
{
    size_t i, n = 1;
    const json_t *item;
    if (!json_is_array(shape) || json_array_size(shape) > HRR_TENSOR_DIMS)
        return hrr_fail(err, HRR_EINVAL, "input '%s' needs a 'shape' of at most %d dimensions",
                        tensor->name, HRR_TENSOR_DIMS);
    json_array_foreach(shape, i, item)
    {
        const json_int_t length = json_integer_value(item);
        if (!json_is_integer(item) || length < 0 || !hrr_mul_fits(n, (size_t)length, &n))
            return hrr_fail(err, HRR_EINVAL, "dimension %zu of input '%s' is not a valid size", i,
                            tensor->name);
        tensor->shape[i] = (uint64_t)length;
    }
    tensor->n_dims = (uint32_t)json_array_size(shape);
    tensor->n = n;
    return HRR_OK;
}

static hrr_status read_tensor(hrr_tensor *tensor, const json_t *from, hrr_json_lists *lists,
                              bytes *binary, hrr_error *err)
{
    hrr_status status = read_name(tensor->name, from, "input", err);
    if (status) return status;
    const char *type = json_string_value(json_object_get(from, "datatype"));
    tensor->type = type ? find_datatype(type) : NULL;
    if (!tensor->type)
        return hrr_fail(err, HRR_EINVAL,
                        "input '%s' needs a 'datatype', such as INT64, FP64 or BYTES",
                        tensor->name);
    if ((status = read_shape(tensor, json_object_get(from, "shape"), err))) return status;
    const json_t *size = json_object_get(json_object_get(from, "parameters"), "binary_data_size");
    if (!size) return read_json_data(tensor, json_object_get(from, "data"), lists, err);
    const json_int_t wanted = json_integer_value(size);
    if (!json_is_integer(size) || wanted < 0 || (uint64_t)wanted > binary->left)
        return hrr_fail(
            err, HRR_EINVAL,
            "the 'binary_data_size' of input '%s' is not a number of bytes that the request has",
            tensor->name);
    const bytes own = {binary->at, (size_t)wanted};
    binary->at += wanted;
    binary->left -= (size_t)wanted;
    return read_binary_data(tensor, own, err);
}

/* ---- the request ----------------------------------------------------------------------------- */

static hrr_status read_inputs(hrr_infer_request *out, const json_t *inputs, hrr_json_lists *lists,
                              bytes *binary, hrr_error *err)
{
    size_t i;
    const json_t *item;
    if (!json_is_array(inputs) || !json_array_size(inputs) ||
        json_array_size(inputs) > HRR_MOST_TENSORS)
        return hrr_fail(err, HRR_EINVAL, "a request needs a list 'inputs' of 1 to %d tensors",
                        HRR_MOST_TENSORS);
    json_array_foreach(inputs, i, item)
    {
        hrr_tensor *tensor = &out->inputs[out->n_inputs++];
        const hrr_status status = read_tensor(tensor, item, lists, binary, err);
        if (status) return status;
        if (hrr_infer_input(out, tensor->name) != tensor)
            return hrr_fail(err, HRR_EINVAL, "input '%s' is given twice", tensor->name);
    }
    if (binary->left)
        return hrr_fail(err, HRR_EINVAL, "%zu bytes of binary data do not belong to any input",
                        binary->left);
    return HRR_OK;
}

static hrr_status read_outputs(hrr_infer_request *out, const json_t *outputs, hrr_error *err)
{
    size_t i;
    const json_t *item;
    if (!outputs) return HRR_OK;
    if (!json_is_array(outputs) || json_array_size(outputs) > HRR_MOST_TENSORS)
        return hrr_fail(err, HRR_EINVAL, "'outputs' must be a list of at most %d tensors",
                        HRR_MOST_TENSORS);
    json_array_foreach(outputs, i, item)
    {
        hrr_wanted *wanted = &out->outputs[out->n_outputs++];
        const hrr_status status = read_name(wanted->name, item, "output", err);
        if (status) return status;
        const json_t *binary = json_object_get(json_object_get(item, "parameters"), "binary_data");
        wanted->binary = binary ? json_is_true(binary) : out->binary;
        for (uint32_t k = 0; k + 1 < out->n_outputs; k++)
            if (strcmp(out->outputs[k].name, wanted->name) == 0)
                return hrr_fail(err, HRR_EINVAL, "output '%s' is given twice", wanted->name);
    }
    return HRR_OK;
}

static hrr_status read_id(hrr_infer_request *out, const json_t *id, hrr_error *err)
{
    const size_t length = json_string_length(id);
    if (!id) return HRR_OK;
    if (!json_is_string(id) || length >= HRR_REQUEST_ID || strlen(json_string_value(id)) != length)
        return hrr_fail(err, HRR_EINVAL, "'id' must be a string of fewer than %d bytes",
                        HRR_REQUEST_ID);
    memcpy(out->id, json_string_value(id), length + 1);
    return HRR_OK;
}

/* Lists 'data' that are no input's are of no use, and must be JSON all the same. */
static hrr_status check_others(const hrr_json_lists *lists, hrr_error *err)
{
    json_error_t why;
    for (uint32_t i = 0; i < lists->n; i++) {
        const hrr_json_list *list = &lists->list[i];
        if (list->is_read) continue;
        json_t *tree = json_loadb(list->at, list->size, JSON_REJECT_DUPLICATES, &why);
        if (!tree) return not_json(&why, err);
        json_decref(tree);
    }
    return HRR_OK;
}

hrr_status hrr_infer_parse(hrr_infer_request *out, const void *body, size_t size, size_t json_size,
                           hrr_error *err)
{
    json_error_t why;
    *out = (hrr_infer_request){0};
    if (json_size > size)
        return hrr_fail(err, HRR_EINVAL,
                        "the request has %zu bytes, fewer than the header "
                        "Inference-Header-Content-Length states",
                        size);
    hrr_json_lists lists;
    json_t *json = NULL;
    bytes binary = {(const uint8_t *)body + json_size, size - json_size};
    hrr_status status = hrr_json_lists_take(&lists, body, json_size, err);
    if (status) goto done;
    if (!(json = json_loadb(lists.rest.bytes, lists.rest.size, JSON_REJECT_DUPLICATES, &why))) {
        status = not_json(&why, err);
        goto done;
    }
    if (!json_is_object(json))
        status = hrr_fail(err, HRR_EINVAL, "the request is not a JSON object");
    if (!status) status = read_id(out, json_object_get(json, "id"), err);
    out->binary =
        json_is_true(json_object_get(json_object_get(json, "parameters"), "binary_data_output"));
    if (!status) status = read_outputs(out, json_object_get(json, "outputs"), err);
    if (!status) status = read_inputs(out, json_object_get(json, "inputs"), &lists, &binary, err);
    if (!status) status = check_others(&lists, err);
done:
    json_decref(json);
    hrr_text_clear(&lists.rest);
    if (status) hrr_infer_request_clear(out);
    return status;
}
