/* cmd_predict.c: heterorr predict: what a trained model says about the nodes of a graph. */
#include "cli/figures.h"
#include "cli/graph_input.h"
#include "cli/json.h"
#include "cli/message.h"
#include "cli/progress.h"
#include "cli/public_blocks.h"
#include "cli/release_input.h"

#include <heterorr/learn.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct predict_args {
    cli_common common;
    hrr_read_options read;
    const char *model, *graph, *output, *counts, *reports;
    bool logits, blocks, force;
} predict_args;

static void init(void *args)
{
    predict_args *a = args;
    hrr_read_options_init(&a->read);
    a->counts = cli_counts_words()[0];
    a->reports = cli_counts_words()[0];
}

static const cli_option operands[] = {
    {.argument = "MODEL",
     .kind = CLI_DIRECTORY,
     .required = true,
     .at = offsetof(predict_args, model),
     .help = "a directory made by train"},
    {.argument = "GRAPH",
     .kind = CLI_PATH,
     .required = true,
     .at = offsetof(predict_args, graph),
     .help = "a bundle or a graph, with as many features as the model was trained on"},
    {0},
};

static const cli_option run_options[] = {
    {.name = "output",
     .letter = 'o',
     .kind = CLI_PATH,
     .argument = "OUT.npy",
     .required = true,
     .at = offsetof(predict_args, output),
     .help = "the file to write: one row per node, one column per class"},
    {.name = "logits",
     .at = offsetof(predict_args, logits),
     .field = "logits",
     .help = "write logits instead of probabilities"},
    {.name = "blocks",
     .at = offsetof(predict_args, blocks),
     .help = "write one class per node instead, in the format of protect --blocks: the label of a "
             "training or validation node that has one, otherwise the most likely class"},
    {.name = "counts",
     .kind = CLI_CHOICE,
     .argument = "HOW",
     .choices = cli_counts_words,
     .at = offsetof(predict_args, counts),
     .field = "ignore_counts",
     .help = "auto uses the counts of neighbours that model and bundle have; ignore does not"},
    {.name = "reports",
     .kind = CLI_CHOICE,
     .argument = "HOW",
     .choices = cli_counts_words,
     .at = offsetof(predict_args, reports),
     .field = "ignore_reports",
     .help = "the same for reports of a head's answers (featurerr-head)"},
    {.name = "force", .at = offsetof(predict_args, force), .help = "replace the file if it exists"},
    {0},
};

static const cli_option_set sets[] = {
    {"Predicting", run_options, 0},
    {"Reading the graph", cli_graph_options, offsetof(predict_args, read)},
    {"Options", cli_common_options, offsetof(predict_args, common)},
    {0},
};

static const cli_example examples[] = {
    {"heterorr predict model bundle -o predictions.npy", "Probabilities of every class."},
    {"heterorr predict model bundle -o logits.npy --logits", "The output of the last layer."},
    {0},
};

static hrr_status write_blocks(const hrr_dense *predictions, const hrr_graph *graph,
                               const char *path, hrr_error *err)
{
    const uint64_t n = predictions->rows;
    uint32_t *block = malloc((n + 1) * sizeof *block);
    if (!block) return hrr_fail(err, HRR_ENOMEM, "out of memory");
    hrr_likely_classes(block, predictions, hrr_graph_classes(graph), hrr_graph_split(graph));
    const hrr_array array = {.type = HRR_ARRAY_U32,
                             .item_size = sizeof *block,
                             .n_dims = 1,
                             .shape = {n},
                             .n_items = n,
                             .data = block};
    hrr_status status = hrr_array_write(&array, path, err);
    free(block);
    return status;
}

/* ---- what is promised ------------------------------------------------------------------------ */

/* Predictions show as much as the model and the graph that they are made with. */
static bool is_private(const hrr_model *model, const hrr_release *release)
{
    return hrr_model_provenance(model).is_private && hrr_release_is_private(release);
}

