/* manual.c: see manual.h. The pages say what --help says, from the same tables, in the order that
 * man readers expect: examples last. `scdoc` turns the text into roff when the command is built. */
#include "cli/manual.h"
#include "cli/help.h"

#include <stdlib.h>
#include <string.h>

/* Text in which nothing is markup. */
static void print_plain(FILE *to, const char *text)
{
    for (; *text; text++) {
        if (strchr("\\*_#[]|~<>", *text)) fputc('\\', to);
        fputc(*text, to);
    }
}

static void print_bold(FILE *to, const char *text)
{
    fputc('*', to);
    print_plain(to, text);
    fputc('*', to);
}

static void print_underlined(FILE *to, const char *text)
{
    fputc('_', to);
    print_plain(to, text);
    fputc('_', to);
}

/* A paragraph under a term that stands on the line before. */
static void print_meaning(FILE *to, const char *text)
{
    fprintf(to, "\n\t");
    print_plain(to, text);
    fprintf(to, "\n\n");
}

static void print_head(FILE *to, const char *page, const char *summary)
{
    fprintf(to, "%s(1) \"\" \"heterorr %s\"\n\n# NAME\n\n%s - ", page, hrr_version(), page);
    print_plain(to, summary);
    fprintf(to, "\n\n");
}

static void print_option(FILE *to, const cli_option *o, const void *value)
{
    char text[CLI_OPTION_TEXT_SIZE];
    if (o->letter) fprintf(to, "*-%c*, ", o->letter);
    fprintf(to, "*--%s*", o->name);
    if (o->argument) {
        fputc(' ', to);
        print_underlined(to, o->argument);
    }
    cli_option_text(text, sizeof text, o, value);
    print_meaning(to, text);
}

static void print_synopsis(FILE *to, const cli_verb *verb)
{
    fprintf(to, "# SYNOPSIS\n\n*heterorr %s*%s", verb->name, verb->parts ? " _SUBCOMMAND_" : "");
    for (const cli_option *o = verb->operands; o && o->argument; o++) {
        fprintf(to, o->required ? " " : " \\[");
        print_underlined(to, o->argument);
        if (!o->required) fprintf(to, "\\]");
    }
    for (const cli_option_set *set = verb->sets; set->options; set++)
        for (const cli_option *o = set->options; o->name; o++) {
            if (!o->required) continue;
            if (o->letter)
                fprintf(to, " *-%c* ", o->letter);
            else
                fprintf(to, " *--%s* ", o->name);
            print_underlined(to, o->argument);
        }
    fprintf(to, " \\[options\\]\n\n");
}

/* heterorr-attack-linkteller, of "attack linkteller". */
typedef struct page_name {
    char text[64];
} page_name;

static page_name page_of(const cli_verb *verb)
{
    page_name page;
    snprintf(page.text, sizeof page.text, "heterorr-%s", verb->name);
    for (char *c = page.text; *c; c++)
        if (*c == ' ') *c = '-';
    return page;
}

static void print_pages(FILE *to, const cli_verb *const *verbs)
{
    for (; *verbs; verbs++) {
        fprintf(to, "*%s*(1)", page_of(*verbs).text);
        print_meaning(to, (*verbs)->summary);
    }
}

static void print_see_also(FILE *to, const cli_verb *verb)
{
    const cli_verb *whole = cli_whole_verb(verb);
    fprintf(to, "# SEE ALSO\n\n");
    if (whole) fprintf(to, "*%s*(1), which lists the other subcommands; ", page_of(whole).text);
    fprintf(to, "*heterorr*(1), which lists the exit codes and files\n");
}

hrr_status cli_print_verb_manual(FILE *to, const cli_verb *verb, hrr_error *err)
{
    char *args = calloc(1, verb->args_size);
    if (!args) return hrr_fail(err, HRR_ENOMEM, "out of memory");
    if (verb->init) verb->init(args);

    print_head(to, page_of(verb).text, verb->summary);
    print_synopsis(to, verb);
    fprintf(to, "# DESCRIPTION\n\n");
    print_plain(to, verb->description);
    fprintf(to, "\n\n");
    for (const cli_option *o = verb->operands; o && o->argument; o++) {
        print_underlined(to, o->argument);
        print_meaning(to, o->help);
    }
    if (verb->parts) {
        fprintf(to, "# SUBCOMMANDS\n\n");
        print_pages(to, verb->parts);
    }
    for (const cli_option_set *set = verb->sets; set->options; set++) {
        if (set->title) {
            fprintf(to, "# ");
            print_plain(to, set->title);
            fprintf(to, "\n\n");
        }
        for (const cli_option *o = set->options; o->name; o++)
            print_option(to, o, args + set->base + o->at);
    }
    fprintf(to, "# EXAMPLES\n\n");
    for (const cli_example *example = verb->examples; example->command; example++) {
        print_bold(to, example->command);
        print_meaning(to, example->meaning);
    }
    print_see_also(to, verb);
    free(args);
    return HRR_OK;
}

void cli_print_manual(FILE *to)
{
    static const struct {
        const char *term, *meaning;
    } codes[] = {{"0", "done"},
                 {"1", "failure"},
                 {"2", "the command line is not valid"},
                 {"3", "bad data"},
                 {"4", "the budget was refused"},
                 {"5", "a check failed (verify, audit)"},
                 {"130", "interrupted"}},
      surroundings[] = {
          {"XDG_DATA_HOME",
           "the ledger is heterorr/ledger.sqlite in this directory; by default in ~/.local/share"},
          {"NO_COLOR", "if set, messages have no colours"},
          {"HETERORR_VECTORS",
           "plain, avx2 or avx512: the widest vector instructions to use, if the processor has "
           "them; the results are the same. For measurements and tests"}};

    print_head(to, "heterorr", "differentially private graphs");
    fprintf(to, "# SYNOPSIS\n\n*heterorr* _VERB_ \\[options\\]\n\n# DESCRIPTION\n\nTurns a "
                "sensitive attributed graph into a permanent, differentially private one, trains "
                "graph networks on it, and checks its guarantee. Data are written to standard "
                "output, everything else to standard error; with *--json* every verb prints one "
                "JSON object, also for errors.\n\n# VERBS\n\n");
    print_pages(to, cli_verbs);
    fprintf(to, "# EXIT STATUS\n\n");
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++) {
        print_bold(to, codes[i].term);
        print_meaning(to, codes[i].meaning);
    }
    fprintf(to, "# ENVIRONMENT\n\n");
    for (size_t i = 0; i < sizeof surroundings / sizeof *surroundings; i++) {
        print_bold(to, surroundings[i].term);
        print_meaning(to, surroundings[i].meaning);
    }
}
