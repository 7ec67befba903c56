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

/* Budgets of the k answers of a head, from the record of the features: a list, one number for all,
 * or, of a class, the whole. False: there are not so many, or one exceeds the whole. */
bool hrr_answer_budgets(uint64_t *eps_nano, const json_t *features, uint64_t k, uint64_t whole);

/* The decimal, rounded up to 1e-9 but never above `requested_nano`; "infinity". */
void hrr_realised_text(char text[HRR_EPS_TEXT_SIZE], double realised_eps, uint64_t requested_nano);

#endif
