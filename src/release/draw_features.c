/* draw_features.c: features through a plan, in memory: for experiments, which release thousands
 * of times and keep nothing. The draws are those of protect.c: a child of the generator, row i from
 * stream row i. */
#include <heterorr/release.h>

#include "release/draws.h"

#include <stddef.h>

hrr_status hrr_draw_features(hrr_dense *released, hrr_feature_claim *claim, const hrr_graph *graph,
                             const hrr_feature_options *options, int threads, hrr_random *random,
                             hrr_progress *progress, hrr_error *err)
{
    const hrr_dense *features = hrr_graph_features(graph);
    hrr_random *own = NULL;
    hrr_feature_plan *plan = NULL;
    hrr_dense drawn = {0};
    hrr_feature_claim found = {0};
    *released = (hrr_dense){0};
    if (!features || !features->cols)
        return hrr_fail(err, HRR_EINVAL, "the graph has no features to release");
    hrr_feature_options bounded = *options;
    hrr_status status = hrr_bounds_settle(&bounded, graph, err);
    if (!status) status = hrr_random_new_child(&own, random, err);
    if (!status) status = hrr_feature_plan_new(&plan, features->cols, &bounded, err);
    if (status) goto done;
    found = hrr_feature_plan_claim(plan);
    found.statement = found.evidence = NULL;
    if ((status =
             hrr_dense_init(&drawn, found.dtype_out, features->rows, found.n_features_out, err)))
        goto done;
    if ((status = hrr_feature_plan_apply(&drawn, plan, features, 0, own, threads, progress, err)))
        goto done;
    if (claim) *claim = found;
    *released = drawn;
    drawn = (hrr_dense){0};
done:
    hrr_dense_clear(&drawn);
    hrr_feature_plan_free(plan);
    hrr_random_free(own);
    return status;
}
