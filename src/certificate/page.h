/* page.h: CERTIFICATE.txt. */
#ifndef HRR_CERTIFICATE_PAGE_H
#define HRR_CERTIFICATE_PAGE_H

#include <heterorr/base.h>

#include <jansson.h>

/* CERTIFICATE.txt, byte for byte, from what certificate.json says; the list of files does not
 * matter. hrr_free(). Errors: HRR_ENOMEM. */
hrr_status hrr_certificate_page(char **out, const json_t *certificate, hrr_error *err);

#endif
