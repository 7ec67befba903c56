/* graph_parts.c: see graph_parts.h. Arrays come from outside: every shape, type and value that a
 * graph could not hold is refused here, by file and position. */
#include "io/graph_parts.h"
#include "io/utf8.h"
#include "io/npy_header.h"
#include "base/memory.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

hrr_status hrr_error_add_place(hrr_error *err, hrr_status status, const char *where)
{
    if (!err || (status != HRR_EDATA && status != HRR_EINVAL)) return status;
    char message[HRR_ERROR_SIZE];
    memcpy(message, err->message, sizeof message);
    return hrr_fail(err, status, "%s: %s", where, message);
}

/* ---- values ------------------------------------------------------------------------------- */

bool hrr_array_is_integer(const hrr_array *array)
{
    return array->type >= HRR_ARRAY_BOOL && array->type <= HRR_ARRAY_U64;
}

int64_t hrr_array_integer(const hrr_array *array, uint64_t i)
{
    const void *data = array->data;
    switch (array->type) {
    case HRR_ARRAY_BOOL:
        return ((const uint8_t *)data)[i] != 0;
    case HRR_ARRAY_I8:
        return ((const int8_t *)data)[i];
    case HRR_ARRAY_I16:
        return ((const int16_t *)data)[i];
    case HRR_ARRAY_I32:
        return ((const int32_t *)data)[i];
    case HRR_ARRAY_I64:
        return ((const int64_t *)data)[i];
    case HRR_ARRAY_U8:
        return ((const uint8_t *)data)[i];
    case HRR_ARRAY_U16:
        return ((const uint16_t *)data)[i];
    case HRR_ARRAY_U32:
        return ((const uint32_t *)data)[i];
    case HRR_ARRAY_U64: {
        uint64_t value = ((const uint64_t *)data)[i];
        return value > INT64_MAX ? INT64_MAX : (int64_t)value;
    }
    default:
        assert(!"an integer array");
        return 0;
    }
}

hrr_status hrr_check_integers(const hrr_array *array, uint64_t n, const char *where, hrr_error *err)
{
    if (!hrr_array_is_integer(array))
        return hrr_fail(err, HRR_EDATA, "%s: has elements of type %s; integers are needed", where,
                        hrr_array_type_name(array->type));
    if (array->n_dims != 1)
        return hrr_fail(err, HRR_EDATA, "%s: has %d dimensions; one is needed", where,
                        array->n_dims);
    if (array->shape[0] != n)
        return hrr_fail(err, HRR_EDATA, "%s: has %" PRIu64 " %s, but %" PRIu64 " %s needed", where,
                        array->shape[0], hrr_plural(array->shape[0], "entry", "entries"), n,
                        hrr_plural(n, "is", "are"));
    return HRR_OK;
}

hrr_status hrr_array_bytes(uint8_t **out, const hrr_array *array, uint64_t n, uint8_t largest,
                           const char *where, hrr_error *err)
{
    *out = NULL;
    hrr_status status = hrr_check_integers(array, n, where, err);
    if (status) return status;
    uint8_t *bytes = hrr_alloc(n, 1);
    if (!bytes) return hrr_no_memory(err);
    for (uint64_t i = 0; i < n; i++) {
        int64_t value = hrr_array_integer(array, i);
        if (value < 0 || value > largest) {
            hrr_free(bytes);
            return hrr_fail(err, HRR_EDATA,
                            "%s: entry %" PRIu64 " (counting from 0) is not between 0 and %d",
                            where, i, largest);
        }
        bytes[i] = (uint8_t)value;
    }
    *out = bytes;
    return HRR_OK;
}

/* ---- parts of a graph --------------------------------------------------------------------- */

hrr_status hrr_take_features_array(hrr_graph *graph, hrr_array *features, const char *where,
                                   hrr_error *err)
{
    hrr_dense matrix = {0};
    const bool truths = features->type == HRR_ARRAY_BOOL;
    hrr_status status = hrr_array_into_dense(&matrix, features, where, err);
    if (!status)
        status = hrr_error_add_place(err, hrr_graph_take_features(graph, &matrix, err), where);
    if (!status && truths) status = hrr_graph_set_feature_range(graph, 0, 1, err);
    hrr_dense_clear(&matrix);
    hrr_array_clear(features);
    return status;
}

