/* native_write.c: the native layout, written into a staging directory and renamed into place.
 * Parts that the graph does not have are not written; graph.json states the shapes of the rest.
 * The parts are functions of their own, because a release writes only some of them. */
#include "io/native_write.h"
#include "io/graph_formats.h"
#include "io/graph_parts.h"
#include "io/json_write.h"
#include "io/native_bounds.h"
#include "io/npy.h"
#include "io/shards.h"
#include "base/memory.h"
#include "base/paths.h"

#include <inttypes.h>

enum { format_version = 1 };

hrr_status hrr_native_put(const char *directory, const char *name, const hrr_array *array,
                          hrr_error *err)
{
    char *path = hrr_path_join(directory, name);
    if (!path) return hrr_no_memory(err);
    hrr_status status = hrr_array_write(array, path, err);
    hrr_free(path);
    return status;
}

hrr_status hrr_native_put_vector(const char *directory, const char *name, hrr_array_type type,
                                 size_t item_size, const void *data, uint64_t n, hrr_error *err)
{
    if (!data) return HRR_OK;
    hrr_array array = hrr_array_view(type, item_size, data, n, 0);
    return hrr_native_put(directory, name, &array, err);
}

/* An array that may be large: n_parts parts of part_size bytes each, one behind the other. */
typedef struct long_array {
    const char *directory, *name; /* without .npy */
    hrr_array shape;
    const char *parts[2];
    int n_parts;
    size_t part_size;
} long_array;

/* Written in pieces that progress counts, so that Ctrl-C is answered while gigabytes are on their
 * way. */
static hrr_status write_file(const long_array *array, const char *file, size_t alignment,
                             hrr_progress *progress, hrr_error *err)
{
    enum { piece_size = 4 << 20 };
    hrr_output *output = NULL;
    char *path = hrr_path_join(array->directory, file);
    hrr_status status = path ? hrr_npy_begin_aligned(&output, path, &array->shape, alignment, err)
                             : hrr_no_memory(err);
    for (int i = 0; i < array->n_parts && !status; i++) {
        for (size_t done = 0; done < array->part_size && !status; done += piece_size) {
            size_t left = array->part_size - done, size = left < piece_size ? left : piece_size;
            status = hrr_output_write(output, array->parts[i] + done, size, err);
            if (!status) status = hrr_progress_advance(progress, size, err);
        }
    }
    if (!status) status = hrr_output_commit(output, err);
    hrr_output_free(output);
    hrr_free(path);
    return status;
}

static hrr_status write_whole(const long_array *array, hrr_progress *progress, hrr_error *err)
{
    char *file = hrr_format_text("%s.npy", array->name);
    if (!file) return hrr_no_memory(err);
    hrr_status status = write_file(array, file, 0, progress, err);
    hrr_free(file);
    return status;
}

static hrr_status write_shard(const long_array *array, uint64_t number, hrr_progress *progress,
                              hrr_error *err)
{
    if (number >= HRR_MOST_SHARDS)
        return hrr_fail(err, HRR_EINVAL,
                        array->n_parts == 2
                            ? "%s would be cut into more than %d shards; raise `shard_edges`"
                            : "%s would be cut into more than %d shards; raise `shard_rows`",
                        array->name, HRR_MOST_SHARDS);
    char *file = hrr_format_text("%s-%05" PRIu64 ".npy", array->name, number);
    if (!file) return hrr_no_memory(err);
    hrr_status status = write_file(array, file, HRR_SHARD_ALIGNMENT, progress, err);
    hrr_free(file);
    return status;
}

/* per_shard 0: one file. The long dimension is the last of edges (two parts) and the first of
 * everything else. */
static hrr_status put_long(const long_array *array, uint64_t per_shard, hrr_progress *progress,
                           hrr_error *err)
{
    const int along = array->n_parts - 1;
    const uint64_t n = array->shape.shape[along];
    if (!per_shard || n == 0) return write_whole(array, progress, err);
    const uint64_t length = hrr_shard_length(per_shard);
    const size_t item = array->part_size / n; /* bytes of a row, or of one end of an edge */
    hrr_status status = HRR_OK;
    for (uint64_t begin = 0, number = 0; begin < n && !status; begin += length, number++) {
        const uint64_t count = n - begin < length ? n - begin : length;
        long_array shard = *array;
        shard.shape.shape[along] = count;
        shard.shape.n_items = array->shape.n_items / n * count;
        shard.part_size = count * item;
        for (int i = 0; i < array->n_parts; i++)
            shard.parts[i] = array->parts[i] + begin * item;
        status = write_shard(&shard, number, progress, err);
    }
    return status;
}

