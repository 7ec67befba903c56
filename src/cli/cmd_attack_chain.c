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
    const char *aggregation, *output;
    double known;
    uint32_t hidden, epochs;
    bool standardise;
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
}

static const cli_option model_options[] = {
    {.name = "hidden",
     .kind = CLI_U32,
     .argument = "H",
     .least = 1,
     .most = 65536,
     .at = offsetof(chain_args, hidden),
     .field = "n_hidden",
     .help = "the width of their hidden layers"},
    {.name = "epochs",
     .kind = CLI_U32,
     .argument = "N",
     .least = 1,
     .at = offsetof(chain_args, epochs),
     .field = "epochs",
     .help = "how long they train, at most"},
    {.name = "aggregation",
     .kind = CLI_CHOICE,
     .argument = "NAME",
     .choices = cli_aggregations,
     .at = offsetof(chain_args, aggregation),
     .field = "normalisation",
     .help = "how they weigh neighbours, as in train"},
    {.name = "standardise",
     .at = offsetof(chain_args, standardise),
     .field = "scale",
     .help = "bring features to mean 0 and variance 1 within them"},
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
    {"Models that are trained on them", model_options, 0},
    {"Pairs that are attacked", cli_attack_pairs_options, offsetof(chain_args, pairs)},
    {NULL, cli_attack_known_options, offsetof(chain_args, known)},
    {"What the service returns", cli_attack_service_options, offsetof(chain_args, service)},
    {"Results", output_options, 0},
    {NULL, cli_attack_roc_options, offsetof(chain_args, curves)},
    {"Reading the graph", cli_graph_options, offsetof(chain_args, read)},
    {"Options", cli_common_options, offsetof(chain_args, common)},
    {0},
};

static const cli_example examples[] = {
    {"heterorr attack chain graph --mechanisms edgerr,lapgraph --eps-edges 0.1,1",
     "What protection is worth: edges and features found with it, without it, and without any "
     "private edge."},
    {"heterorr attack chain graph --eps-edges 1 --runs 5 -o attack.csv --roc curves.csv",
     "Every run as a row, and ROC curves, for report; the same command goes on where it was "
     "interrupted."},
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
    hrr_graph *graph;
    cli_attack_lists lists;
    char split[32];
} inputs;

static hrr_status read_inputs(inputs *in, hrr_chain_sweep_options *o, const chain_args *a,
                              hrr_progress *progress, hrr_error *err)
{
    read_words(o, a);
    hrr_status status = cli_attack_lists_read(&in->lists, &a->releases, err);
    if (!status) status = cli_read_graph(&in->graph, a->subject.graph, &a->read, progress, err);
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
    if (strcmp(world, HRR_WORLD_FLOOR) == 0) return "floor: public edges";
    if (strcmp(world, HRR_WORLD_TREE) == 0) return "floor: public tree";
    if (strcmp(world, HRR_WORLD_GUESS) == 0) return "random guess";
    return world;
}

static void show(const hrr_chain_mean *rows, size_t n_rows, uint32_t runs, FILE *to)
{
    const int auc = HRR_CHAIN_LINK_AUC, r2 = HRR_CHAIN_ATTRIBUTE_R2, accuracy = HRR_CHAIN_ACCURACY;
    static const char line[] = "%-20s %6s %15s %17s %16s %15s %15s\n";
    fprintf(to, line, "", "eps", "edges: AUC", "over public edges", "over public tree",
            "features: R2", "accuracy");
    for (size_t r = 0; r < n_rows; r++) {
        const hrr_chain_mean *row = &rows[r];
        fprintf(to, line, title_of(row->world), eps_text(row->eps_nano).text,
                with_half_width(row->mean[auc], row->half_width[auc], false).text,
                with_half_width(row->excess[auc], row->excess_half_width[auc], true).text,
                with_half_width(row->tree_excess[auc], row->tree_excess_half_width[auc], true).text,
                with_half_width(row->mean[r2], row->half_width[r2], false).text,
                with_half_width(row->mean[accuracy], row->half_width[accuracy], false).text);
    }
    if (runs > 1)
        fprintf(to, "Means of %u runs; in brackets the half-width of 95 %% intervals.\n", runs);
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
static hrr_status sweep(const inputs *in, const hrr_chain_sweep_options *o, const chain_args *a,
                        cli_task *task, hrr_error *err)
{
    const double began = cli_clock();
    const bool to_stdout = a->output && strcmp(a->output, "-") == 0;
    const bool is_kept = a->output && !to_stdout;
    cli_results_place place;
    if (a->curves.force && is_kept) unlink(a->output);
    if (a->curves.force && a->curves.roc) unlink(a->curves.roc);
    hrr_status status = cli_results_open(&place, is_kept ? a->output : NULL, err);
    if (status) return status;
    status = hrr_chain_sweep(place.file, in->graph, o, task->progress, err);
    if (!status) status = conclude(place.file, in, o, began, task, err);
    if (to_stdout && !task->json) cli_results_print(&place);
    cli_results_close(&place);
    if (status == HRR_ECANCEL && !is_kept)
        status = hrr_fail(err, HRR_ECANCEL, "interrupted; -o RESULTS.csv keeps finished runs");
    return status;
}

static hrr_status run(const void *args, cli_task *task, hrr_error *err)
{
    const chain_args *a = args;
    hrr_chain_sweep_options options;
    inputs in = {0};
    if (a->output && a->curves.roc && strcmp(a->output, a->curves.roc) == 0)
        return hrr_fail(err, HRR_EINVAL, "--roc and -o name the same file; choose two");
    hrr_status status = read_inputs(&in, &options, a, task->progress, err);
    if (!status) status = sweep(&in, &options, a, task, err);
    hrr_graph_free(in.graph);
    cli_attack_lists_clear(&in.lists);
    return status;
}

const cli_verb cli_verb_attack_chain = {
    .name = "attack chain",
    .summary = "edges, then features, against models trained on releases",
    .description =
        "Trains models on releases, attacks them with LinkTeller, and goes on to features with the "
        "edges it found. Its floors are models that have seen no private edge at all, with public "
        "edges only and with more drawn like them, because friends of friends tell something, "
        "too; its ceiling is a model without protection.",
    .examples = examples,
    .operands = cli_attack_subject_operands,
    .sets = sets,
    .args_size = sizeof(chain_args),
    .init = init,
    .run = run,
};
