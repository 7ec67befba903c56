/* fields.h: single fields of certificate.json, which may come from anybody. */
#ifndef HRR_CERTIFICATE_FIELDS_H
#define HRR_CERTIFICATE_FIELDS_H

#include <heterorr/privacy.h>

#include <jansson.h>

/* Texts of a JSON object, never NULL; "" if it is not there or no text. */
const char *hrr_json_word(const json_t *object, const char *name);
/* Its whole number; 0 if it is not there or none. */
unsigned long long hrr_json_count(const json_t *object, const char *name);
/* Whether the text is in the list of that name. */
bool hrr_json_lists(const json_t *object, const char *name, const char *text);

/* An epsilon as hrr_eps_format() writes it; "0" is none. False: it is not. */
bool hrr_eps_of_text(uint64_t *eps_nano, const char *text);

/* The decimal, rounded up to 1e-9 but never above `requested_nano`; "infinity". */
void hrr_realised_text(char text[HRR_EPS_TEXT_SIZE], double realised_eps, uint64_t requested_nano);

#endif
