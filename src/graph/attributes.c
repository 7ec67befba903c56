/* attributes.c: what a graph knows about its nodes: features, splits, ids. Each function checks
 * before it takes. Features are private: a message names the place, never the value. */
#include "graph/graph.h"
#include "base/memory.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

/* Values looked at together. A fixed number and no early exit, so that the compiler turns the
 * inner loops into vector code: the check then runs at the speed of memory. */
enum { BLOCK = 1024 };

/* Bytes of a matrix that is worth a call of the system. */
enum { LARGE = 64 << 20 };

static bool finite_block_f32(const float *value)
{
    uint32_t bad = 0;
    for (int i = 0; i < BLOCK; i++) {
        uint32_t bits;
        memcpy(&bits, &value[i], sizeof bits);
        bad |= (bits & 0x7f800000u) == 0x7f800000u; /* exponent of infinities and NaNs */
    }
    return !bad;
}

static bool finite_block_f64(const double *value)
{
    uint64_t bad = 0;
    for (int i = 0; i < BLOCK; i++) {
        uint64_t bits;
        memcpy(&bits, &value[i], sizeof bits);
        bad |= (bits & 0x7ff0000000000000u) == 0x7ff0000000000000u;
    }
    return !bad;
}

/* Index of the first value that is not finite, or `count`. */
static uint64_t first_not_finite(const hrr_dense *matrix, uint64_t count)
{
    const float *f32 = matrix->data;
    const double *f64 = matrix->data;
    uint64_t i = 0;
    switch (matrix->dtype) {
    case HRR_U8:
        return count;
    case HRR_F32:
        while (count - i >= BLOCK && finite_block_f32(f32 + i))
            i += BLOCK;
        while (i < count && isfinite(f32[i]))
            i++;
        return i;
    case HRR_F64:
        while (count - i >= BLOCK && finite_block_f64(f64 + i))
            i += BLOCK;
        while (i < count && isfinite(f64[i]))
            i++;
        return i;
    }
    assert(!"a matrix has one of the element types");
    return 0;
}

/* `other` is the matrix whose shape this one must share, if the graph has it. */
static hrr_status check_features(const hrr_graph *graph, const hrr_dense *matrix,
                                 const hrr_dense *other, const char *what, hrr_error *err)
{
    if (matrix->rows != graph->n_nodes)
        return hrr_fail(err, HRR_EDATA,
                        "%s: %" PRIu64 " %s, but the graph has %" PRIu64
                        " %s; there must be one row per node",
                        what, matrix->rows, hrr_plural(matrix->rows, "row", "rows"), graph->n_nodes,
                        hrr_plural(graph->n_nodes, "node", "nodes"));
    if (matrix->cols == 0) return hrr_fail(err, HRR_EDATA, "%s: no columns", what);
    if (other->data && other->cols != matrix->cols)
        return hrr_fail(err, HRR_EDATA,
                        "%s: %" PRIu64 " %s, but the features and their masked copy must have the "
                        "same number and the other one has %" PRIu64,
                        what, matrix->cols, hrr_plural(matrix->cols, "column", "columns"),
                        other->cols);
    uint64_t count = matrix->rows * matrix->cols;
    uint64_t bad = first_not_finite(matrix, count);
    if (bad < count)
        return hrr_fail(err, HRR_EDATA,
                        "%s: row %" PRIu64 ", column %" PRIu64
                        " (counting from 0) is not finite; replace the value or remove the node",
                        what, bad / matrix->cols, bad % matrix->cols);
    /* Nobody looks at them before the draw: until then their memory may serve others. */
    if (matrix->storage.size >= LARGE) hrr_region_let_go(&matrix->storage);
    return HRR_OK;
}

static void take_dense(hrr_dense *place, hrr_dense *matrix)
{
    hrr_dense_clear(place);
    *place = *matrix;
    *matrix = (hrr_dense){0};
}

hrr_status hrr_graph_take_features(hrr_graph *graph, hrr_dense *features, hrr_error *err)
{
    hrr_status status = check_features(graph, features, &graph->masked_features, "features", err);
    if (status) return status;
    take_dense(&graph->features, features);
    hrr_free(graph->feature_bounds);
    graph->feature_bounds = NULL;
    return HRR_OK;
}

hrr_status hrr_graph_take_masked_features(hrr_graph *graph, hrr_dense *masked, hrr_error *err)
{
    hrr_status status = check_features(graph, masked, &graph->features, "masked features", err);
    if (!status) take_dense(&graph->masked_features, masked);
    return status;
}

/* First of n bytes that is over `most`, or n. */
static uint64_t first_over(const uint8_t *bytes, uint64_t n, uint8_t most)
{
    uint64_t i = 0;
    while (i < n && bytes[i] <= most)
        i++;
    return i;
}

static void take_bytes(uint8_t **place, uint8_t **bytes)
{
    hrr_free(*place);
    *place = *bytes;
    *bytes = NULL;
}

hrr_status hrr_graph_take_split(hrr_graph *graph, uint8_t **split, hrr_error *err)
{
    uint64_t bad = first_over(*split, graph->n_nodes, HRR_TEST);
    if (bad < graph->n_nodes)
        return hrr_fail(err, HRR_EDATA,
                        "split: row %" PRIu64
                        " (counting from 0) is not 0 (train), 1 (valid) or 2 (test)",
                        bad);
    take_bytes(&graph->split, split);
    return HRR_OK;
}

hrr_status hrr_graph_take_candidates(hrr_graph *graph, uint8_t **candidates, hrr_error *err)
{
    uint64_t bad = first_over(*candidates, graph->n_nodes, 1);
    if (bad < graph->n_nodes)
        return hrr_fail(err, HRR_EDATA,
                        "candidates: row %" PRIu64 " (counting from 0) is neither 0 nor 1", bad);
    take_bytes(&graph->candidates, candidates);
    return HRR_OK;
}

hrr_status hrr_graph_take_graph_ids(hrr_graph *graph, uint32_t **graph_ids, hrr_error *err)
{
    const uint32_t *ids = *graph_ids;
    for (uint64_t node = 0; node < graph->n_nodes; node++) {
        uint32_t before = node ? ids[node - 1] : 0;
        if (ids[node] != before && (node == 0 || ids[node] != before + 1))
            return hrr_fail(
                err, HRR_EDATA,
                "graph ids: row %" PRIu64
                " (counting from 0): ids must begin at 0 and either stay the same or grow by one "
                "from node to node; number the graphs in the order of their nodes",
                node);
    }
    hrr_status status = hrr_edges_check_graphs(&graph->edges, ids, "sorted edges", err);
    if (status) return status;
    hrr_free(graph->graph_ids);
    graph->graph_ids = *graph_ids;
    *graph_ids = NULL;
    return HRR_OK;
}

hrr_status hrr_graph_take_node_ids(hrr_graph *graph, hrr_node_ids *ids, hrr_error *err)
{
    if (ids->text) {
        if (ids->integer || !ids->text_start)
            return hrr_fail(err, HRR_EINVAL,
                            "node ids: pass either integers, or texts with the offset of each");
        for (uint64_t node = 0; node < graph->n_nodes; node++)
            if (ids->text_start[node] >= ids->text_start[node + 1] ||
                ids->text[ids->text_start[node + 1] - 1] != '\0')
                return hrr_fail(err, HRR_EDATA,
                                "node ids: text %" PRIu64 " (counting from 0) is not terminated",
                                node);
    }
    hrr_node_ids_clear(&graph->node_ids);
    graph->node_ids = *ids;
    *ids = (hrr_node_ids){0};
    return HRR_OK;
}
