/* cmd_report.c: heterorr report: results files to one page. */
#include "cli/figures.h"
#include "cli/json.h"
#include "cli/message.h"
#include "cli/progress.h"
#include "cli/verb.h"

#include <heterorr/experiment.h>
#include <heterorr/report.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct report_args {
    cli_common common;
    cli_list results;
    const char *bundle, *scores, *images, *commands, *title, *metric, *output;
    bool force;
} report_args;

static const cli_option operands[] = {
    {.argument = "RESULTS.csv...",
     .kind = CLI_PATH,
     .many = true,
     .at = offsetof(report_args, results),
     .help = "results files of compare and attack; their headers identify them"},
    {0},
};

static const cli_option content_options[] = {
    {.name = "bundle",
     .kind = CLI_DIRECTORY,
     .argument = "DIR",
     .at = offsetof(report_args, bundle),
     .help = "check this release and show its guarantee"},
    {.name = "scores",
     .kind = CLI_PATH,
     .argument = "S.npz",
     .at = offsetof(report_args, scores),
     .help = "show importance against sensitivity of features"},
    {.name = "images",
     .kind = CLI_DIRECTORY,
     .argument = "DIR",
     .at = offsetof(report_args, images),
     .help = "show the PNG and JPEG files in this directory"},
    {.name = "commands",
     .kind = CLI_PATH,
     .argument = "FILE",
     .at = offsetof(report_args, commands),
     .help = "a text file with the commands that made the results, to be shown in the report"},
    {0},
};

static const cli_option run_options[] = {
    {.name = "title",
     .kind = CLI_TEXT,
     .argument = "TEXT",
     .at = offsetof(report_args, title),
     .help = "the title of the page"},
    {.name = "metric",
     .kind = CLI_CHOICE,
     .argument = "NAME",
     .choices = hrr_training_metrics,
     .at = offsetof(report_args, metric),
     .help = "the metric of utility to show; by default accuracy, or f1_micro if nodes have "
             "several labels"},
    {.name = "output",
     .letter = 'o',
     .kind = CLI_DIRECTORY,
     .argument = "DIR",
     .required = true,
     .at = offsetof(report_args, output),
     .help = "the directory to write"},
    {.name = "force",
     .at = offsetof(report_args, force),
     .field = "replace",
     .help = "replace an earlier report"},
    {0},
};

static const cli_option_set sets[] = {
    {"Content", content_options, 0},
    {"Report", run_options, 0},
    {"Options", cli_common_options, offsetof(report_args, common)},
    {0},
};

static const cli_example examples[] = {
    {"heterorr report results.csv -o report", "One page with charts of the results."},
    {"heterorr report utility.csv attack.csv structure.csv --bundle released -o report",
     "Several files, and the guarantee of a release."},
    {0},
};

/* ---- commands that made the results ---------------------------------------------------------- */

/* The lines of a text file; *text holds them. free() both. */
static hrr_status read_lines(char **text, const char ***lines, const char *path, hrr_error *err)
{
    enum { most = 1 << 20 };
    *text = NULL;
    *lines = NULL;
    FILE *file = fopen(path, "r");
    if (!file) return hrr_fail(err, HRR_EIO, "%s: cannot be read", path);
    *text = malloc(most + 1);
    const size_t size = *text ? fread(*text, 1, most + 1, file) : 0;
    fclose(file);
    if (size > most) return hrr_fail(err, HRR_EDATA, "%s: is longer than 1 MiB", path);
    size_t n = 1;
    for (size_t i = 0; i < size; i++)
        n += (*text)[i] == '\n';
    if (*text) *lines = calloc(n + 1, sizeof **lines);
    if (!*lines) return hrr_fail(err, HRR_ENOMEM, "out of memory");
    (*text)[size] = '\0';
    n = 0;
    char *rest = NULL;
    for (char *line = strtok_r(*text, "\r\n", &rest); line; line = strtok_r(NULL, "\r\n", &rest))
        (*lines)[n++] = line;
    return HRR_OK;
}

/* ---- together -------------------------------------------------------------------------------- */

static hrr_status summarise(const hrr_report_summary *s, const report_args *a, cli_task *task,
                            hrr_error *err)
{
    cli_progress_erase();
    if (!task->json) {
        for (int i = 0; i < s->n_sentences; i++)
            fprintf(task->talk, "%s\n", s->sentence[i]);
        fprintf(task->talk, "%s/index.html: %s from %s\n", a->output,
                cli_count(s->n_charts, "chart", "charts").text,
                cli_count(s->n_rows, "row", "rows").text);
        return HRR_OK;
    }
    json_t *sentences = json_array();
    for (int i = 0; i < s->n_sentences; i++)
        json_array_append_new(sentences, cli_json_text(s->sentence[i]));
    task->result = json_pack("{s:o, s:o, s:i, s:I, s:f}", "output", cli_json_text(a->output),
                             "sentences", sentences, "charts", (int)s->n_charts, "rows",
                             (json_int_t)s->n_rows, "seconds", cli_clock() - task->began);
    return task->result ? HRR_OK : hrr_fail(err, HRR_ENOMEM, "out of memory");
}

static hrr_status run(const void *args, cli_task *task, hrr_error *err)
{
    const report_args *a = args;
    hrr_report_options options;
    hrr_report_summary summary;
    char *text = NULL;
    const char **lines = NULL;
    hrr_report_options_init(&options);
    options.results = a->results.items;
    options.n_results = a->results.n;
    options.bundle = a->bundle;
    options.scores = a->scores;
    options.images = a->images;
    options.title = a->title;
    options.metric = a->metric;
    options.replace = a->force;
    hrr_status status = a->commands ? read_lines(&text, &lines, a->commands, err) : HRR_OK;
    options.commands = lines;
    if (!status) status = hrr_report_write(&summary, a->output, &options, task->progress, err);
    if (!status) status = summarise(&summary, a, task, err);
    free(lines);
    free(text);
    return status;
}

const cli_verb cli_verb_report = {
    .name = "report",
    .summary = "make a page with charts of results",
    .description =
        "Writes DIR/index.html, one page that needs no network access: what was protected and how, "
        "how well networks learn at each epsilon with confidence bands and baselines, p-values, "
        "attacks, structure, expected errors and scores, depending on the files that you give. "
        "Every chart is also written as an SVG file, and its data as a CSV file. Results that were "
        "measured on private data are not protected: such a report is for the owner of the data.",
    .examples = examples,
    .operands = operands,
    .sets = sets,
    .args_size = sizeof(report_args),
    .run = run,
};
