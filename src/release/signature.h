/* signature.h: certificate.sig of a bundle. */
#ifndef HRR_RELEASE_SIGNATURE_H
#define HRR_RELEASE_SIGNATURE_H

#include <heterorr/release.h>

/* The name of the file in a bundle: the 64 bytes of an Ed25519 signature of certificate.json. */
extern const char hrr_signature_name[];
enum { hrr_signature_size = 64 };

/* Sign the directory's certificate.json, which must be finished. Errors: HRR_EIO, HRR_ENOMEM. */
hrr_status hrr_signature_write(const char *directory, const hrr_signing_key *key, hrr_error *err);

#endif