static hrr_status put_dense(const char *directory, const char *name, const hrr_dense *matrix,
                            uint64_t per_shard, hrr_progress *progress, hrr_error *err)
{
    if (!matrix) return HRR_OK;
    const hrr_array shape = hrr_array_of_dense(matrix);
    const long_array array = {.directory = directory,
                              .name = name,
                              .shape = shape,
                              .parts = {matrix->data},
                              .n_parts = 1,
                              .part_size = shape.n_items * shape.item_size};
    return put_long(&array, per_shard, progress, err);
}

hrr_status hrr_native_put_dense(const char *directory, const char *name, const hrr_dense *matrix,
                                hrr_progress *progress, hrr_error *err)
{
    return put_dense(directory, name, matrix, 0, progress, err);
}

hrr_status hrr_native_put_json(const hrr_graph *graph, const char *directory, uint64_t n_edges,
                               uint64_t n_features, bool same_features, bool all_public,
                               unsigned inferred, const char *provenance, hrr_error *err)
{
    uint32_t n_classes = hrr_graph_n_classes(graph);
    hrr_status status = HRR_OK;

    json_t *json = json_object();
    json_object_set_new(json, "format_version", json_integer(format_version));
    json_object_set_new(json, "name", json_string(hrr_graph_name(graph)));
    json_object_set_new(json, "n_nodes", json_integer((json_int_t)hrr_graph_n_nodes(graph)));
    json_object_set_new(json, "n_edges", json_integer((json_int_t)n_edges));
    json_object_set_new(json, "n_features", json_integer((json_int_t)n_features));
    if (same_features && hrr_graph_feature_lo(graph))
        json_object_set_new(json, "feature_bounds", hrr_native_bounds_json(graph));
    json_object_set_new(json, "n_classes", json_integer(n_classes));
    json_object_set_new(json, "multilabel", json_boolean(hrr_graph_is_multilabel(graph)));
    if (provenance) json_object_set_new(json, "provenance", json_string(provenance));
    if (all_public) json_object_set_new(json, "edges_are_public", json_true());
    if (inferred) json_object_set_new(json, "inferred", json_integer((json_int_t)inferred));
    if (n_classes && hrr_graph_class_name(graph, 0)) {
        json_t *names = json_array();
        for (uint32_t i = 0; i < n_classes; i++)
            json_array_append_new(names, json_string(hrr_graph_class_name(graph, i)));
        bool whole = json_array_size(names) == n_classes; /* jansson takes UTF-8 alone */
        json_object_set_new(json, "class_names", names);
        if (!whole) {
            status = hrr_fail(err, HRR_EDATA, "a class name is not UTF-8 text");
            goto done;
        }
    }
    status = hrr_json_write(json, directory, "graph.json", err);
done:
    json_decref(json);
    return status;
}

static hrr_status put_edges(const hrr_graph *graph, const char *directory, uint64_t per_shard,
                            hrr_progress *progress, hrr_error *err)
{
    const uint64_t n_edges = hrr_graph_n_edges(graph);
    long_array array = {
        .directory = directory,
        .name = "edges",
        .shape = hrr_array_view(HRR_ARRAY_I32, 4, NULL, 2, n_edges),
        .parts = {(const char *)hrr_graph_sources(graph), (const char *)hrr_graph_targets(graph)},
        .n_parts = 2,
        .part_size = n_edges * sizeof(uint32_t)};
    array.shape.n_dims = 2;
    array.shape.n_items = 2 * n_edges;
    return put_long(&array, per_shard, progress, err);
}

hrr_status hrr_native_put_edges(const hrr_graph *graph, const char *directory,
                                hrr_progress *progress, hrr_error *err)
{
    return put_edges(graph, directory, 0, progress, err);
}

