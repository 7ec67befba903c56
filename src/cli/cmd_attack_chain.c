/* cmd_attack_chain.c: heterorr attack chain: the threat chain in worlds with different protection,
 * as rows of a results file, as a table and as JSON. */
#include "cli/attack.h"
#include "cli/figures.h"
#include "cli/graph_input.h"
#include "cli/json.h"
#include "cli/message.h"
#include "cli/network_args.h"
#include "cli/progress.h"
#include "cli/results_place.h"
#include "cli/shard_args.h"

#include <heterorr/experiment.h>
#include <heterorr/privacy.h>

#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

typedef struct chain_args {
    cli_attack_subject subject;
    cli_common common;
    hrr_read_options read;
    cli_attack_releases releases;
    cli_attack_pairs pairs;
    cli_attack_service service;
    cli_attack_draws draws;
    cli_attack_curves curves;
    cli_attack_pictures others;
    const char *aggregation, *output, *pictures;
    double known;
    uint32_t hidden, epochs, picture_epochs;
    bool standardise;
    cli_shard_args shard;
} chain_args;

static void init(void *args)
{
    chain_args *a = args;
    hrr_chain_options usual;
    hrr_chain_options_init(&usual);
    hrr_read_options_init(&a->read);
    cli_attack_releases_init(&a->releases);
    cli_attack_pairs_init(&a->pairs);
    cli_attack_service_init(&a->service);
    cli_attack_draws_init(&a->draws);
    a->aggregation = cli_aggregations()[0];
    a->known = usual.known_fraction;
    a->hidden = usual.train.n_hidden;
    a->epochs = usual.train.epochs;
    a->picture_epochs = usual.picture_epochs;
}

static const cli_option model_options[] = {
    {.name = "hidden",
     .kind = CLI_U32,
     .argument = "H",
     .least = 1,
     .most = 65536,
     .at = offsetof(chain_args, hidden),
     .field = "n_hidden",
     .help = "the width of hidden layers"},
    {.name = "epochs",
     .kind = CLI_U32,
     .argument = "N",
     .least = 1,
     .at = offsetof(chain_args, epochs),
     .field = "epochs",
     .help = "the largest number of training epochs"},
    {.name = "aggregation",
     .kind = CLI_CHOICE,
     .argument = "NAME",
     .choices = cli_aggregations,
     .at = offsetof(chain_args, aggregation),
     .field = "normalisation",
     .help = "how neighbours are weighted, as in train"},
    {.name = "standardise",
     .at = offsetof(chain_args, standardise),
     .field = "scale",
     .help = "scale features to mean 0 and variance 1 in the models"},
    {0},
};

static const cli_option picture_options[] = {
    {.name = "pictures",
     .kind = CLI_PATH,
     .argument = "DIR|P.npy",
     .at = offsetof(chain_args, pictures),
     .field = "pictures",
     .help = "also attack pictures: the directory that embed made GRAPH from, or an npy array of "
             "bytes, n x side x side or n x side x side x 3"},
    {.name = "picture-epochs",
     .kind = CLI_U32,
     .argument = "N",
     .least = 1,
     .at = offsetof(chain_args, picture_epochs),
     .field = "picture_epochs",
     .help = "how many epochs the decoder of pictures is trained"},
    {0},
};

static const cli_option output_options[] = {
    CLI_RESULTS_OPTION(offsetof(chain_args, output)),
    {0},
};

static const cli_option_set sets[] = {
    {"Releases", cli_attack_releases_options, offsetof(chain_args, releases)},
    {NULL, cli_attack_runs_options, offsetof(chain_args, draws)},
    {NULL, cli_attack_seed_options, offsetof(chain_args, draws)},
    {"Models that are trained on the releases", model_options, 0},
    {"Attacked pairs", cli_attack_pairs_options, offsetof(chain_args, pairs)},
    {NULL, cli_attack_known_options, offsetof(chain_args, known)},
    {"What the service returns", cli_attack_service_options, offsetof(chain_args, service)},
    {"Pictures from features", picture_options, 0},
    {NULL, cli_attack_pictures_options, offsetof(chain_args, others)},
    {"Results", output_options, 0},
    {NULL, cli_shard_options, offsetof(chain_args, shard)},
    {NULL, cli_attack_roc_options, offsetof(chain_args, curves)},
    {"Reading the graph", cli_graph_options, offsetof(chain_args, read)},
    {"Options", cli_common_options, offsetof(chain_args, common)},
    {0},
};

