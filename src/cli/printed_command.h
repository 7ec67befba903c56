/* printed_command.h: command lines that the program prints for people to paste. A printed command
 * is complete: pasted into a shell in the same directory it does what was described, on the same
 * input. What was typed is therefore carried over from the option tables, whatever they hold, and
 * never option by option. */
#ifndef CLI_PRINTED_COMMAND_H
#define CLI_PRINTED_COMMAND_H

#include "cli/verb.h"

enum { CLI_MOST_WORDS = 160 };

/* The words after "heterorr", as a shell would hand them over. Zero bytes are an empty one. */
typedef struct cli_command {
    char *words[CLI_MOST_WORDS + 1]; /* ends with NULL */
    size_t n;
    bool failed; /* out of memory, or too many words */
} cli_command;

/* Fixed words: a verb, names of options and values that need no care. Ends with NULL. */
void cli_command_add(cli_command *command, ...) __attribute__((sentinel));
/* A path as an operand; one that begins with a dash is written so that it is no option. */
void cli_command_add_operand(cli_command *command, const char *path);
void cli_command_add_option(cli_command *command, const char *name, const char *value);
/* Every option of the table whose value is not the default one. values and defaults are what the
 * table's offsets count from. */
void cli_command_add_given(cli_command *command, const cli_option *options, const void *values,
                           const void *defaults);

/* "heterorr" and the words, quoted for a shell; free() it. NULL: failed, or out of memory. */
char *cli_command_text(const cli_command *command);
void cli_command_clear(cli_command *command);

/* "heterorr WORDS\n", quoted for a shell. */
void cli_print_words(FILE *to, const char *const *words);

#endif
