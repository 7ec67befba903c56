/* old_spelling.c: see old_spelling.h. A subcommand used to be chosen by an option that stood
 * anywhere, or was an operand that options could precede. */
#include "cli/old_spelling.h"
#include "cli/message.h"

#include <string.h>

/* ---- the old words --------------------------------------------------------------------------- */

/* Whether the word is --name or --name=value. */
static bool is_option(const char *word, const char *name)
{
    const size_t length = strlen(name);
    return strncmp(word, "--", 2) == 0 && strncmp(word + 2, name, length) == 0 &&
           (word[2 + length] == '\0' || word[2 + length] == '=');
}

static bool names(const cli_option *o, const char *word)
{
    if (o->letter && word[1] == o->letter) return true;
    return is_option(word, o->name);
}

/* Whether the option `word` has its value in the next one, as some subcommand reads it. */
static bool takes_next(const cli_verb *verb, const char *word)
{
    const bool is_long = word[1] == '-';
    if (is_long ? strchr(word, '=') != NULL : word[2] != '\0') return false;
    for (const cli_verb *const *part = verb->parts; *part; part++)
        for (const cli_option_set *set = (*part)->sets; set->options; set++)
            for (const cli_option *o = set->options; o->name; o++)
                if (names(o, word)) return o->kind != CLI_FLAG;
    return false;
}

/* A form's option among the options; NULL: it is not there. */
static const char *given(const cli_old_form *form, const char *const *words)
{
    for (; *words && strcmp(*words, "--") != 0; words++)
        if (is_option(*words, form->option)) return *words;
    return NULL;
}

/* The first word that is no option and no option's value; NULL: there is none. */
static const char *first_operand(const cli_verb *verb, const char *const *words)
{
    for (; *words && strcmp(*words, "--") != 0; words++) {
        if ((*words)[0] != '-' || !(*words)[1]) return *words;
        if (takes_next(verb, *words) && words[1]) words++;
    }
    return NULL;
}

/* ---- the new ones ---------------------------------------------------------------------------- */

bool cli_modern_words(cli_command *out, const cli_verb *verb, const char *const *words)
{
    const char *means = NULL, *moved = NULL;
    *out = (cli_command){0};
    for (const cli_old_form *form = verb->old_forms; form && form->option && !means; form++) {
        const char *word = given(form, words);
        if (word) means = form->means;
        if (word && !form->kept) moved = word;
    }
    if (!means) {
        moved = first_operand(verb, words);
        if (moved && cli_find_part(verb, moved)) means = moved;
    }
    if (!means) return false;
    cli_command_add(out, verb->name, means, NULL);
    for (; *words; words++)
        if (*words != moved) cli_command_add(out, *words, NULL);
    return true;
}

hrr_status cli_note_spelling(const cli_command *modern, hrr_error *err)
{
    if (modern->failed) return hrr_fail(err, HRR_ENOMEM, "out of memory");
    cli_note("the next version will not accept this spelling; write");
    fprintf(stderr, "  ");
    cli_print_words(stderr, (const char *const *)modern->words);
    return HRR_OK;
}
