/* cmd_head.c: heterorr head: a public head from public graphs, for featurerr-head. */
#include "cli/graph_input.h"
#include "cli/figures.h"
#include "cli/json.h"
#include "cli/message.h"
#include "cli/progress.h"
#include "cli/scores_file.h"
#include "cli/undeclared.h"
#include "cli/verb.h"

#include <heterorr/io.h>
#include <heterorr/learn.h>

#include <stdlib.h>

typedef struct head_args {
    cli_common common;
    hrr_read_options read;
    cli_list graphs;
    const char *output;
    double ridge;
    uint32_t questions;
    const char *declared;
    const char *scores;
    double steer;
    bool force;
} head_args;

static void init(void *args)
{
    head_args *a = args;
    hrr_read_options_init(&a->read);
    a->ridge = 100;
    a->questions = HRR_USUAL_QUESTIONS;
    a->steer = HRR_USUAL_STEERING;
}

static const cli_option operands[] = {
    {.argument = "GRAPH",
     .kind = CLI_PATH,
     .required = true,
     .many = true,
     .at = offsetof(head_args, graphs),
     .help = "public graphs with the same features and classes as the graph to be protected"},
    {0},
};

static const cli_option options[] = {
    {.name = "ridge",
     .kind = CLI_REAL,
     .argument = "L2",
     .low = 0,
     .high = 1e12,
     .at = offsetof(head_args, ridge),
     .help = "the strength of regularisation, in nodes: use more if the graphs are few or differ"},
    {.name = "questions",
     .kind = CLI_U32,
     .argument = "R",
     .least = 0,
     .most = 1 << 16,
     .at = offsetof(head_args, questions),
     .help = "with several labels per node: if there are more labels than this, ask this many "
             "questions, each about several labels; 0 asks about each label"},
    {.name = "scores",
     .kind = CLI_PATH,
     .argument = "SCORES.npz",
     .at = offsetof(head_args, scores),
     .help =
         "public scores (heterorr scores --public): the head relies less on sensitive features"},
    {.name = "steer",
     .kind = CLI_REAL,
     .argument = "S",
     .low = 0,
     .high = HRR_MOST_STEERING,
     .at = offsetof(head_args, steer),
     .help = "with --scores: multiply the penalty of each weight by 1 + S r^2, where r is the "
             "sensitivity of the feature divided by the mean sensitivity, and divide all penalties "
             "by their geometric mean; 0 turns this off"},
    {.name = "public",
     .kind = CLI_LIST,
     .argument = "LIST",
     .choices = hrr_public_names,
     .at = offsetof(head_args, declared),
     .field = "declared_public",
     .help = "head: you declare that the features and labels of these graphs are public knowledge"},
    {.name = "output",
     .letter = 'o',
     .kind = CLI_PATH,
     .argument = "HEAD.npz",
     .required = true,
     .at = offsetof(head_args, output),
     .help = "the file to write"},
    {.name = "force", .at = offsetof(head_args, force), .help = "replace the file if it exists"},
    {0},
};

static const cli_option_set sets[] = {
    {"Head", options, 0},
    {"Reading the graphs", cli_graph_options, offsetof(head_args, read)},
    {"Options", cli_common_options, offsetof(head_args, common)},
    {0},
};

static const cli_example examples[] = {
    {"heterorr head berlin hamburg --public head -o head.npz", "Learn from two public graphs."},
    {"heterorr head berlin hamburg --public head --scores s.npz -o head.npz",
     "The same, but the head relies less on features with a high sensitivity."},
    {"heterorr protect munich -o bundle --eps-features 2 --feature-mechanism featurerr-head "
     "--head head.npz --public head",
     "Release the head's randomised answers about the people of a third graph."},
    {0},
};

