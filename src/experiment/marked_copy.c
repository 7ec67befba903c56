/* marked_copy.c: see marked_copy.h. */
#include "experiment/marked_copy.h"
#include "base/memory.h"

#include <stdio.h>
#include <string.h>

void hrr_fraction_format(char text[HRR_FRACTION_SIZE], double fraction)
{
    if (fraction < 0)
        snprintf(text, HRR_FRACTION_SIZE, "as marked");
    else
        snprintf(text, HRR_FRACTION_SIZE, "%g", fraction);
}

static hrr_status copy_edges(hrr_graph *copy, const hrr_graph *graph, bool with_marks,
                             hrr_error *err)
{
    const uint64_t n_edges = hrr_graph_n_edges(graph);
    hrr_edge_list edges = {0};
    hrr_status status = hrr_edge_list_init(&edges, n_edges, with_marks, err);
    if (status) return status;
    memcpy(edges.source, hrr_graph_sources(graph), n_edges * sizeof *edges.source);
    memcpy(edges.target, hrr_graph_targets(graph), n_edges * sizeof *edges.target);
    if (with_marks) memcpy(edges.marks, hrr_graph_is_private(graph), n_edges);
    status = hrr_graph_take_edges(copy, &edges, NULL, 0, NULL, err);
    hrr_edge_list_clear(&edges);
    return status;
}

static hrr_status copy_graph_ids(hrr_graph *copy, const hrr_graph *graph, hrr_error *err)
{
    const uint32_t *from = hrr_graph_graph_ids(graph);
    const uint64_t n = hrr_graph_n_nodes(graph);
    if (!from) return HRR_OK;
    uint32_t *ids = hrr_alloc(n, sizeof *ids);
    if (!ids) return hrr_no_memory(err);
    memcpy(ids, from, n * sizeof *ids);
    hrr_status status = hrr_graph_take_graph_ids(copy, &ids, err);
    hrr_free(ids);
    return status;
}

static hrr_status copy_candidates(hrr_graph *copy, const hrr_graph *graph, hrr_error *err)
{
    const uint8_t *from = hrr_graph_candidates(graph);
    const uint64_t n = hrr_graph_n_nodes(graph);
    if (!from) return HRR_OK;
    uint8_t *candidates = hrr_alloc(n, 1);
    if (!candidates) return hrr_no_memory(err);
    memcpy(candidates, from, n);
    hrr_status status = hrr_graph_take_candidates(copy, &candidates, err);
    hrr_free(candidates);
    return status;
}

hrr_status hrr_marked_copy(hrr_graph **out, const hrr_graph *graph, double fraction, uint64_t seed,
                           hrr_error *err)
{
    hrr_graph *copy = NULL;
    *out = NULL;
    hrr_status status = hrr_graph_new(&copy, hrr_graph_name(graph), hrr_graph_n_nodes(graph), err);
    if (status) return status;
    status = copy_edges(copy, graph, fraction < 0 && hrr_graph_is_private(graph), err);
    if (!status) status = copy_graph_ids(copy, graph, err);
    if (!status && fraction < 0) status = copy_candidates(copy, graph, err);
    if (!status && fraction >= 0) status = hrr_graph_mark_fraction(copy, fraction, seed, err);
    if (status)
        hrr_graph_free(copy);
    else
        *out = copy;
    return status;
}

hrr_status hrr_fractions_check(const hrr_graph *graph, const double *fractions, size_t n,
                               hrr_error *err)
{
    if (n == 0 && !hrr_graph_is_private(graph))
        return hrr_fail(err, HRR_EINVAL,
                        "the graph does not say which edges are private: take all of them "
                        "(`all_private`), or mark some at random (`private_fractions`)");
    for (size_t i = 0; i < n; i++)
        if (!(fractions[i] >= 0 && fractions[i] <= 1))
            return hrr_fail(err, HRR_EINVAL, "`private_fractions` must be between 0 and 1");
    return HRR_OK;
}
