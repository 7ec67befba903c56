/* keys.h: what keys are made of, for those who sign and check with them. */
#ifndef HRR_CERTIFICATE_KEYS_H
#define HRR_CERTIFICATE_KEYS_H

#include <heterorr/certificate.h>

#include <openssl/evp.h>

struct hrr_signing_key {
    EVP_PKEY *pkey; /* Ed25519, with its private half */
    char fingerprint[HRR_KEY_TEXT_SIZE];
};

struct hrr_signer {
    EVP_PKEY *pkey; /* Ed25519, the public half alone */
    char fingerprint[HRR_KEY_TEXT_SIZE];
};

/* That of its public half. */
const char *hrr_signing_key_fingerprint(const hrr_signing_key *key);
/* Whether a text could be one. */
bool hrr_is_fingerprint(const char *text);

#endif
