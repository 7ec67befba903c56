/* manual.h: manual pages, printed from the tables as scdoc(5) text. */
#ifndef CLI_MANUAL_H
#define CLI_MANUAL_H

#include "cli/verb.h"

#include <stdio.h>

/* heterorr(1). */
void cli_print_manual(FILE *to);

/* heterorr-VERB(1), or heterorr-VERB-SUBCOMMAND(1). Errors: HRR_ENOMEM. */
hrr_status cli_print_verb_manual(FILE *to, const cli_verb *verb, hrr_error *err);

#endif
