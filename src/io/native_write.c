/* native_write.c: the native layout, written into a staging directory and renamed into place.
 * Parts that the graph does not have are not written; graph.json states the shapes of the rest.
 * The parts are functions of their own, because a release writes only some of them. */
#include "io/native_write.h"
#include "io/graph_formats.h"
#include "io/graph_parts.h"
#include "base/memory.h"
#include "base/paths.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

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

static hrr_status put_dense(const char *directory, const char *name, const hrr_dense *matrix,
                            hrr_error *err)
{
    if (!matrix) return HRR_OK;
    hrr_array array = hrr_array_of_dense(matrix);
    return hrr_native_put(directory, name, &array, err);
}

hrr_status hrr_native_put_json(const hrr_graph *graph, const char *directory, uint64_t n_edges,
                               uint64_t n_features, const char *provenance, hrr_error *err)
{
    uint32_t n_classes = hrr_graph_n_classes(graph);
    hrr_output *output = NULL;
    char *path = NULL, *text = NULL;
    hrr_status status = HRR_OK;

    json_t *json = json_object();
    json_object_set_new(json, "format_version", json_integer(format_version));
    json_object_set_new(json, "name", json_string(hrr_graph_name(graph)));
    json_object_set_new(json, "n_nodes", json_integer((json_int_t)hrr_graph_n_nodes(graph)));
    json_object_set_new(json, "n_edges", json_integer((json_int_t)n_edges));
    json_object_set_new(json, "n_features", json_integer((json_int_t)n_features));
    json_object_set_new(json, "n_classes", json_integer(n_classes));
    json_object_set_new(json, "multilabel", json_boolean(hrr_graph_is_multilabel(graph)));
    if (provenance) json_object_set_new(json, "provenance", json_string(provenance));
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
    text = json_dumps(json, JSON_INDENT(2));
    if (!text) {
        status = hrr_no_memory(err);
        goto done;
    }
    path = hrr_path_join(directory, "graph.json");
    if (!path) {
        status = hrr_no_memory(err);
        goto done;
    }
    if ((status = hrr_output_open(&output, path, err))) goto done;
    if ((status = hrr_output_write(output, text, strlen(text), err))) goto done;
    if ((status = hrr_output_write(output, "\n", 1, err))) goto done;
    status = hrr_output_commit(output, err);
done:
    hrr_output_free(output);
    hrr_free(path);
    free(text); /* jansson's */
    json_decref(json);
    return status;
}

/* The two rows lie in separate arrays: they are put together once, in memory. */
static hrr_status put_edges(const hrr_graph *graph, const char *directory, hrr_error *err)
{
    uint64_t n_edges = hrr_graph_n_edges(graph);
    uint32_t *both = hrr_alloc(n_edges, 2 * sizeof *both);
    if (!both) return hrr_no_memory(err);
    if (n_edges) {
        memcpy(both, hrr_graph_sources(graph), n_edges * sizeof *both);
        memcpy(both + n_edges, hrr_graph_targets(graph), n_edges * sizeof *both);
    }
    hrr_array array = hrr_array_view(HRR_ARRAY_I32, 4, both, 2, n_edges);
    array.n_dims = 2;
    array.n_items = 2 * n_edges;
    hrr_status status = hrr_native_put(directory, "edges.npy", &array, err);
    hrr_free(both);
    return status;
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

hrr_status hrr_native_write(const hrr_graph *graph, const char *path, bool replace, hrr_error *err)
{
    hrr_output_dir *dir;
    hrr_status status = hrr_output_dir_open(&dir, path, replace, err);
    if (status) return status;
    const char *staging = hrr_output_dir_staging(dir);
    uint64_t n = hrr_graph_n_nodes(graph), n_edges = hrr_graph_n_edges(graph);
    const hrr_dense *features = hrr_graph_features(graph);

    if ((status = put_edges(graph, staging, err))) goto done;
    if ((status = hrr_native_put_vector(staging, "private.npy", HRR_ARRAY_U8, 1,
                                        hrr_graph_is_private(graph), n_edges, err)))
        goto done;
    if ((status = put_dense(staging, "features.npy", features, err))) goto done;
    if ((status = put_dense(staging, "masked_features.npy", hrr_graph_masked_features(graph), err)))
        goto done;
    if ((status = hrr_native_put_vector(staging, "labels.npy", HRR_ARRAY_I32, 4,
                                        hrr_graph_classes(graph), n, err)))
        goto done;
    if ((status = put_dense(staging, "labels.npy", hrr_graph_label_matrix(graph), err))) goto done;
    if ((status = hrr_native_put_vector(staging, "split.npy", HRR_ARRAY_U8, 1,
                                        hrr_graph_split(graph), n, err)))
        goto done;
    if ((status = hrr_native_put_vector(staging, "graph_ids.npy", HRR_ARRAY_U32, 4,
                                        hrr_graph_graph_ids(graph), n, err)))
        goto done;
    if ((status = hrr_native_put_vector(staging, "candidates.npy", HRR_ARRAY_U8, 1,
                                        hrr_graph_candidates(graph), n, err)))
        goto done;
    if ((status = hrr_native_put_ids(graph, staging, err))) goto done;
    if ((status = hrr_native_put_json(graph, staging, n_edges, features ? features->cols : 0,
                                      hrr_graph_provenance(graph), err)))
        goto done;
    status = hrr_output_dir_commit(dir, err);
done:
    hrr_output_dir_free(dir);
    return status;
}
