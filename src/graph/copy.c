/* copy.c: parts of a graph in another graph on the same nodes: the one way to make a graph from a
 * graph. What is not asked for is not looked at, so that a copy without a part cannot leak it.
 * Every part goes through the take function that a reader would call. */
#include "graph/copy.h"
#include "graph/graph.h"
#include "graph/removed.h"
#include "base/memory.h"

#include <string.h>

/* A copy for a graph to take; NULL: there is nothing to copy, or no memory, which status says. */
static void *copy_array(const void *from, uint64_t n, size_t size, hrr_status *status,
                        hrr_error *err)
{
    if (!from || *status) return NULL;
    void *copy = hrr_alloc(n, size);
    if (!copy)
        *status = hrr_no_memory(err);
    else
        memcpy(copy, from, n * size);
    return copy;
}

static hrr_status copy_dense(hrr_dense *out, const hrr_dense *from, bool as_view, hrr_error *err)
{
    if (as_view) {
        *out = hrr_dense_view(from);
        return HRR_OK;
    }
    hrr_status status = hrr_dense_init(out, from->dtype, from->rows, from->cols, err);
    if (!status)
        memcpy(out->data, from->data, from->rows * from->cols * hrr_dtype_size(from->dtype));
    return status;
}

/* ---- edges -------------------------------------------------------------------------------- */

static hrr_status copy_edges(hrr_graph *to, const hrr_graph *from, unsigned parts, hrr_error *err)
{
    const hrr_edge_list *theirs = &from->edges;
    const uint64_t n = theirs->n_edges;
    const bool with_marks = parts & HRR_COPY_MARKS && theirs->marks;
    const bool has_names = with_marks && from->mark_names[0];
    hrr_edge_list edges = {0};
    hrr_status status = HRR_OK;
    if (parts & HRR_COPY_AS_VIEWS)
        edges = (hrr_edge_list){.n_edges = n,
                                .source = theirs->source,
                                .target = theirs->target,
                                .marks = with_marks ? theirs->marks : NULL};
    else {
        if ((status = hrr_edge_list_init(&edges, n, with_marks, err))) return status;
        memcpy(edges.source, theirs->source, n * sizeof *edges.source);
        memcpy(edges.target, theirs->target, n * sizeof *edges.target);
        if (with_marks) memcpy(edges.marks, theirs->marks, n);
    }
    status =
        hrr_graph_take_edges(to, &edges, has_names ? (const char *const *)from->mark_names : NULL,
                             with_marks ? from->n_marks : 0, NULL, err);
    hrr_edge_list_clear(&edges);
    if (!status && parts & HRR_COPY_MARKS) status = hrr_graph_copy_private(to, from, err);
    return status;
}

/* Private edges are passed over; how many there were shows nowhere. Whether the rest is public is
 * as undecided as it was. */
static hrr_status copy_public_edges(hrr_graph *to, const hrr_graph *from, hrr_error *err)
{
    const uint8_t *is_private = from->private_edges.flags;
    hrr_edge_list edges;
    hrr_status status =
        hrr_edge_list_init(&edges, from->edges.n_edges - from->private_edges.count, false, err);
    if (status) return status;
    uint64_t kept = 0;
    for (uint64_t e = 0; e < from->edges.n_edges; e++) {
        if (is_private && is_private[e]) continue;
        edges.source[kept] = from->edges.source[e];
        edges.target[kept++] = from->edges.target[e];
    }
    status = hrr_graph_take_edges(to, &edges, NULL, 0, NULL, err);
    hrr_edge_list_clear(&edges);
    if (!status && from->marking != HRR_UNDECIDED) hrr_graph_mark_none(to);
    return status;
}

/* ---- values of nodes ---------------------------------------------------------------------- */

static hrr_status copy_features(hrr_graph *to, const hrr_graph *from, bool as_view, hrr_error *err)
{
    hrr_dense features = {0};
    hrr_status status = copy_dense(&features, &from->features, as_view, err);
    if (!status) status = hrr_graph_take_features(to, &features, err);
    hrr_dense_clear(&features);
    if (!status && from->feature_bounds)
        status = hrr_graph_set_feature_bounds(to, hrr_graph_feature_lo(from),
                                              hrr_graph_feature_hi(from), err);
    return status;
}

static hrr_status copy_masked_features(hrr_graph *to, const hrr_graph *from, bool as_view,
                                       hrr_error *err)
{
    hrr_dense masked = {0};
    hrr_status status = copy_dense(&masked, &from->masked_features, as_view, err);
    if (!status) status = hrr_graph_take_masked_features(to, &masked, err);
    hrr_dense_clear(&masked);
    return status;
}

static hrr_status copy_labels(hrr_graph *to, const hrr_graph *from, bool as_view, hrr_error *err)
{
    hrr_status status = HRR_OK;
    if (from->classes) {
        int32_t *classes = copy_array(from->classes, from->n_nodes, sizeof *classes, &status, err);
        if (!status) status = hrr_graph_take_classes(to, &classes, from->n_classes, err);
        hrr_free(classes);
    } else if (from->label_matrix.data) {
        hrr_dense labels = {0};
        status = copy_dense(&labels, &from->label_matrix, as_view, err);
        if (!status) status = hrr_graph_take_label_matrix(to, &labels, err);
        hrr_dense_clear(&labels);
    }
    if (!status && from->class_names)
        status = hrr_graph_set_class_names(to, (const char *const *)from->class_names, err);
    return status;
}

