/* cmd_demo.c: heterorr demo: a short tour. Its steps are command lines that go through the same
 * door as those that users type, so what is printed is what is done. */
#include "cli/demo_noise.h"
#include "cli/json.h"
#include "cli/message.h"

#include <dirent.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

typedef struct demo_args {
    cli_common common;
    const char *output;
    bool keep;
} demo_args;

static void init(void *args)
{
    ((demo_args *)args)->output = "heterorr-demo";
}

static const cli_option options[] = {
    {.name = "output",
     .letter = 'o',
     .kind = CLI_DIRECTORY,
     .argument = "DIR",
     .at = offsetof(demo_args, output),
     .help = "where the files go; only a directory made by an earlier demo is replaced"},
    {.name = "keep",
     .at = offsetof(demo_args, keep),
     .help = "keep an earlier demo: use DIR-2, DIR-3, ... if DIR is there"},
    {0},
};

static const cli_option_set sets[] = {
    {"Demo", options, 0},
    {"Options", cli_common_options, offsetof(demo_args, common)},
    {0},
};

static const cli_example examples[] = {
    {"heterorr demo", "A tour of a few seconds; the files go to ./heterorr-demo."},
    {0},
};

enum { path_size = 4096, most_words = 20 };

/* ---- the directory --------------------------------------------------------------------------- */

static const char sign_name[] = "made-by-heterorr-demo.txt";

/* May the demo write into path: is it absent, empty, or an earlier demo's? */
static hrr_status check_directory(const char *path, hrr_error *err)
{
    DIR *directory = opendir(path);
    if (!directory && errno == ENOENT) return HRR_OK;
    if (!directory)
        return hrr_fail(err, HRR_EINVAL, "%s: cannot be used: %s; choose another directory with -o",
                        path, strerror(errno));
    bool empty = true, ours = false;
    for (struct dirent *entry; (entry = readdir(directory));) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
        empty = false;
        if (strcmp(entry->d_name, sign_name) == 0) ours = true;
    }
    closedir(directory);
    if (empty || ours) return HRR_OK;
    return hrr_fail(err, HRR_EINVAL,
                    "%s: holds files that the demo did not make; choose another directory with -o",
                    path);
}

static hrr_status format_path(char *out, hrr_error *err, const char *format, ...) HRR_PRINTF(3, 4);
static hrr_status format_path(char *out, hrr_error *err, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(out, path_size, format, arguments);
    va_end(arguments);
    if (length < 0 || length >= path_size)
        return hrr_fail(err, HRR_EINVAL,
                        "the path of the demo is too long; choose another with -o");
    return HRR_OK;
}

static hrr_status make_directory(char path[path_size], const demo_args *a, hrr_error *err)
{
    char sign_path[path_size];
    struct stat there;
    hrr_output *sign = NULL;
    hrr_status status = format_path(path, err, "%s", a->output);
    for (int number = 2; !status && a->keep && lstat(path, &there) == 0; number++)
        status = format_path(path, err, "%s-%d", a->output, number);
    if (status || (status = check_directory(path, err))) return status;
    if (mkdir(path, 0777) != 0 && errno != EEXIST)
        return hrr_fail(err, HRR_EIO, "%s: cannot be made: %s", path, strerror(errno));
    if ((status = format_path(sign_path, err, "%s/%s", path, sign_name))) return status;
    if ((status = hrr_output_open(&sign, sign_path, err))) goto done;
    if ((status =
             hrr_output_printf(sign, err,
                               "heterorr demo made this directory and may replace what is in "
                               "it.\nThe graph is synthetic: nothing here is about anybody.\n")))
        goto done;
    status = hrr_output_commit(sign, err);
done:
    hrr_output_free(sign);
    return status;
}

/* ---- the steps ------------------------------------------------------------------------------- */

typedef struct demo_step {
    const char *name; /* in the JSON result */
    const char *text;
    const char *words[most_words];
} demo_step;

