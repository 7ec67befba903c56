/* cmd_head.c: heterorr head: a public head from public graphs, for featurerr-head. */
#include "cli/graph_input.h"
#include "cli/figures.h"
#include "cli/json.h"
#include "cli/message.h"
#include "cli/progress.h"
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
    bool force;
} head_args;

static void init(void *args)
{
    head_args *a = args;
    hrr_read_options_init(&a->read);
    a->ridge = 100;
    a->questions = HRR_USUAL_QUESTIONS;
}

static const cli_option operands[] = {
    {.argument = "GRAPH",
     .kind = CLI_PATH,
     .required = true,
     .many = true,
     .at = offsetof(head_args, graphs),
     .help = "graphs that are public, with the features and classes of those to be protected"},
    {0},
};

static const cli_option options[] = {
    {.name = "ridge",
     .kind = CLI_REAL,
     .argument = "L2",
     .low = 0,
     .high = 1e12,
     .at = offsetof(head_args, ridge),
     .help = "how much weights are pulled to 0, in nodes: more where sources are few or differ"},
    {.name = "questions",
     .kind = CLI_U32,
     .argument = "R",
     .least = 0,
     .most = 1 << 16,
     .at = offsetof(head_args, questions),
     .help = "several labels a node: of more labels than that, ask so many questions, each about "
             "several of them; 0: one about each label"},
    {.name = "public",
     .kind = CLI_LIST,
     .argument = "LIST",
     .choices = hrr_public_names,
     .at = offsetof(head_args, declared),
     .field = "declared_public",
     .help = "head: you declare that features and labels of the graphs are public knowledge"},
    {.name = "output",
     .letter = 'o',
     .kind = CLI_PATH,
     .argument = "HEAD.npz",
     .required = true,
     .at = offsetof(head_args, output),
     .help = "the file to make"},
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
    {"heterorr head berlin hamburg --public head -o head.npz",
     "Learn from two public graphs what sets people apart."},
    {"heterorr protect munich -o bundle --eps-features 2 --feature-mechanism featurerr-head "
     "--head head.npz --public head",
     "Release the head's answers about the people of a third."},
    {0},
};

static hrr_status summarise(const hrr_head *head, const head_args *a, uint64_t n_nodes,
                            uint32_t n_labels, double right, cli_task *task, hrr_error *err)
{
    const bool labels = head->output == HRR_OUTPUT_SIGMOID;
    cli_progress_erase();
    if (!task->json) {
        const bool few = labels && n_labels > head->weight.cols;
        fprintf(task->talk, "%s: %s%s from %s, learnt from %s of %s\n", a->output,
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
            fprintf(task->talk,
                    "(what the head says of labels varies in %s only, so it asks no more "
                    "questions)\n",
                    cli_count(head->weight.cols, "direction", "directions").text);
        if (right > 0)
            fprintf(task->talk,
                    "right for %s of people in a graph that is left out (mean over classes): "
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
                                const head_args *a, cli_task *task, hrr_error *err)
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
        hrr_head_from_graphs(&head, others, n_others, a->ridge, 0, task->progress, err);
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
                                  cli_task *task, hrr_error *err)
{
    const size_t n = a->graphs.n;
    hrr_status status = HRR_OK;
    *right = 0;
    for (size_t g = 0; g < n && n > 1 && hrr_graph_classes(graphs[0]) && !status; g++) {
        double there = 0;
        status = try_elsewhere(&there, graphs, n, g, a, task, err);
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
                    "nothing was learnt: a head tells about the people whose features and labels "
                    "it has learnt from, and no budget accounts for that. If those of %s are "
                    "public (another population's, volunteers'), declare it with --public head; "
                    "if they are to be protected, learn from others, or from volunteers among them "
                    "in a graph of their own",
                    a->graphs.n == 1 ? a->graphs.items[0] : "these graphs");
}

static hrr_status run(const void *args, cli_task *task, hrr_error *err)
{
    const head_args *a = args;
    hrr_graph *graphs[CLI_MOST_ITEMS] = {NULL};
    hrr_head head = {0};
    uint64_t n_nodes = 0;
    hrr_status status = check_declared(a, err);
    if (!status) status = cli_refuse_existing(a->output, a->force, err);
    for (size_t g = 0; g < a->graphs.n && !status; g++) {
        status = cli_read_graph(&graphs[g], a->graphs.items[g], &a->read, task->progress, err);
        if (!status) n_nodes += hrr_graph_n_nodes(graphs[g]);
    }
    if (!status)
        status = hrr_head_from_graphs(&head, (const hrr_graph *const *)graphs, a->graphs.n,
                                      a->ridge, a->questions, task->progress, err);
    double right = 0;
    if (!status) status = right_elsewhere(&right, graphs, a, task, err);
    if (!status) status = hrr_head_write(&head, a->output, err);
    if (!status)
        status = summarise(&head, a, n_nodes, hrr_graph_n_classes(graphs[0]), right, task, err);
    hrr_head_clear(&head);
    for (size_t g = 0; g < a->graphs.n; g++)
        hrr_graph_free(graphs[g]);
    return status;
}

const cli_verb cli_verb_head = {
    .name = "head",
    .summary = "learn a public head from public graphs",
    .description =
        "Learns, from the features and labels of graphs that are public, a head that answers what "
        "class or labels a node has by its features. protect --feature-mechanism featurerr-head "
        "asks it about private features and releases its answers, randomised. The head is linear, "
        "and each graph may have its own class frequencies. With two classes, and for each label, "
        "the threshold is set so that half of the graphs' nodes get each answer. Of many labels it "
        "asks a few questions (--questions), in which half a node is along the directions in which "
        "its scores vary most; what each is worth is stored with it. All nodes with a label are "
        "used, whatever split they are in. Features and labels of the graphs are taken for public, "
        "which you have to declare.",
    .examples = examples,
    .operands = operands,
    .sets = sets,
    .args_size = sizeof(head_args),
    .init = init,
    .run = run,
};
