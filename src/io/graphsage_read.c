/* graphsage_read.c: the layout of Hamilton, Ying, Leskovec, "Inductive representation learning on
 * large graphs" (2017): P-G.json (node-link), P-id_map.json (id -> row), P-class_map.json (id ->
 * class, or list of 0/1) and P-feats.npy, the last two optional. The JSON files are streamed. */
#include "io/graph_formats.h"
#include "io/graph_parts.h"
#include "io/file_names.h"
#include "io/json_stream.h"
#include "io/node_link.h"
#include "io/node_names.h"
#include "base/memory.h"
#include "base/paths.h"

#include <inttypes.h>
#include <string.h>

static const char *const endings[] = {"-G.json", "-id_map.json", "-class_map.json", "-feats.npy"};

hrr_status hrr_graphsage_find(char **prefix, const char *path, hrr_error *err)
{
    char *found = hrr_copy_text(path);
    *prefix = NULL;
    if (!found) return hrr_no_memory(err);
    if (hrr_path_is_directory(path)) {
        hrr_entries entries;
        hrr_status status = hrr_entries_read(&entries, path, err);
        uint64_t matches = 0;
        for (uint64_t i = 0; i < entries.n && !status; i++) {
            if (!hrr_ends_with(entries.names[i], endings[0])) continue;
            matches++;
            hrr_free(found);
            found = hrr_path_join(path, entries.names[i]);
            if (!found) status = hrr_no_memory(err);
        }
        hrr_entries_clear(&entries);
        if (status || matches != 1) {
            hrr_free(found);
            return status;
        }
    }
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (hrr_ends_with(found, endings[i])) {
            found[strlen(found) - strlen(endings[i])] = '\0';
            break;
        }
    char *graph_path = hrr_format_text("%s%s", found, endings[0]);
    bool exists = graph_path && hrr_path_is_file(graph_path);
    hrr_status status = graph_path ? HRR_OK : hrr_no_memory(err);
    hrr_free(graph_path);
    if (exists)
        *prefix = found;
    else
        hrr_free(found);
    return status;
}

/* ---- P-id_map.json ------------------------------------------------------------------------ */

static hrr_status check_rows(const hrr_name_index *rows, const char *path, hrr_error *err)
{
    uint8_t *taken = hrr_alloc_zero(rows->n_names, 1);
    if (!taken) return hrr_no_memory(err);
    hrr_status status = HRR_OK;
    for (uint64_t i = 0; i < rows->n_names && !status; i++) {
        if (rows->row[i] >= rows->n_names || taken[rows->row[i]])
            status = hrr_fail(err, HRR_EDATA,
                              "%s: id %" PRIu64 " (counting from 0) has a row number that another "
                              "id has, or that is not below %" PRIu64 ", the number of ids",
                              path, i, rows->n_names);
        else
            taken[rows->row[i]] = 1;
    }
    hrr_free(taken);
    return status;
}

static hrr_status read_id_map(hrr_name_index *rows, const char *path, hrr_error *err)
{
    hrr_json_stream *json = NULL;
    hrr_json_event event;
    hrr_status status = hrr_json_open(&json, path, NULL, err);
    if (!status)
        status = hrr_json_expect(json, HRR_JSON_OBJECT, "an object that maps ids to rows", err);
    while (!status) {
        int64_t row;
        bool fresh;
        if ((status = hrr_json_next(json, &event, err)) || event == HRR_JSON_OBJECT_END) break;
        if (strlen(hrr_json_text(json)) != hrr_json_length(json)) {
            status = hrr_json_fail(json, err, "an id contains a zero byte");
            break;
        }
        if ((status = hrr_name_index_add(rows, hrr_json_text(json), 0, &fresh, err))) break;
        if (!fresh) {
            status = hrr_json_fail(json, err, "an id occurs twice");
            break;
        }
        if ((status = hrr_json_expect(json, HRR_JSON_NUMBER, "a row number", err))) break;
        if (!hrr_json_integer(json, &row) || row < 0 || (uint64_t)row >= HRR_MAX_NODES) {
            status = hrr_json_fail(json, err, "a row number is not between 0 and %" PRIu64,
                                   HRR_MAX_NODES - 1);
            break;
        }
        rows->row[rows->n_names - 1] = (uint32_t)row;
    }
    if (!status) status = hrr_json_expect(json, HRR_JSON_END, "the end of the file", err);
    if (!status) status = check_rows(rows, path, err);
    hrr_json_close(json);
    return status;
}

/* ---- P-class_map.json --------------------------------------------------------------------- */