hrr_status hrr_take_classes_counted(hrr_graph *graph, int32_t **classes, uint32_t n_classes,
                                    const char *where, hrr_error *err)
{
    uint64_t n = hrr_graph_n_nodes(graph);
    int64_t largest = -1;
    for (uint64_t i = 0; i < n; i++)
        if ((*classes)[i] > largest) largest = (*classes)[i];
    if (n_classes == 0) {
        if (largest < 0) return hrr_fail(err, HRR_EDATA, "%s: no node has a known class", where);
        n_classes = (uint32_t)largest + 1;
        hrr_graph_add_inferred(graph, HRR_INFERRED_CLASSES);
    }
    assert(n_classes <= HRR_MAX_CLASSES); /* readers bound the numbers they take */
    return hrr_error_add_place(err, hrr_graph_take_classes(graph, classes, n_classes, err), where);
}

static hrr_status take_class_vector(hrr_graph *graph, const hrr_array *labels, uint32_t n_classes,
                                    const char *where, hrr_error *err)
{
    uint64_t n = hrr_graph_n_nodes(graph);
    hrr_status status = hrr_check_integers(labels, n, where, err);
    if (status) return status;
    int32_t *classes = hrr_alloc(n, sizeof *classes);
    if (!classes) return hrr_no_memory(err);
    for (uint64_t i = 0; i < n && !status; i++) {
        int64_t value = hrr_array_integer(labels, i);
        if (value < -1 || value >= HRR_MAX_CLASSES)
            status =
                hrr_fail(err, HRR_EDATA,
                         "%s: row %" PRIu64 " (counting from 0) is not a class between 0 and %u",
                         where, i, HRR_MAX_CLASSES - 1);
        else
            classes[i] = (int32_t)value;
    }
    if (!status) status = hrr_take_classes_counted(graph, &classes, n_classes, where, err);
    hrr_free(classes);
    return status;
}

static hrr_status take_label_rows(hrr_graph *graph, hrr_array *labels, const char *where,
                                  hrr_error *err)
{
    hrr_dense stored = {0}, matrix = {0};
    hrr_status status = hrr_array_into_dense(&stored, labels, where, err);
    if (!status) status = hrr_dense_init(&matrix, HRR_U8, stored.rows, stored.cols, err);
    uint8_t *label = matrix.data;
    for (uint64_t row = 0; row < stored.rows && !status; row++)
        for (uint64_t col = 0; col < stored.cols && !status; col++, label++) {
            double value = hrr_dense_get(&stored, row, col);
            if (value != 0 && value != 1)
                status = hrr_fail(err, HRR_EDATA,
                                  "%s: row %" PRIu64 ", column %" PRIu64
                                  " (counting from 0) is neither 0 nor 1",
                                  where, row, col);
            *label = value == 1;
        }
    if (!status)
        status = hrr_error_add_place(err, hrr_graph_take_label_matrix(graph, &matrix, err), where);
    hrr_dense_clear(&stored);
    hrr_dense_clear(&matrix);
    return status;
}

hrr_status hrr_take_labels_array(hrr_graph *graph, hrr_array *labels, uint32_t n_classes,
                                 const char *where, hrr_error *err)
{
    hrr_status status;
    if (labels->n_dims != 2)
        status = take_class_vector(graph, labels, n_classes, where, err);
    else if (labels->shape[0] != hrr_graph_n_nodes(graph))
        status = hrr_fail(
            err, HRR_EDATA, "%s: has %" PRIu64 " %s, but the graph has %" PRIu64 " %s", where,
            labels->shape[0], hrr_plural(labels->shape[0], "row", "rows"), hrr_graph_n_nodes(graph),
            hrr_plural(hrr_graph_n_nodes(graph), "node", "nodes"));
    else if (n_classes && labels->shape[1] != n_classes)
        status = hrr_fail(err, HRR_EDATA, "%s: has %" PRIu64 " %s, but %u %s stated", where,
                          labels->shape[1], hrr_plural(labels->shape[1], "column", "columns"),
                          n_classes, hrr_plural(n_classes, "class is", "classes are"));
    else
        status = take_label_rows(graph, labels, where, err);
    hrr_array_clear(labels);
    return status;
}

hrr_status hrr_take_split_array(hrr_graph *graph, hrr_array *split, const char *where,
                                hrr_error *err)
{
    uint8_t *bytes = NULL;
    hrr_status status =
        hrr_array_bytes(&bytes, split, hrr_graph_n_nodes(graph), HRR_TEST, where, err);
    if (!status) status = hrr_error_add_place(err, hrr_graph_take_split(graph, &bytes, err), where);
    hrr_free(bytes);
    hrr_array_clear(split);
    return status;
}

