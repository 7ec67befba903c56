/* marks.c: which edges are private: by a mark column of the data, by a list, or, for experiments,
 * at random; or all of them, or none. Public or private is a state of the edge, one byte; the marks
 * it may come from are kept as they were read, so that another column can be chosen later. A graph
 * of which nobody said anything is undecided, which is not the same as public. */
#include "graph/graph.h"
#include "graph/canonical.h"
#include "graph/removed.h"
#include "base/memory.h"
#include "random/fast.h"

#include <heterorr/random.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

static hrr_status private_alloc(hrr_private_edges *out, uint64_t n_edges, hrr_error *err)
{
    hrr_private_edges made = {0};
    hrr_status status = hrr_region_alloc(&made.storage, n_edges, 1, true, err);
    made.flags = made.storage.start;
    *out = made;
    return status;
}

void hrr_private_clear(hrr_private_edges *edges)
{
    hrr_region_clear(&edges->storage);
    *edges = (hrr_private_edges){0};
}

static void replace_private(hrr_graph *graph, hrr_private_edges *with)
{
    hrr_private_clear(&graph->private_edges);
    graph->private_edges = *with;
    graph->marking = HRR_MARKED;
    *with = (hrr_private_edges){0};
}

hrr_status hrr_graph_mark_all(hrr_graph *graph, hrr_error *err)
{
    hrr_private_edges all;
    hrr_status status = private_alloc(&all, graph->edges.n_edges, err);
    if (status) return status;
    all.count = graph->edges.n_edges;
    memset(all.flags, 1, all.count);
    replace_private(graph, &all);
    return HRR_OK;
}

void hrr_graph_mark_none(hrr_graph *graph)
{
    hrr_private_clear(&graph->private_edges);
    graph->marking = HRR_ALL_PUBLIC;
}

hrr_status hrr_private_from_marks(hrr_private_edges *out, const hrr_edge_list *edges, int n_marks,
                                  uint8_t bits, hrr_error *err)
{
    hrr_private_edges made = {0};
    *out = made;
    if (!edges->marks) return HRR_OK;
    if (n_marks <= 1) /* the column is the answer: 0 and 1, checked when the edges were taken */
        made.flags = edges->marks;
    else {
        hrr_status status = private_alloc(&made, edges->n_edges, err);
        if (status) return status;
        for (uint64_t e = 0; e < edges->n_edges; e++)
            made.flags[e] = (edges->marks[e] & bits) != 0;
    }
    for (uint64_t e = 0; e < edges->n_edges; e++)
        made.count += made.flags[e];
    *out = made;
    return HRR_OK;
}

hrr_status hrr_graph_copy_private(hrr_graph *to, const hrr_graph *from, hrr_error *err)
{
    const uint64_t n_edges = from->edges.n_edges;
    hrr_private_edges copy = {0};
    if (from->private_edges.flags) {
        hrr_status status = private_alloc(&copy, n_edges, err);
        if (status) return status;
        memcpy(copy.flags, from->private_edges.flags, n_edges);
        copy.count = from->private_edges.count;
    }
    replace_private(to, &copy);
    to->marking = from->marking;
    return HRR_OK;
}

static hrr_status no_such_mark(const hrr_graph *graph, const char *name, hrr_error *err)
{
    char known[HRR_ERROR_SIZE / 2] = "";
    size_t used = 0;
    for (int mark = 0; mark < graph->n_marks && used < sizeof known; mark++)
        if (graph->mark_names[mark])
            used += (size_t)snprintf(known + used, sizeof known - used, "%s%s", used ? ", " : "",
                                     graph->mark_names[mark]);
    if (!used)
        return hrr_fail(
            err, HRR_EINVAL,
            "the edges have no column '%.200s' (`private_column`) that marks private edges; copy "
            "the name from the header of the file, upper and lower case included",
            name);
    return hrr_fail(
        err, HRR_EINVAL,
        "the edges have no private column '%.200s' (`private_column`); the private columns are: %s",
        name, known);
}

hrr_status hrr_graph_choose_mark(hrr_graph *graph, const char *name, hrr_error *err)
{
    for (int mark = 0; mark < graph->n_marks; mark++) {
        if (!graph->mark_names[mark] || strcmp(graph->mark_names[mark], name) != 0) continue;
        hrr_private_edges chosen;
        hrr_status status = hrr_private_from_marks(&chosen, &graph->edges, graph->n_marks,
                                                   (uint8_t)(1u << mark), err);
        if (status) return status;
        replace_private(graph, &chosen);
        return HRR_OK;
    }
    return no_such_mark(graph, name, err);
}

/* Selection sampling (Knuth, TAOCP 3.4.2, algorithm S): every set of that size is equally likely,
 * in one pass and without memory. */
