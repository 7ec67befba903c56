/* verify.h: what the files of verify share. */
#ifndef HRR_RELEASE_VERIFY_H
#define HRR_RELEASE_VERIFY_H

#include <heterorr/release.h>

#include <jansson.h>

/* One more thing that is wrong. */
void hrr_find(hrr_findings *findings, const char *format, ...) HRR_PRINTF(2, 3);

/* Texts of a JSON object, never NULL; "" if it is not there or no text. */
const char *hrr_json_word(const json_t *object, const char *name);

/* verify_files.c: every file that the certificate lists, and no other. */
hrr_status hrr_verify_files(hrr_findings *findings, const json_t *certificate, const char *bundle,
                            hrr_progress *progress, hrr_error *err);

/* verify_claims.c: epsilons, reasons and the statement, from the certificate alone.
 * Errors: HRR_ENOMEM. */
hrr_status hrr_verify_claims(hrr_findings *findings, const json_t *certificate, hrr_error *err);
/* The statement that follows from what is recorded; hrr_free(). NULL: out of memory. */
char *hrr_verify_statement(const json_t *certificate);

/* An epsilon as hrr_eps_format() writes it; "0" is none. False: it is not. */
bool hrr_verify_eps(uint64_t *eps_nano, const char *text);

/* verify_edges.c: what the mechanism of the edges promises, anew from the recorded terms.
 * Errors: HRR_ENOMEM. */
hrr_status hrr_verify_edges(hrr_findings *findings, const json_t *certificate, hrr_error *err);

/* verify_features.c: the mechanism of the features, planned anew from the recorded parameters.
 * Errors: HRR_ENOMEM. */
hrr_status hrr_verify_features(hrr_findings *findings, const json_t *certificate, hrr_error *err);

#endif
