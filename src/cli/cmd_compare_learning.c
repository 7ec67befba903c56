/* cmd_compare_learning.c: heterorr compare learning: what networks learn from what mechanisms
 * release, as rows of a results file. Words become options; the library does the work. */
#include "cli/compare.h"
#include "cli/graph_input.h"
#include "cli/lists.h"
#include "cli/mechanism_names.h"
#include "cli/network_args.h"
#include "cli/progress.h"
#include "cli/public_bounds.h"
#include "cli/public_directions.h"
#include "cli/scores_file.h"
#include "cli/training_table.h"

#include <heterorr/learn.h>
#include <heterorr/experiment.h>
#include <heterorr/release.h>

typedef struct learning_args {
    cli_common common;
    hrr_read_options read;
    const char *graph, *mechanisms;
    cli_sweep_args sweep;
    cli_network_args network;
    cli_directions_words directions;
    const char *eps_features, *propagate, *scale, *split, *label_rate, *metric, *bounds, *decode,
        *scores, *head;
    double delta, volunteers;
    uint32_t bins;
} learning_args;

#include <stdlib.h>
#include <string.h>

static const char *const *scales(void)
{
    static const char *const names[] = {"standard", "none", NULL};
    return names;
}

static const char *const *decodings(void) /* in the order of hrr_decoding; bins are no numbers */
{
    static const char *const names[] = {"midpoint", "paper", "unbiased", "posterior", NULL};
    return names;
}

static const cli_option operands[] = {
    {.argument = "GRAPH",
     .kind = CLI_PATH,
     .required = true,
     .at = offsetof(learning_args, graph),
     .help = "the private graph, in any known format"},
    {0},
};

static const cli_option mechanisms_options[] = {
    {.name = "mechanisms",
     .kind = CLI_LIST,
     .argument = "A,B,..",
     .choices = cli_treatments,
     .required = true,
     .at = offsetof(learning_args, mechanisms),
     .field = "treatments",
     .help = "the mechanisms to run on GRAPH; baselines are always added. Name mechanisms for "
             "features or for edges, or one of each joined by +"},
    {.name = "eps-features",
     .kind = CLI_TEXT,
     .argument = "E,..",
     .at = offsetof(learning_args, eps_features),
     .field = "eps_features_nano features.eps_nano",
     .help = "the budgets of one node's features"},
    {0},
};

static const cli_option feature_options[] = {
    {.name = "propagate",
     .kind = CLI_TEXT,
     .argument = "K,..",
     .at = offsetof(learning_args, propagate),
     .field = "propagate n_propagate",
     .help = "average protected features over released edges K times; random features always "
             "include K = 4"},
    {.name = "scale",
     .kind = CLI_CHOICE,
     .argument = "HOW",
     .choices = scales,
     .at = offsetof(learning_args, scale),
     .field = "leave_scale",
     .help = "standard: scale protected features to mean 0 and equal variance before training; "
             "none: leave them as decoded"},
    {.name = "bounds",
     .kind = CLI_PATH,
     .argument = "LO,HI|FILE",
     .at = offsetof(learning_args, bounds),
     .field = "features.lo features.hi",
     .help = "public bounds of the features, as in protect"},
    {.name = "decode",
     .kind = CLI_CHOICE,
     .argument = "HOW",
     .choices = decodings,
     .at = offsetof(learning_args, decode),
     .field = "features.decoding",
     .help = "how a bin of FeatureRR is decoded"},
    {.name = "scores",
     .kind = CLI_PATH,
     .argument = "SCORES.npz",
     .at = offsetof(learning_args, scores),
     .field = "features.theta",
     .help = "weights of the features, from heterorr scores; by default all are equal"},
    {.name = "head",
     .kind = CLI_PATH,
     .argument = "HEAD.npz",
     .at = offsetof(learning_args, head),
     .field = "features.head",
     .help = "the public head for featurerr-head (see heterorr head)"},
    {.name = "volunteers",
     .kind = CLI_REAL,
     .argument = "R",
     .low = 0,
     .high = 1,
     .at = offsetof(learning_args, volunteers),
     .field = "volunteer_share",
     .help = "in each run, this share of all nodes (training nodes) publish their features. A "
             "baseline propagates these features over public edges, and featurerr-head learns its "
             "head from them instead of --head"},
    {.name = "delta",
     .kind = CLI_REAL,
     .argument = "D",
     .low = 0,
     .high = 1,
     .at = offsetof(learning_args, delta),
     .field = "features.delta",
     .help = "the delta of gaussian"},
    {0},
};

