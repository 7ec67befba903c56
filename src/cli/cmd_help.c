/* cmd_help.c: heterorr help [VERB [SUBCOMMAND]], and help mechanisms. */
#include "cli/help.h"
#include "cli/help_mechanisms.h"
#include "cli/manual.h"

#include <assert.h>
#include <string.h>

typedef struct help_args {
    cli_common common;
    const char *verb, *part;
    bool manual;
} help_args;

static const char mechanisms[] = "mechanisms";

static const char *const *subjects(void)
{
    enum { most_names = 64 };
    static const char *names[most_names]; /* the same whoever fills it in */
    const char *const *verb = cli_verb_names();
    size_t n = 0;
    for (; verb[n]; n++) {
        assert(n < most_names - 2);
        names[n] = verb[n];
    }
    names[n] = mechanisms;
    return names;
}

static const cli_option operands[] = {
    {.argument = "VERB",
     .kind = CLI_CHOICE,
     .choices = subjects,
     .at = offsetof(help_args, verb),
     .help = "a verb, or mechanisms; without it, all verbs are listed"},
    {.argument = "SUBCOMMAND",
     .kind = CLI_CHOICE,
     .choices = cli_part_names,
     .at = offsetof(help_args, part),
     .help = "a subcommand of the verb; without it, all subcommands are listed"},
    {0},
};

static const cli_option print_options[] = {
    {.name = "manual",
     .at = offsetof(help_args, manual),
     .help = "print the manual page instead, as source for scdoc"},
    {0},
};

static const cli_option_set sets[] = {
    {"Printing", print_options, 0},
    {"Options", cli_common_options, offsetof(help_args, common)},
    {0},
};

static const cli_example examples[] = {
    {"heterorr help inspect", "Explain one verb; the same as heterorr inspect --help."},
    {"heterorr help attack linkteller", "Explain one subcommand."},
    {"heterorr help mechanisms", "All mechanisms for features and edges, one line each; --json "
                                 "prints everything that the library knows about them."},
    {"heterorr help --manual protect | scdoc | man -l -", "Read a manual page without installing "
                                                          "it."},
    {0},
};

static hrr_status run(const void *args, cli_task *task, hrr_error *err)
{
    const help_args *a = args;
    if (a->verb && strcmp(a->verb, mechanisms) == 0) {
        if (a->part || a->manual)
            return hrr_fail(err, HRR_EINVAL, "mechanisms have no %s",
                            a->part ? "subcommands" : "manual page");
        if (task->json) return cli_mechanisms_json(&task->result, err);
        cli_print_mechanisms(stdout);
        return HRR_OK;
    }
    const cli_verb *verb = a->verb ? cli_find_verb(a->verb) : NULL;
    if (a->part) {
        const cli_verb *part = cli_find_part(verb, a->part);
        if (!part) return cli_unknown_part(verb, a->part, err);
        verb = part;
    }
    if (task->json)
        return hrr_fail(err, HRR_EINVAL, "only help mechanisms supports --json; leave it out");
    if (verb)
        return a->manual ? cli_print_verb_manual(stdout, verb, err)
                         : cli_print_help(stdout, verb, err);
    if (a->manual)
        cli_print_manual(stdout);
    else
        cli_print_overview(stdout);
    return HRR_OK;
}

const cli_verb cli_verb_help = {
    .name = "help",
    .summary = "explain a verb, or list the mechanisms",
    .description =
        "Prints the purpose, examples and options of a verb, or a list of all mechanisms.",
    .examples = examples,
    .operands = operands,
    .sets = sets,
    .args_size = sizeof(help_args),
    .run = run,
};
