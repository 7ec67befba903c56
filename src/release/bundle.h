/* bundle.h: a release as a directory of files. Whoever writes one has the released graph alone. */
#ifndef HRR_RELEASE_BUNDLE_H
#define HRR_RELEASE_BUNDLE_H

#include "certificate/certificate.h"

/* HRR_EIO if the file system of `directory` has no room for the features: other files are smaller,
 * or their size is drawn. Asked before anything is charged. */
hrr_status hrr_bundle_check_room(const char *directory, const hrr_certificate *certificate,
                                 hrr_error *err);

/* Write everything but the certificate. n_features_there: features.npy is there already, and
 * so wide; 0: those of the graph are written, if it has any. beside: what the edge mechanism
 * released beside edges. */
hrr_status hrr_bundle_write(const char *directory, const hrr_graph *released,
                            const hrr_edge_release *beside, uint64_t n_features_there,
                            hrr_progress *progress, hrr_error *err);

/* CERTIFICATE.txt and certificate.json, which is the record with the hashes of all files; then the
 * signature, if there is a key to sign with. */
hrr_status hrr_bundle_certify(const char *directory, const json_t *record,
                              const hrr_signing_key *sign_with, int threads, hrr_progress *progress,
                              hrr_error *err);

#endif