static hrr_status copy_node_ids(hrr_graph *to, const hrr_graph *from, hrr_error *err)
{
    const hrr_node_ids *theirs = &from->node_ids;
    const uint64_t n = from->n_nodes;
    hrr_status status = HRR_OK;
    hrr_node_ids ids = {
        .integer = copy_array(theirs->integer, n, sizeof *ids.integer, &status, err),
        .text_start = copy_array(theirs->text_start, n + 1, sizeof *ids.text_start, &status, err),
        .text =
            copy_array(theirs->text, theirs->text ? theirs->text_start[n] : 0, 1, &status, err)};
    if (!status) status = hrr_graph_take_node_ids(to, &ids, err);
    hrr_node_ids_clear(&ids);
    return status;
}

static hrr_status copy_graph_ids(hrr_graph *to, const hrr_graph *from, hrr_error *err)
{
    hrr_status status = HRR_OK;
    uint32_t *ids = copy_array(from->graph_ids, from->n_nodes, sizeof *ids, &status, err);
    if (ids) status = hrr_graph_take_graph_ids(to, &ids, err);
    hrr_free(ids);
    return status;
}

/* One byte a node. */
static hrr_status copy_bytes(hrr_graph *to, const uint8_t *from,
                             hrr_status take(hrr_graph *, uint8_t **, hrr_error *), hrr_error *err)
{
    hrr_status status = HRR_OK;
    uint8_t *bytes = copy_array(from, to->n_nodes, 1, &status, err);
    if (bytes) status = take(to, &bytes, err);
    hrr_free(bytes);
    return status;
}

static hrr_status copy_origin(hrr_graph *to, const hrr_graph *from, hrr_error *err)
{
    hrr_graph_add_removed(to, &from->removed);
    to->inferred |= from->inferred;
    return from->provenance ? hrr_graph_set_provenance(to, from->provenance, err) : HRR_OK;
}

/* ---- together ----------------------------------------------------------------------------- */

static hrr_status check(const hrr_graph *to, const hrr_graph *from, unsigned parts, hrr_error *err)
{
    if (parts & ~(unsigned)(HRR_COPY_ALL | HRR_COPY_PUBLIC_EDGES | HRR_COPY_AS_VIEWS))
        return hrr_fail(err, HRR_EINVAL, "the graph does not have the part that is to be copied");
    if (parts & HRR_COPY_PUBLIC_EDGES && parts & (HRR_COPY_EDGES | HRR_COPY_MARKS))
        return hrr_fail(err, HRR_EINVAL, "copy either all edges or only the public ones, not both");
    if (parts & HRR_COPY_MARKS && !(parts & HRR_COPY_EDGES))
        return hrr_fail(err, HRR_EINVAL,
                        "private marks can be copied only together with their edges");
    if (to->n_nodes != from->n_nodes)
        return hrr_fail(err, HRR_EINVAL, "both graphs must have the same nodes");
    return HRR_OK;
}

hrr_status hrr_graph_add_parts(hrr_graph *to, const hrr_graph *from, unsigned parts, hrr_error *err)
{
    const bool as_view = parts & HRR_COPY_AS_VIEWS;
    hrr_status status = check(to, from, parts, err);
    if (!status && parts & HRR_COPY_GRAPH_IDS) status = copy_graph_ids(to, from, err);
    if (!status && parts & HRR_COPY_EDGES && from->has_edges)
        status = copy_edges(to, from, parts, err);
    if (!status && parts & HRR_COPY_PUBLIC_EDGES && from->has_edges)
        status = copy_public_edges(to, from, err);
    if (!status && parts & HRR_COPY_FEATURES && from->features.data)
        status = copy_features(to, from, as_view, err);
    if (!status && parts & HRR_COPY_MASKED_FEATURES && from->masked_features.data)
        status = copy_masked_features(to, from, as_view, err);
    if (!status && parts & HRR_COPY_LABELS) status = copy_labels(to, from, as_view, err);
    if (!status && parts & HRR_COPY_SPLIT)
        status = copy_bytes(to, from->split, hrr_graph_take_split, err);
    if (!status && parts & HRR_COPY_NODE_IDS) status = copy_node_ids(to, from, err);
    if (!status && parts & HRR_COPY_CANDIDATES)
        status = copy_bytes(to, from->candidates, hrr_graph_take_candidates, err);
    if (!status && parts & HRR_COPY_ORIGIN) status = copy_origin(to, from, err);
    return status;
}

hrr_status hrr_graph_copy(hrr_graph **out, const hrr_graph *graph, unsigned parts, hrr_error *err)
{
    hrr_graph *copy;
    *out = NULL;
    hrr_status status = hrr_graph_new(&copy, graph->name, graph->n_nodes, err);
    if (status) return status;
    if ((status = hrr_graph_add_parts(copy, graph, parts, err)))
        hrr_graph_free(copy);
    else
        *out = copy;
    return status;
}
