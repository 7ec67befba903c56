/* verify.h: what the files of verify share. */
#ifndef HRR_CERTIFICATE_VERIFY_H
#define HRR_CERTIFICATE_VERIFY_H

#include "certificate/fields.h"

#include <heterorr/certificate.h>

#include <jansson.h>

/* One more thing that is wrong, unless that was found already. What it quotes may come from
 * anybody: of control characters there is a question mark each. */
void hrr_find(hrr_findings *findings, const char *format, ...) HRR_PRINTF(2, 3);

/* verify_files.c: every file that the certificate lists, and no other. */
hrr_status hrr_verify_files(hrr_findings *findings, const json_t *certificate, const char *bundle,
                            hrr_progress *progress, hrr_error *err);

/* verify_signature.c: a certificate that names its signer is signed. Whether by that key, only
 * somebody who has its public half can tell. Errors: HRR_ENOMEM. */
hrr_status hrr_verify_signer(hrr_findings *findings, const json_t *certificate, const char *bundle,
                             hrr_error *err);

/* verify_claims.c: epsilons, reasons and the statement, from the certificate alone.
 * Errors: HRR_ENOMEM. */
hrr_status hrr_verify_claims(hrr_findings *findings, const json_t *certificate, hrr_error *err);

/* verify_edges.c: what the mechanism of the edges promises, anew from the recorded terms.
 * Errors: HRR_ENOMEM. */
hrr_status hrr_verify_edges(hrr_findings *findings, const json_t *certificate, hrr_error *err);

/* verify_features.c: the mechanism of the features, planned anew from the recorded parameters.
 * Errors: HRR_ENOMEM. */
hrr_status hrr_verify_features(hrr_findings *findings, const json_t *certificate, hrr_error *err);

/* verify_counts.c: counts of neighbours (edgerr-node) are as many as the certificate says, and
 * there is none that nobody claims to have drawn. Errors: HRR_ENOMEM. */
hrr_status hrr_verify_counts(hrr_findings *findings, const json_t *certificate, const char *bundle,
                             hrr_error *err);

/* verify_reports.c: features that are reports of a head's answers (featurerr-head) hold nothing
 * that such a report cannot be. features NULL: there are none. Errors: HRR_ENOMEM. */
hrr_status hrr_verify_reports(hrr_findings *findings, const json_t *certificate,
                              const hrr_dense *features, hrr_error *err);

#endif
