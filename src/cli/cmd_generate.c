/* cmd_generate.c: heterorr generate: a synthetic graph in the native layout, with the truth about
 * its features (truth.npz) beside it. The directory appears whole or not at all: the library
 * writes the graph into our staging directory, the truth joins it, and one rename shows both. */
#include "cli/figures.h"
#include "cli/json.h"
#include "cli/message.h"
#include "cli/progress.h"
#include "cli/verb.h"

#include <heterorr/generate.h>
#include <heterorr/io.h>

#include <stdio.h>
#include <string.h>

typedef struct generate_args {
    cli_common common;
    hrr_generate_options graph;
    hrr_write_options write; /* how it is cut */
    const char *feature_type;
    const char *output;
    bool force;
} generate_args;

static const char *const *feature_types(void)
{
    static const char *const names[] = {"f32", "u8", NULL};
    return names;
}

static void init(void *args)
{
    generate_args *a = args;
    hrr_generate_options_init(&a->graph);
    hrr_write_options_init(&a->write);
    a->feature_type = feature_types()[a->graph.feature_dtype == HRR_U8];
}

static const cli_option size_options[] = {
    {.name = "nodes",
     .kind = CLI_U64,
     .argument = "N",
     .least = 1,
     .most = HRR_MAX_NODES,
     .at = offsetof(generate_args, graph.n_nodes),
     .field = "n_nodes",
     .help = "the number of nodes, in all graphs together"},
    {.name = "avg-degree",
     .kind = CLI_REAL,
     .argument = "D",
     .low = 0,
     .high = 1e9,
     .at = offsetof(generate_args, graph.average_degree),
     .field = "average_degree",
     .help = "the average number of edges of a node"},
    {.name = "degree-exponent",
     .kind = CLI_REAL,
     .argument = "X",
     .low = 2,
     .high = 1e9,
     .at = offsetof(generate_args, graph.degree_exponent),
     .field = "degree_exponent",
     .help = "the exponent of the degree distribution, above 2; large degrees are rarer if it is "
             "larger"},
    {.name = "graphs",
     .kind = CLI_U32,
     .argument = "G",
     .least = 1,
     .at = offsetof(generate_args, graph.n_graphs),
     .field = "n_graphs",
     .help = "make a collection of this many graphs"},
    {.name = "private-fraction",
     .kind = CLI_REAL,
     .argument = "R",
     .low = 0,
     .high = 1,
     .at = offsetof(generate_args, graph.private_fraction),
     .field = "private_fraction",
     .help = "the share of private edges"},
    {0},
};

static const cli_option content_options[] = {
    {.name = "features",
     .kind = CLI_U32,
     .argument = "F",
     .at = offsetof(generate_args, graph.n_features),
     .field = "n_features",
     .help = "the number of features of a node"},
    {.name = "feature-type",
     .kind = CLI_CHOICE,
     .argument = "TYPE",
     .choices = feature_types,
     .at = offsetof(generate_args, feature_type),
     .field = "feature_dtype",
     .help = "the type of a feature: a float between 0 and 1, or a byte between 0 and 255"},
    {.name = "important",
     .kind = CLI_REAL,
     .argument = "R",
     .low = 0,
     .high = 1,
     .at = offsetof(generate_args, graph.important_fraction),
     .field = "important_fraction",
     .help = "the share of features that depend on the class"},
    {.name = "sensitive",
     .kind = CLI_REAL,
     .argument = "R",
     .low = 0,
     .high = 1,
     .at = offsetof(generate_args, graph.sensitive_fraction),
     .field = "sensitive_fraction",
     .help = "the share of features that change in the masked copy"},
    {.name = "classes",
     .kind = CLI_U32,
     .argument = "C",
     .least = 1,
     .at = offsetof(generate_args, graph.n_classes),
     .field = "n_classes",
     .help = "the number of classes"},
    {.name = "multilabel",
     .at = offsetof(generate_args, graph.multilabel),
     .field = "multilabel",
     .help = "a node may have several labels"},
    {.name = "homophily",
     .kind = CLI_REAL,
     .argument = "H",
     .low = 0,
     .high = 1,
     .at = offsetof(generate_args, graph.homophily),
     .field = "homophily",
     .help = "the share of a node's edges that stay in its class"},
    {0},
};

static const cli_option run_options[] = {
    {.name = "output",
     .letter = 'o',
     .kind = CLI_DIRECTORY,
     .argument = "DIR",
     .required = true,
     .at = offsetof(generate_args, output),
     .help = "the directory to write"},
    {.name = "shard-rows",
     .kind = CLI_U64,
     .argument = "N",
     .at = offsetof(generate_args, write.shard_rows),
     .field = "shard_rows",
     .help =
         "cut features into files of N rows, rounded up to a multiple of 4096; 0 writes one file"},
    {.name = "shard-edges",
     .kind = CLI_U64,
     .argument = "N",
     .at = offsetof(generate_args, write.shard_edges),
     .field = "shard_edges",
     .help = "cut edges and their private marks into files of N edges in the same way"},
    {.name = "force",
     .at = offsetof(generate_args, force),
     .field = "replace",
     .help = "replace DIR if it is a graph directory"},
    {.name = "seed",
     .kind = CLI_U64,
     .argument = "S",
     .at = offsetof(generate_args, graph.seed),
     .field = "seed",
     .help = "the same options and seed give the same graph"},
    {.name = "threads",
     .kind = CLI_INT,
     .argument = "T",
     .most = 4096,
     .at = offsetof(generate_args, graph.threads),
     .field = "threads",
     .help = "the number of threads; 0 uses all processors"},
    {0},
};

