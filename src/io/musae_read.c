/* musae_read.c: the layout of Rozemberczki, Allen, Sarkar, "Multi-scale attributed node embedding"
 * (2021): P_edges.csv, P_features.json (node -> list of the features it has) and P_target.csv.
 *
 * The target table says which nodes there are (musae_target.h). Features
 * are 0/1 and dense, as wide as the largest feature id needs. */
#include "io/edge_text.h"
#include "io/file_names.h"
#include "io/graph_formats.h"
#include "io/graph_parts.h"
#include "io/json_stream.h"
#include "io/musae_target.h"
#include "io/table.h"
#include "base/memory.h"
#include "base/paths.h"

#include <inttypes.h>
#include <string.h>

static const char *const endings[] = {"edges.csv", "features.json", "target.csv"};

/* ---- the three files ---------------------------------------------------------------------- */

/* The three files that begin with `beginning`; *found false if one is missing. */
static hrr_status try_beginning(char *out[3], bool *found, const char *beginning, hrr_error *err)
{
    hrr_status status = HRR_OK;
    *found = true;
    for (int i = 0; i < 3 && *found && !status; i++)
        status = hrr_find_stored(&out[i], found, beginning, endings[i], err);
    if (status || !*found)
        for (int i = 0; i < 3; i++) {
            hrr_free(out[i]);
            out[i] = NULL;
        }
    if (status) *found = false;
    return status;
}

/* In a folder: the three without a prefix, or those of its only prefix. */
static hrr_status find_in_directory(char *out[3], bool *found, const char *path, hrr_error *err)
{
    char *beginning = hrr_path_join(path, "");
    if (!beginning) return hrr_no_memory(err);
    hrr_status status = try_beginning(out, found, beginning, err);
    hrr_free(beginning);
    if (status || *found) return status;

    hrr_entries entries;
    if ((status = hrr_entries_read(&entries, path, err))) return status;
    const char *only = NULL;
    uint64_t matches = 0;
    for (uint64_t i = 0; i < entries.n; i++)
        if (hrr_ends_with(entries.names[i], "_edges.csv")) {
            only = entries.names[i];
            matches++;
        }
    if (matches == 1) {
        char *file = hrr_path_join(path, only);
        if (file) file[strlen(file) - strlen(endings[0])] = '\0';
        status = file ? try_beginning(out, found, file, err) : hrr_no_memory(err);
        hrr_free(file);
    }
    hrr_entries_clear(&entries);
    return status;
}

hrr_status hrr_musae_find(char *out[3], bool *found, const char *path, hrr_error *err)
{
    out[0] = out[1] = out[2] = NULL;
    *found = false;
    if (hrr_path_is_directory(path)) return find_in_directory(out, found, path, err);
    char *beginning = hrr_format_text("%s_", path);
    for (int i = 0; i < 3 && beginning; i++)
        if (hrr_ends_with(path, endings[i])) {
            size_t length = strlen(path) - strlen(endings[i]);
            if (length > 0 && path[length - 1] != '_' && path[length - 1] != '/') continue;
            hrr_free(beginning);
            beginning = hrr_format_text("%.*s", (int)length, path);
        }
    hrr_status status = beginning ? try_beginning(out, found, beginning, err) : hrr_no_memory(err);
    hrr_free(beginning);
    return status;
}

/* ---- features.json ------------------------------------------------------------------------ */

typedef struct feature_lists {
    hrr_json_stream *json;
    uint32_t *node, *feature; /* one entry for each feature that a node has */
    uint64_t n, room;
    uint64_t width;
    uint8_t *seen;
} feature_lists;

static hrr_status add_feature(feature_lists *lists, uint32_t node, hrr_error *err)
{
    int64_t feature;
    if (!hrr_json_integer(lists->json, &feature) || feature < 0 ||
        feature >= HRR_MAX_SPARSE_FEATURES)
        return hrr_json_fail(lists->json, err, "a feature id is not a number of 0..%d",
                             HRR_MAX_SPARSE_FEATURES - 1);
    if (lists->n == lists->room) {
        uint64_t room = lists->room ? 2 * lists->room : 4096;
        uint32_t *nodes = hrr_resize(lists->node, room, sizeof *nodes);
        if (!nodes) return hrr_no_memory(err);
        lists->node = nodes;
        uint32_t *features = hrr_resize(lists->feature, room, sizeof *features);
        if (!features) return hrr_no_memory(err);
        lists->feature = features;
        lists->room = room;
    }
    lists->node[lists->n] = node;
    lists->feature[lists->n++] = (uint32_t)feature;
    if ((uint64_t)feature >= lists->width) lists->width = (uint64_t)feature + 1;
    return HRR_OK;
}