static const cli_option learning_options[] = {
    {.name = "split",
     .kind = CLI_TEXT,
     .argument = "TRAIN,VALID|own",
     .at = offsetof(learning_args, split),
     .field = "own_split train_share valid_share",
     .help = "the shares of training and validation nodes, drawn again in each run; the default is "
             "0.5,0.25. own uses the split of the graph, which is the default for a collection of "
             "graphs with a split"},
    {.name = "label-rate",
     .kind = CLI_TEXT,
     .argument = "R,..",
     .at = offsetof(learning_args, label_rate),
     .field = "label_rates",
     .help = "the shares of training nodes, instead of --split, with one table each. As many "
             "validation nodes are drawn, at most 0.25, and the rest are test nodes"},
    {.name = "metric",
     .kind = CLI_CHOICE,
     .argument = "NAME",
     .choices = hrr_training_metrics,
     .at = offsetof(learning_args, metric),
     .help = "the metric of the summary; by default accuracy, or f1_micro if nodes have several "
             "labels. The file contains all metrics"},
    {0},
};

static const cli_option_set sets[] = {
    {"Mechanisms and runs", mechanisms_options, 0},
    {NULL, cli_sweep_options, offsetof(learning_args, sweep)},
    {NULL, cli_shard_options, offsetof(learning_args, sweep.shard)},
    {NULL, cli_sweep_seed_options, offsetof(learning_args, sweep)},
    {"Features", feature_options, 0},
    {NULL, cli_bins_options, offsetof(learning_args, bins)},
    {"Directions of featurerr-projected", cli_directions_options,
     offsetof(learning_args, directions)},
    {"Learning", learning_options, 0},
    {NULL, cli_network_options, offsetof(learning_args, network)},
    {"Reading GRAPH", cli_graph_options, offsetof(learning_args, read)},
    {"Options", cli_common_options, offsetof(learning_args, common)},
    {0},
};

static const cli_example examples[] = {
    {"heterorr compare learning cora.npz --bounds 0,1 --mechanisms featurerr,multibit "
     "--eps-features .1,1,4 --runs 10 -o results.csv",
     "Train networks on protected features and on the baselines; one row per run. If interrupted, "
     "the same command continues."},
    {"heterorr compare learning cora.npz --mechanisms edgerr,edgerr-node,lapgraph-private "
     "--eps-edges 1,4 --private-fractions .3 --runs 10 -o results.csv",
     "The same for protected edges, with 30 % of them private."},
    {"heterorr compare learning cora.npz --bounds 0,1 --mechanisms multibit --eps-features 1,2 "
     "--label-rate .02,.1,.5 --runs 10 -o rates.csv",
     "Protected features where few nodes have labels, and where half of them do."},
    {"heterorr compare learning graph --mechanisms multibit+edgerr --eps-features 1,4 --eps-edges "
     "1,4 -o grid.csv",
     "Both protected, with every combination of the two budgets."},
    {0},
};

static void init(void *args)
{
    learning_args *a = args;
    hrr_training_sweep_options usual;
    hrr_training_sweep_options_init(&usual);
    hrr_read_options_init(&a->read);
    cli_sweep_args_init(&a->sweep);
    cli_network_args_init(&a->network, &usual.train);
    a->propagate = "4";
    a->scale = scales()[0];
    a->decode = decodings()[usual.features.decoding];
}

