/* certify.h: what a release records of itself, and why it may promise nothing. */
#ifndef HRR_RELEASE_CERTIFY_H
#define HRR_RELEASE_CERTIFY_H

#include "certificate/certificate.h"

#include "release/own_blocks.h"

/* Fill in everything but the files, edges_out and edges_of_graph. `features` NULL: the graph has
 * none. maker: of blocks, or NULL. The certificate keeps pointers into options and to the claims'
 * texts. Ownership: hrr_certificate_clear(). Errors:    HRR_EINVAL, HRR_ENOMEM. */
hrr_status hrr_certify(hrr_certificate *out, const hrr_graph *graph,
                       const hrr_protect_options *options, const hrr_block_maker *maker,
                       const hrr_feature_claim *features, const hrr_edge_claim *edges,
                       double realised_eps_labels, bool insecure, hrr_error *err);

/* Say in the released graph where it comes from; and, if the release is private, that no edge of it
 * is. Errors: HRR_ENOMEM. */
hrr_status hrr_certify_origin(hrr_graph *released, const hrr_certificate *certificate,
                              hrr_error *err);

#endif
