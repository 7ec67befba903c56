/* verify_signature.c: the findings about certificate.sig. What cannot be read is one of them:
 * whoever asked for a signature has none. */
#include "certificate/verify.h"
#include "certificate/signature.h"

hrr_status hrr_verify_signature(hrr_findings *findings, bool *is_signed, const char *bundle,
                                const hrr_signer *signer, hrr_error *err)
{
    hrr_signature_state state = HRR_SIGNATURE_MISSING;
    hrr_error wrong = {0};
    hrr_status status = hrr_signature_look(&state, bundle, signer, &wrong);
    if (status == HRR_ENOMEM) return hrr_fail(err, status, "%s", wrong.message);
    if (status) hrr_find(findings, "%.300s", wrong.message);
    *is_signed = state != HRR_SIGNATURE_MISSING;
    if (state == HRR_SIGNATURE_MISSING && signer)
        hrr_find(findings, "the bundle has no signature: certificate.sig is missing");
    if (state == HRR_SIGNATURE_DAMAGED)
        hrr_find(findings, "certificate.sig is no signature, which is a plain file of %d bytes",
                 hrr_signature_size);
    if (state == HRR_SIGNATURE_WRONG)
        hrr_find(findings,
                 "the signature is not of this certificate by the key %s: either was replaced, or "
                 "somebody else signed it",
                 hrr_signer_fingerprint(signer));
    return HRR_OK;
}