/* ---- texts -------------------------------------------------------------------------------- */

/* Item i as UTF-8 into out (room for 4 bytes per code point, or item_size, and a NUL); returns
 * its length, or -1 if it is not Unicode. Padding NULs are dropped. */
static int64_t item_text(char *out, const hrr_array *texts, uint64_t i)
{
    const char *item = (const char *)texts->data + i * texts->item_size;
    size_t length = 0;
    if (texts->type == HRR_ARRAY_BYTES) {
        length = strnlen(item, texts->item_size);
        memcpy(out, item, length);
        out[length] = '\0';
        return hrr_is_utf8(out) ? (int64_t)length : -1;
    }
    for (size_t k = 0; k < texts->item_size / 4; k++) {
        uint32_t code;
        memcpy(&code, item + 4 * k, 4);
        if (code == 0) break;
        if (code > 0x10FFFF || (code >= 0xD800 && code < 0xE000)) return -1;
        if (code < 0x80) {
            out[length++] = (char)code;
            continue;
        }
        int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
        out[length++] = (char)((0xFF00u >> (more + 1) & 0xFF) | code >> (6 * more));
        while (more-- > 0)
            out[length++] = (char)(0x80 | (code >> (6 * more) & 0x3F));
    }
    out[length] = '\0';
    return (int64_t)length;
}

static bool is_text(const hrr_array *array)
{
    return array->type == HRR_ARRAY_BYTES || array->type == HRR_ARRAY_UCS4;
}

/* All items one after another, NUL-terminated; starts has n + 1 offsets. Both hrr memory. */
static hrr_status texts_of(char **text, uint64_t **starts, const hrr_array *array,
                           const char *where, hrr_error *err)
{
    hrr_status status = HRR_OK;
    uint64_t n = array->n_items, used = 0, room = 64;
    char *item = hrr_alloc(array->item_size + 1, 1); /* UTF-8 is no longer than UCS-4 */
    uint64_t *start = hrr_alloc(n + 1, sizeof *start);
    char *all = hrr_alloc(room, 1);
    if (!item || !start || !all) status = hrr_no_memory(err);
    for (uint64_t i = 0; i < n && !status; i++) {
        int64_t length = item_text(item, array, i);
        if (length < 0) {
            status = hrr_fail(
                err, HRR_EDATA,
                "%s: entry %" PRIu64
                " (counting from 0) is not Unicode text; a numpy S array must contain UTF-8",
                where, i);
            break;
        }
        uint64_t size = (uint64_t)length + 1;
        if (used + size > room) {
            room = 2 * (used + size);
            char *more = hrr_resize(all, room, 1);
            if (!more) {
                status = hrr_no_memory(err);
                break;
            }
            all = more;
        }
        memcpy(all + used, item, size);
        start[i] = used;
        used += size;
    }
    hrr_free(item);
    if (status) {
        hrr_free(all);
        hrr_free(start);
        return status;
    }
    start[n] = used;
    *text = all;
    *starts = start;
    return HRR_OK;
}

hrr_status hrr_take_ids_array(hrr_graph *graph, hrr_array *ids, const char *where, hrr_error *err)
{
    hrr_node_ids taken = {0};
    hrr_status status = HRR_OK;
    uint64_t n = hrr_graph_n_nodes(graph);
    if (ids->n_dims != 1 || ids->n_items != n) {
        status =
            hrr_fail(err, HRR_EDATA,
                     "%s: has %" PRIu64 " %s in %d %s; one id is needed for each of %" PRIu64 " %s",
                     where, ids->n_items, hrr_plural(ids->n_items, "entry", "entries"), ids->n_dims,
                     hrr_plural((uint64_t)ids->n_dims, "dimension", "dimensions"), n,
                     hrr_plural(n, "node", "nodes"));
    } else if (is_text(ids)) {
        status = texts_of(&taken.text, &taken.text_start, ids, where, err);
    } else if (hrr_array_is_integer(ids)) {
        taken.integer = hrr_alloc(n, sizeof *taken.integer);
        if (!taken.integer) status = hrr_no_memory(err);
        for (uint64_t i = 0; i < n && !status; i++)
            taken.integer[i] = hrr_array_integer(ids, i);
    } else {
        status =
            hrr_fail(err, HRR_EDATA, "%s: has elements of type %s; ids must be integers or texts",
                     where, hrr_array_type_name(ids->type));
    }
    if (!status)
        status = hrr_error_add_place(err, hrr_graph_take_node_ids(graph, &taken, err), where);
    hrr_node_ids_clear(&taken);
    hrr_array_clear(ids);
    return status;
}

