/* same_nodes.c: see same_nodes.h. The original's nodes are sorted by name, the others looked up. */
#include "cli/same_nodes.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A node's name, and its position. */
typedef struct named {
    const char *text; /* NULL: the integer is its name */
    int64_t integer;
    uint32_t node;
} named;

static int by_name(const void *a, const void *b)
{
    const named *x = a, *y = b;
    if (x->text && y->text) return strcmp(x->text, y->text);
    return (x->integer > y->integer) - (x->integer < y->integer);
}

static const char *text_ids(const hrr_graph *graph)
{
    const hrr_node_ids *ids = hrr_graph_node_ids(graph);
    return ids ? ids->text : NULL;
}

static bool has_ids(const hrr_graph *graph)
{
    const hrr_node_ids *ids = hrr_graph_node_ids(graph);
    return ids && (ids->text || ids->integer);
}

/* A graph without ids calls its nodes 0, 1, 2... */
static named name_of(const hrr_graph *graph, uint64_t node)
{
    const hrr_node_ids *ids = hrr_graph_node_ids(graph);
    named name = {.integer = (int64_t)node, .node = (uint32_t)node};
    if (ids && ids->text)
        name.text = ids->text + ids->text_start[node];
    else if (ids && ids->integer)
        name.integer = ids->integer[node];
    return name;
}

static bool same_order(const hrr_graph *a, const hrr_graph *b)
{
    const uint64_t n = hrr_graph_n_nodes(a);
    if (n != hrr_graph_n_nodes(b)) return false;
    if (has_ids(a) != has_ids(b)) return true; /* one has no names: positions decide */
    if (!text_ids(a) != !text_ids(b)) return false;
    for (uint64_t i = 0; i < n; i++) {
        const named x = name_of(a, i), y = name_of(b, i);
        if (by_name(&x, &y) != 0) return false;
    }
    return true;
}

/* place[i] = position in `original` of node i of `released`. */
static hrr_status find_places(uint32_t *place, const hrr_graph *original, const hrr_graph *released,
                              hrr_error *err)
{
    const uint64_t n = hrr_graph_n_nodes(original), n_released = hrr_graph_n_nodes(released);
    if (!text_ids(original) != !text_ids(released))
        return hrr_fail(err, HRR_EDATA,
                        "the two graphs have %" PRIu64 " and %" PRIu64
                        " nodes, and only one of them names its nodes with words; compare graphs "
                        "on the same nodes",
                        n, n_released);
    named *names = calloc(n, sizeof *names);
    if (!names) return hrr_fail(err, HRR_ENOMEM, "out of memory");
    for (uint64_t i = 0; i < n; i++)
        names[i] = name_of(original, i);
    qsort(names, n, sizeof *names, by_name);
    hrr_status status = HRR_OK;
    for (uint64_t i = 0; i < n_released && !status; i++) {
        const named wanted = name_of(released, i);
        const named *found = bsearch(&wanted, names, n, sizeof *names, by_name);
        if (found)
            place[i] = found->node;
        else
            status = hrr_fail(err, HRR_EDATA,
                              "node %" PRIu64 " of the released graph (counted from 0) is not in "
                              "the original; compare graphs on the same nodes",
                              i);
    }
    free(names);
    return status;
}

/* `released` with every node at its place. */
static hrr_status move_nodes(hrr_graph **out, const uint32_t *place, uint64_t n_nodes,
                             const hrr_graph *released, hrr_error *err)
{
    const uint64_t n_edges = hrr_graph_n_edges(released);
    hrr_edge_list edges = {0};
    hrr_status status = hrr_graph_new(out, hrr_graph_name(released), n_nodes, err);
    if (!status) status = hrr_edge_list_init(&edges, n_edges, false, err);
    if (status) return status;
    for (uint64_t e = 0; e < n_edges; e++) {
        edges.source[e] = place[hrr_graph_sources(released)[e]];
        edges.target[e] = place[hrr_graph_targets(released)[e]];
    }
    status = hrr_graph_take_edges(*out, &edges, NULL, 0, NULL, err);
    hrr_edge_list_clear(&edges);
    return status;
}

hrr_status cli_released_adjacency(hrr_csr *out, const hrr_graph *original,
                                  const hrr_graph *released, hrr_error *err)
{
    *out = (hrr_csr){0};
    if (same_order(original, released)) return hrr_graph_adjacency(out, released, NULL, err);
    hrr_graph *moved = NULL;
    uint32_t *place = calloc(hrr_graph_n_nodes(released), sizeof *place);
    hrr_status status = place ? find_places(place, original, released, err)
                              : hrr_fail(err, HRR_ENOMEM, "out of memory");
    if (!status) status = move_nodes(&moved, place, hrr_graph_n_nodes(original), released, err);
    if (!status) status = hrr_graph_adjacency(out, moved, NULL, err);
    hrr_graph_free(moved);
    free(place);
    return status;
}