static hrr_status read_lists(feature_lists *lists, uint64_t n_nodes, hrr_error *err)
{
    hrr_json_event event;
    hrr_status status =
        hrr_json_expect(lists->json, HRR_JSON_OBJECT, "an object from node to features", err);
    while (!status) {
        int64_t node;
        if ((status = hrr_json_next(lists->json, &event, err)) || event == HRR_JSON_OBJECT_END)
            break;
        if (!hrr_field_integer(hrr_json_text(lists->json), &node) || node < 0 ||
            (uint64_t)node >= n_nodes)
            return hrr_json_fail(lists->json, err, "a key is not the number of a node, 0..%" PRIu64,
                                 n_nodes - 1);
        if (lists->seen[node]) return hrr_json_fail(lists->json, err, "a node is there twice");
        lists->seen[node] = 1;
        status = hrr_json_expect(lists->json, HRR_JSON_ARRAY, "a list of feature ids", err);
        while (!status && !(status = hrr_json_next(lists->json, &event, err)) &&
               event != HRR_JSON_ARRAY_END) {
            if (event != HRR_JSON_NUMBER)
                return hrr_json_fail(lists->json, err, "expected a feature id, found %s",
                                     hrr_json_event_name(event));
            status = add_feature(lists, (uint32_t)node, err);
        }
    }
    if (!status) status = hrr_json_expect(lists->json, HRR_JSON_END, "the end of the file", err);
    return status;
}

static hrr_status take_features(hrr_graph *graph, const char *path, hrr_progress *progress,
                                hrr_error *err)
{
    feature_lists lists = {0};
    hrr_dense features = {0};
    uint64_t n = hrr_graph_n_nodes(graph);
    hrr_progress_begin(progress, "reading features", 0);
    lists.seen = hrr_alloc_zero(n, 1);
    hrr_status status = lists.seen ? HRR_OK : hrr_no_memory(err);
    if (!status) status = hrr_json_open(&lists.json, path, progress, err);
    if (!status) status = read_lists(&lists, n, err);
    if (!status && lists.width) {
        status = hrr_dense_init(&features, HRR_U8, n, lists.width, err);
        for (uint64_t i = 0; i < lists.n && !status; i++)
            ((uint8_t *)features.data)[lists.node[i] * lists.width + lists.feature[i]] = 1;
        if (!status) status = hrr_blame(err, hrr_graph_take_features(graph, &features, err), path);
        if (!status)
            status = hrr_graph_set_feature_range(graph, 0, 1, err); /* in the list or not */
    }
    hrr_dense_clear(&features);
    hrr_free(lists.node);
    hrr_free(lists.feature);
    hrr_free(lists.seen);
    hrr_json_close(lists.json);
    return status;
}

/* ---- the whole ---------------------------------------------------------------------------- */

hrr_status hrr_musae_read(hrr_graph **out, const char *path, const hrr_read_options *options,
                          hrr_progress *progress, hrr_error *err)
{
    char *paths[3];
    bool found;
    hrr_target target = {0};
    hrr_edge_text text = {0};
    hrr_graph *graph = NULL;
    *out = NULL;
    hrr_status status = hrr_musae_find(paths, &found, path, err);
    if (status) return status;
    if (!found)
        return hrr_fail(err, HRR_EIO,
                        "%s: no MUSAE graph: P_edges.csv, P_features.json and P_target.csv (or the "
                        "three without prefix in a folder) were looked for",
                        path);
    if ((status = hrr_target_read(&target, paths[2], err))) goto done;
    status = hrr_graph_new_named(&graph, path, target.n_nodes, err);
    if ((status = hrr_blame(err, status, paths[2]))) goto done;

    hrr_edge_text_options how = {.ids = HRR_IDS_DIRECT,
                                 .n_nodes = target.n_nodes,
                                 .threads = options->threads,
                                 .mark_column = options->private_column};
    if ((status = hrr_edge_text_read(&text, paths[0], &how, progress, err))) goto done;
    status = hrr_graph_take_edges(graph, &text.edges, (const char *const *)text.mark_names,
                                  text.n_marks, progress, err);
    if ((status = hrr_blame(err, status, paths[0]))) goto done;
    if ((status = take_features(graph, paths[1], progress, err))) goto done;
    hrr_graph_add_inferred(graph, HRR_INFERRED_COLUMNS);
    if (text.passed_over && !text.n_marks) hrr_graph_add_inferred(graph, HRR_INFERRED_EDGES);
    if ((status = hrr_target_take_classes(graph, &target, err))) goto done;
    *out = graph;
    graph = NULL;
done:
    hrr_graph_free(graph);
    hrr_edge_text_clear(&text);
    hrr_target_clear(&target);
    for (int i = 0; i < 3; i++)
        hrr_free(paths[i]);
    return status;
}
