/* parse.h: from the words of a command line to a verb's argument struct. */
#ifndef CLI_PARSE_H
#define CLI_PARSE_H

#include "cli/verb.h"

/* Fill args (the verb's defaults already) from words, which ends with NULL. Accepts --name value,
 * --name=value, -x value and -xvalue, options and operands in any order, and -- before operands
 * that begin with a dash.
 * Errors: HRR_EINVAL, with what was probably meant. Once --help was seen nothing is required. */
hrr_status cli_parse(void *args, const cli_verb *verb, const char *const *words, hrr_error *err);

#endif
