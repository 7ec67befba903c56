/* musae_read.c: the layout of Rozemberczki, Allen, Sarkar, "Multi-scale attributed node embedding"
 * (2021): P_edges.csv, P_features.json (node -> list of the features it has) and P_target.csv.
 *
 * The target table says which nodes there are (musae_target.h). Features are 0/1 and dense, as wide
 * as the options say, or as the largest feature id needs. */
#include "io/edge_text.h"
#include "io/file_names.h"
#include "io/graph_formats.h"
#include "io/graph_parts.h"
#include "io/json_stream.h"
#include "io/musae_target.h"
#include "io/table.h"
#include "base/memory.h"

#include <inttypes.h>
#include <string.h>

/* ---- features.json ------------------------------------------------------------------------ */

typedef struct feature_lists {
    hrr_json_stream *json;
    uint32_t *node, *feature; /* one entry for each feature that a node has */
    uint64_t n, room;
    uint64_t width;
    uint64_t stated; /* width, if it is */
    uint8_t *seen;
} feature_lists;

static hrr_status add_feature(feature_lists *lists, uint32_t node, hrr_error *err)
{
    int64_t feature;
    const uint64_t most = lists->stated ? lists->stated : HRR_MAX_SPARSE_FEATURES;
    if (!hrr_json_integer(lists->json, &feature) || feature < 0 || (uint64_t)feature >= most)
        return hrr_json_fail(lists->json, err, "a feature id is not between 0 and %" PRIu64 "%s",
                             most - 1, lists->stated ? ", the range that `n_features` gives" : "");
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
        hrr_json_expect(lists->json, HRR_JSON_OBJECT, "an object that maps nodes to features", err);
    while (!status) {
        int64_t node;
        if ((status = hrr_json_next(lists->json, &event, err)) || event == HRR_JSON_OBJECT_END)
            break;
        if (!hrr_field_integer(hrr_json_text(lists->json), &node) || node < 0 ||
            (uint64_t)node >= n_nodes)
            return hrr_json_fail(lists->json, err,
                                 "a key is not a node number between 0 and %" PRIu64, n_nodes - 1);
        if (lists->seen[node]) return hrr_json_fail(lists->json, err, "a node occurs twice");
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

static hrr_status take_features(hrr_graph *graph, const char *path, uint64_t n_features,
                                hrr_progress *progress, hrr_error *err)
{
    feature_lists lists = {.width = n_features, .stated = n_features};
    hrr_dense features = {0};
    uint64_t n = hrr_graph_n_nodes(graph);
    if (n_features > HRR_MAX_SPARSE_FEATURES)
        return hrr_fail(err, HRR_EINVAL, "`n_features` must be at most %d",
                        HRR_MAX_SPARSE_FEATURES);
    hrr_progress_begin(progress, "reading features", 0);
    lists.seen = hrr_alloc_zero(n, 1);
    hrr_status status = lists.seen ? HRR_OK : hrr_no_memory(err);
    if (!status) status = hrr_json_open(&lists.json, path, progress, err);
    if (!status) status = read_lists(&lists, n, err);
    if (!status && lists.width) {
        status = hrr_dense_init(&features, HRR_U8, n, lists.width, err);
        for (uint64_t i = 0; i < lists.n && !status; i++)
            ((uint8_t *)features.data)[lists.node[i] * lists.width + lists.feature[i]] = 1;
        if (!status)
            status = hrr_error_add_place(err, hrr_graph_take_features(graph, &features, err), path);
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
        return hrr_fail(
            err, HRR_EIO,
            "%s: no MUSAE graph was found; expected P_edges.csv, P_features.json and P_target.csv "
            "(also as musae_P_..., as edges/P_edges.csv with features/P.json and "
            "target/P_target.csv, or without a prefix in a directory)",
            path);
    if ((status = hrr_target_read(&target, paths[2], options, err))) goto done;
    status = hrr_graph_new_named(&graph, path, target.n_nodes, err);
    if ((status = hrr_error_add_place(err, status, paths[2]))) goto done;

    hrr_edge_text_options how;
    status = hrr_edge_text_options_of(&how, options, HRR_IDS_DIRECT, target.n_nodes, err);
    if (status) goto done;
    if ((status = hrr_edge_text_read(&text, paths[0], &how, progress, err))) goto done;
    status = hrr_graph_take_edges(graph, &text.edges, (const char *const *)text.mark_names,
                                  text.n_marks, progress, err);
    if ((status = hrr_error_add_place(err, status, paths[0]))) goto done;
    if ((status = take_features(graph, paths[1], options->n_features, progress, err))) goto done;
    if (!options->n_features) hrr_graph_add_inferred(graph, HRR_INFERRED_COLUMNS);
    if (text.passed_over && !text.n_marks) hrr_graph_add_inferred(graph, HRR_INFERRED_EDGES);
    if (target.labelled && (status = hrr_target_take_classes(graph, &target, err))) goto done;
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
