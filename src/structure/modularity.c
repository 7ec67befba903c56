/* modularity.c: how many more edges lie inside communities than degrees alone explain.
 *
 *     Q = sum over communities c of  L_c / m - (D_c / 2 m)^2
 *
 * L_c edges inside c, D_c the sum of its degrees (Newman and Girvan 2004). */
#include <heterorr/structure.h>

#include "base/memory.h"
#include "matrix/csr.h"
#include "structure/measures.h"
#include "structure/shape.h"

#include <inttypes.h>

hrr_status hrr_modularity(double *out, const hrr_csr *graph, const uint32_t *community,
                          uint32_t n_communities, hrr_error *err)
{
    *out = 0;
    hrr_status status = hrr_same_nodes(graph, graph, err);
    if (status) return status;
    const uint64_t n = graph->rows;
    for (uint64_t i = 0; i < n; i++)
        if (community[i] >= n_communities)
            return hrr_fail(err, HRR_EINVAL,
                            "node %" PRIu64 " is in community %" PRIu32 ", but there are %" PRIu32
                            " communities, numbered from 0",
                            i, community[i], n_communities);
    const double ends = (double)hrr_csr_n_entries(graph); /* 2 m */
    if (ends == 0) return HRR_OK;
    uint64_t *degrees = hrr_alloc_zero(n_communities, sizeof *degrees), inside = 0;
    if (!degrees) return hrr_no_memory(err);
    for (uint64_t i = 0; i < n; i++) {
        degrees[community[i]] += hrr_degree(graph, i);
        for (uint64_t e = graph->row_start[i]; e < graph->row_start[i + 1]; e++)
            inside += community[graph->col[e]] == community[i];
    }
    double expected = 0;
    for (uint32_t c = 0; c < n_communities; c++)
        expected += ((double)degrees[c] / ends) * ((double)degrees[c] / ends);
    *out = (double)inside / ends - expected;
    hrr_free(degrees);
    return HRR_OK;
}
