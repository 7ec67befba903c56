/* fingerprint.h: names for the secrets of a graph. */
#ifndef HRR_PRIVACY_FINGERPRINT_H
#define HRR_PRIVACY_FINGERPRINT_H

#include <heterorr/privacy.h>

enum { hrr_ledger_key_size = 32 };

/* HMAC-SHA-256 of the digest under the key; `what` keeps uses apart. Errors: HRR_ENOMEM. */
hrr_status hrr_keyed(uint8_t out[HRR_FINGERPRINT_SIZE], const uint8_t key[hrr_ledger_key_size],
                     const char *what, const uint8_t digest[HRR_FINGERPRINT_SIZE], hrr_error *err);

/* The public part alone: out->graph. Errors: HRR_ENOMEM. */
hrr_status hrr_fingerprint_public(hrr_fingerprint *out, const hrr_graph *graph,
                                  const uint8_t key[hrr_ledger_key_size], hrr_error *err);

/* See hrr_ledger_fingerprint(). progress counts chunks. */
hrr_status hrr_fingerprint_graph(hrr_fingerprint *out, const hrr_graph *graph, const double *lo,
                                 const double *hi, const uint8_t key[hrr_ledger_key_size],
                                 int threads, hrr_progress *progress, hrr_error *err);

#endif