/* ---- words to options ------------------------------------------------------------------------ */

/* Everything that the options point at. */
typedef struct inputs {
    hrr_graph *graph;
    cli_words treatments;
    uint64_t eps_features[cli_most_items], eps_edges[cli_most_items];
    double fractions[cli_most_items], label_rates[cli_most_items];
    uint32_t propagate[cli_most_items];
    cli_bounds bounds;
    cli_scores scores;
    cli_directions directions;
    hrr_head head;
} inputs;

static void clear_inputs(inputs *in)
{
    hrr_graph_free(in->graph);
    cli_words_clear(&in->treatments);
    cli_bounds_clear(&in->bounds);
    cli_scores_clear(&in->scores);
    cli_directions_clear(&in->directions);
    hrr_head_clear(&in->head);
}

static hrr_status read_lists(hrr_training_sweep_options *out, inputs *in, const learning_args *args,
                             hrr_error *err)
{
    hrr_status status = cli_words_read(&in->treatments, args->mechanisms, "mechanisms", err);
    if (!status)
        status = cli_read_budgets(in->eps_features, &out->n_eps_features, args->eps_features,
                                  "eps-features", err);
    if (!status)
        status = cli_read_budgets(in->eps_edges, &out->n_eps_edges, args->sweep.eps_edges,
                                  "eps-edges", err);
    if (!status)
        status = cli_read_fractions(in->fractions, &out->n_fractions, args->sweep.private_fractions,
                                    "private-fractions", err);
    if (!status)
        status = cli_read_counts(in->propagate, &out->n_propagate, args->propagate,
                                 HRR_MOST_PROPAGATE, "propagate", err);
    if (!status && args->label_rate && args->split)
        status =
            hrr_fail(err, HRR_EINVAL, "--label-rate already sets the split; leave --split out");
    if (!status)
        status = cli_read_fractions(in->label_rates, &out->n_label_rates, args->label_rate,
                                    "label-rate", err);
    out->label_rates = in->label_rates;
    out->treatments = in->treatments.items;
    out->eps_features_nano = in->eps_features;
    out->eps_edges_nano = in->eps_edges;
    out->private_fractions = in->fractions;
    out->propagate = in->propagate;
    return status;
}

/* A collection is split by graphs, which is no matter of chance; so its own split is the usual. */
static hrr_status read_split(hrr_training_sweep_options *out, const hrr_graph *graph,
                             const char *text, hrr_error *err)
{
    if (!text)
        out->own_split =
            hrr_graph_n_graphs(graph) > 1 && hrr_graph_split(graph) && !out->n_label_rates;
    if (!text) return HRR_OK;
    out->own_split = strcmp(text, "own") == 0;
    if (out->own_split) return HRR_OK;
    return cli_read_shares(&out->train_share, &out->valid_share, text, err);
}

static hrr_status read_features(hrr_feature_options *out, inputs *in, const learning_args *args,
                                hrr_error *err)
{
    const hrr_dense *matrix = hrr_graph_features(in->graph);
    const uint64_t d = matrix ? matrix->cols : 0;
    for (int i = 0; decodings()[i]; i++)
        if (strcmp(args->decode, decodings()[i]) == 0) out->decoding = (hrr_decoding)i;
    out->delta = args->delta;
    if (!d) return HRR_OK;
    hrr_status status = cli_bounds_read(&in->bounds, args->bounds, d, err);
    if (status) return status;
    if (in->bounds.from_data)
        return hrr_fail(err, HRR_EINVAL,
                        "--bounds data is only for protect --mode paper: bounds from the data are "
                        "NOT PRIVATE, so the comparison with private mechanisms would be unfair");
    out->lo = in->bounds.lo;
    out->hi = in->bounds.hi;
    if (args->scores && (status = cli_scores_read(&in->scores, args->scores, d, err)))
        return status;
    out->theta = in->scores.theta;
    if (args->head && (status = cli_head_read(&in->head, args->head, d, err))) return status;
    if (args->head) out->head = &in->head;
    if (!args->directions.directions) return HRR_OK;
    hrr_feature_options bounded = *out;
    if ((status = hrr_bounds_settle(&bounded, in->graph, err))) return status;
    status =
        cli_directions_read(&in->directions, &args->directions, d, bounded.lo, bounded.hi, err);
    out->projection = &in->directions.projection;
    return status;
}

