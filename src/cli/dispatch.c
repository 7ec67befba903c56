/* dispatch.c: the table of verbs, and from a line of words to the verb that does the work. */
#include "cli/fields.h"
#include "cli/help.h"
#include "cli/message.h"
#include "cli/nearest.h"
#include "cli/parse.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const cli_verb *const cli_verbs[] = {
    &cli_verb_demo,
    &cli_verb_generate,
    &cli_verb_inspect,
    &cli_verb_convert,
    &cli_verb_scores,
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

const cli_verb *cli_find_verb(const char *name)
{
    for (const cli_verb *const *verb = cli_verbs; *verb; verb++)
        if (strcmp((*verb)->name, name) == 0) return *verb;
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

static hrr_status unknown_verb(const char *typed, hrr_error *err)
{
    const char *nearest = NULL;
    size_t best = cli_slip_distance(typed) + 1;
    for (const char *const *name = cli_verb_names(); *name; name++) {
        size_t distance = cli_word_distance(typed, *name);
        if (distance < best) best = distance, nearest = *name;
    }
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
}

static hrr_status run_verb(const cli_verb *verb, const char *const *words, cli_task *task,
                           hrr_error *err)
{
    char *args = calloc(1, verb->args_size);
    if (!args) return hrr_fail(err, HRR_ENOMEM, "out of memory");
    const cli_verb *before = cli_speak_as(verb);
    if (verb->init) verb->init(args);
    hrr_status status = cli_parse(args, verb, words, err);
    if (!status && writes_to_stdout(verb, args)) task->talk = stderr;
    if (!status)
        status = asked_for_help(verb, args) ? cli_print_help(stdout, verb, err)
                                            : verb->run(args, task, err);
    if (status) translate(err);
    cli_speak_as(before);
    free(args);
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
    return run_verb(verb, words + 1, task, err);
}