typedef struct class_map {
    hrr_json_stream *json;
    uint64_t n_nodes;
    int32_t *classes; /* one class each, or */
    hrr_dense labels; /* several labels each */
    uint8_t *first;   /* the first list, before its width is known */
    uint64_t width;
    uint8_t *seen;
} class_map;

static hrr_status read_label_value(class_map *map, hrr_json_event event, uint8_t *label,
                                   hrr_error *err)
{
    int64_t value = -1;
    if (event == HRR_JSON_TRUE || event == HRR_JSON_FALSE)
        value = event == HRR_JSON_TRUE;
    else if (event == HRR_JSON_NUMBER && strcmp(hrr_json_text(map->json), "1.0") == 0)
        value = 1;
    else if (event == HRR_JSON_NUMBER && strcmp(hrr_json_text(map->json), "0.0") == 0)
        value = 0;
    else if (event != HRR_JSON_NUMBER || !hrr_json_integer(map->json, &value))
        value = -1;
    if (value != 0 && value != 1)
        return hrr_json_fail(map->json, err, "a label in a list is neither 0 nor 1");
    *label = (uint8_t)value;
    return HRR_OK;
}

/* The first list decides how many labels there are. */
static hrr_status read_first_list(class_map *map, hrr_error *err)
{
    uint64_t room = 0;
    for (;; map->width++) {
        hrr_json_event event;
        hrr_status status = hrr_json_next(map->json, &event, err);
        if (status) return status;
        if (event == HRR_JSON_ARRAY_END) break;
        if (map->width == HRR_MAX_CLASSES)
            return hrr_json_fail(map->json, err, "there are more than %u labels", HRR_MAX_CLASSES);
        if (map->width == room) {
            room = room ? 2 * room : 128;
            uint8_t *first = hrr_resize(map->first, room, 1);
            if (!first) return hrr_no_memory(err);
            map->first = first;
        }
        if ((status = read_label_value(map, event, &map->first[map->width], err))) return status;
    }
    if (map->width == 0) return hrr_json_fail(map->json, err, "a list of labels is empty");
    return hrr_dense_init(&map->labels, HRR_U8, map->n_nodes, map->width, err);
}

static hrr_status read_list(class_map *map, uint32_t row, hrr_error *err)
{
    if (!map->labels.data) {
        hrr_status status = read_first_list(map, err);
        if (!status) memcpy((uint8_t *)map->labels.data + row * map->width, map->first, map->width);
        return status;
    }
    uint8_t *labels = (uint8_t *)map->labels.data + row * map->width;
    for (uint64_t i = 0;; i++) {
        hrr_json_event event;
        hrr_status status = hrr_json_next(map->json, &event, err);
        if (status) return status;
        if ((event == HRR_JSON_ARRAY_END) != (i == map->width))
            return hrr_json_fail(map->json, err,
                                 "a list of labels does not have %" PRIu64
                                 " entries as the first list has",
                                 map->width);
        if (event == HRR_JSON_ARRAY_END) return HRR_OK;
        if ((status = read_label_value(map, event, &labels[i], err))) return status;
    }
}

static hrr_status read_labels_of(class_map *map, uint32_t row, hrr_error *err)
{
    static const char *const mixed = "some nodes have one class and others a list of labels";
    hrr_json_event event;
    int64_t value;
    hrr_status status = hrr_json_next(map->json, &event, err);
    if (status) return status;
    if (event == HRR_JSON_ARRAY) {
        if (map->classes) return hrr_json_fail(map->json, err, "%s", mixed);
        return read_list(map, row, err);
    }
    if (event != HRR_JSON_NUMBER || !hrr_json_integer(map->json, &value) || value < 0 ||
        value >= HRR_MAX_CLASSES)
        return hrr_json_fail(map->json, err,
                             "a class is neither a number between 0 and %u nor a list of 0 and 1",
                             HRR_MAX_CLASSES - 1);
    if (map->labels.data) return hrr_json_fail(map->json, err, "%s", mixed);
    if (!map->classes) {
        map->classes = hrr_alloc(map->n_nodes, sizeof *map->classes);
        if (!map->classes) return hrr_no_memory(err);
        for (uint64_t i = 0; i < map->n_nodes; i++)
            map->classes[i] = -1;
    }
    map->classes[row] = (int32_t)value;
    return HRR_OK;
}

