/* verify_signature.c: the findings about certificate.sig. What cannot be read is one of them:
 * whoever asked for a signature has none. */
#include "certificate/verify.h"
#include "certificate/file.h"
#include "certificate/keys.h"
#include "certificate/signature.h"

#include <string.h>

static void find_missing(hrr_findings *findings, const char *recorded)
{
    if (*recorded)
        hrr_find(findings,
                 "the bundle has no signature: certificate.sig is missing, but the certificate "
                 "says that the key %.40s signed it",
                 recorded);
    else
        hrr_find(findings, "the bundle has no signature: certificate.sig is missing");
}

hrr_status hrr_verify_signer(hrr_findings *findings, const json_t *certificate, const char *bundle,
                             hrr_error *err)
{
    hrr_signature_state state;
    const char *recorded = hrr_json_word(certificate, "signer");
    const json_t *signer = json_object_get(certificate, "signer");
    if (signer && !json_is_null(signer) && !hrr_is_fingerprint(recorded))
        hrr_find(findings, "the signer is not the fingerprint of a key");
    hrr_status status = hrr_signature_look(&state, bundle, NULL, err);
    if (!status && state == HRR_SIGNATURE_MISSING && *recorded) find_missing(findings, recorded);
    return status;
}

/* Who signed, as the certificate says; "": it does not. */
static hrr_status read_signer(char signer[HRR_KEY_TEXT_SIZE], const char *bundle, hrr_error *err)
{
    json_t *certificate;
    json_error_t wrong;
    signer[0] = '\0';
    hrr_status status = hrr_certificate_load(&certificate, &wrong, bundle, err);
    if (!status && hrr_is_fingerprint(hrr_json_word(certificate, "signer")))
        memcpy(signer, hrr_json_word(certificate, "signer"), HRR_KEY_TEXT_SIZE);
    json_decref(certificate);
    return status;
}

/* What the key that was asked for says of the signature. */
static void judge(hrr_findings *findings, hrr_signature_state state, const hrr_signer *signer,
                  const char *recorded)
{
    const char *key = hrr_signer_fingerprint(signer);
    const bool other = *recorded && strcmp(recorded, key) != 0;
    if (state == HRR_SIGNATURE_MISSING) find_missing(findings, recorded);
    if (state == HRR_SIGNATURE_WRONG)
        hrr_find(findings,
                 "the key %s did not sign this certificate: the certificate or the signature was "
                 "replaced, or somebody else signed it%s%s",
                 key, other ? "; the certificate names the key " : "", other ? recorded : "");
    if (state == HRR_SIGNATURE_RIGHT && other)
        hrr_find(findings, "the key %s signed it, but the certificate names the key %s", key,
                 recorded);
}

hrr_status hrr_verify_signature(hrr_findings *findings, bool *is_signed, const char *bundle,
                                const hrr_signer *signer, hrr_error *err)
{
    hrr_signature_state state = HRR_SIGNATURE_MISSING;
    hrr_error wrong = {0};
    char recorded[HRR_KEY_TEXT_SIZE];
    *is_signed = false;
    hrr_status status = read_signer(recorded, bundle, err);
    if (status) return status;
    status = hrr_signature_look(&state, bundle, signer, &wrong);
    if (status == HRR_ENOMEM) return hrr_fail(err, status, "%s", wrong.message);
    if (status) hrr_find(findings, "%.300s", wrong.message);
    *is_signed = state != HRR_SIGNATURE_MISSING;
    if (state == HRR_SIGNATURE_DAMAGED)
        hrr_find(findings,
                 "certificate.sig is not a signature, which is a regular file of %d bytes",
                 hrr_signature_size);
    if (signer) judge(findings, state, signer, recorded);
    return HRR_OK;
}
