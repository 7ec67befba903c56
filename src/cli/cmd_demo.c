/* cmd_demo.c: heterorr demo: a short tour. Its steps are command lines that go through the same
 * door as those that users type, so what is printed is what is done. */
#include "cli/demo_noise.h"
#include "cli/figures.h"
#include "cli/json.h"
#include "cli/message.h"
#include "cli/printed_command.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct demo_args {
    cli_common common;
    const char *output;
    uint32_t nodes;
    bool keep;
} demo_args;

static void init(void *args)
{
    demo_args *a = args;
    a->output = "heterorr-demo";
    a->nodes = 2000;
}

static const cli_option options[] = {
    {.name = "output",
     .letter = 'o',
     .kind = CLI_DIRECTORY,
     .argument = "DIR",
     .at = offsetof(demo_args, output),
     .help = "the output directory; it is replaced only if an earlier demo made it"},
    {.name = "nodes",
     .kind = CLI_U32,
     .argument = "N",
     .least = 100,
     .most = 100000,
     .at = offsetof(demo_args, nodes),
     .help = "the number of people in the graph"},
    {.name = "keep",
     .at = offsetof(demo_args, keep),
     .help = "keep an earlier demo: write to DIR-2, DIR-3, ... if DIR exists"},
    {0},
};

static const cli_option_set sets[] = {
    {"Demo", options, 0},
    {"Options", cli_common_options, offsetof(demo_args, common)},
    {0},
};

