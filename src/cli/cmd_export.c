/* cmd_export.c: heterorr export: a trained network in a format that other servers read. */
#include "cli/figures.h"
#include "cli/graph_input.h"
#include "cli/json.h"
#include "cli/message.h"
#include "cli/progress.h"
#include "cli/release_input.h"
#include "cli/verb.h"

#include <heterorr/serve.h>

#include <stdlib.h>
#include <sys/stat.h>

typedef struct export_args {
    cli_common common;
    const char *model, *onnx, *release, *counts, *reports, *features;
    bool per_node, non_private, force;
} export_args;

static const char *const *features_words(void)
{
    static const char *const names[] = {"inside", "given", NULL};
    return names;
}

static void init(void *args)
{
    export_args *a = args;
    a->counts = a->reports = cli_counts_words()[0];
    a->features = features_words()[0];
}

static const cli_option operands[] = {
    {.argument = "MODEL",
     .kind = CLI_DIRECTORY,
     .required = true,
     .at = offsetof(export_args, model),
     .help = "a directory made by train"},
    {0},
};

static const cli_option run_options[] = {
    {.name = "onnx",
     .kind = CLI_PATH,
     .argument = "OUT.onnx",
     .required = true,
     .at = offsetof(export_args, onnx),
     .help = "the ONNX file to write (operator set 16)"},
    {.name = "release",
     .kind = CLI_PATH,
     .argument = "BUNDLE",
     .at = offsetof(export_args, release),
     .help = "the release whose edges and features are written to the file; by default the path "
             "that train was given"},
    {.name = "per-node",
     .at = offsetof(export_args, per_node),
     .help = "without edges: the input is features, the output is the network's answer for a node "
             "without neighbours"},
    {.name = "features",
     .kind = CLI_CHOICE,
     .argument = "WHERE",
     .choices = features_words,
     .at = offsetof(export_args, features),
     .field = "takes_features",
     .help = "inside: the file contains the features of the release; given: the input contains the "
             "features of all nodes"},
    {.name = "counts",
     .kind = CLI_CHOICE,
     .argument = "HOW",
     .choices = cli_counts_words,
     .at = offsetof(export_args, counts),
     .field = "ignore_counts",
     .help = "auto uses the counts of neighbours that model and bundle have; ignore does not"},
    {.name = "reports",
     .kind = CLI_CHOICE,
     .argument = "HOW",
     .choices = cli_counts_words,
     .at = offsetof(export_args, reports),
     .field = "ignore_reports",
     .help = "the same for reports of a head's answers (featurerr-head)"},
    {.name = "non-private",
     .at = offsetof(export_args, non_private),
     .field = "non_private",
     .help =
         "also export a model or graph that is not based on a private release; the file says so"},
    {.name = "force", .at = offsetof(export_args, force), .help = "replace the file if it exists"},
    {0},
};

static const cli_option_set sets[] = {
    {"Exporting", run_options, 0},
    {"Options", cli_common_options, offsetof(export_args, common)},
    {0},
};

static const cli_example examples[] = {
    {"heterorr export model --onnx model.onnx",
     "The network with the edges and features of its release; the input is node numbers."},
    {"heterorr export model --onnx model.onnx --per-node", "A network whose input is features."},
    {0},
};

static hrr_status read_release(cli_release *out, const export_args *a, hrr_progress *progress,
                               hrr_error *err)
{
    char *recorded = NULL;
    hrr_read_options read;
    hrr_read_options_init(&read);
    hrr_status status = a->release ? HRR_OK : cli_release_recorded(&recorded, a->model, err);
    if (!status)
        status = cli_release_read(out, a->release ? a->release : recorded, &read, progress, err);
    free(recorded);
    return status;
}

static hrr_status summarise(const hrr_model *model, const hrr_release *release,
                            const export_args *a, cli_task *task, hrr_error *err)
{
    struct stat made;
    const hrr_provenance trained_on = hrr_model_provenance(model);
    const bool is_private = trained_on.is_private && (!release || hrr_release_is_private(release));
    const uint64_t bytes = stat(a->onnx, &made) == 0 ? (uint64_t)made.st_size : 0;
    cli_progress_erase();
    if (release) cli_release_note_match(model, release);
    if (!release && hrr_model_counts(model))
        cli_note("%s does not contain the counts of neighbours: the network answers without them",
                 a->onnx);
    if (!is_private)
        cli_note("%s is NOT PRIVATE: %s do not publish it", a->onnx,
                 release ? "it contains the edges and features of the graph unchanged;"
                         : "the model was not trained on a private release;");
    if (!task->json) {
        fprintf(task->talk, "%s: %s, %s\n", a->onnx, cli_bytes(bytes).text,
                release ? "node numbers in, answers out" : "features in, answers out");
        return HRR_OK;
    }
    task->result = json_pack("{s:o, s:I, s:i, s:b, s:b, s:s?}", "onnx", cli_json_text(a->onnx),
                             "bytes", (json_int_t)bytes, "opset", HRR_ONNX_OPSET, "per_node",
                             a->per_node, "private", is_private, "statement", trained_on.statement);
    return task->result ? HRR_OK : hrr_fail(err, HRR_ENOMEM, "out of memory");
}

static hrr_status run(const void *args, cli_task *task, hrr_error *err)
{
    const export_args *a = args;
    hrr_onnx_options options;
    hrr_model *model = NULL;
    cli_release input = {0};
    hrr_onnx_options_init(&options);
    options.takes_features = cli_index_of(features_words(), a->features) == 1;
    options.non_private = a->non_private;
    options.ignore_counts = cli_ignores_counts(a->counts);
    options.ignore_reports = cli_ignores_counts(a->reports);
    hrr_status status = cli_refuse_existing(a->onnx, a->force, err);
    if (!status) status = hrr_model_read(&model, a->model, err);
    if (!status && !a->per_node) status = read_release(&input, a, task->progress, err);
    if (!status) status = hrr_onnx_write(model, input.release, &options, a->onnx, err);
    if (!status) status = summarise(model, input.release, a, task, err);
    cli_release_clear(&input);
    hrr_model_free(model);
    return status;
}

const cli_verb cli_verb_export = {
    .name = "export",
    .summary = "write a trained network as ONNX, for other servers",
    .description =
        "Writes the network of a trained model as an ONNX file that other servers can run. The "
        "whole network contains the normalised adjacency matrix and the features of its release, "
        "and its input is node numbers, from 0 in the order of the graph. The metadata of the file "
        "contain the guarantee of the release. A model that was not trained on a private release "
        "is refused without --non-private.",
    .examples = examples,
    .operands = operands,
    .sets = sets,
    .args_size = sizeof(export_args),
    .init = init,
    .run = run,
};