static hrr_status summarise(const hrr_head *head, const head_args *a, uint64_t n_nodes,
                            uint32_t n_labels, double right, cli_task *task, hrr_error *err)
{
    const bool labels = head->output == HRR_OUTPUT_SIGMOID;
    cli_progress_erase();
    if (!task->json) {
        const bool few = labels && n_labels > head->weight.cols;
        fprintf(task->talk, "%s: %s%s from %s, learned from %s of %s\n", a->output,
                cli_count(head->weight.cols,
                          few      ? "question"
                          : labels ? "label"
                                   : "class",
                          few      ? "questions"
                          : labels ? "labels"
                                   : "classes")
                    .text,
                few ? " about labels," : "",
                cli_count(head->weight.rows, "feature", "features").text,
                cli_count(n_nodes, "node", "nodes").text,
                cli_count(a->graphs.n, "graph", "graphs").text);
        if (few && a->questions > head->weight.cols)
            fprintf(
                task->talk,
                "(the head's scores for labels vary in only %s, so it asks no more questions)\n",
                cli_count(head->weight.cols, "direction", "directions").text);
        if (right > 0)
            fprintf(task->talk,
                    "right for %s of people in a graph that was left out (mean over classes): "
                    "heterorr advise GRAPH --head %s --head-right %.3f\n",
                    cli_percent(right).text, a->output, right);
        return HRR_OK;
    }
    task->result = json_pack(
        "{s:o, s:I, s:I, s:s, s:I, s:I, s:f, s:o, s:f}", "right_elsewhere",
        right > 0 ? json_real(right) : json_null(), "features", (json_int_t)head->weight.rows,
        "answers", (json_int_t)head->weight.cols, "output", labels ? "labels" : "class", "graphs",
        (json_int_t)a->graphs.n, "nodes", (json_int_t)n_nodes, "ridge", a->ridge, "head",
        cli_json_text(a->output), "seconds", cli_clock() - task->began);
    return task->result ? HRR_OK : hrr_fail(err, HRR_ENOMEM, "out of memory");
}

/* How often a head of the other graphs is right about one that is left out: the mean over its
 * classes. */
static hrr_status try_elsewhere(double *right, hrr_graph *const *graphs, size_t n, size_t left_out,
                                const head_args *a, const hrr_head_steering *steering,
                                cli_task *task, hrr_error *err)
{
    const hrr_graph *others[CLI_MOST_ITEMS], *there = graphs[left_out];
    const int32_t *class = hrr_graph_classes(there);
    const uint32_t k = hrr_graph_n_classes(there);
    hrr_head head = {0};
    hrr_dense scores = {0};
    size_t n_others = 0;
    for (size_t g = 0; g < n; g++)
        if (g != left_out) others[n_others++] = graphs[g];
    *right = 0;
    hrr_status status =
        hrr_head_from_graphs(&head, others, n_others, a->ridge, 0, steering, task->progress, err);
    if (!status) status = hrr_head_predict(&scores, &head, hrr_graph_features(there), false, err);
    uint32_t n_classes = 0;
    for (uint32_t c = 0; c < k && !status; c++) {
        double found = 0, all = 0;
        for (uint64_t i = 0; i < scores.rows; i++) {
            const double *score = (const double *)scores.data + i * k;
            uint32_t best = 0;
            if (class[i] != (int32_t)c) continue;
            for (uint32_t h = 1; h < k; h++)
                if (score[h] > score[best]) best = h;
            found += best == c;
            all++;
        }
        if (all > 0) *right += found / all, n_classes++;
    }
    if (n_classes) *right /= n_classes;
    hrr_dense_clear(&scores);
    hrr_head_clear(&head);
    return status;
}

/* The mean over the graphs, each of which is left out in turn; 0: there is one graph, or nodes
 * have several labels. */
static hrr_status right_elsewhere(double *right, hrr_graph *const *graphs, const head_args *a,
                                  const hrr_head_steering *steering, cli_task *task, hrr_error *err)
{
    const size_t n = a->graphs.n;
    hrr_status status = HRR_OK;
    *right = 0;
    for (size_t g = 0; g < n && n > 1 && hrr_graph_classes(graphs[0]) && !status; g++) {
        double there = 0;
        status = try_elsewhere(&there, graphs, n, g, a, steering, task, err);
        *right += there / (double)n;
    }
    return status;
}

