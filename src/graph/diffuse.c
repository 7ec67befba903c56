/* diffuse.c: see diffuse.h. */
#include "graph/diffuse.h"
#include "graph/aggregator.h"

#include <string.h>

static void show(hrr_dense *x, const hrr_dense *features, const uint8_t *known)
{
    for (uint64_t i = 0; i < x->rows; i++)
        for (uint64_t j = 0; known[i] && j < x->cols; j++)
            ((float *)x->data)[i * x->cols + j] = (float)hrr_dense_get(features, i, j);
}

hrr_status hrr_graph_diffuse(hrr_dense *out, const hrr_graph *graph, const hrr_dense *features,
                             const uint8_t *known, uint32_t steps, int threads,
                             hrr_progress *progress, hrr_error *err)
{
    hrr_aggregator edges = {0};
    hrr_dense x = {0};
    *out = x;
    hrr_status status =
        hrr_aggregator_init(&edges, graph, HRR_NORMALISE_SYMMETRIC, HRR_DIAGONAL_LONELY, err);
    if (!status) status = hrr_dense_init(&x, HRR_F32, features->rows, features->cols, err);
    if (!status) {
        memset(x.data, 0, x.rows * x.cols * sizeof(float));
        show(&x, features, known);
    }
    hrr_progress_begin(progress, "propagating features", steps);
    for (uint32_t step = 0; step < steps && !status; step++) {
        status = hrr_aggregate_steps(&x, &edges, 1, threads, progress, err);
        if (!status) show(&x, features, known);
    }
    hrr_aggregator_clear(&edges);
    if (status) hrr_dense_clear(&x);
    *out = x;
    return status;
}
