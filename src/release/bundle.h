/* bundle.h: the files of a release that are public as they are. */
#ifndef HRR_RELEASE_BUNDLE_H
#define HRR_RELEASE_BUNDLE_H

#include "release/certificate.h"

/* How many edges the release has: all, or the public ones. */
uint64_t hrr_bundle_count_edges(const hrr_graph *graph, bool with_private);

/* edges.npy, the split with its masks, ids and graph.json. */
hrr_status hrr_bundle_write_public(const char *directory, const hrr_graph *graph,
                                   const hrr_certificate *certificate, bool with_private,
                                   hrr_error *err);

/* Fill in the certificate's list of files with what the directory holds, certificate.json
 * excepted, in a fixed order. */
hrr_status hrr_bundle_hash(hrr_certificate *certificate, const char *directory,
                           hrr_progress *progress, hrr_error *err);

#endif
