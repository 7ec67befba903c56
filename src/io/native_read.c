/* native_read.c: the native layout: a directory of graph.json and one .npy file for each part.
 *
 * graph.json states what the arrays should be; an array that differs is refused, naming the file
 * and what differs, so that files of two graphs are never mixed. Arrays that are stored as the
 * library needs them (int32 edges, u8 marks, u8/f32/f64 features) stay mapped, also when edges,
 * marks and features are cut into shards (shards.h). */
#include "io/graph_formats.h"
#include "io/graph_parts.h"
#include "io/file_names.h"
#include "io/native_bounds.h"
#include "io/shards.h"
#include "base/memory.h"
#include "base/paths.h"

#include <inttypes.h>
#include <jansson.h>
#include <string.h>

enum { format_version = 1 };

typedef struct native {
    const char *directory;
    char *json_path;
    json_t *json;
    hrr_graph *graph;
    hrr_progress *progress;
} native;

/* ---- graph.json --------------------------------------------------------------------------- */

/* A count from graph.json; *stated is false if it is not there. */
static hrr_status count_of(const native *in, const char *key, uint64_t *count, bool *stated,
                           hrr_error *err)
{
    json_t *value = json_object_get(in->json, key);
    *stated = value != NULL;
    *count = 0;
    if (!value) return HRR_OK;
    if (!json_is_integer(value) || json_integer_value(value) < 0)
        return hrr_fail(err, HRR_EDATA, "%s: %s must be a whole number >= 0", in->json_path, key);
    *count = (uint64_t)json_integer_value(value);
    return HRR_OK;
}

static hrr_status text_of(const native *in, const char *key, const char **text, hrr_error *err)
{
    json_t *value = json_object_get(in->json, key);
    *text = NULL;
    if (!value || json_is_null(value)) return HRR_OK;
    if (!json_is_string(value))
        return hrr_fail(err, HRR_EDATA, "%s: %s must be a text", in->json_path, key);
    *text = json_string_value(value);
    return HRR_OK;
}

/* What an earlier reader concluded from the data, before it was written in this layout. */
static hrr_status read_inferred(native *in, hrr_error *err)
{
    const json_t *value = json_object_get(in->json, "inferred");
    if (!value) return HRR_OK;
    if (!json_is_integer(value) || json_integer_value(value) < 0 ||
        json_integer_value(value) >= HRR_INFERRED_END)
        return hrr_fail(err, HRR_EDATA, "%s: the value of inferred is not one that heterorr writes",
                        in->json_path);
    hrr_graph_add_inferred(in->graph, (hrr_inferred)json_integer_value(value));
    return HRR_OK;
}

static hrr_status load_json(native *in, hrr_error *err)
{
    in->json_path = hrr_path_join(in->directory, "graph.json");
    if (!in->json_path) return hrr_no_memory(err);
    json_error_t wrong;
    in->json = json_load_file(in->json_path, JSON_REJECT_DUPLICATES, &wrong);
    if (!in->json) {
        if (json_error_code(&wrong) == json_error_cannot_open_file)
            return hrr_fail(err, HRR_EIO, "%s: cannot be read", in->json_path);
        return hrr_fail(err, HRR_EDATA, "%s:%d: is not JSON: %s", in->json_path, wrong.line,
                        wrong.text);
    }
    if (!json_is_object(in->json))
        return hrr_fail(err, HRR_EDATA, "%s: is not a JSON object", in->json_path);
    uint64_t version;
    bool stated;
    hrr_status status = count_of(in, "format_version", &version, &stated, err);
    if (!status && stated && version != format_version)
        status = hrr_fail(
            err, HRR_EDATA,
            "%s: is written in format version %" PRIu64
            ", but this program reads version %d; use a program that reads version %" PRIu64,
            in->json_path, version, format_version, version);
    return status;
}

static hrr_status check_count(const native *in, const char *key, uint64_t found, const char *file,
                              hrr_error *err)
{
    uint64_t count;
    bool stated;
    hrr_status status = count_of(in, key, &count, &stated, err);
    if (!status && stated && count != found)
        status = hrr_fail(err, HRR_EDATA,
                          "%s: contains %" PRIu64 ", but graph.json states %s = %" PRIu64, file,
                          found, key, count);
    return status;
}