hrr_status hrr_set_class_names_array(hrr_graph *graph, hrr_array *names, const char *where,
                                     hrr_error *err)
{
    uint32_t n = hrr_graph_n_classes(graph);
    char *text = NULL;
    uint64_t *start = NULL;
    const char **pointers = NULL;
    hrr_status status = HRR_OK;
    if (n == 0) goto done;
    if (!is_text(names) || names->n_dims != 1 || names->n_items < n) {
        status =
            hrr_fail(err, HRR_EDATA,
                     "%s: has %" PRIu64 " %s of type %s; one text is needed for each of %u classes",
                     where, names->n_items, hrr_plural(names->n_items, "entry", "entries"),
                     hrr_array_type_name(names->type), n);
        goto done;
    }
    if ((status = texts_of(&text, &start, names, where, err))) goto done;
    pointers = hrr_alloc(n, sizeof *pointers);
    if (!pointers) {
        status = hrr_no_memory(err);
        goto done;
    }
    for (uint32_t i = 0; i < n; i++)
        pointers[i] = text + start[i];
    status = hrr_graph_set_class_names(graph, pointers, err);
done:
    hrr_free(pointers);
    hrr_free(start);
    hrr_free(text);
    hrr_array_clear(names);
    return status;
}

/* ---- and back ----------------------------------------------------------------------------- */

hrr_array hrr_array_view(hrr_array_type type, size_t item_size, const void *data, uint64_t rows,
                         uint64_t cols)
{
    return (hrr_array){.type = type,
                       .item_size = item_size,
                       .n_dims = cols ? 2 : 1,
                       .shape = {rows, cols},
                       .n_items = cols ? rows * cols : rows,
                       .data = (void *)(uintptr_t)data};
}

hrr_array hrr_array_of_dense(const hrr_dense *matrix)
{
    hrr_array_type type = matrix->dtype == HRR_U8    ? HRR_ARRAY_U8
                          : matrix->dtype == HRR_F32 ? HRR_ARRAY_F32
                                                     : HRR_ARRAY_F64;
    hrr_array array = hrr_array_view(type, hrr_dtype_size(matrix->dtype), matrix->data,
                                     matrix->rows, matrix->cols);
    array.n_dims = 2;
    return array;
}

/* n texts as S items of the longest one's width. */
static hrr_status bytes_array(hrr_array *out, const char *const *texts, uint64_t n, hrr_error *err)
{
    size_t width = 1;
    for (uint64_t i = 0; i < n; i++) {
        size_t length = strlen(texts[i]);
        if (length > width) width = length;
    }
    hrr_region storage;
    hrr_status status = hrr_region_alloc(&storage, n, width, true, err);
    if (status) return status;
    for (uint64_t i = 0; i < n; i++)
        memcpy((char *)storage.start + i * width, texts[i], strlen(texts[i]));
    *out = hrr_array_view(HRR_ARRAY_BYTES, width, storage.start, n, 0);
    out->storage = storage;
    return HRR_OK;
}

hrr_status hrr_array_of_ids(hrr_array *out, const hrr_node_ids *ids, uint64_t n_nodes,
                            hrr_error *err)
{
    if (ids->integer) {
        *out = hrr_array_view(HRR_ARRAY_I64, 8, ids->integer, n_nodes, 0);
        return HRR_OK;
    }
    const char **texts = hrr_alloc(n_nodes, sizeof *texts);
    if (!texts) return hrr_no_memory(err);
    for (uint64_t i = 0; i < n_nodes; i++)
        texts[i] = ids->text + ids->text_start[i];
    hrr_status status = bytes_array(out, texts, n_nodes, err);
    hrr_free(texts);
    return status;
}

hrr_status hrr_array_of_class_names(hrr_array *out, const hrr_graph *graph, hrr_error *err)
{
    uint32_t n = hrr_graph_n_classes(graph);
    const char **texts = hrr_alloc(n, sizeof *texts);
    if (!texts) return hrr_no_memory(err);
    for (uint32_t i = 0; i < n; i++)
        texts[i] = hrr_graph_class_name(graph, i);
    hrr_status status = bytes_array(out, texts, n, err);
    hrr_free(texts);
    return status;
}
