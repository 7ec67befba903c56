/* help.c: see help.h. People read help to find a line to copy, so examples come first; defaults
 * are read from the argument struct that the verb itself starts from. */
#include "cli/help.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { line_width = 80, help_column = 30, verb_column = 14, example_column = 6 };

/* Text wrapped at words between `column` and the line's width; the cursor stands at `at`. */
static void print_wrapped(FILE *to, const char *text, size_t column, size_t at)
{
    bool first = true;
    while (*text) {
        size_t word = strcspn(text, " ");
        if (!first && at + 1 + word > line_width) {
            fprintf(to, "\n");
            at = 0;
            first = true;
        }
        if (first) {
            fprintf(to, "%*s", (int)(at < column ? column - at : 0), "");
            at = at < column ? column : at;
        } else {
            fprintf(to, " ");
            at++;
        }
        fprintf(to, "%.*s", (int)word, text);
        at += word;
        first = false;
        text += word;
        text += strspn(text, " ");
    }
    fprintf(to, "\n");
}

/* One line each. */
static void print_verbs(FILE *to, const cli_verb *const *verbs)
{
    for (; *verbs; verbs++) {
        int used = fprintf(to, "  %s", cli_verb_word(*verbs));
        print_wrapped(to, (*verbs)->summary, verb_column, (size_t)(used > 0 ? used : 0));
    }
}

void cli_print_overview(FILE *to)
{
    fprintf(to, "Examples:\n  heterorr demo                            see what it does, in half a "
                "minute\n  heterorr generate --nodes 1e4 -o graph   make a graph for experiments\n "
                " heterorr inspect graph                   show its contents\n  heterorr protect "
                "graph -o bundle --eps-features 2\n                                           make "
                "a graph that may be published\n\nUsage: heterorr VERB [options]\n\nheterorr works "
                "on attributed graphs in which some edges are private.\n\nVerbs:\n");
    print_verbs(to, cli_verbs);
    fprintf(to, "\nheterorr help VERB explains a verb; heterorr --version prints the version.\n");
}

/* The default that the verb starts from, as text; empty if there is none to show. */
static void default_text(char *out, size_t size, const cli_option *o, const void *value)
{
    out[0] = '\0';
    switch (o->kind) {
    case CLI_FLAG:
        break;
    case CLI_TEXT:
    case CLI_LIST:
    case CLI_PATH:
    case CLI_DIRECTORY:
    case CLI_CHOICE: {
        const char *text = *(const char *const *)value;
        if (text) snprintf(out, size, " [%s]", text);
        break;
    }
    case CLI_U64:
        snprintf(out, size, " [%" PRIu64 "]", *(const uint64_t *)value);
        break;
    case CLI_U32:
        snprintf(out, size, " [%" PRIu32 "]", *(const uint32_t *)value);
        break;
    case CLI_INT:
        snprintf(out, size, " [%d]", *(const int *)value);
        break;
    case CLI_REAL: {
        /* A default outside the range stands for "not used". */
        double real = *(const double *)value;
        if (real >= o->low && real <= o->high) snprintf(out, size, " [%g]", real);
        break;
    }
    }
}

void cli_option_text(char *out, size_t size, const cli_option *o, const void *value)
{
    char initial[64];
    default_text(initial, sizeof initial, o, value);
    size_t used = (size_t)snprintf(out, size, "%s", o->help);
    if (o->choices) {
        const char *before = ": ";
        for (const char *const *choice = o->choices(); *choice && used < size; choice++) {
            used += (size_t)snprintf(out + used, size - used, "%s%s", before, *choice);
            before = ", ";
        }
    }
    if (o->note && used < size) {
        char note[256];
        o->note(note, sizeof note);
        used += (size_t)snprintf(out + used, size - used, ". %s", note);
    }
    if (used < size) snprintf(out + used, size - used, "%s", initial);
}

static void print_option(FILE *to, const cli_option *o, const void *value)
{
    char head[64], text[CLI_OPTION_TEXT_SIZE];
    char letter[] = {'-', o->letter, ',', ' ', '\0'};
    snprintf(head, sizeof head, "  %s--%s%s%s", o->letter ? letter : "    ", o->name,
             o->argument ? " " : "", o->argument ? o->argument : "");
    cli_option_text(text, sizeof text, o, value);

    fprintf(to, "%s", head);
    size_t at = strlen(head);
    if (at + 2 > help_column) {
        fprintf(to, "\n");
        at = 0;
    }
    print_wrapped(to, text, help_column, at);
}

static void print_usage(FILE *to, const cli_verb *verb)
{
    fprintf(to, "\nUsage: heterorr %s%s", verb->name, verb->parts ? " SUBCOMMAND" : "");
    for (const cli_option *o = verb->operands; o && o->argument; o++)
        fprintf(to, " %s%s%s", o->required ? "" : "[", o->argument, o->required ? "" : "]");
    for (const cli_option_set *set = verb->sets; set->options; set++)
        for (const cli_option *o = set->options; o->name; o++)
            if (o->required && o->letter)
                fprintf(to, " -%c %s", o->letter, o->argument);
            else if (o->required)
                fprintf(to, " --%s %s", o->name, o->argument);
    fprintf(to, " [options]\n\n");
    print_wrapped(to, verb->description, 0, 0);
}

hrr_status cli_print_help(FILE *to, const cli_verb *verb, hrr_error *err)
{
    char *args = calloc(1, verb->args_size);
    if (!args) return hrr_fail(err, HRR_ENOMEM, "out of memory");
    if (verb->init) verb->init(args);

    fprintf(to, "Examples:\n");
    for (const cli_example *example = verb->examples; example->command; example++) {
        fprintf(to, "  %s\n", example->command);
        print_wrapped(to, example->meaning, example_column, 0);
    }
    print_usage(to, verb);
    if (verb->operands && verb->operands->argument) fprintf(to, "\n");
    for (const cli_option *o = verb->operands; o && o->argument; o++) {
        int used = fprintf(to, "  %s", o->argument);
        print_wrapped(to, o->help, help_column, (size_t)(used > 0 ? used : 0));
    }
    if (verb->parts) {
        fprintf(to, "\nSubcommands:\n");
        print_verbs(to, verb->parts);
        fprintf(to, "\nheterorr help %s SUBCOMMAND explains a subcommand.\n", verb->name);
    }
    for (const cli_option_set *set = verb->sets; set->options; set++) {
        if (set->title) fprintf(to, "\n%s:\n", set->title);
        for (const cli_option *o = set->options; o->name; o++)
            print_option(to, o, args + set->base + o->at);
    }
    free(args);
    return HRR_OK;
}
