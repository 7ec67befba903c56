/* printed_command.c: see printed_command.h. */
#include "cli/printed_command.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* ---- words ----------------------------------------------------------------------------------- */

static void add_word(cli_command *command, const char *format, ...) HRR_PRINTF(2, 3);
static void add_word(cli_command *command, const char *format, ...)
{
    char *word = NULL;
    size_t size;
    FILE *to = command->n < CLI_MOST_WORDS ? open_memstream(&word, &size) : NULL;
    va_list arguments;
    va_start(arguments, format);
    bool whole = to && vfprintf(to, format, arguments) >= 0;
    va_end(arguments);
    whole = to && fclose(to) == 0 && whole;
    if (whole)
        command->words[command->n++] = word;
    else
        free(word), command->failed = true;
}

void cli_command_add(cli_command *command, ...)
{
    va_list words;
    va_start(words, command);
    for (const char *word; (word = va_arg(words, const char *));)
        add_word(command, "%s", word);
    va_end(words);
}

void cli_command_add_operand(cli_command *command, const char *path)
{
    add_word(command, "%s%s", path[0] == '-' ? "./" : "", path);
}

/* In one word where the parser would take the value for another option. */
void cli_command_add_option(cli_command *command, const char *name, const char *value)
{
    if (value[0] == '-') {
        add_word(command, "--%s=%s", name, value);
        return;
    }
    add_word(command, "--%s", name);
    add_word(command, "%s", value);
}

/* The shortest of its texts that is read as the same number. */
static void add_real(cli_command *command, const char *name, double real)
{
    char text[32];
    int digits = 6;
    do
        snprintf(text, sizeof text, "%.*g", digits, real);
    while (strtod(text, NULL) != real && digits++ < 17);
    cli_command_add_option(command, name, text);
}

static void add_count(cli_command *command, const char *name, uint64_t count)
{
    char text[24];
    snprintf(text, sizeof text, "%" PRIu64, count);
    cli_command_add_option(command, name, text);
}

static void add_value(cli_command *command, const cli_option *o, const void *value,
                      const void *usual)
{
    const char *text;
    switch (o->kind) {
    case CLI_FLAG:
        if (*(const bool *)value && !*(const bool *)usual) add_word(command, "--%s", o->name);
        return;
    case CLI_TEXT:
    case CLI_LIST:
    case CLI_PATH:
    case CLI_DIRECTORY:
    case CLI_CHOICE:
        text = *(const char *const *)value;
        const char *same = *(const char *const *)usual;
        if (text && !(same && strcmp(text, same) == 0))
            cli_command_add_option(command, o->name, text);
        return;
    case CLI_U64:
        if (*(const uint64_t *)value != *(const uint64_t *)usual)
            add_count(command, o->name, *(const uint64_t *)value);
        return;
    case CLI_U32:
        if (*(const uint32_t *)value != *(const uint32_t *)usual)
            add_count(command, o->name, *(const uint32_t *)value);
        return;
    case CLI_INT:
        if (*(const int *)value != *(const int *)usual)
            add_count(command, o->name, (uint64_t) * (const int *)value);
        return;
    case CLI_REAL:
        if (*(const double *)value != *(const double *)usual)
            add_real(command, o->name, *(const double *)value);
        return;
    }
}

void cli_command_add_given(cli_command *command, const cli_option *options, const void *values,
                           const void *defaults)
{
    for (const cli_option *o = options; o->name; o++)
        add_value(command, o, (const char *)values + o->at, (const char *)defaults + o->at);
}

void cli_command_clear(cli_command *command)
{
    for (size_t i = 0; i < command->n; i++)
        free(command->words[i]);
    *command = (cli_command){0};
}

/* ---- text ------------------------------------------------------------------------------------ */

/* A word as a shell would need it. */
static void print_word(FILE *to, const char *word)
{
    static const char safe[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                               "-_./=,:+@";
    if (*word && !word[strspn(word, safe)]) {
        fprintf(to, " %s", word);
        return;
    }
    fprintf(to, " '");
    for (; *word; word++)
        if (*word == '\'')
            fprintf(to, "'\\''");
        else
            putc(*word, to);
    fprintf(to, "'");
}

static void print_words(FILE *to, const char *const *words)
{
    fprintf(to, "heterorr");
    for (; *words; words++)
        print_word(to, *words);
}

void cli_print_words(FILE *to, const char *const *words)
{
    print_words(to, words);
    putc('\n', to);
}

char *cli_command_text(const cli_command *command)
{
    char *text = NULL;
    size_t size;
    FILE *to = command->failed ? NULL : open_memstream(&text, &size);
    if (!to) return NULL;
    print_words(to, (const char *const *)command->words);
    if (fclose(to) == 0) return text;
    free(text);
    return NULL;
}
