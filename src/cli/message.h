/* message.h: what the command says on stderr, and what the terminal can show. */
#ifndef CLI_MESSAGE_H
#define CLI_MESSAGE_H

#include <heterorr/base.h>

/* "heterorr: error: MESSAGE", coloured if stderr is a terminal that wants colour. */
void cli_error(const char *message);
/* Add to a message of the library what only the user of the command can do. */
void cli_add_advice(hrr_error *err, const char *advice);
/* "heterorr: note: ...", with fields of the library in the words of the verb (fields.h). */
void cli_note(const char *format, ...) HRR_PRINTF(1, 2);

/* Say nothing from here on: of several processes only one talks. */
void cli_be_quiet(void);
bool cli_is_quiet(void);

/* Does the locale show more than ASCII? */
bool cli_shows_utf8(void);

/* Seconds on a clock that only goes forward. */
double cli_clock(void);

#endif
