/* bundle.h: the files of a release that are public as they are. */
#ifndef HRR_RELEASE_BUNDLE_H
#define HRR_RELEASE_BUNDLE_H

#include "certificate/certificate.h"

/* HRR_EIO if the file system of `directory` has no room for the features: other files are smaller,
 * or their size is drawn. Asked before anything is charged. */
hrr_status hrr_bundle_check_room(const char *directory, const hrr_certificate *certificate,
                                 hrr_error *err);

/* What an edge mechanism releases beside edges. */
hrr_status hrr_bundle_write_parts(const char *directory, const hrr_edge_release *drawn,
                                  hrr_error *err);

/* edges.npy with the edges of `released`; the split with its masks, ids and graph.json. */
hrr_status hrr_bundle_write_public(const char *directory, const hrr_graph *graph,
                                   const hrr_graph *released, const hrr_certificate *certificate,
                                   hrr_error *err);

/* Fill in the certificate's list of files with what the directory holds, certificate.json
 * excepted, in a fixed order. */
hrr_status hrr_bundle_hash(hrr_certificate *certificate, const char *directory, int threads,
                           hrr_progress *progress, hrr_error *err);

#endif