static const cli_example examples[] = {
    {"heterorr demo", "A tour of half a minute; the files are written to ./heterorr-demo."},
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
    return hrr_fail(
        err, HRR_EINVAL,
        "%s: contains files that the demo did not write; choose another directory with -o", path);
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
    const char *here = a->output[0] == '-' ? "./" : ""; /* or steps would take it for an option */
    hrr_status status = format_path(path, err, "%s%s", here, a->output);
    for (int number = 2; !status && a->keep && lstat(path, &there) == 0; number++)
        status = format_path(path, err, "%s%s-%d", here, a->output, number);
    if (status || (status = check_directory(path, err))) return status;
    if (mkdir(path, 0777) != 0 && errno != EEXIST)
        return hrr_fail(err, HRR_EIO, "%s: cannot be created: %s", path, strerror(errno));
    if ((status = format_path(sign_path, err, "%s/%s", path, sign_name))) return status;
    if ((status = hrr_output_open(&sign, sign_path, err))) goto done;
    if ((status = hrr_output_printf(
             sign, err,
             "heterorr demo made this directory and may replace its contents.\nThe graph is "
             "synthetic: it describes no real people.\n")))
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

/* An earlier demo's files are ours to replace; a user who types the command decides for himself,
 * so --force is passed but not shown. */
static void print_command(FILE *to, const demo_step *step)
{
    const char *shown[most_words];
    size_t n = 0;
    for (const char *const *word = step->words; *word; word++)
        if (strcmp(*word, "--force") != 0) shown[n++] = *word;
    shown[n] = NULL;
    cli_print_words(to, shown);
}

/* All of them as a text file, for the report to show. */
static hrr_status write_commands(const char *path, const demo_step *steps, int n, hrr_error *err)
{
    FILE *file = fopen(path, "w");
    for (int i = 0; file && i < n; i++)
        print_command(file, &steps[i]);
    const bool failed = !file || ferror(file);
    if (!(file && fclose(file) != 0) && !failed) return HRR_OK;
    return hrr_fail(err, HRR_EIO, "%s: cannot be written: %s", path, strerror(errno));
}

static hrr_status run_step(const demo_step *step, int number, cli_task *task, json_t *results,
                           hrr_error *err)
{
    if (!task->json) {
        printf("%d. %s\n\n   $ ", number, step->text);
        print_command(stdout, step);
        printf("\n");
    }
    cli_task inner = {.progress = task->progress, .talk = stdout, .json = task->json};
    hrr_status status = cli_dispatch(step->words, &inner, err);
    if (task->json && !status && json_object_set_new(results, step->name, inner.result) != 0)
        status = hrr_fail(err, HRR_ENOMEM, "out of memory");
    if (!task->json) printf("\n");
    return status;
}

static hrr_status show_noise(cli_task *task, json_t *results, hrr_error *err)
{
    if (!task->json)
        printf("The idea: to hide whether one edge is part of a count, a random integer is added "
               "to the count. Its\nprobability is proportional to exp(-eps |noise|). Here eps is "
               "1, the secret key comes from the\noperating system, and the draws use no floating "
               "point. These are the shares in 200,000 draws\n(they vary by about 0.1 %%):\n\n");
    cli_task inner = {.json = task->json};
    hrr_status status = cli_demo_noise(&inner, err);
    if (task->json && !status && json_object_set_new(results, "noise", inner.result) != 0)
        status = hrr_fail(err, HRR_ENOMEM, "out of memory");
    if (!task->json) printf("\n");
    return status;
}

/* What the steps write, all in the demo's directory. */
typedef struct demo_files {
    char directory[path_size], graph[path_size], bundle[path_size], ledger[path_size],
        model[path_size], reference[path_size], utility[path_size], attacks[path_size],
        curves[path_size], walks[path_size], commands[path_size], report[path_size];
} demo_files;

static hrr_status name_files(demo_files *f, const demo_args *a, hrr_error *err)
{
    struct {
        char *path;
        const char *name;
    } const files[] = {{f->graph, "graph"},
                       {f->bundle, "released"},
                       {f->ledger, "ledger.sqlite"},
                       {f->model, "model"},
                       {f->reference, "model-non-private"},
                       {f->utility, "utility.csv"},
                       {f->attacks, "attacks.csv"},
                       {f->curves, "roc.csv"},
                       {f->walks, "walks.csv"},
                       {f->commands, "commands.txt"},
                       {f->report, "report"}};
    hrr_status status = make_directory(f->directory, a, err);
    for (size_t i = 0; i < sizeof files / sizeof *files && !status; i++)
        status = format_path(files[i].path, err, "%s/%s", f->directory, files[i].name);
    return status;
}

/* Sweeps go on with the rows that they find; those of an earlier demo would hide their work. */
static void forget_results(const demo_files *f)
{
    unlink(f->utility);
    unlink(f->walks);
    unlink(f->attacks);
    unlink(f->curves);
}

static hrr_status run(const void *args, cli_task *task, hrr_error *err)
{
    demo_files f;
    hrr_status status = name_files(&f, args, err);
    if (status) return status;
    forget_results(&f);
    char nodes[16], made[160];
    snprintf(nodes, sizeof nodes, "%" PRIu32, ((const demo_args *)args)->nodes);
    snprintf(made, sizeof made,
             "Make a graph of %s people who do not exist; half of their edges are private.",
             cli_grouped(((const demo_args *)args)->nodes).text);

    const demo_step steps[] = {
        {"generate",
         made,
         {"generate", "--nodes", nodes, "--avg-degree", "10", "--features", "32", "--classes", "4",
          "--homophily", "0.7", "--private-fraction", "0.5", "--seed", "1", "-o", f.graph,
          "--force"}},
        {"inspect", "Show what it contains.", {"inspect", f.graph}},
        {"protect",
         "Make a graph that may be published: features are randomised, public edges are kept, and "
         "noisy counts of private neighbours replace the private edges. The budget is charged to a "
         "ledger first.",
         {"protect", f.graph, "-o", f.bundle, "--eps-features", "4", "--eps-edges", "2", "--ledger",
          f.ledger, "--force"}},
        {"verify",
         "Check the release against its certificate, as its receiver would.",
         {"verify", f.bundle}},
        {"audit",
         "Try to refute the claim: run the mechanism on two different records, and count the "
         "outputs.",
         {"audit", "pm-sub-sampled", "--eps", "4", "--trials", "200000"}},
        {"train",
         "Train a graph network on the release.",
         {"train", f.bundle, "-o", f.model, "--force"}},
        {"reference",
         "The same on the original, to see the cost of privacy. This needs an explicit option.",
         {"train", f.graph, "--non-private", "-o", f.reference, "--force"}},
        {"attack",
         "Attack that network: find private edges from its predictions alone. An AUC of 0.5 is a "
         "guess, 1 is perfect.",
         {"attack", "linkteller", f.reference, f.graph}},
        {"chain",
         "The same attack on networks trained on releases, compared with what public edges reveal "
         "anyway.",
         {"attack", "chain", f.graph, "--mechanisms", "edgerr-node,edgerr", "--eps-edges", "1,2",
          "--epochs", "100", "-o", f.attacks, "--roc", f.curves}},
        {"compare",
         "Which budget is worth it? Train networks on releases, and compare them with baselines "
         "that spend nothing.",
         {"compare", "learning", f.graph, "--mechanisms",
          "featurerr,pm-sub-sampled,edgerr,edgerr-node", "--eps-features", "1,4,16", "--eps-edges",
          "1,2,4", "--runs", "3", "-o", f.utility}},
        {"structure",
         "How much of the structure is preserved?",
         {"compare", "structure", f.graph, "--mechanisms", "edgerr,lapgraph-private", "--eps-edges",
          "1", "--runs", "2", "-o", f.walks}},
        {"report",
         "Put everything on one page.",
         {"report", f.utility, f.attacks, f.curves, f.walks, "--bundle", f.bundle, "--commands",
          f.commands, "-o", f.report, "--force"}},
    };
    enum { n_steps = sizeof steps / sizeof steps[0] };
    json_t *results = json_object();
    if (!task->json)
        printf("This demo makes a private graph and a release of it, checks its guarantee, "
               "measures its utility and the success of attacks, and writes a report.\n\n");
    status = write_commands(f.commands, steps, n_steps, err);
    if (!status) status = show_noise(task, results, err);
    for (int i = 0; !status && i < n_steps; i++)
        status = run_step(&steps[i], i + 1, task, results, err);
    if (!status && !task->json)
        printf("The report is %s/index.html; open it in a browser. The files are in %s\n", f.report,
               f.directory);
    if (!status && task->json) {
        task->result = json_pack("{s:o, s:o, s:O}", "directory", cli_json_text(f.directory),
                                 "report", cli_json_text(f.report), "steps", results);
        if (!task->result) status = hrr_fail(err, HRR_ENOMEM, "out of memory");
    }
    json_decref(results);
    return status;
}

const cli_verb cli_verb_demo = {
    .name = "demo",
    .summary = "a tour of what heterorr does, in half a minute",
    .description = "Shows exact noise, makes a small synthetic graph, protects it, verifies and "
                   "audits the guarantee, trains graph networks on the release and on the "
                   "original, attacks them, compares mechanisms with baselines that spend nothing, "
                   "and writes a report. Each step prints the command that does the same.",
    .examples = examples,
    .sets = sets,
    .args_size = sizeof(demo_args),
    .init = init,
    .run = run,
};
