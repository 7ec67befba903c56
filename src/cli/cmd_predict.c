/* cmd_predict.c: heterorr predict: what a trained model says about the nodes of a graph. */
#include "cli/figures.h"
#include "cli/graph_input.h"
#include "cli/json.h"
#include "cli/message.h"
#include "cli/progress.h"

#include <heterorr/learn.h>

#include <inttypes.h>

typedef struct predict_args {
    cli_common common;
    hrr_read_options read;
    const char *model, *graph, *output;
    bool logits, force;
} predict_args;

static void init(void *args)
{
    hrr_read_options_init(&((predict_args *)args)->read);
}

static const cli_option operands[] = {
    {.argument = "MODEL",
     .kind = CLI_DIRECTORY,
     .required = true,
     .at = offsetof(predict_args, model),
     .help = "a directory that train made"},
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
     .help = "the file to make: a row for each node, a column for each class"},
    {.name = "logits",
     .at = offsetof(predict_args, logits),
     .help = "write logits instead of probabilities"},
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
    {"heterorr predict model bundle -o logits.npy --logits", "What the last layer says."},
    {0},
};

static hrr_status summarise(const hrr_dense *predictions, const predict_args *a, cli_task *task,
                            hrr_error *err)
{
    cli_progress_erase();
    if (!task->json) {
        fprintf(task->talk, "%s: %s nodes, %s %s each\n", a->output,
                cli_grouped(predictions->rows).text, cli_grouped(predictions->cols).text,
                a->logits ? "logits" : "probabilities");
        return HRR_OK;
    }
    task->result =
        json_pack("{s:I, s:I, s:b, s:o, s:f}", "nodes", (json_int_t)predictions->rows, "classes",
                  (json_int_t)predictions->cols, "logits", a->logits, "output",
                  cli_json_text(a->output), "seconds", cli_clock() - task->began);
    return task->result ? HRR_OK : hrr_fail(err, HRR_ENOMEM, "out of memory");
}

static hrr_status run(const void *args, cli_task *task, hrr_error *err)
{
    const predict_args *a = args;
    hrr_model *model = NULL;
    hrr_graph *graph = NULL;
    hrr_dense predictions = {0};
    hrr_status status = cli_refuse_existing(a->output, a->force, err);
    if (status) goto done;
    if ((status = hrr_model_read(&model, a->model, err))) goto done;
    if ((status = cli_read_graph(&graph, a->graph, &a->read, task->progress, err))) goto done;
    if ((status = hrr_model_predict(&predictions, model, graph, NULL, !a->logits, a->read.threads,
                                    task->progress, err)))
        goto done;
    if ((status = hrr_dense_write(&predictions, a->output, err))) goto done;
    status = summarise(&predictions, a, task, err);
done:
    hrr_dense_clear(&predictions);
    hrr_graph_free(graph);
    hrr_model_free(model);
    return status;
}

const cli_verb cli_verb_predict = {
    .name = "predict",
    .summary = "apply a trained model to a graph",
    .description =
        "Computes what a model says about every node of a graph and writes it as an npy "
        "array, a row for each node. Predictions show as much as the graph that they are "
        "made on: on a private graph they are private.",
    .examples = examples,
    .operands = operands,
    .sets = sets,
    .args_size = sizeof(predict_args),
    .init = init,
    .run = run,
};