static const cli_option_set sets[] = {
    {"Nodes and edges", size_options, 0},
    {"Features and labels", content_options, 0},
    {"Running", run_options, 0},
    {"Options", cli_common_options, offsetof(generate_args, common)},
    {0},
};

static const cli_example examples[] = {
    {"heterorr generate --nodes 1e4 -o graph",
     "Ten thousand nodes, with all other options at their defaults."},
    {"heterorr generate --nodes 1e6 --avg-degree 20 --features 128 --feature-type u8 -o big",
     "A large graph with features of one byte each."},
    {"heterorr generate --nodes 6e4 --graphs 24 --multilabel --classes 20 -o collection",
     "A collection of graphs whose nodes have several labels."},
    {0},
};

static hrr_status write_truth(const char *directory, const hrr_generated_truth *truth,
                              uint64_t n_features, hrr_error *err)
{
    char path[4096];
    int length = snprintf(path, sizeof path, "%s/truth.npz", directory);
    if (length < 0 || (size_t)length >= sizeof path)
        return hrr_fail(err, HRR_EINVAL, "%s: the path is too long", directory);
    hrr_array important = {.type = HRR_ARRAY_U8,
                           .item_size = 1,
                           .n_dims = 1,
                           .shape = {n_features},
                           .n_items = n_features,
                           .data = truth->important};
    hrr_array sensitive = important;
    sensitive.data = truth->sensitive;
    const hrr_npz_item items[] = {{"important", &important}, {"sensitive", &sensitive}};
    return hrr_npz_write(path, items, 2, err);
}

static hrr_status write_all(const hrr_graph *graph, const hrr_generated_truth *truth,
                            const generate_args *a, hrr_output_dir *dir, hrr_progress *progress,
                            hrr_error *err)
{
    const char *staging = hrr_output_dir_staging(dir);
    hrr_write_options options = a->write;
    options.format = "native";
    options.replace = true;
    hrr_status status = hrr_graph_write(graph, staging, &options, progress, err);
    if (!status && a->graph.n_features)
        status = write_truth(staging, truth, a->graph.n_features, err);
    /* The last moment at which Ctrl-C still means "as if it had never run". */
    if (!status) status = hrr_progress_advance(progress, 0, err);
    return status ? status : hrr_output_dir_commit(dir, err);
}

static hrr_status summarise(const hrr_graph *graph, const generate_args *a, cli_task *task,
                            hrr_error *err)
{
    uint64_t nodes = hrr_graph_n_nodes(graph), edges = hrr_graph_n_edges(graph);
    uint64_t private_edges = hrr_graph_n_private_edges(graph);
    double seconds = cli_clock() - task->began;
    cli_progress_erase();
    if (!task->json) {
        fprintf(task->talk,
                "%s: %s, %s (%s private, %s public), %s, %s\n"
                "made in %s with %s of memory\n",
                a->output, cli_count(nodes, "node", "nodes").text,
                cli_count(edges, "edge", "edges").text, cli_grouped(private_edges).text,
                cli_grouped(edges - private_edges).text,
                cli_count(a->graph.n_features, "feature", "features").text,
                cli_count(a->graph.n_classes, "class", "classes").text, cli_duration(seconds).text,
                cli_bytes(cli_peak_memory()).text);
        return HRR_OK;
    }
    task->result =
        json_pack("{s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:o, s:f, s:I}", "nodes", (json_int_t)nodes,
                  "edges", (json_int_t)edges, "private_edges", (json_int_t)private_edges,
                  "public_edges", (json_int_t)(edges - private_edges), "features",
                  (json_int_t)a->graph.n_features, "classes", (json_int_t)a->graph.n_classes,
                  "graphs", (json_int_t)a->graph.n_graphs, "output", cli_json_text(a->output),
                  "seconds", seconds, "peak_rss_bytes", (json_int_t)cli_peak_memory());
    return task->result ? HRR_OK : hrr_fail(err, HRR_ENOMEM, "out of memory");
}

static hrr_status run(const void *args, cli_task *task, hrr_error *err)
{
    const generate_args *a = args;
    hrr_generate_options options = a->graph;
    options.feature_dtype = strcmp(a->feature_type, "u8") == 0 ? HRR_U8 : HRR_F32;
    hrr_graph *graph = NULL;
    hrr_generated_truth truth = {0};
    hrr_output_dir *dir = NULL;
    hrr_status status = hrr_output_dir_open(&dir, a->output, hrr_graph_dir_kind(), a->force, err);
    if (status) goto done;
    if ((status = hrr_generate(&graph, &truth, &options, task->progress, err))) goto done;
    if ((status = write_all(graph, &truth, a, dir, task->progress, err))) goto done;
    status = summarise(graph, a, task, err);
done:
    hrr_output_dir_free(dir);
    hrr_generated_truth_clear(&truth);
    hrr_graph_free(graph);
    return status;
}

const cli_verb cli_verb_generate = {
    .name = "generate",
    .summary = "make a synthetic graph for experiments",
    .description = "Makes a graph whose nodes have classes, features that depend on the class, and "
                   "edges that mostly stay within a class; some edges are private. The graph is a "
                   "directory of npy files with a training, validation and test split; truth.npz "
                   "in it says which features are important and which are sensitive.",
    .examples = examples,
    .sets = sets,
    .args_size = sizeof(generate_args),
    .init = init,
    .run = run,
};
