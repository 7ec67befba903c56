/* spread.c: see spread.h.
 *
 * The mean over neighbours, pulled to 0 by as much as three neighbours that say nothing. It is
 * linear, so that weights can be found by a concave problem; messages of belief propagation are
 * not. Measured against the symmetric D^-1/2 A D^-1/2, the plain mean and the sum on Cora and
 * Citeseer, seeds 0 to 3, 60 and 90 % private (docs/mechanisms/edgerr-node.md): all gain about as
 * much, within a tenth of a point. */
#include "learn/spread.h"
#include "graph/aggregator.h"
#include "matrix/dense.h"

static const float nobody = 3; /* neighbours that say nothing */

static hrr_status shrunk_mean(hrr_aggregator *out, const hrr_graph *graph, hrr_error *err)
{
    hrr_status status =
        hrr_aggregator_init(out, graph, HRR_NORMALISE_MEAN, HRR_DIAGONAL_LONELY, err);
    for (uint64_t i = 0; i < out->pattern.rows && !status; i++) {
        const uint64_t first = out->pattern.row_start[i], end = out->pattern.row_start[i + 1];
        const bool is_lonely = end == first + 1 && out->pattern.col[first] == i;
        out->scale[i] = is_lonely ? 0 : 1 / ((float)(end - first) + nobody);
    }
    return status;
}

hrr_status hrr_spread(hrr_dense terms[HRR_SPREAD_TERMS], const hrr_graph *graph, int threads,
                      hrr_progress *progress, hrr_error *err)
{
    hrr_aggregator mean = {0};
    for (int step = 1; step <= HRR_SPREAD_STEPS; step++)
        terms[step] = (hrr_dense){0};
    threads = hrr_threads(threads);
    hrr_status status = shrunk_mean(&mean, graph, err);
    hrr_progress_begin(progress, "spreading evidence", HRR_SPREAD_STEPS);
    for (int step = 1; step <= HRR_SPREAD_STEPS && !status; step++) {
        status = hrr_dense_convert(&terms[step], &terms[step - 1], HRR_F32, err);
        if (!status) status = hrr_aggregate_steps(&terms[step], &mean, 1, threads, progress, err);
    }
    for (int step = 1; step <= HRR_SPREAD_STEPS && status; step++)
        hrr_dense_clear(&terms[step]);
    hrr_aggregator_clear(&mean);
    return status;
}

void hrr_spread_clear(hrr_dense terms[HRR_SPREAD_TERMS])
{
    for (int t = 0; t < HRR_SPREAD_TERMS; t++)
        hrr_dense_clear(&terms[t]);
}
