/* fields.h: the library names what is wrong by the field of an option struct, `edges.tree_share`;
 * who reads the command's messages knows options. Which option fills a field is said by the verb's
 * own tables (cli_option.field); a field that the verb has no option for is put in words. */
#ifndef CLI_FIELDS_H
#define CLI_FIELDS_H

#include "cli/verb.h"

/* Whose options messages name from now on; NULL: nobody's. Returns whose they were before. */
const cli_verb *cli_speak_as(const cli_verb *verb);

/* What else to type, to be added to an error about this field, if the verb has the option; or "".
 */
const char *cli_advice_on(const char *field);

/* A text of the library as the user of the verb reads it: fields in backquotes become options, or
 * words. A parenthesis that holds fields alone, " (`candidates`)", loses those without an option,
 * and goes if none is left. Backquotes around anything else stay. Always terminated. */
void cli_in_users_words(char *out, size_t size, const char *text);

#endif
