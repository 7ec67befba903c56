/* file.h: certificate.json and CERTIFICATE.txt of a bundle: the one place that reads and writes
 * them. */
#ifndef HRR_CERTIFICATE_FILE_H
#define HRR_CERTIFICATE_FILE_H

#include "io/hash.h"

#include <jansson.h>

/* The version that is written, and the oldest that is read: a version says which fields there are,
 * and the words of the page. Bundles that are out there have the words of theirs. */
enum { HRR_CERTIFICATE_VERSION = 4, HRR_CERTIFICATE_OLDEST = 2 };
/* From this one on there is a signer, and the page says who signed and that no ledger counts it. */
enum { HRR_CERTIFICATE_NAMES_SIGNER = 3 };
/* From this one on the page has its sentences of today (hrr_words_of()). */
enum { HRR_CERTIFICATE_PLAIN_WORDS = 4 };

extern const char hrr_certificate_name[]; /* certificate.json */
extern const hrr_dir_kind hrr_bundle_directory;

/* json_decref(). NULL with the reason in `wrong` if it is no JSON, or no plain file: what a link
 * points to is no part of the bundle. Errors: HRR_ENOMEM. */
hrr_status hrr_certificate_load(json_t **out, json_error_t *wrong, const char *bundle,
                                hrr_error *err);
/* False, with the reason, if it is no certificate or one of a version that is not read. */
bool hrr_certificate_is_known(const json_t *certificate, hrr_error *err);
/* Whether it is of that version or a later one. */
bool hrr_certificate_is_since(const json_t *certificate, int version);

/* Of the file's bytes: two releases with the same certificate are the same. Errors: HRR_EIO,
 * HRR_ENOMEM, HRR_ECANCEL. */
hrr_status hrr_certificate_hash(char sha256[HRR_SHA256_TEXT_SIZE], const char *bundle,
                                hrr_progress *progress, hrr_error *err);

hrr_status hrr_certificate_save(const json_t *certificate, const char *directory, hrr_error *err);
/* Whether the file is, byte for byte, what hrr_certificate_save() writes: what a reader does not
 * see was not put there. Errors: HRR_ENOMEM. */
hrr_status hrr_certificate_is_plain(bool *plain, const json_t *certificate, const char *bundle,
                                    hrr_error *err);

/* CERTIFICATE.txt, from what certificate.json says. */
hrr_status hrr_certificate_save_page(const json_t *certificate, const char *directory,
                                     hrr_error *err);

#endif
