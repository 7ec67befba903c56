/* protect_options.c: what hrr_protect() is asked, as any program may ask it (base/options.h). */
#include "release/protect.h"
#include "base/options.h"

void hrr_protect_options_init_sized(hrr_protect_options *options, size_t size)
{
    hrr_protect_options own = {0};
    hrr_edge_options_init(&own.edges);
    hrr_feature_options_init(&own.features);
    own.features.eps_nano = 0;
    hrr_options_init(options, size, &own, sizeof own);
}

hrr_status hrr_protect_options_adopt(hrr_protect_options *own, const hrr_protect_options *given,
                                     hrr_error *err)
{
    hrr_protect_options usual;
    hrr_protect_options_init(&usual);
    hrr_status status = HRR_ADOPT(hrr_protect_options, own, given, err);
    if (!status)
        status = HRR_ADOPT_INNER(hrr_feature_options, &own->features, &usual.features, err);
    if (!status) status = HRR_ADOPT_INNER(hrr_edge_options, &own->edges, &usual.edges, err);
    return status;
}
