/* json.h: the few things about JSON output that jansson leaves to its user. */
#ifndef CLI_JSON_H
#define CLI_JSON_H

#include <jansson.h>

/* null for NULL and the empty text. Paths may hold bytes that are not UTF-8; those are shown as
 * question marks, because JSON cannot hold them. */
json_t *cli_json_text(const char *text);

/* null for NaN and infinity, which JSON cannot hold. */
json_t *cli_json_real(double number);

#endif