/* ---- parts -------------------------------------------------------------------------------- */

/* Read NAME if it is there. *path is always set (hrr memory) unless memory is out. */
static hrr_status part(hrr_array *out, char **path, bool *present, const native *in,
                       const char *name, hrr_error *err)
{
    *present = false;
    *path = hrr_path_join(in->directory, name);
    if (!*path) return hrr_no_memory(err);
    if (!hrr_path_is_file(*path)) return HRR_OK;
    *present = true;
    return hrr_array_read(out, *path, err);
}

/* The same for a part that may be cut into shards; they are joined. *path names the part. */
static hrr_status long_part(hrr_array *out, char **path, bool *present, const native *in,
                            const char *name, hrr_error *err)
{
    hrr_shards shards;
    *present = false;
    *path = NULL;
    hrr_status status = hrr_shards_open(&shards, in->directory, name, 1, err);
    if (status) return status;
    if (shards.n == 0) {
        char *file = hrr_format_text("%s.npy", name);
        status = file ? part(out, path, present, in, file, err) : hrr_no_memory(err);
        hrr_free(file);
        return status;
    }
    *present = true;
    *path = hrr_format_text("%s/%s-*.npy", in->directory, name);
    status = *path ? hrr_shards_join(out, &shards, 1, err) : hrr_no_memory(err);
    hrr_shards_clear(&shards);
    return status;
}

/* A part may be absent only if graph.json does not count on it. */
static hrr_status check_absent(const native *in, const char *key, const char *file, hrr_error *err)
{
    uint64_t count;
    bool stated;
    hrr_status status = count_of(in, key, &count, &stated, err);
    if (!status && stated && count > 0)
        status = hrr_fail(err, HRR_EDATA, "%s: is missing, but graph.json states %s = %" PRIu64,
                          file, key, count);
    return status;
}

/* Both rows of a 2 x E array as an edge list. int32 and uint32 rows are used where they are: the
 * region belongs to the sources, the targets borrow the rest of it. */
static hrr_status edges_of_array(hrr_edge_list *edges, hrr_array *array, uint64_t n_nodes,
                                 const char *where, hrr_error *err)
{
    uint64_t n_edges = array->shape[1];
    if (array->type == HRR_ARRAY_I32 || array->type == HRR_ARRAY_U32) {
        edges->n_edges = n_edges;
        edges->source = array->data;
        edges->target = edges->source + n_edges;
        edges->source_storage = array->storage;
        *array = (hrr_array){0};
        return HRR_OK;
    }
    hrr_status status = hrr_edge_list_init(edges, n_edges, false, err);
    for (uint64_t i = 0; i < 2 * n_edges && !status; i++) {
        int64_t node = hrr_array_integer(array, i);
        if (node < 0 || (uint64_t)node >= n_nodes)
            return hrr_fail(err, HRR_EDATA,
                            "%s: edge %" PRIu64
                            " (counting from 0) names a node that is not between 0 and %" PRIu64,
                            where, i % n_edges, n_nodes - 1);
        (i < n_edges ? edges->source : edges->target)[i % n_edges] = (uint32_t)node;
    }
    return status;
}

static hrr_status marks_of_array(hrr_edge_list *edges, hrr_array *array, const char *where,
                                 hrr_error *err)
{
    if ((array->type == HRR_ARRAY_U8 || array->type == HRR_ARRAY_BOOL) && array->n_dims == 1 &&
        array->n_items == edges->n_edges) {
        const uint8_t *mark = array->data;
        for (uint64_t e = 0; e < edges->n_edges; e++)
            if (mark[e] > 1)
                return hrr_fail(err, HRR_EDATA,
                                "%s: entry %" PRIu64 " (counting from 0) is neither 0 nor 1", where,
                                e);
        edges->marks = array->data;
        edges->marks_storage = array->storage;
        *array = (hrr_array){0};
        return HRR_OK;
    }
    hrr_status status = hrr_array_bytes(&edges->marks, array, edges->n_edges, 1, where, err);
    if (!status) edges->marks_storage = (hrr_region){edges->marks, edges->n_edges, HRR_REGION_HEAP};
    return status;
}

