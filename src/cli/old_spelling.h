/* old_spelling.h: command lines from before verbs had subcommands. They work for one version more,
 * and say how they are written now. */
#ifndef CLI_OLD_SPELLING_H
#define CLI_OLD_SPELLING_H

#include "cli/printed_command.h"

/* What `words`, which follow a verb with subcommands but do not begin with one, mean today: the
 * verb, the subcommand, and the rest. False: they never meant anything; *out is empty then. */
bool cli_modern_words(cli_command *out, const cli_verb *verb, const char *const *words);

/* Say it on stderr. Errors: HRR_ENOMEM. */
hrr_status cli_note_spelling(const cli_command *modern, hrr_error *err);

#endif
