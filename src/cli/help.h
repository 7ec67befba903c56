/* help.h: the help texts, printed from the tables. */
#ifndef CLI_HELP_H
#define CLI_HELP_H

#include "cli/verb.h"

#include <stdio.h>

/* What the command is for and which verbs it has. */
void cli_print_overview(FILE *to);

/* Everything about one verb, examples first. Errors: HRR_ENOMEM. */
hrr_status cli_print_help(FILE *to, const cli_verb *verb, hrr_error *err);

/* What an option is for, its choices and its default, taken from where the verb starts. */
#define CLI_OPTION_TEXT_SIZE 1024
void cli_option_text(char *out, size_t size, const cli_option *option, const void *value);

#endif