/* Without the number in graph.json nobody would miss the last shards. */
static hrr_status check_sharded_count(const native *in, uint64_t n_edges, hrr_error *err)
{
    uint64_t count;
    bool stated;
    hrr_status status = count_of(in, "n_edges", &count, &stated, err);
    if (!status && !stated)
        status =
            hrr_fail(err, HRR_EDATA,
                     "%s: does not state n_edges, which a graph whose edges are cut into shards "
                     "needs, so that a missing shard is noticed; add it",
                     in->json_path);
    if (!status && count != n_edges)
        status =
            hrr_fail(err, HRR_EDATA,
                     "%s: edges-*.npy hold %" PRIu64 " edges where graph.json states n_edges = "
                     "%" PRIu64 "; a shard is missing or belongs to another graph",
                     in->directory, n_edges, count);
    return status;
}

/* The shards of the marks are cut where those of the edges are. */
static hrr_status check_mark_shards(const native *in, const hrr_shards *edges, hrr_error *err)
{
    hrr_shards marks;
    hrr_status status = hrr_shards_open(&marks, in->directory, "private", 1, err);
    if (status || marks.n == 0) return status;
    if (marks.n != edges->n)
        status = hrr_fail(err, HRR_EDATA,
                          "%s: there are %" PRIu64 " shards of edges and %" PRIu64 " of private "
                          "marks; each edges-N.npy needs its private-N.npy",
                          in->directory, edges->n, marks.n);
    for (uint64_t i = 0; i < marks.n && !status; i++)
        if (marks.array[i].n_dims != 1 || marks.array[i].shape[0] != edges->array[i].shape[1])
            status = hrr_fail(err, HRR_EDATA, "%s: does not hold a mark for each edge of %s",
                              marks.path[i], edges->path[i]);
    hrr_shards_clear(&marks);
    return status;
}

/* Edges that are cut into shards. 32-bit ids are used where they lie. */
static hrr_status edges_of_shards(hrr_edge_list *edges, const native *in, const hrr_shards *shards,
                                  hrr_error *err)
{
    const hrr_array_type type = shards->array[0].type;
    hrr_array array = {0};
    uint64_t n_edges = 0;
    for (uint64_t i = 0; i < shards->n; i++)
        n_edges += shards->array[i].shape[1];
    hrr_status status = check_sharded_count(in, n_edges, err);
    if (!status) status = check_mark_shards(in, shards, err);
    if (!status && (type == HRR_ARRAY_I32 || type == HRR_ARRAY_U32))
        status = hrr_shards_join_edges(edges, shards, err);
    else if (!status) {
        status = hrr_shards_join(&array, shards, 2, err);
        if (!status)
            status =
                edges_of_array(edges, &array, hrr_graph_n_nodes(in->graph), in->directory, err);
        hrr_array_clear(&array);
    }
    return status ? status : hrr_shards_check_order(shards, edges, err);
}

/* Edges that are one file. *path: hrr memory. */
static hrr_status edges_of_file(hrr_edge_list *edges, char **path, const native *in, hrr_error *err)
{
    hrr_array array = {0};
    bool present;
    hrr_status status = part(&array, path, &present, in, "edges.npy", err);
    if (!status && !present) status = hrr_fail(err, HRR_EIO, "%s: is missing", *path);
    if (!status && (!hrr_array_is_integer(&array) || array.n_dims != 2 || array.shape[0] != 2))
        status = hrr_fail(err, HRR_EDATA,
                          "%s: must contain 2 x E integers, one column per edge; if it has one row "
                          "per edge, transpose it",
                          *path);
    if (!status) status = check_count(in, "n_edges", array.shape[1], *path, err);
    if (!status) status = edges_of_array(edges, &array, hrr_graph_n_nodes(in->graph), *path, err);
    hrr_array_clear(&array);
    return status;
}

