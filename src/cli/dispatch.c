/* dispatch.c: the table of verbs, and from a line of words to the verb that does the work. */
#include "cli/fields.h"
#include "cli/help.h"
#include "cli/message.h"
#include "cli/nearest.h"
#include "cli/old_spelling.h"
#include "cli/parse.h"
#include "cli/ranks.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const cli_verb *const cli_verbs[] = {
    &cli_verb_demo,
    &cli_verb_generate,
    &cli_verb_inspect,
    &cli_verb_convert,
    &cli_verb_embed,
    &cli_verb_scores,
    &cli_verb_head,
    &cli_verb_protect,
    &cli_verb_verify,
    &cli_verb_keys,
    &cli_verb_audit,
    &cli_verb_ledger,
    &cli_verb_train,
    &cli_verb_predict,
    &cli_verb_attack,
    &cli_verb_compare,
    &cli_verb_advise,
    &cli_verb_report,
    &cli_verb_serve,
    &cli_verb_export,
    &cli_verb_completion,
    &cli_verb_help,
    NULL,
};

const cli_option cli_common_options[] = {
    {.name = "json",
     .at = offsetof(cli_common, json),
     .help = "print one JSON object on stdout, also for errors"},
    {.name = "help", .letter = 'h', .at = offsetof(cli_common, help), .help = "print this help"},
    {0},
};

const cli_option_set cli_common_sets[] = {
    {"Options", cli_common_options, 0},
    {0},
};

const cli_verb *cli_find_verb(const char *name)
{
    for (const cli_verb *const *verb = cli_verbs; *verb; verb++)
        if (strcmp((*verb)->name, name) == 0) return *verb;
    return NULL;
}

const char *cli_verb_word(const cli_verb *verb)
{
    const char *space = strrchr(verb->name, ' ');
    return space ? space + 1 : verb->name;
}

const cli_verb *cli_find_part(const cli_verb *verb, const char *name)
{
    for (const cli_verb *const *part = verb->parts; part && *part; part++)
        if (strcmp(cli_verb_word(*part), name) == 0) return *part;
    return NULL;
}

const cli_verb *cli_whole_verb(const cli_verb *part)
{
    for (const cli_verb *const *verb = cli_verbs; *verb; verb++)
        for (const cli_verb *const *own = (*verb)->parts; own && *own; own++)
            if (*own == part) return *verb;
    return NULL;
}

int cli_index_of(const char *const *names, const char *name)
{
    int i = 0;
    while (names[i] && strcmp(names[i], name) != 0)
        i++;
    return i;
}

const char *const *cli_verb_names(void)
{
    static const char *names[sizeof cli_verbs / sizeof cli_verbs[0]];
    for (size_t i = 0; cli_verbs[i]; i++)
        names[i] = cli_verbs[i]->name;
    return names;
}

const char *const *cli_part_names(void)
{
    enum { most_parts = 64 };
    static const char *names[most_parts + 1]; /* the same whoever fills it in */
    size_t n = 0;
    for (const cli_verb *const *verb = cli_verbs; *verb; verb++)
        for (const cli_verb *const *part = (*verb)->parts; part && *part && n < most_parts; part++)
            names[n++] = cli_verb_word(*part);
    return names;
}

static const char *nearest_verb(const cli_verb *const *verbs, const char *typed)
{
    const char *nearest = NULL;
    size_t best = cli_slip_distance(typed) + 1;
    for (; *verbs; verbs++) {
        size_t distance = cli_word_distance(typed, cli_verb_word(*verbs));
        if (distance < best) best = distance, nearest = cli_verb_word(*verbs);
    }
    return nearest;
}

static hrr_status unknown_verb(const char *typed, hrr_error *err)
{
    const char *nearest = nearest_verb(cli_verbs, typed);
    if (nearest)
        return hrr_fail(err, HRR_EINVAL, "there is no verb '%.99s'; did you mean %s?", typed,
                        nearest);
    if (typed[0] == '-')
        return hrr_fail(err, HRR_EINVAL,
                        "'%.99s' comes before the verb; write heterorr VERB [options]", typed);
    return hrr_fail(err, HRR_EINVAL, "there is no verb '%.99s'; heterorr help lists them all",
                    typed);
}

/* Where the verb's --help flag is; every verb has one. */
static bool asked_for_help(const cli_verb *verb, const char *args)
{
    for (const cli_option_set *set = verb->sets; set->options; set++)
        if (set->options == cli_common_options)
            return ((const cli_common *)(const void *)(args + set->base))->help;
    return false;
}

