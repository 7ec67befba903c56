/* request.h: what of a release was asked for: the name under which a stored one is found again. */
#ifndef HRR_RELEASE_REQUEST_H
#define HRR_RELEASE_REQUEST_H

#include "release/own_blocks.h"

#include <heterorr/edge.h>
#include <heterorr/feature.h>
#include <heterorr/privacy.h>

/* A hash of all that is public and decides what a release looks like: options, and of the graph
 * its public edges (left out where every_edge is secret), candidates, split and classes. `others`:
 * every option that is a number or a flag, in an order that never changes. How many threads there
 * are and where the bundle goes do not belong to it, and nothing private does: whether two requests
 * are the same must not depend on that. features or edges NULL: there are none.
 * maker NULL: blocks are not made from the release. Errors: HRR_ENOMEM. */
HRR_STATUS hrr_request_hash(uint8_t request[HRR_FINGERPRINT_SIZE], const hrr_graph *graph,
                            bool every_edge, const hrr_feature_options *features,
                            uint64_t n_features, const hrr_edge_options *edges,
                            const uint64_t *others, size_t n_others, const hrr_block_maker *maker,
                            hrr_error *err);

#endif
