/* bounds.c: between which public numbers the features lie, before anything is spent on them.
 *
 * Values outside of the bounds are clipped, so bounds that do not fit spend the whole budget on a
 * constant; and bounds that were looked up in the data tell about it. So there is no default: they
 * are given, or the input's format states them (hrr_graph_feature_lo), or there is no release. What
 * is asked depends on the format and the mechanism alone, never on a value. */
#include "feature/traits.h"
#include "base/options.h"

#include <heterorr/release.h>

#include <inttypes.h>

hrr_status hrr_bounds_settle(hrr_feature_options *features, const hrr_graph *graph, hrr_error *err)
{
    const hrr_dense *matrix = hrr_graph_features(graph);
    hrr_feature_options own; /* whether they are options: lo and hi go into the caller's */
    hrr_status status = HRR_ADOPT(hrr_feature_options, &own, features, err);
    if (status) return status;
    if (!features->lo && !features->hi) {
        features->lo = hrr_graph_feature_lo(graph);
        features->hi = hrr_graph_feature_hi(graph);
    }
    if (features->lo || !matrix || !hrr_feature_traits(features->mechanism)->needs_bounds)
        return HRR_OK;
    return hrr_fail(err, HRR_EINVAL,
                    "nothing was spent: the input does not state the bounds of its %" PRIu64
                    " %s, and bounds computed from the values would reveal information about them. "
                    "Declare publicly known bounds (`features.lo`, `features.hi`), such as 0 and 1 "
                    "for shares or yes/no values; values outside are clipped",
                    matrix->cols, hrr_plural(matrix->cols, "feature", "features"));
}
