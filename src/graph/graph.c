/* graph.c: the life of an attributed graph, and what it answers when asked. */
#include "graph/graph.h"
#include "graph/removed.h"
#include "base/memory.h"

#include <assert.h>
#include <inttypes.h>

hrr_status hrr_graph_new(hrr_graph **out, const char *name, uint64_t n_nodes, hrr_error *err)
{
    *out = NULL;
    if (n_nodes == 0) return hrr_fail(err, HRR_EDATA, "the graph has no nodes");
    if (n_nodes > HRR_MAX_NODES)
        return hrr_fail(err, HRR_EDATA,
                        "the graph has %" PRIu64 " nodes; at most %" PRIu64 " are supported",
                        n_nodes, HRR_MAX_NODES);
    hrr_graph *graph = hrr_alloc_zero(1, sizeof *graph);
    if (!graph) return hrr_no_memory(err);
    graph->n_nodes = n_nodes;
    graph->marking = HRR_ALL_PUBLIC; /* there is no edge to decide about yet */
    graph->name = hrr_copy_text(name ? name : "");
    if (!graph->name) {
        hrr_free(graph);
        return hrr_no_memory(err);
    }
    *out = graph;
    return HRR_OK;
}

void hrr_node_ids_clear(hrr_node_ids *ids)
{
    hrr_free(ids->integer);
    hrr_free(ids->text);
    hrr_free(ids->text_start);
    *ids = (hrr_node_ids){0};
}

void hrr_graph_free(hrr_graph *graph)
{
    if (!graph) return;
    hrr_private_clear(&graph->private_edges);
    hrr_edge_list_clear(&graph->edges);
    for (int mark = 0; mark < HRR_MAX_MARKS; mark++)
        hrr_free(graph->mark_names[mark]);
    hrr_dense_clear(&graph->features);
    hrr_free(graph->feature_bounds);
    hrr_dense_clear(&graph->masked_features);
    hrr_labels_clear(graph);
    hrr_free(graph->split);
    hrr_free(graph->graph_ids);
    hrr_node_ids_clear(&graph->node_ids);
    hrr_free(graph->candidates);
    hrr_free(graph->provenance);
    hrr_free(graph->name);
    hrr_free(graph);
}

hrr_status hrr_graph_set_provenance(hrr_graph *graph, const char *text, hrr_error *err)
{
    char *copy = hrr_copy_text(text);
    if (!copy) return hrr_no_memory(err);
    hrr_free(graph->provenance);
    graph->provenance = copy;
    return HRR_OK;
}

void hrr_graph_add_removed(hrr_graph *graph, const hrr_removed *more)
{
    graph->removed.self_loops += more->self_loops;
    graph->removed.duplicates += more->duplicates;
    graph->removed.isolated_nodes += more->isolated_nodes;
}

const char *hrr_graph_name(const hrr_graph *graph)
{
    return graph->name;
}

const char *hrr_graph_provenance(const hrr_graph *graph)
{
    return graph->provenance;
}

uint64_t hrr_graph_n_nodes(const hrr_graph *graph)
{
    return graph->n_nodes;
}

uint64_t hrr_graph_n_edges(const hrr_graph *graph)
{
    return graph->edges.n_edges;
}

uint64_t hrr_graph_n_private_edges(const hrr_graph *graph)
{
    return graph->private_edges.count;
}

const uint32_t *hrr_graph_sources(const hrr_graph *graph)
{
    return graph->edges.source;
}

const uint32_t *hrr_graph_targets(const hrr_graph *graph)
{
    return graph->edges.target;
}

const uint8_t *hrr_graph_is_private(const hrr_graph *graph)
{
    return graph->private_edges.flags;
}

hrr_marking hrr_graph_marking(const hrr_graph *graph)
{
    return graph->marking;
}

const hrr_dense *hrr_graph_features(const hrr_graph *graph)
{
    return graph->features.data ? &graph->features : NULL;
}

const hrr_dense *hrr_graph_masked_features(const hrr_graph *graph)
{
    return graph->masked_features.data ? &graph->masked_features : NULL;
}

uint32_t hrr_graph_n_classes(const hrr_graph *graph)
{
    return graph->n_classes;
}

bool hrr_graph_is_multilabel(const hrr_graph *graph)
{
    return graph->label_matrix.data != NULL;
}

const int32_t *hrr_graph_classes(const hrr_graph *graph)
{
    return graph->classes;
}

const hrr_dense *hrr_graph_label_matrix(const hrr_graph *graph)
{
    return graph->label_matrix.data ? &graph->label_matrix : NULL;
}

const char *hrr_graph_class_name(const hrr_graph *graph, uint32_t label)
{
    assert(label < graph->n_classes);
    return graph->class_names ? graph->class_names[label] : NULL;
}

const uint8_t *hrr_graph_split(const hrr_graph *graph)
{
    return graph->split;
}

const uint32_t *hrr_graph_graph_ids(const hrr_graph *graph)
{
    return graph->graph_ids;
}

uint32_t hrr_graph_n_graphs(const hrr_graph *graph)
{
    return graph->graph_ids ? graph->graph_ids[graph->n_nodes - 1] + 1 : 1;
}

const hrr_node_ids *hrr_graph_node_ids(const hrr_graph *graph)
{
    return graph->node_ids.integer || graph->node_ids.text ? &graph->node_ids : NULL;
}

const uint8_t *hrr_graph_candidates(const hrr_graph *graph)
{
    return graph->candidates;
}

hrr_removed hrr_graph_removed(const hrr_graph *graph)
{
    return graph->removed;
}

int hrr_graph_n_marks(const hrr_graph *graph)
{
    return graph->n_marks;
}

const char *hrr_graph_mark_name(const hrr_graph *graph, int mark)
{
    assert(mark >= 0 && mark < graph->n_marks);
    return graph->mark_names[mark];
}

uint64_t hrr_graph_mark_edges_count(const hrr_graph *graph, int mark)
{
    assert(mark >= 0 && mark < graph->n_marks);
    return graph->mark_edges_count[mark];
}

void hrr_graph_add_inferred(hrr_graph *graph, hrr_inferred what)
{
    graph->inferred |= what;
}

unsigned hrr_graph_inferred(const hrr_graph *graph)
{
    return graph->inferred;
}
