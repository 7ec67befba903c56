/* help_mechanisms.h: what can be done to features and to edges, from the library's tables. */
#ifndef CLI_HELP_MECHANISMS_H
#define CLI_HELP_MECHANISMS_H

#include <heterorr/base.h>
#include <jansson.h>
#include <stdio.h>

/* A line for each row. */
void cli_print_mechanisms(FILE *to);

/* All traits of all rows: lists features, edges, trees and treatments. Ownership: *out belongs to
 * the caller, json_decref(). Errors: HRR_ENOMEM. */
hrr_status cli_mechanisms_json(json_t **out, hrr_error *err);

#endif
