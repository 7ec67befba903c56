/* signature.h: certificate.sig of a bundle. */
#ifndef HRR_CERTIFICATE_SIGNATURE_H
#define HRR_CERTIFICATE_SIGNATURE_H

#include <heterorr/certificate.h>

/* The name of the file in a bundle: the 64 bytes of an Ed25519 signature of certificate.json. */
extern const char hrr_signature_name[];
enum { hrr_signature_size = 64 };

/* Sign the directory's certificate.json, which must be finished. Errors: HRR_EIO, HRR_ENOMEM. */
hrr_status hrr_signature_write(const char *directory, const hrr_signing_key *key, hrr_error *err);

typedef enum hrr_signature_state {
    HRR_SIGNATURE_MISSING = 0,
    HRR_SIGNATURE_DAMAGED, /* there is a certificate.sig that is none */
    HRR_SIGNATURE_UNASKED, /* there is one, and no key to check it with */
    HRR_SIGNATURE_WRONG,   /* of another certificate, or by another key */
    HRR_SIGNATURE_RIGHT
} hrr_signature_state;

/* signer NULL: it is only looked for. Errors: HRR_EIO, HRR_ENOMEM. */
hrr_status hrr_signature_look(hrr_signature_state *out, const char *bundle,
                              const hrr_signer *signer, hrr_error *err);

#endif