/* Whether the verb's own product is written to standard output: -, /dev/stdout and the like. */
static bool writes_to_stdout(const cli_verb *verb, const char *args)
{
    struct stat out, there;
    for (const cli_option_set *set = verb->sets; set->options; set++)
        for (const cli_option *o = set->options; o->name; o++) {
            if (o->kind != CLI_PATH || strcmp(o->name, "output") != 0) continue;
            const char *path = *(const char *const *)(const void *)(args + set->base + o->at);
            if (!path) return false;
            return strcmp(path, "-") == 0 ||
                   (stat(path, &there) == 0 && fstat(STDOUT_FILENO, &out) == 0 &&
                    there.st_dev == out.st_dev && there.st_ino == out.st_ino);
        }
    return false;
}

/* The library's message as the verb's user reads it. */
static void translate(hrr_error *err)
{
    char told[HRR_ERROR_SIZE];
    cli_in_users_words(told, sizeof told, err->message);
    memcpy(err->message, told, sizeof told);
    cli_add_advice(err, cli_advice_on(err->field));
    if (err->status == HRR_EBUDGET)
        cli_add_advice(err, ". heterorr ledger show lists what was spent");
}

static hrr_status run_verb(const cli_verb *verb, const char *const *words, cli_task *task,
                           hrr_error *err)
{
    char *args = calloc(1, verb->args_size);
    if (!args) return hrr_fail(err, HRR_ENOMEM, "out of memory");
    const cli_verb *before = cli_speak_as(verb);
    if (verb->init) verb->init(args);
    hrr_status status = verb->over_ranks ? cli_ranks_join(task, err) : HRR_OK;
    if (!status) status = cli_parse(args, verb, words, err);
    if (!status && writes_to_stdout(verb, args)) task->talk = stderr;
    if (!status)
        status = asked_for_help(verb, args) ? cli_print_help(stdout, verb, err)
                                            : verb->run(args, task, err);
    if (status) translate(err);
    cli_speak_as(before);
    free(args);
    return status;
}

/* ---- verbs with subcommands ------------------------------------------------------------------ */

hrr_status cli_unknown_part(const cli_verb *verb, const char *typed, hrr_error *err)
{
    if (!verb->parts)
        return hrr_fail(err, HRR_EINVAL, "heterorr %s has no subcommands", verb->name);
    const char *nearest = nearest_verb(verb->parts, typed);
    char list[256] = "";
    size_t used = 0;
    if (nearest)
        return hrr_fail(err, HRR_EINVAL, "heterorr %s has no '%.99s'; did you mean %s?", verb->name,
                        typed, nearest);
    for (const cli_verb *const *part = verb->parts; *part && used < sizeof list; part++)
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", used ? ", " : "",
                                 cli_verb_word(*part));
    return hrr_fail(err, HRR_EINVAL,
                    "heterorr %s has no '%.99s'; it has %s (see heterorr %s --help)", verb->name,
                    typed, list, verb->name);
}

/* Without a subcommand: its help if that is asked for, and otherwise with what is missing. */
static hrr_status run_whole(const cli_verb *verb, const char *const *words, hrr_error *err)
{
    cli_common common = {0};
    hrr_status status = cli_parse(&common, verb, words, err);
    if (status) return status;
    if (common.help) return cli_print_help(stdout, verb, err);
    status = cli_print_help(stderr, verb, err);
    return status ? status : hrr_fail(err, HRR_EINVAL, "name a subcommand of %s", verb->name);
}

static hrr_status run_part(const cli_verb *verb, const char *const *words, cli_task *task,
                           hrr_error *err)
{
    const cli_verb *part = words[0] ? cli_find_part(verb, words[0]) : NULL;
    if (part) return run_verb(part, words + 1, task, err);
    cli_command modern;
    if (!cli_modern_words(&modern, verb, words)) {
        if (words[0] && words[0][0] != '-') return cli_unknown_part(verb, words[0], err);
        return run_whole(verb, words, err);
    }
    hrr_status status = cli_note_spelling(&modern, err);
    part = cli_find_part(verb, modern.words[1]);
    if (!status) status = run_verb(part, (const char *const *)modern.words + 2, task, err);
    cli_command_clear(&modern);
    return status;
}

hrr_status cli_dispatch(const char *const *words, cli_task *task, hrr_error *err)
{
    if (!words[0]) {
        cli_print_overview(stderr);
        return hrr_fail(err, HRR_EINVAL, "name a verb");
    }
    if (strcmp(words[0], "--help") == 0 || strcmp(words[0], "-h") == 0) {
        cli_print_overview(stdout);
        return HRR_OK;
    }
    if (strcmp(words[0], "--version") == 0 || strcmp(words[0], "-V") == 0) {
        if (task->json)
            task->result = json_pack("{s:s}", "version", hrr_version());
        else
            printf("heterorr %s\n", hrr_version());
        return HRR_OK;
    }
    const cli_verb *verb = cli_find_verb(words[0]);
    if (!verb) return unknown_verb(words[0], err);
    task->began = cli_clock();
    return verb->parts ? run_part(verb, words + 1, task, err)
                       : run_verb(verb, words + 1, task, err);
}