static const cli_example examples[] = {
    {"heterorr attack chain graph --mechanisms edgerr,lapgraph --eps-edges 0.1,1",
     "What protection achieves: edges and features found with it, without it, and without any "
     "private edge."},
    {"heterorr attack chain graph --eps-edges 1 --runs 5 -o attack.csv --roc curves.csv",
     "One row per run, and ROC curves, for report; if interrupted, the same command continues."},
    {"heterorr attack chain pictures --eps-edges 1 --pictures photos --public others "
     "--public-pictures photos-of-others",
     "The whole chain: edges, then features, then pictures from those features."},
    {0},
};

/* ---- words to options ------------------------------------------------------------------------ */

static void read_words(hrr_chain_sweep_options *o, const chain_args *a)
{
    hrr_chain_sweep_options_init(o);
    cli_attack_pairs_read(&o->chain.linkteller, &a->pairs, &a->service);
    o->chain.tree = a->releases.tree;
    o->chain.known_fraction = a->known;
    o->chain.train.n_hidden = a->hidden;
    o->chain.train.epochs = a->epochs;
    o->chain.train.normalisation = cli_aggregation(a->aggregation);
    o->chain.train.scale = a->standardise ? HRR_SCALE_STANDARD : HRR_SCALE_NONE;
    o->curves = a->curves.roc;
    o->runs = a->draws.runs;
    o->seed = a->draws.seed;
    o->threads = a->read.threads;
}

/* What the options point at. */
typedef struct inputs {
    hrr_graph *graph, *public_graph;
    hrr_thumbnails pictures, public_pictures;
    hrr_pictured public_side;
    cli_attack_lists lists;
    char split[32];
} inputs;

static hrr_status read_pictures(inputs *in, hrr_chain_options *o, const chain_args *a,
                                hrr_progress *progress, hrr_error *err)
{
    if (!a->pictures != !a->others.public_graph)
        return hrr_fail(err, HRR_EINVAL,
                        "--pictures and --public must be given together: a decoder learns from the "
                        "public pictures");
    hrr_status status = cli_attack_public_read(&in->public_graph, &in->public_pictures, &a->others,
                                               &a->read, progress, err);
    if (status || !a->pictures) return status;
    status = cli_attack_pictures_read(&in->pictures, in->graph, a->subject.graph, a->pictures,
                                      &a->others, a->read.threads, progress, err);
    in->public_side =
        (hrr_pictured){hrr_graph_features(in->public_graph), &in->public_pictures, NULL};
    o->pictures = &in->pictures;
    o->public_pictures = &in->public_side;
    o->picture_epochs = a->picture_epochs;
    return status;
}

static hrr_status read_inputs(inputs *in, hrr_chain_sweep_options *o, const chain_args *a,
                              hrr_progress *progress, hrr_error *err)
{
    read_words(o, a);
    hrr_status status = cli_attack_lists_read(&in->lists, &a->releases, err);
    if (!status) status = cli_read_graph(&in->graph, a->subject.graph, &a->read, progress, err);
    if (!status) status = read_pictures(in, &o->chain, a, progress, err);
    if (status) return status;
    o->mechanisms = in->lists.mechanisms.items;
    o->eps_edges_nano = in->lists.eps;
    o->n_eps = in->lists.n_eps;
    if (hrr_graph_split(in->graph)) return HRR_OK;
    snprintf(in->split, sizeof in->split, "drawn with %" PRIu64, o->seed);
    o->split = in->split;
    return cli_attack_need_split(in->graph, o->seed, err);
}

/* ---- the table ------------------------------------------------------------------------------- */

static cli_text eps_text(uint64_t eps_nano)
{
    cli_text text = {""};
    if (eps_nano) hrr_eps_format(text.text, eps_nano);
    return text;
}

