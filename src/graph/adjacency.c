/* adjacency.c: the graph as a sparse matrix.
 *
 * Edges are sorted by (source, target) with source < target. Walk them once and append each end
 * to the other's row: all edges (s, i), s < i, come before the first (i, t), so row i receives
 * its smaller neighbours ascending, then i itself, then the larger ones ascending. The columns are
 * sorted without sorting. */
#include "graph/adjacency.h"
#include "graph/graph.h"
#include "base/memory.h"
#include "base/options.h"
#include "matrix/csr.h"

#include <math.h>
#include <string.h>

typedef struct chosen {
    uint64_t n_edges; /* how many to look at */
    const uint32_t *source, *target;
    const uint8_t *flags; /* NULL: every one of them is chosen */
    uint8_t flag;
} chosen;

static inline bool is_chosen(const chosen *edges, uint64_t e)
{
    return !edges->flags || edges->flags[e] == edges->flag;
}

static uint64_t count_chosen(const hrr_graph *graph, hrr_edge_choice choice)
{
    uint64_t n_private = graph->private_edges.count;
    switch (choice) {
    case HRR_EDGES_PRIVATE:
        return n_private;
    case HRR_EDGES_PUBLIC:
        return graph->edges.n_edges - n_private;
    case HRR_EDGES_ALL:
        break;
    }
    return graph->edges.n_edges;
}

/* row_start[i + 1] = how many entries row i has, then the sums. */
static void start_rows(hrr_csr *matrix, const chosen *edges, bool self_loops)
{
    uint64_t *start = matrix->row_start;
    start[0] = 0;
    for (uint64_t i = 0; i < matrix->rows; i++)
        start[i + 1] = self_loops;
    for (uint64_t e = 0; e < edges->n_edges; e++) {
        if (!is_chosen(edges, e)) continue;
        start[edges->source[e] + 1]++;
        start[edges->target[e] + 1]++;
    }
    for (uint64_t i = 0; i < matrix->rows; i++)
        start[i + 1] += start[i];
}

/* Uses row_start[i] as the place where row i grows; at the end each stands where the next row
 * begins, and one shift puts them right. */
static void fill_rows(hrr_csr *matrix, const chosen *edges, bool self_loops)
{
    uint64_t *next = matrix->row_start;
    uint64_t e = 0;
    for (uint64_t node = 0; node < matrix->rows; node++) {
        if (self_loops) matrix->col[next[node]++] = (uint32_t)node;
        for (; e < edges->n_edges && edges->source[e] == node; e++) {
            if (!is_chosen(edges, e)) continue;
            uint32_t target = edges->target[e];
            matrix->col[next[node]++] = target;
            matrix->col[next[target]++] = (uint32_t)node;
        }
    }
    memmove(next + 1, next, matrix->rows * sizeof *next);
    next[0] = 0;
}

/* An isolated node has no entry, so its degree 0 is never divided by. */
static void set_mean(hrr_csr *matrix)
{
    for (uint64_t i = 0; i < matrix->rows; i++) {
        uint64_t begin = matrix->row_start[i], end = matrix->row_start[i + 1];
        for (uint64_t k = begin; k < end; k++)
            matrix->value[k] = (float)(1.0 / (double)(end - begin));
    }
}

/* scale[i] = degree(i)^-1/2; entry (i, j) = scale[i] scale[j]. */
static hrr_status set_symmetric(hrr_csr *matrix, hrr_error *err)
{
    double *scale = hrr_alloc(matrix->rows, sizeof *scale);
    if (!scale) return hrr_no_memory(err);
    const uint64_t *start = matrix->row_start;
    for (uint64_t i = 0; i < matrix->rows; i++)
        scale[i] = start[i + 1] > start[i] ? 1.0 / sqrt((double)(start[i + 1] - start[i])) : 0.0;
    for (uint64_t i = 0; i < matrix->rows; i++)
        for (uint64_t k = start[i]; k < start[i + 1]; k++)
            matrix->value[k] = (float)(scale[i] * scale[matrix->col[k]]);
    hrr_free(scale);
    return HRR_OK;
}

/* Off the diagonal degree(i)^-1/2 degree(j)^-1/2, degrees without the self-loop; on it 1. */
static hrr_status set_first_order(hrr_csr *matrix, bool self_loops, hrr_error *err)
{
    double *scale = hrr_alloc(matrix->rows, sizeof *scale);
    if (!scale) return hrr_no_memory(err);
    const uint64_t *start = matrix->row_start;
    for (uint64_t i = 0; i < matrix->rows; i++) {
        const uint64_t degree = start[i + 1] - start[i] - self_loops;
        scale[i] = degree ? 1.0 / sqrt((double)degree) : 0.0;
    }
    for (uint64_t i = 0; i < matrix->rows; i++)
        for (uint64_t k = start[i]; k < start[i + 1]; k++)
            matrix->value[k] = matrix->col[k] == i ? 1 : (float)(scale[i] * scale[matrix->col[k]]);
    hrr_free(scale);
    return HRR_OK;
}

/* The pattern alone: where the entries are. */
static hrr_status build_pattern(hrr_csr *out, uint64_t n_nodes, uint64_t n_chosen,
                                const chosen *edges, bool self_loops, bool with_values,
                                hrr_error *err)
{
    const uint64_t n_entries = 2 * n_chosen + (self_loops ? n_nodes : 0);
    hrr_status status = hrr_csr_init(out, n_nodes, n_nodes, n_entries, with_values, err);
    if (status) return status;
    start_rows(out, edges, self_loops);
    fill_rows(out, edges, self_loops);
    return HRR_OK;
}

hrr_status hrr_adjacency_of_edges(hrr_csr *out, uint64_t n_nodes, uint64_t n_edges,
                                  const uint32_t *source, const uint32_t *target, hrr_error *err)
{
    const chosen edges = {.n_edges = n_edges, .source = source, .target = target};
    *out = (hrr_csr){0};
    return build_pattern(out, n_nodes, n_edges, &edges, false, false, err);
}

void hrr_adjacency_options_init_sized(hrr_adjacency_options *options, size_t size)
{
    const hrr_adjacency_options own = {0};
    hrr_options_init(options, size, &own, sizeof own);
}

hrr_status hrr_graph_adjacency(hrr_csr *out, const hrr_graph *graph,
                               const hrr_adjacency_options *options, hrr_error *err)
{
    hrr_csr matrix = {0};
    *out = matrix;
    hrr_adjacency_options own;
    hrr_status status = HRR_ADOPT(hrr_adjacency_options, &own, options, err);
    if (status) return status;
    options = &own;
    uint64_t n_chosen = count_chosen(graph, options->edges);
    bool all = n_chosen == graph->edges.n_edges;
    chosen edges = {
        .n_edges = n_chosen ? graph->edges.n_edges : 0,
        .source = graph->edges.source,
        .target = graph->edges.target,
        .flags = all ? NULL : graph->private_edges.flags,
        .flag = options->edges == HRR_EDGES_PRIVATE,
    };
    status = build_pattern(&matrix, graph->n_nodes, n_chosen, &edges, options->self_loops,
                           options->normalisation != HRR_NORMALISE_NONE, err);
    if (status) return status;
    if (options->normalisation == HRR_NORMALISE_MEAN) set_mean(&matrix);
    if (options->normalisation == HRR_NORMALISE_SYMMETRIC) status = set_symmetric(&matrix, err);
    if (options->normalisation == HRR_NORMALISE_FIRST_ORDER)
        status = set_first_order(&matrix, options->self_loops, err);
    if (status)
        hrr_csr_clear(&matrix);
    else
        *out = matrix;
    return status;
}
