/* edges.c: edge lists, and how a graph comes by its edges. */
#include "graph/graph.h"
#include "graph/canonical.h"
#include "graph/removed.h"
#include "base/memory.h"

#include <inttypes.h>

hrr_status hrr_edge_list_init(hrr_edge_list *out, uint64_t n_edges, bool with_marks, hrr_error *err)
{
    hrr_status status;
    hrr_edge_list edges = {.n_edges = n_edges};
    *out = (hrr_edge_list){0};
    if ((status = hrr_region_alloc(&edges.source_storage, n_edges, sizeof(uint32_t), false, err)))
        goto done;
    if ((status = hrr_region_alloc(&edges.target_storage, n_edges, sizeof(uint32_t), false, err)))
        goto done;
    if (with_marks && (status = hrr_region_alloc(&edges.marks_storage, n_edges, 1, true, err)))
        goto done;
    edges.source = edges.source_storage.start;
    edges.target = edges.target_storage.start;
    edges.marks = edges.marks_storage.start;
    *out = edges;
    edges = (hrr_edge_list){0};
done:
    hrr_edge_list_clear(&edges);
    return status;
}

void hrr_edge_list_clear(hrr_edge_list *edges)
{
    hrr_region_clear(&edges->source_storage);
    hrr_region_clear(&edges->target_storage);
    hrr_region_clear(&edges->marks_storage);
    *edges = (hrr_edge_list){0};
}

hrr_status hrr_edges_check_graphs(const hrr_edge_list *edges, const uint32_t *graph_ids,
                                  const char *what, hrr_error *err)
{
    if (!graph_ids) return HRR_OK;
    for (uint64_t e = 0; e < edges->n_edges; e++)
        if (graph_ids[edges->source[e]] != graph_ids[edges->target[e]])
            return hrr_fail(err, HRR_EDATA,
                            "%s: edge %" PRIu64
                            " (counting from 0) joins nodes of two different graphs of the "
                            "collection; correct the edge or the graph ids",
                            what, e);
    return HRR_OK;
}

/* Unnamed marks are one column. */
static hrr_status check_marks(const hrr_edge_list *edges, int n_marks, hrr_error *err)
{
    int columns = n_marks > 1 ? n_marks : 1;
    for (uint64_t e = 0; edges->marks && e < edges->n_edges; e++)
        if (edges->marks[e] >> columns)
            return hrr_fail(err, HRR_EDATA,
                            columns == 1 ? "edges: the private mark of edge %" PRIu64
                                           " (counting from 0) is neither 0 nor 1"
                                         : "edges: the private marks of edge %" PRIu64
                                           " (counting from 0) refer to a column without a name",
                            e);
    return HRR_OK;
}

static void count_marks(uint64_t counts[HRR_MAX_MARKS], const hrr_edge_list *edges)
{
    uint64_t seen[256] = {0};
    for (uint64_t e = 0; edges->marks && e < edges->n_edges; e++)
        seen[edges->marks[e]]++;
    for (int mark = 0; mark < HRR_MAX_MARKS; mark++) {
        counts[mark] = 0;
        for (int bits = 0; bits < 256; bits++)
            if (bits >> mark & 1) counts[mark] += seen[bits];
    }
}

hrr_status hrr_graph_take_edges(hrr_graph *graph, hrr_edge_list *edges,
                                const char *const *mark_names, int n_marks, hrr_progress *progress,
                                hrr_error *err)
{
    hrr_status status;
    bool canonical;
    hrr_edge_list sorted = {0};
    hrr_removed removed = {0};
    hrr_private_edges private_edges = {0};
    char *names[HRR_MAX_MARKS] = {0};

    if (graph->has_edges)
        return hrr_fail(err, HRR_EINVAL, "the graph already has edges; create a new graph");
    if (n_marks < 0 || n_marks > HRR_MAX_MARKS)
        return hrr_fail(err, HRR_EDATA,
                        "edges: %d private columns are too many; at most %d are supported", n_marks,
                        HRR_MAX_MARKS);
    if ((status = check_marks(edges, n_marks, err))) goto done;
    hrr_progress_begin(progress, "checking edges", edges->n_edges);
    if ((status = hrr_edges_are_canonical(&canonical, edges, graph->n_nodes, progress, err)))
        goto done;
    if (!canonical) {
        hrr_progress_begin(progress, "sorting edges", HRR_CANONICAL_PASSES * edges->n_edges);
        if ((status = hrr_edges_canonicalise(&sorted, &removed, edges, graph->n_nodes, "edges",
                                             progress, err)))
            goto done;
    }
    if ((status = hrr_edges_check_graphs(edges, graph->graph_ids, "edges", err))) goto done;
    for (int mark = 0; mark_names && mark < n_marks; mark++)
        if (!(names[mark] = hrr_copy_text(mark_names[mark]))) {
            status = hrr_no_memory(err);
            goto done;
        }
    if ((status = hrr_private_from_marks(&private_edges, canonical ? edges : &sorted, n_marks, 0xff,
                                         err)))
        goto done;

    if (canonical)
        graph->edges = *edges;
    else {
        graph->edges = sorted;
        sorted = (hrr_edge_list){0};
        hrr_edge_list_clear(edges);
    }
    *edges = (hrr_edge_list){0};
    graph->has_edges = true;
    graph->n_marks = n_marks;
    for (int mark = 0; mark < n_marks; mark++) {
        graph->mark_names[mark] = names[mark];
        names[mark] = NULL;
    }
    count_marks(graph->mark_edges_count, &graph->edges);
    graph->private_edges = private_edges;
    graph->marking = private_edges.flags ? HRR_MARKED : HRR_UNDECIDED;
    private_edges = (hrr_private_edges){0};
    hrr_graph_add_removed(graph, &removed);
done:
    for (int mark = 0; mark < HRR_MAX_MARKS; mark++)
        hrr_free(names[mark]);
    hrr_private_clear(&private_edges);
    hrr_edge_list_clear(&sorted);
    return status;
}
