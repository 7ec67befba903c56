/* expected.h: what a release will take, before it is made. */
#ifndef HRR_RELEASE_EXPECTED_H
#define HRR_RELEASE_EXPECTED_H

#include <heterorr/feature.h>
#include <heterorr/graph.h>

typedef struct hrr_expected {
    double seconds; /* beside what was decided already */
    uint64_t bytes; /* of memory, beside what is held already */
} hrr_expected;

/* From public sizes alone: nodes, features, labels, the edges that a release has at least and the
 * steps that are made on private edges. The features' speed is measured, on made-up values.
 * plan NULL: no features; n_kept: how many copies of
 * the features are in memory at once. Errors: HRR_ENOMEM. */
hrr_status hrr_expect(hrr_expected *out, const hrr_graph *graph, const hrr_feature_plan *plan,
                      int n_kept, uint64_t edges_out, uint64_t private_steps, int threads,
                      hrr_error *err);

#endif