hrr_status hrr_graph_mark_fraction(hrr_graph *graph, double fraction, uint64_t seed, hrr_error *err)
{
    if (!(fraction >= 0 && fraction <= 1))
        return hrr_fail(err, HRR_EINVAL,
                        "the share of private edges (`private_fraction`) must lie between 0 and 1");
    hrr_private_edges marked;
    uint64_t n_edges = graph->edges.n_edges;
    hrr_status status = private_alloc(&marked, n_edges, err);
    if (status) return status;
    marked.count = (uint64_t)llround(fraction * (double)n_edges);

    hrr_fast_random random;
    hrr_fast_init(&random, seed, 0);
    uint64_t wanted = marked.count;
    for (uint64_t e = 0; e < n_edges && wanted > 0; e++) {
        marked.flags[e] = hrr_fast_below(&random, n_edges - e) < wanted;
        wanted -= marked.flags[e];
    }
    replace_private(graph, &marked);
    return HRR_OK;
}

static inline uint64_t key_at(const hrr_edge_list *edges, uint64_t e)
{
    return hrr_edge_key(edges->source[e], edges->target[e]);
}

/* How many of `listed` the graph does not have; both canonical. */
static uint64_t count_absent(const hrr_edge_list *edges, const hrr_edge_list *listed)
{
    uint64_t absent = 0, e = 0;
    for (uint64_t k = 0; k < listed->n_edges; k++) {
        uint64_t key = key_at(listed, k);
        while (e < edges->n_edges && key_at(edges, e) < key)
            e++;
        absent += e == edges->n_edges || key_at(edges, e) != key;
    }
    return absent;
}

/* The graph's edges with the private flags `listed` gives them, as long as it lists none that is
 * absent. */
static void flag_present(hrr_private_edges *flagged, const hrr_edge_list *edges,
                         const hrr_edge_list *listed)
{
    uint64_t e = 0;
    for (uint64_t k = 0; k < listed->n_edges; k++) {
        uint64_t key = key_at(listed, k);
        while (key_at(edges, e) < key)
            e++;
        flagged->flags[e] = 1;
    }
}

/* Union of two canonical lists; an edge keeps its marks, a new one has none. */
static void merge(hrr_edge_list *merged, hrr_private_edges *flagged, const hrr_graph *graph,
                  const hrr_edge_list *listed)
{
    const hrr_edge_list *edges = &graph->edges;
    const uint8_t *was_private = graph->private_edges.flags;
    uint64_t e = 0, k = 0, at = 0;
    for (; e < edges->n_edges || k < listed->n_edges; at++) {
        uint64_t have = e < edges->n_edges ? key_at(edges, e) : UINT64_MAX;
        uint64_t want = k < listed->n_edges ? key_at(listed, k) : UINT64_MAX;
        uint64_t key = have < want ? have : want;
        merged->source[at] = (uint32_t)(key >> 32);
        merged->target[at] = (uint32_t)key;
        flagged->flags[at] = want == key || (was_private && was_private[e]);
        if (merged->marks && have == key) merged->marks[at] = edges->marks[e];
        e += have == key;
        k += want == key;
    }
}

hrr_status hrr_graph_mark_edges(hrr_graph *graph, const hrr_edge_list *private_edges,
                                hrr_error *err)
{
    static const char *const what = "private edges";
    hrr_status status;
    bool canonical;
    hrr_edge_list sorted = {0}, merged = {0};
    hrr_removed removed = {0};
    hrr_private_edges flagged = {0};
    const hrr_edge_list *listed = private_edges;

    if ((status = hrr_edges_are_canonical(&canonical, listed, graph->n_nodes, NULL, err)))
        goto done;
    if (!canonical) {
        if ((status = hrr_edges_canonicalise(&sorted, &removed, listed, graph->n_nodes, what, NULL,
                                             err)))
            goto done;
        listed = &sorted;
    }
    if ((status = hrr_edges_check_graphs(private_edges, graph->graph_ids, what, err))) goto done;

    uint64_t absent = count_absent(&graph->edges, listed);
    uint64_t n_edges = graph->edges.n_edges + absent;
    if ((status = private_alloc(&flagged, n_edges, err))) goto done;
    if (absent == 0) {
        if (graph->private_edges.flags) memcpy(flagged.flags, graph->private_edges.flags, n_edges);
        flag_present(&flagged, &graph->edges, listed);
    } else {
        if ((status = hrr_edge_list_init(&merged, n_edges, graph->edges.marks != NULL, err)))
            goto done;
        merge(&merged, &flagged, graph, listed);
    }
    for (uint64_t e = 0; e < n_edges; e++)
        flagged.count += flagged.flags[e];

    replace_private(graph, &flagged);
    if (absent > 0) {
        hrr_edge_list_clear(&graph->edges);
        graph->edges = merged;
        merged = (hrr_edge_list){0};
    }
    graph->has_edges = true;
    hrr_graph_add_removed(graph, &removed);
done:
    hrr_private_clear(&flagged);
    hrr_edge_list_clear(&merged);
    hrr_edge_list_clear(&sorted);
    return status;
}