static json_t *row_json(const hrr_chain_mean *row)
{
    json_t *json = json_pack("{s:s, s:o, s:o}", "mechanism", row->world, "eps_edges",
                             cli_json_text(eps_text(row->eps_nano).text), "realised_eps_edges",
                             isfinite(row->realised_eps) ? json_real(row->realised_eps)
                                                         : json_string("infinity"));
    for (int f = 0; f < HRR_CHAIN_FIGURES; f++)
        json_object_set_new(json, hrr_chain_figure_name((hrr_chain_figure)f),
                            json_pack("{s:o, s:o, s:o, s:o, s:o, s:o}", "mean",
                                      cli_json_real(row->mean[f]), "half_width",
                                      cli_json_real(row->half_width[f]), "excess",
                                      cli_json_real(row->excess[f]), "excess_half_width",
                                      cli_json_real(row->excess_half_width[f]), "tree_excess",
                                      cli_json_real(row->tree_excess[f]), "tree_excess_half_width",
                                      cli_json_real(row->tree_excess_half_width[f])));
    return json;
}

static cli_text with_half_width(double mean, double half_width, bool sign)
{
    cli_text text = {"-"};
    if (isnan(mean)) return text;
    if (isnan(half_width))
        snprintf(text.text, sizeof text.text, sign ? "%+.3f" : "%.3f", mean);
    else
        snprintf(text.text, sizeof text.text, sign ? "%+.3f (%.3f)" : "%.3f (%.3f)", mean,
                 half_width);
    return text;
}

static const char *title_of(const char *world)
{
    if (strcmp(world, HRR_WORLD_OPEN) == 0) return "unprotected";
    if (strcmp(world, HRR_WORLD_FLOOR) == 0) return "baseline: public edges";
    if (strcmp(world, HRR_WORLD_TREE) == 0) return "baseline: public tree";
    if (strcmp(world, HRR_WORLD_GUESS) == 0) return "random guess";
    return world;
}

/* Figures of the last step, if there is one. */
static void show_pictures(const hrr_chain_mean *row, FILE *to)
{
    const int ssim = HRR_CHAIN_PICTURE_SSIM, over = HRR_CHAIN_PICTURE_OVER_MEAN;
    const int rank = HRR_CHAIN_PICTURE_RANK;
    fprintf(to, " %15s %17s %15s",
            with_half_width(row->mean[ssim], row->half_width[ssim], false).text,
            with_half_width(row->mean[over], row->half_width[over], true).text,
            with_half_width(row->mean[rank], row->half_width[rank], false).text);
}

static void show(const hrr_chain_mean *rows, size_t n_rows, uint32_t runs, FILE *to)
{
    const int auc = HRR_CHAIN_LINK_AUC, r2 = HRR_CHAIN_ATTRIBUTE_R2, accuracy = HRR_CHAIN_ACCURACY;
    const bool has_pictures = !isnan(rows[0].mean[HRR_CHAIN_PICTURE_SSIM]);
    static const char line[] = "%-20s %6s %15s %17s %16s %15s %15s";
    fprintf(to, line, "", "eps", "edges: AUC", "over public edges", "over public tree",
            "features: R2", "accuracy");
    if (has_pictures) fprintf(to, " %15s %17s %15s", "pictures: SSIM", "over mean picture", "rank");
    fputc('\n', to);
    for (size_t r = 0; r < n_rows; r++) {
        const hrr_chain_mean *row = &rows[r];
        fprintf(to, line, title_of(row->world), eps_text(row->eps_nano).text,
                with_half_width(row->mean[auc], row->half_width[auc], false).text,
                with_half_width(row->excess[auc], row->excess_half_width[auc], true).text,
                with_half_width(row->tree_excess[auc], row->tree_excess_half_width[auc], true).text,
                with_half_width(row->mean[r2], row->half_width[r2], false).text,
                with_half_width(row->mean[accuracy], row->half_width[accuracy], false).text);
        if (has_pictures) show_pictures(row, to);
        fputc('\n', to);
    }
    if (runs > 1)
        fprintf(to, "Means of %u runs; half-widths of 95 %% confidence intervals in brackets.\n",
                runs);
}

static json_t *rows_json(const hrr_chain_mean *rows, size_t n_rows)
{
    json_t *list = json_array();
    for (size_t r = 0; r < n_rows; r++)
        json_array_append_new(list, row_json(&rows[r]));
    return list;
}