/* A word as a shell would need it. */
static void print_word(const char *word)
{
    static const char safe[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                               "-_./=,:+@";
    if (*word && !word[strspn(word, safe)]) {
        printf(" %s", word);
        return;
    }
    printf(" '");
    for (; *word; word++)
        if (*word == '\'')
            printf("'\\''");
        else
            putchar(*word);
    printf("'");
}

/* An earlier demo's files are ours to replace; a user who types the command decides for himself,
 * so --force is passed but not shown. */
static hrr_status run_step(const demo_step *step, int number, cli_task *task, json_t *results,
                           hrr_error *err)
{
    if (!task->json) {
        printf("%d. %s\n\n   $ heterorr", number, step->text);
        for (const char *const *word = step->words; *word; word++)
            if (strcmp(*word, "--force") != 0) print_word(*word);
        printf("\n\n");
    }
    cli_task inner = {.progress = task->progress, .talk = stdout, .json = task->json};
    hrr_status status = cli_dispatch(step->words, &inner, err);
    if (task->json && !status && json_object_set_new(results, step->name, inner.result) != 0)
        status = hrr_fail(err, HRR_ENOMEM, "out of memory");
    if (!task->json) printf("\n");
    return status;
}

static hrr_status show_noise(int number, cli_task *task, json_t *results, hrr_error *err)
{
    if (!task->json)
        printf("%d. What one noisy count looks like.\n\n"
               "   To hide whether one edge is in a count, an integer is added to it, drawn with\n"
               "   probability proportional to exp(-eps |noise|). Here eps is 1, the secret key\n"
               "   comes from the operating system, and no floating point is involved in drawing.\n"
               "   Of 200,000 draws, these shares came out (they wobble by about 0.1 %%):\n\n",
               number);
    cli_task inner = {.json = task->json};
    hrr_status status = cli_demo_noise(&inner, err);
    if (task->json && !status && json_object_set_new(results, "noise", inner.result) != 0)
        status = hrr_fail(err, HRR_ENOMEM, "out of memory");
    return status;
}

static hrr_status run(const void *args, cli_task *task, hrr_error *err)
{
    char directory[path_size], graph[path_size], copy[path_size], bundle[path_size],
        ledger[path_size], model[path_size], reference[path_size];
    hrr_status status = make_directory(directory, args, err);
    if (!status) status = format_path(graph, err, "%s/graph", directory);
    if (!status) status = format_path(copy, err, "%s/graph.npz", directory);
    if (!status) status = format_path(bundle, err, "%s/released", directory);
    if (!status) status = format_path(model, err, "%s/model", directory);
    if (!status) status = format_path(reference, err, "%s/model-non-private", directory);
    if (!status) status = format_path(ledger, err, "%s/ledger.sqlite", directory);
    if (status) return status;

    const demo_step steps[] = {
        {"generate",
         "Make a graph of 2,000 people who do not exist; a fifth of their edges is private.",
         {"generate", "--nodes", "2000", "--avg-degree", "10", "--features", "32", "--classes", "4",
          "--private-fraction", "0.2", "--seed", "1", "-o", graph, "--force"}},
        {"inspect", "Look at it.", {"inspect", graph}},
        {"convert",
         "Write it in another layout. The copy is read again and compared with the original.",
         {"convert", graph, "-o", copy, "--force"}},
        {"protect",
         "Make a graph that may be published: features randomised, private edges replaced by "
         "synthetic ones. The budget is charged to a ledger first.",
         {"protect", graph, "-o", bundle, "--eps-features", "4", "--eps-edges", "1", "--ledger",
          ledger, "--force"}},
        {"verify",
         "Check the release against its certificate, as whoever receives it would.",
         {"verify", bundle}},
        {"compare",
         "See how much of the structure is left. Only who has the original can do this.",
         {"compare", "--structure", graph, bundle}},
        {"train",
         "Train a graph network on the release.",
         {"train", bundle, "-o", model, "--force"}},
        {"reference",
         "The same on the original, to see what privacy costs. It must be asked for by name.",
         {"train", graph, "--non-private", "-o", reference, "--force"}},
        {"audit",
         "Try to prove that promise wrong: run the mechanism on two records that differ, and "
         "count.",
         {"audit", "featurerr", "--eps", "4", "--trials", "200000"}},
    };
    enum { n_steps = sizeof steps / sizeof steps[0] };
    json_t *results = json_object();
    if (!task->json)
        printf(
            "What this demo shows: a graph, a look at it, a copy, a release, what it is worth, and "
            "noise.\n\n");
    for (int i = 0; !status && i < n_steps; i++)
        status = run_step(&steps[i], i + 1, task, results, err);
    if (!status) status = show_noise(n_steps + 1, task, results, err);
    if (!status && !task->json) printf("\nThe files are in %s\n", directory);
    if (!status && task->json) {
        task->result =
            json_pack("{s:o, s:O}", "directory", cli_json_text(directory), "steps", results);
        if (!task->result) status = hrr_fail(err, HRR_ENOMEM, "out of memory");
    }
    json_decref(results);
    return status;
}

const cli_verb cli_verb_demo = {
    .name = "demo",
    .summary = "a tour of what heterorr does, in seconds",
    .description =
        "Makes a small synthetic graph, looks at it, writes it in another layout and checks that "
        "the two agree, protects and verifies it, compares the release with the original, "
        "trains a graph network on both, audits the promise, and shows what exact noise looks "
        "like. "
        "Each step prints the command that does the same.",
    .examples = examples,
    .sets = sets,
    .args_size = sizeof(demo_args),
    .init = init,
    .run = run,
};
