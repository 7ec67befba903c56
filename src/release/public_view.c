/* public_view.c: what of a graph is public, as a graph of its own, so that whoever looks at it
 * cannot look at more. Private edges are dropped while edges are copied; how many there were shows
 * nowhere. */
#include "release/public_view.h"
#include "base/memory.h"

#include <heterorr/release.h>

#include <string.h>

hrr_status hrr_take_public_edges(hrr_graph *view, const hrr_graph *graph, hrr_error *err)
{
    const uint8_t *is_private = hrr_graph_is_private(graph);
    const uint32_t *source = hrr_graph_sources(graph), *target = hrr_graph_targets(graph);
    const uint64_t n_edges = hrr_graph_n_edges(graph);
    hrr_edge_list edges = {0};
    hrr_status status =
        hrr_edge_list_init(&edges, n_edges - hrr_graph_n_private_edges(graph), false, err);
    if (status) return status;
    uint64_t kept = 0;
    for (uint64_t e = 0; e < n_edges; e++) {
        if (is_private && is_private[e]) continue;
        edges.source[kept] = source[e];
        edges.target[kept++] = target[e];
    }
    status = hrr_graph_take_edges(view, &edges, NULL, 0, NULL, err);
    hrr_edge_list_clear(&edges);
    return status;
}

/* A copy for a graph to take; NULL: there is nothing to copy, or no memory, which status says. */
static void *copy_of(const void *from, uint64_t n, size_t size, hrr_status *status, hrr_error *err)
{
    if (!from || *status) return NULL;
    void *copy = hrr_alloc(n, size);
    if (!copy)
        *status = hrr_no_memory(err);
    else
        memcpy(copy, from, n * size);
    return copy;
}

hrr_status hrr_take_public_split(hrr_graph *view, const hrr_graph *graph, hrr_error *err)
{
    hrr_status status = HRR_OK;
    uint8_t *split = copy_of(hrr_graph_split(graph), hrr_graph_n_nodes(graph), 1, &status, err);
    if (split) status = hrr_graph_take_split(view, &split, err);
    hrr_free(split);
    return status;
}

static hrr_status copy_node_data(hrr_graph *view, const hrr_graph *graph, bool with_classes,
                                 hrr_error *err)
{
    const uint64_t n = hrr_graph_n_nodes(graph);
    hrr_status status = HRR_OK;
    uint32_t *ids = copy_of(hrr_graph_graph_ids(graph), n, sizeof *ids, &status, err);
    int32_t *classes =
        copy_of(with_classes ? hrr_graph_classes(graph) : NULL, n, sizeof *classes, &status, err);
    if (!status && ids) status = hrr_graph_take_graph_ids(view, &ids, err);
    if (!status && classes)
        status = hrr_graph_take_classes(view, &classes, hrr_graph_n_classes(graph), err);
    if (!status) status = hrr_take_public_split(view, graph, err);
    hrr_free(ids);
    hrr_free(classes);
    return status;
}

hrr_status hrr_public_view(hrr_graph **out, const hrr_graph *graph, bool features_are_public,
                           bool labels_are_public, hrr_error *err)
{
    const hrr_dense *features = hrr_graph_features(graph), *labels = hrr_graph_label_matrix(graph);
    hrr_graph *view = NULL;
    *out = NULL;
    hrr_status status = hrr_graph_new(&view, hrr_graph_name(graph), hrr_graph_n_nodes(graph), err);
    if (!status) status = hrr_take_public_edges(view, graph, err);
    if (!status) status = copy_node_data(view, graph, labels_are_public, err);
    if (!status && labels && labels_are_public) {
        hrr_dense theirs = *labels;
        theirs.storage = (hrr_region){0};
        status = hrr_graph_take_label_matrix(view, &theirs, err);
    }
    if (!status && features && features_are_public) {
        hrr_dense theirs = *features;
        theirs.storage = (hrr_region){0};
        status = hrr_graph_take_features(view, &theirs, err);
    }
    if (status)
        hrr_graph_free(view);
    else
        *out = view;
    return status;
}