static hrr_status read_class_map(class_map *map, const hrr_name_index *rows, hrr_error *err)
{
    hrr_status status =
        hrr_json_expect(map->json, HRR_JSON_OBJECT, "an object that maps ids to classes", err);
    while (!status) {
        hrr_json_event event;
        uint32_t row;
        if ((status = hrr_json_next(map->json, &event, err)) || event == HRR_JSON_OBJECT_END) break;
        if (strlen(hrr_json_text(map->json)) != hrr_json_length(map->json) ||
            !hrr_name_index_find(rows, hrr_json_text(map->json), &row))
            return hrr_json_fail(map->json, err, "an id is not in the id map");
        if (map->seen[row]) return hrr_json_fail(map->json, err, "an id occurs twice");
        map->seen[row] = 1;
        status = read_labels_of(map, row, err);
    }
    if (!status) status = hrr_json_expect(map->json, HRR_JSON_END, "the end of the file", err);
    return status;
}

static hrr_status take_class_map(hrr_graph *graph, const char *path, const hrr_name_index *rows,
                                 hrr_error *err)
{
    class_map map = {.n_nodes = hrr_graph_n_nodes(graph)};
    map.seen = hrr_alloc_zero(map.n_nodes, 1);
    hrr_status status = map.seen ? hrr_json_open(&map.json, path, NULL, err) : hrr_no_memory(err);
    if (!status) status = read_class_map(&map, rows, err);
    if (!status && map.classes) {
        status = hrr_take_classes_counted(graph, &map.classes, 0, path, err);
    } else if (!status && map.labels.data) {
        for (uint64_t i = 0; i < map.n_nodes && !status; i++)
            if (!map.seen[i])
                status = hrr_fail(err, HRR_EDATA,
                                  "%s: the node at row %" PRIu64 " (counting from 0) has no labels",
                                  path, i);
        if (!status)
            status = hrr_error_add_place(err, hrr_graph_take_label_matrix(graph, &map.labels, err),
                                         path);
    }
    hrr_free(map.first);
    hrr_free(map.seen);
    hrr_free(map.classes);
    hrr_dense_clear(&map.labels);
    hrr_json_close(map.json);
    return status;
}

/* ---- the whole ---------------------------------------------------------------------------- */

static hrr_status take_parts(hrr_graph *graph, hrr_node_link *links, const hrr_name_index *rows,
                             char *const paths[4], hrr_progress *progress, hrr_error *err)
{
    hrr_array features = {0};
    hrr_node_ids ids = {0};
    hrr_status status = hrr_graph_take_edges(graph, &links->edges, NULL, 0, progress, err);
    if (status) return hrr_error_add_place(err, status, paths[0]);
    if (links->passed_over) hrr_graph_add_inferred(graph, HRR_INFERRED_EDGES);
    if (links->split && (status = hrr_graph_take_split(graph, &links->split, err))) return status;
    if (hrr_path_is_file(paths[2]) && (status = take_class_map(graph, paths[2], rows, err)))
        return status;
    if (hrr_path_is_file(paths[3])) {
        if ((status = hrr_array_read(&features, paths[3], err))) return status;
        if ((status = hrr_take_features_array(graph, &features, paths[3], err))) return status;
    }
    status = hrr_names_into_ids(&ids, rows, err);
    if (!status && (ids.integer || ids.text)) status = hrr_graph_take_node_ids(graph, &ids, err);
    hrr_node_ids_clear(&ids);
    return status;
}

hrr_status hrr_graphsage_read(hrr_graph **out, const char *path, const hrr_read_options *options,
                              hrr_progress *progress, hrr_error *err)
{
    (void)options;
    char *prefix = NULL, *paths[4] = {0};
    hrr_name_index rows = {0};
    hrr_node_link links = {0};
    hrr_graph *graph = NULL;
    *out = NULL;
    hrr_status status = hrr_graphsage_find(&prefix, path, err);
    if (status) goto done;
    if (!prefix) {
        status = hrr_fail(err, HRR_EIO,
                          "%s: no GraphSAGE graph was found; expected P-G.json, P-id_map.json, "
                          "P-class_map.json and P-feats.npy",
                          path);
        goto done;
    }
    for (int i = 0; i < 4; i++) {
        paths[i] = hrr_format_text("%s%s", prefix, endings[i]);
        if (!paths[i]) {
            status = hrr_no_memory(err);
            goto done;
        }
    }
    if ((status = read_id_map(&rows, paths[1], err))) goto done;
    if ((status = hrr_node_link_read(&links, paths[0], &rows, progress, err))) goto done;
    status = hrr_graph_new_named(&graph, prefix, links.n_nodes, err);
    if ((status = hrr_error_add_place(err, status, paths[0]))) goto done;
    if ((status = take_parts(graph, &links, &rows, paths, progress, err))) goto done;
    *out = graph;
    graph = NULL;
done:
    hrr_graph_free(graph);
    hrr_node_link_clear(&links);
    hrr_name_index_clear(&rows);
    for (int i = 0; i < 4; i++)
        hrr_free(paths[i]);
    hrr_free(prefix);
    return status;
}