/* A head shows what it was learnt from, and nothing in a graph says whose it is. */
static hrr_status check_declared(const head_args *a, hrr_error *err)
{
    unsigned declared = 0;
    hrr_status status = cli_read_declared(&declared, a->declared, err);
    if (status || declared & HRR_PUBLIC_HEAD) return status;
    return hrr_fail(err, HRR_EINVAL,
                    "nothing was learned: a head reveals information about the people whose "
                    "features and labels it was trained on, and no budget accounts for that. If "
                    "the features and labels of %s are public (another population, volunteers), "
                    "declare it with --public head. If they must be protected, train on other "
                    "people, or on volunteers among them in a graph of their own",
                    a->graphs.n == 1 ? a->graphs.items[0] : "these graphs");
}

/* Scores that are not public would tell of the sample that they were found with. */
static hrr_status read_scores(cli_scores *out, const head_args *a, const hrr_graph *graph,
                              hrr_error *err)
{
    const hrr_dense *features = hrr_graph_features(graph);
    hrr_status status = cli_scores_read(out, a->scores, features ? features->cols : 0, err);
    if (status || out->is_public) return status;
    return hrr_fail(
        err, HRR_EINVAL,
        "%s: these scores are not declared public, and a head reveals information about everything "
        "that it has learned from; compute them from a public sample with heterorr scores --public",
        a->scores);
}

static hrr_status run(const void *args, cli_task *task, hrr_error *err)
{
    const head_args *a = args;
    hrr_graph *graphs[CLI_MOST_ITEMS] = {NULL};
    hrr_head head = {0};
    cli_scores scores = {0};
    uint64_t n_nodes = 0;
    hrr_status status = check_declared(a, err);
    if (!status) status = cli_refuse_existing(a->output, a->force, err);
    for (size_t g = 0; g < a->graphs.n && !status; g++) {
        status = cli_read_graph(&graphs[g], a->graphs.items[g], &a->read, task->progress, err);
        if (!status) n_nodes += hrr_graph_n_nodes(graphs[g]);
    }
    if (!status && a->scores) status = read_scores(&scores, a, graphs[0], err);
    const hrr_head_steering given = {scores.beta, scores.n_features, a->steer};
    const hrr_head_steering *steering = a->scores ? &given : NULL;
    if (!status)
        status = hrr_head_from_graphs(&head, (const hrr_graph *const *)graphs, a->graphs.n,
                                      a->ridge, a->questions, steering, task->progress, err);
    double right = 0;
    if (!status) status = right_elsewhere(&right, graphs, a, steering, task, err);
    if (!status) status = hrr_head_write(&head, a->output, err);
    if (!status)
        status = summarise(&head, a, n_nodes, hrr_graph_n_classes(graphs[0]), right, task, err);
    hrr_head_clear(&head);
    cli_scores_clear(&scores);
    for (size_t g = 0; g < a->graphs.n; g++)
        hrr_graph_free(graphs[g]);
    return status;
}

const cli_verb cli_verb_head = {
    .name = "head",
    .summary = "learn a public head from public graphs",
    .description =
        "Trains a head on the features and labels of public graphs. The head predicts the class or "
        "labels of a node from its features. protect --feature-mechanism featurerr-head asks the "
        "head about private features and releases its randomised answers. The head is linear, and "
        "each graph may have its own class frequencies. With two classes, and for each label, the "
        "threshold is chosen so that each answer is given for half of the nodes. If there are many "
        "labels, the head asks a few questions (--questions) along the directions in which its "
        "scores vary most, and stores the worth of each. With --scores the head relies less on "
        "sensitive features and asks less about labels that depend on them. All nodes with a label "
        "are used, whatever their split. You must declare that the features and labels of the "
        "graphs are public.",
    .examples = examples,
    .operands = operands,
    .sets = sets,
    .args_size = sizeof(head_args),
    .init = init,
    .run = run,
};