static hrr_status read_edges(const native *in, hrr_error *err)
{
    static const char *const mark_name[] = {"private"};
    hrr_array marks = {0};
    hrr_shards shards = {0};
    hrr_edge_list edges = {0};
    char *path = NULL, *marks_path = NULL;
    bool marked;
    hrr_status status = hrr_shards_open(&shards, in->directory, "edges", 2, err);
    if (status) goto done;
    if (shards.n) {
        path = hrr_format_text("%s/edges-*.npy", in->directory);
        status = path ? edges_of_shards(&edges, in, &shards, err) : hrr_no_memory(err);
    } else {
        status = edges_of_file(&edges, &path, in, err);
    }
    if (status) goto done;
    if ((status = long_part(&marks, &marks_path, &marked, in, "private", err))) goto done;
    if (marked && (status = marks_of_array(&edges, &marks, marks_path, err))) goto done;
    status = hrr_graph_take_edges(in->graph, &edges, mark_name, marked ? 1 : 0, in->progress, err);
    status = hrr_error_add_place(err, status, path);
    if (!status && !marked && json_is_true(json_object_get(in->json, "edges_are_public")))
        hrr_graph_mark_none(in->graph);
done:
    hrr_edge_list_clear(&edges);
    hrr_shards_clear(&shards);
    hrr_array_clear(&marks);
    hrr_free(path);
    hrr_free(marks_path);
    return status;
}

static hrr_status read_features(const native *in, hrr_error *err)
{
    hrr_array array = {0}, masked = {0};
    hrr_dense matrix = {0};
    char *path = NULL, *masked_path = NULL;
    bool present;
    hrr_status status = long_part(&array, &path, &present, in, "features", err);
    if (status) goto done;
    if (!present) {
        status = check_absent(in, "n_features", path, err);
        goto done;
    }
    uint64_t n_features = array.n_dims == 2 ? array.shape[1] : 1;
    if ((status = check_count(in, "n_features", n_features, path, err))) goto done;
    if ((status = hrr_take_features_array(in->graph, &array, path, err))) goto done;
    status = hrr_native_bounds_read(in->graph, json_object_get(in->json, "feature_bounds"), err);
    if ((status = hrr_error_add_place(err, status, in->json_path))) goto done;

    if ((status = long_part(&masked, &masked_path, &present, in, "masked_features", err)))
        goto done;
    if (!present) goto done;
    if ((status = hrr_array_into_dense(&matrix, &masked, masked_path, err))) goto done;
    status = hrr_graph_take_masked_features(in->graph, &matrix, err);
    status = hrr_error_add_place(err, status, masked_path);
done:
    hrr_dense_clear(&matrix);
    hrr_array_clear(&array);
    hrr_array_clear(&masked);
    hrr_free(path);
    hrr_free(masked_path);
    return status;
}

static hrr_status set_class_names(const native *in, hrr_error *err)
{
    json_t *names = json_object_get(in->json, "class_names");
    uint32_t n = hrr_graph_n_classes(in->graph);
    if (!names || json_is_null(names)) return HRR_OK;
    if (!json_is_array(names) || json_array_size(names) != n)
        return hrr_fail(err, HRR_EDATA, "%s: class_names must be a list of %u texts", in->json_path,
                        n);
    const char **texts = hrr_alloc(n, sizeof *texts);
    if (!texts) return hrr_no_memory(err);
    hrr_status status = HRR_OK;
    for (uint32_t i = 0; i < n && !status; i++) {
        texts[i] = json_string_value(json_array_get(names, i));
        if (!texts[i])
            status = hrr_fail(err, HRR_EDATA, "%s: class_names must be a list of %u texts",
                              in->json_path, n);
    }
    if (!status) status = hrr_graph_set_class_names(in->graph, texts, err);
    hrr_free(texts);
    return status;
}

static hrr_status read_labels(const native *in, hrr_error *err)
{
    hrr_array array = {0};
    char *path = NULL;
    bool present, stated;
    uint64_t n_classes;
    hrr_status status = part(&array, &path, &present, in, "labels.npy", err);
    if (status) goto done;
    if (!present) {
        status = check_absent(in, "n_classes", path, err);
        goto done;
    }
    if ((status = count_of(in, "n_classes", &n_classes, &stated, err))) goto done;
    if (stated && (n_classes == 0 || n_classes > HRR_MAX_CLASSES)) {
        status = hrr_fail(err, HRR_EDATA, "%s: exists, but graph.json states n_classes = %" PRIu64,
                          path, n_classes);
        goto done;
    }
    json_t *multilabel = json_object_get(in->json, "multilabel");
    if (multilabel &&
        (!json_is_boolean(multilabel) || json_is_true(multilabel) != (array.n_dims == 2))) {
        status = hrr_fail(err, HRR_EDATA,
                          "%s: has %d dimensions, which contradicts multilabel in graph.json", path,
                          array.n_dims);
        goto done;
    }
    status = hrr_take_labels_array(in->graph, &array, (uint32_t)n_classes, path, err);
    if (!status) status = set_class_names(in, err);
done:
    hrr_array_clear(&array);
    hrr_free(path);
    return status;
}

