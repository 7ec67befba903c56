/* world.c: see world.h. */
#include "attack/world.h"
#include "edge/traits.h"
#include "edge/like_public.h"
#include "graph/copy.h"
#include "release/draws.h"
#include "release/edge_sides.h"

#include <heterorr/random.h>
#include <heterorr/release.h>

#include <string.h>

/* What else the graph has, beside its edges. On failure the released graph is gone. */
static hrr_status add_node_data(hrr_graph **released, const hrr_graph *graph, hrr_error *err)
{
    hrr_status status = hrr_graph_add_parts(
        *released, graph, HRR_COPY_FEATURES | HRR_COPY_LABELS | HRR_COPY_SPLIT | HRR_COPY_AS_VIEWS,
        err);
    if (status) {
        hrr_graph_free(*released);
        *released = NULL;
    }
    return status;
}

hrr_status hrr_world_release(hrr_graph **out, double *realised_eps, const hrr_graph *graph,
                             const char *mechanism, uint64_t eps_nano, const char *tree,
                             uint64_t seed, int threads, hrr_progress *progress, hrr_error *err)
{
    hrr_edge_options how;
    hrr_edge_claim claim = {0};
    hrr_random *random = NULL;
    hrr_edge_options_init(&how);
    how.mechanism = mechanism;
    how.eps_nano = eps_nano;
    how.tree = hrr_edge_traits(mechanism)->chooses_tree ? tree : NULL;
    how.threads = threads;
    *out = NULL;
    hrr_status status = hrr_random_new_insecure(&random, seed, err);
    if (!status) status = hrr_draw_edges(out, &claim, graph, &how, random, progress, err);
    if (!status) status = add_node_data(out, graph, err);
    *realised_eps = claim.realised_eps;
    hrr_random_free(random);
    return status;
}

/* The public edges of one graph of the collection, and those drawn beside them. */
static void append(hrr_edge_list *to, uint32_t first_node, uint64_t n, const uint32_t *source,
                   const uint32_t *target)
{
    for (uint64_t e = 0; e < n; e++) {
        to->source[to->n_edges] = first_node + source[e];
        to->target[to->n_edges++] = first_node + target[e];
    }
}

static hrr_status draw_edges(hrr_edge_list *edges, const hrr_edge_sides *sides, uint64_t seed,
                             int threads, hrr_progress *progress, hrr_error *err)
{
    hrr_edge_options how;
    hrr_edge_options_init(&how);
    how.threads = threads;
    for (uint32_t g = 0; g < sides->n_graphs; g++) {
        const hrr_edge_side *side = &sides->graph[g];
        hrr_edge_list drawn;
        hrr_status status = hrr_edge_like_public(&drawn, &side->known, side->secret.n_edges, &how,
                                                 seed + g, progress, err);
        if (status) return status;
        append(edges, side->first_node, side->known.n_edges, side->known.source,
               side->known.target);
        append(edges, side->first_node, drawn.n_edges, drawn.source, drawn.target);
        hrr_edge_list_clear(&drawn);
    }
    return HRR_OK;
}

hrr_status hrr_world_public_tree(hrr_graph **out, const hrr_graph *graph, uint64_t seed,
                                 int threads, hrr_progress *progress, hrr_error *err)
{
    hrr_edge_sides sides;
    hrr_edge_list edges = {0};
    *out = NULL;
    hrr_status status = hrr_edge_sides_init(&sides, graph, false, err);
    if (status) return status;
    if ((status =
             hrr_edge_list_init(&edges, hrr_graph_n_edges(graph) + sides.n_graphs, false, err)))
        goto done;
    edges.n_edges = 0; /* so far */
    if ((status = draw_edges(&edges, &sides, seed, threads, progress, err))) goto done;
    if ((status = hrr_graph_copy(out, graph, 0, err))) goto done;
    if ((status = hrr_graph_take_edges(*out, &edges, NULL, 0, NULL, err))) {
        hrr_graph_free(*out);
        *out = NULL;
        goto done;
    }
    status = add_node_data(out, graph, err);
done:
    hrr_edge_list_clear(&edges);
    hrr_edge_sides_clear(&sides);
    return status;
}
