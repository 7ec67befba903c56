/* bounds.c: between which numbers features lie, where the input states it: by the type of its
 * values (0 and 1), or in so many words. Never looked up in the values: those are private. */
#include "graph/graph.h"
#include "base/memory.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

hrr_status hrr_graph_set_feature_bounds(hrr_graph *graph, const double *lo, const double *hi,
                                        hrr_error *err)
{
    const uint64_t n = graph->features.cols;
    if (!graph->features.data)
        return hrr_fail(err, HRR_EINVAL, "bounds were given, but the graph has no features");
    for (uint64_t i = 0; i < n; i++)
        if (!isfinite(lo[i]) || !isfinite(hi[i]) || !(lo[i] < hi[i]))
            return hrr_fail(err, HRR_EDATA,
                            "the bounds of feature %" PRIu64
                            " (counting from 0) must be two numbers, the smaller one first",
                            i);
    double *both = hrr_alloc(n, 2 * sizeof *both);
    if (!both) return hrr_no_memory(err);
    memcpy(both, lo, n * sizeof *both);
    memcpy(both + n, hi, n * sizeof *both);
    hrr_free(graph->feature_bounds);
    graph->feature_bounds = both;
    return HRR_OK;
}

hrr_status hrr_graph_set_feature_range(hrr_graph *graph, double lo, double hi, hrr_error *err)
{
    const uint64_t n = graph->features.cols;
    double *both = hrr_alloc(n ? n : 1, 2 * sizeof *both);
    if (!both) return hrr_no_memory(err);
    for (uint64_t i = 0; i < n; i++) {
        both[i] = lo;
        both[n + i] = hi;
    }
    hrr_status status = hrr_graph_set_feature_bounds(graph, both, both + n, err);
    hrr_free(both);
    return status;
}

const double *hrr_graph_feature_lo(const hrr_graph *graph)
{
    return graph->feature_bounds;
}

const double *hrr_graph_feature_hi(const hrr_graph *graph)
{
    return graph->feature_bounds ? graph->feature_bounds + graph->features.cols : NULL;
}