static hrr_status read_graph_ids(const native *in, hrr_error *err)
{
    hrr_array array = {0};
    uint32_t *graph_ids = NULL;
    char *path = NULL;
    bool present;
    uint64_t n = hrr_graph_n_nodes(in->graph);
    hrr_status status = part(&array, &path, &present, in, "graph_ids.npy", err);
    if (status || !present) goto done;
    if ((status = hrr_check_integers(&array, n, path, err))) goto done;
    graph_ids = hrr_alloc(n, sizeof *graph_ids);
    if (!graph_ids) {
        status = hrr_no_memory(err);
        goto done;
    }
    for (uint64_t i = 0; i < n; i++) {
        int64_t id = hrr_array_integer(&array, i);
        if (id < 0 || (uint64_t)id >= n) {
            status =
                hrr_fail(err, HRR_EDATA,
                         "%s: entry %" PRIu64 " (counting from 0) is not a graph number", path, i);
            goto done;
        }
        graph_ids[i] = (uint32_t)id;
    }
    status = hrr_error_add_place(err, hrr_graph_take_graph_ids(in->graph, &graph_ids, err), path);
done:
    hrr_free(graph_ids);
    hrr_array_clear(&array);
    hrr_free(path);
    return status;
}

static hrr_status read_split_ids_and_candidates(const native *in, hrr_error *err)
{
    hrr_array array = {0};
    uint8_t *candidates = NULL;
    char *path = NULL;
    bool present;
    hrr_status status = part(&array, &path, &present, in, "split.npy", err);
    if (!status && present) status = hrr_take_split_array(in->graph, &array, path, err);
    hrr_free(path);
    path = NULL;

    if (!status) status = part(&array, &path, &present, in, "node_ids.npy", err);
    if (!status && present) status = hrr_take_ids_array(in->graph, &array, path, err);
    hrr_free(path);
    path = NULL;

    if (!status) status = part(&array, &path, &present, in, "candidates.npy", err);
    if (!status && present) {
        status = hrr_array_bytes(&candidates, &array, hrr_graph_n_nodes(in->graph), 1, path, err);
        if (!status)
            status = hrr_error_add_place(
                err, hrr_graph_take_candidates(in->graph, &candidates, err), path);
    }
    hrr_free(candidates);
    hrr_array_clear(&array);
    hrr_free(path);
    return status;
}

hrr_status hrr_native_read(hrr_graph **out, const char *path, const hrr_read_options *options,
                           hrr_progress *progress, hrr_error *err)
{
    (void)options;
    native in = {.directory = path, .progress = progress};
    const char *name, *provenance;
    uint64_t n_nodes;
    bool stated;
    *out = NULL;
    hrr_status status = load_json(&in, err);
    if (status) goto done;
    if ((status = count_of(&in, "n_nodes", &n_nodes, &stated, err))) goto done;
    if (!stated) {
        status = hrr_fail(err, HRR_EDATA, "%s: does not state n_nodes", in.json_path);
        goto done;
    }
    if ((status = text_of(&in, "name", &name, err))) goto done;
    if ((status = text_of(&in, "provenance", &provenance, err))) goto done;
    status = name ? hrr_graph_new(&in.graph, name, n_nodes, err)
                  : hrr_graph_new_named(&in.graph, path, n_nodes, err);
    if ((status = hrr_error_add_place(err, status, in.json_path))) goto done;
    if (provenance && (status = hrr_graph_set_provenance(in.graph, provenance, err))) goto done;
    if ((status = read_inferred(&in, err))) goto done;

    if ((status = read_edges(&in, err))) goto done;
    if ((status = read_graph_ids(&in, err))) goto done;
    if ((status = read_features(&in, err))) goto done;
    if ((status = read_labels(&in, err))) goto done;
    if ((status = read_split_ids_and_candidates(&in, err))) goto done;
    *out = in.graph;
    in.graph = NULL;
done:
    hrr_graph_free(in.graph);
    json_decref(in.json);
    hrr_free(in.json_path);
    return status;
}