static void note_leaks(const hrr_model *model, const hrr_release *release, const predict_args *a)
{
    const hrr_provenance trained_on = hrr_model_provenance(model);
    const bool marked = hrr_graph_is_private(hrr_release_graph(release));
    cli_release_note_match(model, release);
    if (marked)
        cli_note("%s has private edges, and predictions on it reveal information about them: do "
                 "not publish %s; predict on a release of the graph instead",
                 a->graph, a->output);
    if (!trained_on.released && trained_on.statement)
        cli_note(
            "%s was not trained on a release alone (NOT PRIVATE), and its predictions reveal "
            "information about its training data: do not publish %s if any of that data is private",
            a->model, a->output);
    else if (!marked && !is_private(model, release))
        cli_note("nothing is guaranteed about %s: the graph, or the one that the model was trained "
                 "on, is not a release, is NOT PRIVATE or was read together with other data, or "
                 "the model does not say",
                 a->output);
}

static hrr_status summarise(const hrr_dense *predictions, const hrr_model *model,
                            const hrr_release *release, const predict_args *a, cli_task *task,
                            hrr_error *err)
{
    cli_progress_erase();
    if (!task->json) {
        fprintf(task->talk, "%s: %s, %s%s each\n", a->output,
                cli_count(predictions->rows, "node", "nodes").text, a->blocks ? "one of " : "",
                a->blocks   ? cli_count(predictions->cols, "class", "classes").text
                : a->logits ? cli_count(predictions->cols, "logit", "logits").text
                            : cli_count(predictions->cols, "probability", "probabilities").text);
        return HRR_OK;
    }
    task->result = json_pack(
        "{s:I, s:I, s:b, s:o, s:b, s:s, s:s?, s:f}", "nodes", (json_int_t)predictions->rows,
        "classes", (json_int_t)predictions->cols, "logits", a->logits, "output",
        cli_json_text(a->output), "private", is_private(model, release), "graph_statement",
        hrr_release_statement(release), "model_statement", hrr_model_provenance(model).statement,
        "seconds", cli_clock() - task->began);
    return task->result ? HRR_OK : hrr_fail(err, HRR_ENOMEM, "out of memory");
}

static hrr_status run(const void *args, cli_task *task, hrr_error *err)
{
    const predict_args *a = args;
    hrr_predict_options options;
    hrr_model *model = NULL;
    cli_release input = {0};
    hrr_dense predictions = {0};
    hrr_predict_options_init(&options);
    options.logits = a->logits;
    options.ignore_counts = cli_ignores_counts(a->counts);
    options.ignore_reports = cli_ignores_counts(a->reports);
    options.threads = a->read.threads;
    hrr_status status = cli_refuse_existing(a->output, a->force, err);
    if (status) goto done;
    if ((status = hrr_model_read(&model, a->model, err))) goto done;
    if ((status = cli_release_read(&input, a->graph, &a->read, task->progress, err))) goto done;
    if ((status =
             hrr_model_predict(&predictions, model, input.release, &options, task->progress, err)))
        goto done;
    status = a->blocks
                 ? write_blocks(&predictions, hrr_release_graph(input.release), a->output, err)
                 : hrr_dense_write(&predictions, a->output, err);
    if (!status) status = summarise(&predictions, model, input.release, a, task, err);
    if (status) goto done;
    if (hrr_model_counts(model) && !options.ignore_counts && !hrr_release_counts(input.release))
        cli_note("%s has no counts of neighbours; the network answers without them", a->graph);
    note_leaks(model, input.release, a);
done:
    hrr_dense_clear(&predictions);
    cli_release_clear(&input);
    hrr_model_free(model);
    return status;
}

const cli_verb cli_verb_predict = {
    .name = "predict",
    .summary = "apply a trained model to a graph",
    .description = "Computes the predictions of a model for every node of a graph and writes them "
                   "as an npy array, one row per node. Predictions reveal as much as the graph "
                   "that they are made on: on a private graph they are private.",
    .examples = examples,
    .operands = operands,
    .sets = sets,
    .args_size = sizeof(predict_args),
    .init = init,
    .run = run,
};