static hrr_status put_marks(const hrr_graph *graph, const char *directory, uint64_t per_shard,
                            hrr_progress *progress, hrr_error *err)
{
    const uint64_t n_edges = hrr_graph_n_edges(graph);
    const uint8_t *is_private = hrr_graph_is_private(graph);
    if (!is_private) return HRR_OK;
    const long_array array = {.directory = directory,
                              .name = "private",
                              .shape = hrr_array_view(HRR_ARRAY_U8, 1, NULL, n_edges, 0),
                              .parts = {(const char *)is_private},
                              .n_parts = 1,
                              .part_size = n_edges};
    return put_long(&array, per_shard, progress, err);
}

static uint64_t size_of(const hrr_dense *matrix)
{
    return matrix ? matrix->rows * matrix->cols * hrr_dtype_size(matrix->dtype) : 0;
}

hrr_status hrr_native_put_ids(const hrr_graph *graph, const char *directory, hrr_error *err)
{
    const hrr_node_ids *ids = hrr_graph_node_ids(graph);
    if (!ids) return HRR_OK;
    hrr_array array = {0};
    hrr_status status = hrr_array_of_ids(&array, ids, hrr_graph_n_nodes(graph), err);
    if (!status) status = hrr_native_put(directory, "node_ids.npy", &array, err);
    hrr_array_clear(&array);
    return status;
}

const hrr_dir_kind *hrr_graph_dir_kind(void)
{
    /* A release is a graph, too, but one that was paid for: whichever of its certificates is left
     * tells. */
    static const hrr_dir_kind kind = {
        .what = "graph", .file = "graph.json", .text = "\"n_nodes\"", .without = "certificate"};
    return &kind;
}

hrr_status hrr_native_put_parts(const hrr_graph *graph, const char *directory,
                                const hrr_write_options *options, hrr_progress *progress,
                                hrr_error *err)
{
    const uint64_t per_rows = options->shard_rows;
    uint64_t n = hrr_graph_n_nodes(graph), n_edges = hrr_graph_n_edges(graph);
    const hrr_dense *features = hrr_graph_features(graph);
    const hrr_dense *masked = hrr_graph_masked_features(graph);
    const hrr_dense *labels = hrr_graph_label_matrix(graph);
    hrr_status status;

    hrr_progress_begin(progress, "writing",
                       2 * sizeof(uint32_t) * n_edges + size_of(features) + size_of(masked) +
                           size_of(labels));
    if ((status = put_edges(graph, directory, options->shard_edges, progress, err))) return status;
    if ((status = put_marks(graph, directory, options->shard_edges, progress, err))) return status;
    if ((status = put_dense(directory, "features", features, per_rows, progress, err)))
        return status;
    if ((status = put_dense(directory, "masked_features", masked, per_rows, progress, err)))
        return status;
    if ((status = hrr_native_put_vector(directory, "labels.npy", HRR_ARRAY_I32, 4,
                                        hrr_graph_classes(graph), n, err)))
        return status;
    if ((status = put_dense(directory, "labels", labels, 0, progress, err))) return status;
    if ((status = hrr_native_put_vector(directory, "split.npy", HRR_ARRAY_U8, 1,
                                        hrr_graph_split(graph), n, err)))
        return status;
    if ((status = hrr_native_put_vector(directory, "graph_ids.npy", HRR_ARRAY_U32, 4,
                                        hrr_graph_graph_ids(graph), n, err)))
        return status;
    if ((status = hrr_native_put_vector(directory, "candidates.npy", HRR_ARRAY_U8, 1,
                                        hrr_graph_candidates(graph), n, err)))
        return status;
    if ((status = hrr_native_put_ids(graph, directory, err))) return status;
    return hrr_native_put_json(graph, directory, n_edges, features ? features->cols : 0, true,
                               hrr_graph_marking(graph) == HRR_ALL_PUBLIC,
                               hrr_graph_inferred(graph), hrr_graph_provenance(graph), err);
}

hrr_status hrr_native_write(const hrr_graph *graph, const char *path,
                            const hrr_write_options *options, hrr_progress *progress,
                            hrr_error *err)
{
    hrr_output_dir *dir;
    hrr_status status =
        hrr_output_dir_open(&dir, path, hrr_graph_dir_kind(), options->replace, err);
    if (status) return status;
    status = hrr_native_put_parts(graph, hrr_output_dir_staging(dir), options, progress, err);
    if (!status) status = hrr_output_dir_commit(dir, err);
    hrr_output_dir_free(dir);
    return status;
}
