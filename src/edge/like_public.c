/* like_public.c: private edges as public ones lead one to expect them; see edge.h. EdgeRR with tree
 * `public`, but for the counts: no secret comes in here. */
#include "edge/estimate.h"
#include "edge/sample.h"
#include "edge/trees.h"
#include "edge/like_public.h"
#include "base/memory.h"

hrr_status hrr_edge_like_public(hrr_edge_list *out, const hrr_edge_public *known, uint64_t n_edges,
                                const hrr_edge_options *options, uint64_t seed,
                                hrr_progress *progress, hrr_error *err)
{
    hrr_tree_plan fit = {.known = known, .options = options};
    hrr_queries queries = {0};
    double *expected = NULL;
    *out = (hrr_edge_list){0};
    hrr_status status = hrr_tree_fit_public(&fit, HRR_PUBLIC_STEPS_PER_NODE, progress, err);
    if (status) return status;
    if ((status =
             hrr_queries_init(&queries, &fit.start, known, HRR_QUERIES_EACH, HRR_EPS_UNIT, err)))
        goto done;
    if (!(expected = hrr_alloc(queries.n_internal, sizeof *expected))) {
        status = hrr_no_memory(err);
        goto done;
    }
    if ((status = hrr_estimate_like_public(expected, &queries, n_edges, err))) goto done;
    status = hrr_sample_edges(out, &fit.start, known, queries.node_pairs, expected,
                              HRR_SAMPLE_ROUNDED, seed, options->threads, progress, err);
done:
    hrr_dendrogram_clear(&fit.start);
    hrr_queries_clear(&queries);
    hrr_free(expected);
    return status;
}
