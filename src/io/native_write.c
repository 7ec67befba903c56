/* native_write.c: the native layout, written into a staging directory and renamed into place.
 * Parts that the graph does not have are not written; graph.json states the shapes of the rest.
 * The parts are functions of their own, because a release writes only some of them. */
#include "io/native_write.h"
#include "io/graph_formats.h"
#include "io/graph_parts.h"
#include "io/json_write.h"
#include "io/native_bounds.h"
#include "io/npy.h"
#include "base/memory.h"
#include "base/paths.h"

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

/* An array that may be large, given as n_parts parts of part_size bytes each: written in pieces
 * that progress counts, so that Ctrl-C is answered while gigabytes are on their way. */
static hrr_status put_parts(const char *directory, const char *name, const hrr_array *shape,
                            const void *const *parts, int n_parts, size_t part_size,
                            hrr_progress *progress, hrr_error *err)
{
    enum { piece_size = 4 << 20 };
    hrr_output *output = NULL;
    char *path = hrr_path_join(directory, name);
    hrr_status status = path ? hrr_npy_begin(&output, path, shape, err) : hrr_no_memory(err);
    for (int i = 0; i < n_parts && !status; i++) {
        for (size_t done = 0; done < part_size && !status; done += piece_size) {
            size_t left = part_size - done, size = left < piece_size ? left : piece_size;
            status = hrr_output_write(output, (const char *)parts[i] + done, size, err);
            if (!status) status = hrr_progress_advance(progress, size, err);
        }
    }
    if (!status) status = hrr_output_commit(output, err);
    hrr_output_free(output);
    hrr_free(path);
    return status;
}

hrr_status hrr_native_put_dense(const char *directory, const char *name, const hrr_dense *matrix,
                                hrr_progress *progress, hrr_error *err)
{
    if (!matrix) return HRR_OK;
    const void *data = matrix->data;
    hrr_array shape = hrr_array_of_dense(matrix);
    return put_parts(directory, name, &shape, &data, 1, shape.n_items * shape.item_size, progress,
                     err);
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

hrr_status hrr_native_put_edges(const hrr_graph *graph, const char *directory,
                                hrr_progress *progress, hrr_error *err)
{
    uint64_t n_edges = hrr_graph_n_edges(graph);
    const void *const rows[] = {hrr_graph_sources(graph), hrr_graph_targets(graph)};
    hrr_array shape = hrr_array_view(HRR_ARRAY_I32, 4, NULL, 2, n_edges);
    shape.n_dims = 2;
    shape.n_items = 2 * n_edges;
    return put_parts(directory, "edges.npy", &shape, rows, 2, n_edges * sizeof(uint32_t), progress,
                     err);
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
                                hrr_progress *progress, hrr_error *err)
{
    uint64_t n = hrr_graph_n_nodes(graph), n_edges = hrr_graph_n_edges(graph);
    const hrr_dense *features = hrr_graph_features(graph);
    const hrr_dense *masked = hrr_graph_masked_features(graph);
    const hrr_dense *labels = hrr_graph_label_matrix(graph);
    hrr_status status;

    hrr_progress_begin(progress, "writing",
                       2 * sizeof(uint32_t) * n_edges + size_of(features) + size_of(masked) +
                           size_of(labels));
    if ((status = hrr_native_put_edges(graph, directory, progress, err))) return status;
    if ((status = hrr_native_put_vector(directory, "private.npy", HRR_ARRAY_U8, 1,
                                        hrr_graph_is_private(graph), n_edges, err)))
        return status;
    if ((status = hrr_native_put_dense(directory, "features.npy", features, progress, err)))
        return status;
    if ((status = hrr_native_put_dense(directory, "masked_features.npy", masked, progress, err)))
        return status;
    if ((status = hrr_native_put_vector(directory, "labels.npy", HRR_ARRAY_I32, 4,
                                        hrr_graph_classes(graph), n, err)))
        return status;
    if ((status = hrr_native_put_dense(directory, "labels.npy", labels, progress, err)))
        return status;
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

hrr_status hrr_native_write(const hrr_graph *graph, const char *path, bool replace,
                            hrr_progress *progress, hrr_error *err)
{
    hrr_output_dir *dir;
    hrr_status status = hrr_output_dir_open(&dir, path, hrr_graph_dir_kind(), replace, err);
    if (status) return status;
    status = hrr_native_put_parts(graph, hrr_output_dir_staging(dir), progress, err);
    if (!status) status = hrr_output_dir_commit(dir, err);
    hrr_output_dir_free(dir);
    return status;
}
