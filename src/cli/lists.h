/* lists.h: options that take several values with commas between them. */
#ifndef CLI_LISTS_H
#define CLI_LISTS_H

#include <heterorr/base.h>

enum { cli_most_items = 31 };

/* Words: a copy of the text in pieces, NULL-terminated. */
typedef struct cli_words {
    char *text;
    const char *items[cli_most_items + 1];
    size_t n;
} cli_words;

/* `text` NULL: no items. Errors: HRR_EINVAL naming the option, HRR_ENOMEM. */
hrr_status cli_words_read(cli_words *out, const char *text, const char *option, hrr_error *err);
void cli_words_clear(cli_words *words);

/* Numbers, each in a room of cli_most_items. */
hrr_status cli_read_budgets(uint64_t *nano, size_t *n, const char *text, const char *option,
                            hrr_error *err);
/* Between 0 and 1. */
hrr_status cli_read_fractions(double *fraction, size_t *n, const char *text, const char *option,
                              hrr_error *err);
hrr_status cli_read_counts(uint32_t *count, size_t *n, const char *text, uint32_t most,
                           const char *option, hrr_error *err);

#endif
