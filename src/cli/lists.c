/* lists.c: see lists.h. */
#include "cli/lists.h"
#include "cli/number.h"

#include <heterorr/privacy.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

hrr_status cli_words_read(cli_words *out, const char *text, const char *option, hrr_error *err)
{
    *out = (cli_words){0};
    if (!text) return HRR_OK;
    if (!(out->text = strdup(text))) return hrr_fail(err, HRR_ENOMEM, "out of memory");
    for (char *at = out->text; at;) {
        char *comma = strchr(at, ',');
        if (comma) *comma++ = '\0';
        if (out->n == cli_most_items || !*at) {
            cli_words_clear(out);
            return hrr_fail(err, HRR_EINVAL, "--%s: give up to %d items, separated by commas",
                            option, cli_most_items);
        }
        out->items[out->n++] = at;
        at = comma;
    }
    return HRR_OK;
}

void cli_words_clear(cli_words *words)
{
    free(words->text);
    *words = (cli_words){0};
}

hrr_status cli_read_budgets(uint64_t *nano, size_t *n, const char *text, const char *option,
                            hrr_error *err)
{
    cli_words words;
    char dashed[32];
    snprintf(dashed, sizeof dashed, "--%s", option);
    hrr_status status = cli_words_read(&words, text, option, err);
    *n = words.n;
    for (size_t i = 0; i < words.n && !status; i++)
        status = hrr_eps_parse(&nano[i], words.items[i], dashed, err);
    cli_words_clear(&words);
    return status;
}

hrr_status cli_read_fractions(double *fraction, size_t *n, const char *text, const char *option,
                              hrr_error *err)
{
    cli_words words;
    hrr_status status = cli_words_read(&words, text, option, err);
    *n = words.n;
    for (size_t i = 0; i < words.n && !status; i++)
        if (!cli_read_real(words.items[i], &fraction[i]) || fraction[i] < 0 || fraction[i] > 1)
            status = hrr_fail(err, HRR_EINVAL, "--%s: '%.40s' is not a number between 0 and 1",
                              option, words.items[i]);
    cli_words_clear(&words);
    return status;
}

hrr_status cli_read_counts(uint32_t *count, size_t *n, const char *text, uint32_t most,
                           const char *option, hrr_error *err)
{
    cli_words words;
    hrr_status status = cli_words_read(&words, text, option, err);
    *n = words.n;
    for (size_t i = 0; i < words.n && !status; i++) {
        uint64_t value;
        if (!cli_read_count(words.items[i], &value) || value > most)
            status = hrr_fail(err, HRR_EINVAL, "--%s: '%.40s' is not a whole number up to %u",
                              option, words.items[i], (unsigned)most);
        else
            count[i] = (uint32_t)value;
    }
    cli_words_clear(&words);
    return status;
}