/* ---- together -------------------------------------------------------------------------------- */

static hrr_status conclude(const char *results, const inputs *in, const hrr_chain_sweep_options *o,
                           double began, cli_task *task, hrr_error *err)
{
    hrr_chain_mean *rows;
    size_t n_rows;
    hrr_status status = hrr_chain_means(&rows, &n_rows, results, in->graph, o, err);
    if (status) return status;
    cli_progress_erase();
    if (!task->json)
        show(rows, n_rows, o->runs, task->talk);
    else if (!(task->result = json_pack("{s:o, s:I, s:f}", "rows", rows_json(rows, n_rows), "runs",
                                        (json_int_t)o->runs, "seconds", cli_clock() - began)))
        status = hrr_fail(err, HRR_ENOMEM, "out of memory");
    hrr_free(rows);
    return status;
}

/* A sweep that is stopped leaves the rows it has finished, on standard output as in a file. */
static hrr_status sweep(const inputs *in, hrr_chain_sweep_options *o, const chain_args *a,
                        cli_task *task, hrr_error *err)
{
    bool is_done = false;
    const double began = cli_clock();
    const bool to_stdout = a->output && strcmp(a->output, "-") == 0;
    const bool is_kept = a->output && !to_stdout;
    cli_results_place place;
    if (a->curves.force && is_kept) unlink(a->output);
    if (a->curves.force && a->curves.roc) unlink(a->curves.roc);
    hrr_status status = cli_results_open(&place, is_kept ? a->output : NULL, err);
    if (status) return status;
    status = hrr_chain_sweep(place.file, in->graph, o, task->progress, err);
    if (!status && task->ranks) {
        status = cli_shard_wait(&o->shard, &is_done, task->ranks, err);
        if (!status && !is_done)
            status = hrr_chain_sweep(place.file, in->graph, o, task->progress, err);
    }
    if (!status && !is_done) /* rank 0 tells */
        status = o->shard.number ? cli_shard_tell(o->shard, a->output, task, err)
                                 : conclude(place.file, in, o, began, task, err);
    if (to_stdout && !task->json) cli_results_print(&place);
    cli_results_close(&place);
    if (status == HRR_ECANCEL && !is_kept)
        status =
            hrr_fail(err, HRR_ECANCEL, "interrupted; with -o RESULTS.csv, finished runs are kept");
    return status;
}

static hrr_status run(const void *args, cli_task *task, hrr_error *err)
{
    const chain_args *a = args;
    hrr_chain_sweep_options options;
    inputs in = {0};
    if (a->output && a->curves.roc && strcmp(a->output, a->curves.roc) == 0)
        return hrr_fail(err, HRR_EINVAL,
                        "--roc and -o name the same file; choose two different files");
    hrr_status status = read_inputs(&in, &options, a, task->progress, err);
    if (!status)
        status = cli_shard_read(&options.shard, &a->shard,
                                !a->output || strcmp(a->output, "-") == 0, task->ranks, err);
    if (!status) status = sweep(&in, &options, a, task, err);
    hrr_graph_free(in.graph);
    hrr_graph_free(in.public_graph);
    hrr_thumbnails_clear(&in.pictures);
    hrr_thumbnails_clear(&in.public_pictures);
    cli_attack_lists_clear(&in.lists);
    return status;
}

const cli_verb cli_verb_attack_chain = {
    .name = "attack chain",
    .summary = "find edges, features and pictures, through models of releases",
    .description =
        "Trains models on releases, attacks them with LinkTeller, and then attacks features "
        "through "
        "the edges that were found. With --pictures, a decoder then reconstructs pictures from "
        "these "
        "features. There are two baselines: a model trained with public edges only, and one "
        "trained "
        "with additional edges drawn like the public ones. Neither has seen a private edge, but "
        "friends of friends already reveal something. A model without protection shows the upper "
        "limit.",
    .examples = examples,
    .operands = cli_attack_subject_operands,
    .sets = sets,
    .args_size = sizeof(chain_args),
    .over_ranks = true,
    .init = init,
    .run = run,
};