/* A file without its folders; NULL stays NULL. */
static const char *name_of(const char *path)
{
    const char *slash = path ? strrchr(path, '/') : NULL;
    return slash ? slash + 1 : path;
}

/* ---- together -------------------------------------------------------------------------------- */

/* metric NULL: what suits each graph; `usual` is that of this one. */
static hrr_status show(const char *results, const char *metric, const char *usual, cli_task *task,
                       hrr_error *err)
{
    hrr_training_mean *means;
    size_t n;
    hrr_status status = hrr_training_means(&means, &n, results, NULL, metric, err);
    if (status) return status;
    cli_progress_erase();
    if (task->json) {
        task->result = json_pack("{s:s, s:o}", "metric", metric ? metric : usual, "means",
                                 cli_training_json(means, n));
        if (!task->result) status = hrr_fail(err, HRR_ENOMEM, "out of memory");
    } else {
        cli_training_print(means, n, task->talk);
    }
    hrr_free(means);
    return status;
}

static hrr_status sweep(const char *results, hrr_shard shard, const void *args, cli_task *task,
                        hrr_error *err)
{
    const learning_args *a = args;
    inputs in = {0};
    hrr_training_sweep_options options;
    hrr_training_sweep_options_init(&options);
    hrr_status status = cli_directions_check(&a->directions, err);
    if (!status) status = read_lists(&options, &in, a, err);
    if (!status) status = cli_read_graph(&in.graph, a->graph, &a->read, task->progress, err);
    if (!status) status = read_split(&options, in.graph, a->split, err);
    if (!status) status = read_features(&options.features, &in, a, err);
    options.directions = a->directions.directions ? a->directions.directions : name_of(a->head);
    options.volunteer_share = a->volunteers;
    options.tree = a->sweep.tree;
    options.leave_scale = strcmp(a->scale, "none") == 0;
    options.features.n_bins = a->bins;
    options.runs = a->sweep.runs;
    options.seed = a->sweep.seed;
    options.threads = a->read.threads;
    options.shard = shard;
    cli_network_args_read(&options.train, &a->network);
    if (!status) status = hrr_training_sweep(results, in.graph, &options, task->progress, err);
    const char *usual = !status && hrr_graph_is_multilabel(in.graph) ? "f1_micro" : "accuracy";
    if (!status && !shard.number) status = show(results, a->metric, usual, task, err);
    clear_inputs(&in);
    return status;
}

static hrr_status run(const void *args, cli_task *task, hrr_error *err)
{
    const learning_args *a = args;
    hrr_status status = cli_bins_check(a->bins, err);
    return status ? status : cli_sweep_run(&a->sweep, &a->read, sweep, a, task, err);
}

const cli_verb cli_verb_compare_learning = {
    .name = "compare learning",
    .summary = "how well networks learn from releases",
    .description =
        "Trains a graph network on the release of each mechanism at each budget, in several runs "
        "with fresh noise, private edges, split and weights. It reports which settings beat the "
        "baselines that spend no budget: no private edges, no edges at all, random features. The "
        "results are computed from the private graph and are not protected.",
    .examples = examples,
    .operands = operands,
    .sets = sets,
    .args_size = sizeof(learning_args),
    .over_ranks = true,
    .init = init,
    .run = run,
};
