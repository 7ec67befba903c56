/* ppi_read.c: protein-protein interactions as the PyTorch Geometric and DGL loaders publish them:
 * {train,valid,test}_graph.json (node-link), _feats.npy, _labels.npy and _graph_id.npy. Any of the
 * three splits may be missing; those present become one collection of graphs. */
#include "io/edge_append.h"
#include "io/file_names.h"
#include "io/graph_formats.h"
#include "io/graph_parts.h"
#include "io/node_link.h"
#include "io/split_arrays.h"
#include "base/memory.h"

#include <inttypes.h>
#include <string.h>

typedef struct collection {
    const char *directory;
    bool present[3];
    uint64_t rows[3], n_nodes;
    hrr_edge_growth edges;
    bool passed_over; /* links say more than is read */
    hrr_graph *graph;
} collection;

static hrr_status read_links(collection *in, hrr_progress *progress, hrr_error *err)
{
    hrr_status status = HRR_OK;
    bool any = false;
    for (int split = 0; split < 3 && !status; split++) {
        hrr_node_link links = {0};
        char *path = hrr_split_path(in->directory, split, "graph.json");
        if (!path) return hrr_no_memory(err);
        in->present[split] = hrr_path_is_file(path);
        if (in->present[split]) {
            any = true;
            status = hrr_node_link_read(&links, path, NULL, progress, err);
            if (!status && links.n_nodes == 0)
                status = hrr_fail(err, HRR_EDATA, "%s: has no nodes", path);
            if (!status && in->n_nodes + links.n_nodes > HRR_MAX_NODES)
                status =
                    hrr_fail(err, HRR_EDATA, "%s: there are more than %" PRIu64 " nodes in total",
                             path, HRR_MAX_NODES);
            if (!status)
                status = hrr_edge_growth_append(&in->edges, &links.edges, in->n_nodes, err);
            in->passed_over |= links.passed_over;
            in->rows[split] = links.n_nodes;
            in->n_nodes += links.n_nodes;
        }
        hrr_node_link_clear(&links);
        hrr_free(path);
    }
    if (!status && !any)
        status = hrr_fail(err, HRR_EIO,
                          "%s: no PPI collection was found; expected train_graph.json, "
                          "valid_graph.json and test_graph.json",
                          in->directory);
    return status;
}

/* Whether all splits have a WHAT file; some with and some without is an error. */
static hrr_status all_have(const collection *in, const char *what, bool *all, hrr_error *err)
{
    int count, missing;
    hrr_status status = hrr_split_count(&count, &missing, in->directory, what, in->present, err);
    *all = !status && missing == 3;
    if (!status && count > 0 && missing != 3)
        status = hrr_fail(err, HRR_EIO, "%s/%s_%s: is missing, but the other splits have this file",
                          in->directory, hrr_split_names[missing], what);
    return status;
}

static hrr_status take_split(collection *in, hrr_error *err)
{
    uint8_t *split = hrr_alloc(in->n_nodes, 1);
    if (!split) return hrr_no_memory(err);
    uint64_t at = 0;
    for (int s = 0; s < 3; s++) {
        memset(split + at, s, in->rows[s]);
        at += in->rows[s];
    }
    hrr_status status = hrr_graph_take_split(in->graph, &split, err);
    hrr_free(split);
    return status;
}

/* Without the files every split is one graph. */
static hrr_status take_graph_ids(collection *in, hrr_error *err)
{
    bool all;
    hrr_status status = all_have(in, "graph_id.npy", &all, err);
    if (status) return status;
    uint32_t *graph_ids = hrr_alloc(in->n_nodes, sizeof *graph_ids), n_graphs = 0;
    if (!graph_ids) return hrr_no_memory(err);
    uint64_t at = 0;
    for (int split = 0; split < 3 && !status; split++) {
        if (!in->present[split]) continue;
        hrr_array array = {0};
        char *path = hrr_split_path(in->directory, split, "graph_id.npy");
        if (!path) status = hrr_no_memory(err);
        if (!status && all) {
            status = hrr_array_read(&array, path, err);
            if (!status) status = hrr_check_integers(&array, in->rows[split], path, err);
            if (!status) status = hrr_split_graph_ids(graph_ids + at, &n_graphs, &array, path, err);
        } else if (!status) {
            for (uint64_t i = 0; i < in->rows[split]; i++)
                graph_ids[at + i] = n_graphs;
            n_graphs++;
        }
        at += in->rows[split];
        hrr_array_clear(&array);
        hrr_free(path);
    }
    if (!status)
        status = hrr_error_add_place(err, hrr_graph_take_graph_ids(in->graph, &graph_ids, err),
                                     in->directory);
    hrr_free(graph_ids);
    return status;
}

static hrr_status take_features_and_labels(collection *in, hrr_error *err)
{
    bool all;
    hrr_dense features = {0}, labels = {0};
    hrr_status status = all_have(in, "feats.npy", &all, err);
    if (!status && all) {
        status = hrr_split_stack(&features, in->directory, "feats.npy", in->present, in->rows, err);
        if (!status)
            status = hrr_error_add_place(err, hrr_graph_take_features(in->graph, &features, err),
                                         in->directory);
    }
    if (!status) status = all_have(in, "labels.npy", &all, err);
    if (!status && all) {
        status = hrr_split_stack(&labels, in->directory, "labels.npy", in->present, in->rows, err);
        if (!status) {
            hrr_array array = hrr_array_of_dense(&labels); /* a view: clearing it frees nothing */
            char *where = hrr_split_path(in->directory, 0, "labels.npy and the other splits'");
            status = where ? hrr_take_labels_array(in->graph, &array, 0, where, err)
                           : hrr_no_memory(err);
            hrr_free(where);
        }
    }
    hrr_dense_clear(&features);
    hrr_dense_clear(&labels);
    return status;
}

hrr_status hrr_ppi_read(hrr_graph **out, const char *path, const hrr_read_options *options,
                        hrr_progress *progress, hrr_error *err)
{
    (void)options;
    collection in = {.directory = path};
    *out = NULL;
    hrr_status status = read_links(&in, progress, err);
    if (status) goto done;
    if ((status = hrr_graph_new_named(&in.graph, path, in.n_nodes, err))) goto done;
    if ((status = take_graph_ids(&in, err))) goto done;
    status = hrr_graph_take_edges(in.graph, &in.edges.edges, NULL, 0, progress, err);
    if ((status = hrr_error_add_place(err, status, path))) goto done;
    if ((status = take_split(&in, err))) goto done;
    if ((status = take_features_and_labels(&in, err))) goto done;
    if (in.passed_over) hrr_graph_add_inferred(in.graph, HRR_INFERRED_EDGES);
    *out = in.graph;
    in.graph = NULL;
done:
    hrr_graph_free(in.graph);
    hrr_edge_growth_clear(&in.edges);
    return status;
}
