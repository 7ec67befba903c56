/* cmd_attack_chain.c: heterorr attack chain: the threat chain in worlds with different protection,
 * as a table, as JSON, and run by run as CSV. */
#include "cli/attack.h"
#include "cli/figures.h"
#include "cli/graph_input.h"
#include "cli/json.h"
#include "cli/message.h"
#include "cli/network_args.h"
#include "cli/progress.h"

#include <heterorr/experiment.h>
#include <heterorr/privacy.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

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
    {.name = "output",
     .letter = 'o',
     .kind = CLI_PATH,
     .argument = "RESULTS.csv",
     .at = offsetof(chain_args, output),
     .help = "write every run as a row"},
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
     "Every run as a row, and ROC curves, for report."},
    {0},
};

/* ---- words to options ------------------------------------------------------------------------ */

static hrr_status check(const chain_args *a, hrr_error *err)
{
    if (a->output && a->curves.roc && strcmp(a->output, a->curves.roc) == 0)
        return hrr_fail(err, HRR_EINVAL, "--roc and -o name the same file; choose two");
    hrr_status status = cli_attack_roc_check(&a->curves, err);
    if (!status && a->output) status = cli_refuse_existing(a->output, a->curves.force, err);
    return status;
}

static void read_words(hrr_chain_options *o, const chain_args *a)
{
    hrr_chain_options_init(o);
    cli_attack_pairs_read(&o->linkteller, &a->pairs, &a->service);
    o->linkteller.threads = a->read.threads;
    o->tree = a->releases.tree;
    o->runs = a->draws.runs;
    o->known_fraction = a->known;
    o->seed = a->draws.seed;
    o->train.n_hidden = a->hidden;
    o->train.epochs = a->epochs;
    o->train.normalisation = cli_aggregation(a->aggregation);
    o->train.scale = a->standardise ? HRR_SCALE_STANDARD : HRR_SCALE_NONE;
    o->train.threads = o->attributes.threads = a->read.threads;
}

/* ---- run by run ------------------------------------------------------------------------------ */

typedef struct csv {
    hrr_output *output; /* NULL: nobody asked */
    char graph[64];
    hrr_error err;
} csv;

static cli_text eps_text(uint64_t eps_nano)
{
    cli_text text = {""};
    if (eps_nano) hrr_eps_format(text.text, eps_nano);
    return text;
}

static void write_run(void *user, const char *mechanism, uint64_t eps_nano, uint32_t run,
                      const double figures[HRR_CHAIN_FIGURES])
{
    csv *self = user;
    if (!self->output || self->err.status) return;
    /* A failure stays in self->err, for close_csv(). */
    hrr_status status = hrr_output_printf(self->output, &self->err, "%s,%s,%s,%u", self->graph,
                                          mechanism, eps_text(eps_nano).text, run);
    for (int f = 0; f < HRR_CHAIN_FIGURES && !status; f++)
        if (isnan(figures[f]))
            status = hrr_output_printf(self->output, &self->err, ",");
        else
            status = hrr_output_printf(self->output, &self->err, ",%.6f", figures[f]);
    if (!status) status = hrr_output_printf(self->output, &self->err, "\n");
}

static hrr_status open_csv(csv *out, const chain_args *a, const hrr_graph *graph, hrr_error *err)
{
    *out = (csv){0};
    hrr_results_name(out->graph, sizeof out->graph, hrr_graph_name(graph));
    if (!a->output) return HRR_OK;
    hrr_status status = hrr_output_open(&out->output, a->output, err);
    if (!status) status = hrr_output_printf(out->output, err, "graph,edge_mechanism,eps_edges,run");
    for (int f = 0; f < HRR_CHAIN_FIGURES && !status; f++)
        status =
            hrr_output_printf(out->output, err, ",%s", hrr_chain_figure_name((hrr_chain_figure)f));
    if (!status) status = hrr_output_printf(out->output, err, "\n");
    return status;
}

static hrr_status close_csv(csv *self, hrr_error *err)
{
    if (!self->output) return HRR_OK;
    if (self->err.status) {
        *err = self->err;
        return err->status;
    }
    return hrr_output_commit(self->output, err);
}

/* ---- the table ------------------------------------------------------------------------------- */

static json_t *row_json(const hrr_chain_row *row)
{
    json_t *json = json_pack("{s:s, s:o, s:o}", "mechanism", row->mechanism, "eps_edges",
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

static const char *title_of(const char *mechanism)
{
    if (strcmp(mechanism, HRR_CHAIN_OPEN) == 0) return "unprotected";
    if (strcmp(mechanism, HRR_CHAIN_FLOOR) == 0) return "floor: public edges";
    if (strcmp(mechanism, HRR_CHAIN_TREE) == 0) return "floor: public tree";
    if (strcmp(mechanism, HRR_CHAIN_GUESS) == 0) return "random guess";
    return mechanism;
}

static void show(const hrr_chain_row *rows, size_t n_rows, uint32_t runs, FILE *to)
{
    const int auc = HRR_CHAIN_LINK_AUC, r2 = HRR_CHAIN_ATTRIBUTE_R2, accuracy = HRR_CHAIN_ACCURACY;
    static const char line[] = "%-20s %6s %15s %17s %16s %15s %15s\n";
    fprintf(to, line, "", "eps", "edges: AUC", "over public edges", "over public tree",
            "features: R2", "accuracy");
    for (size_t r = 0; r < n_rows; r++) {
        const hrr_chain_row *row = &rows[r];
        fprintf(to, line, title_of(row->mechanism), eps_text(row->eps_nano).text,
                with_half_width(row->mean[auc], row->half_width[auc], false).text,
                with_half_width(row->excess[auc], row->excess_half_width[auc], true).text,
                with_half_width(row->tree_excess[auc], row->tree_excess_half_width[auc], true).text,
                with_half_width(row->mean[r2], row->half_width[r2], false).text,
                with_half_width(row->mean[accuracy], row->half_width[accuracy], false).text);
    }
    if (runs > 1)
        fprintf(to, "Means of %u runs; in brackets the half-width of 95 %% intervals.\n", runs);
}

static json_t *rows_json(const hrr_chain_row *rows, size_t n_rows)
{
    json_t *list = json_array();
    for (size_t r = 0; r < n_rows; r++)
        json_array_append_new(list, row_json(&rows[r]));
    return list;
}

static hrr_status run(const void *args, cli_task *task, hrr_error *err)
{
    const chain_args *a = args;
    hrr_chain_options options;
    hrr_chain_row *rows = NULL;
    size_t n_rows;
    hrr_graph *graph = NULL;
    cli_attack_lists l = {0};
    csv file = {0};
    cli_attack_roc curves = {0};
    read_words(&options, a);
    hrr_status status = check(a, err);
    if (!status) status = cli_attack_lists_read(&l, &a->releases, err);
    if (status) goto done;
    options.mechanisms = l.mechanisms.items;
    options.eps_nano = l.eps;
    options.n_eps = l.n_eps;
    if ((status = cli_read_graph(&graph, a->subject.graph, &a->read, task->progress, err)))
        goto done;
    if ((status = cli_attack_need_split(graph, a->draws.seed, err))) goto done;
    if ((status = open_csv(&file, a, graph, err))) goto done;
    if ((status = cli_attack_roc_open(&curves, &a->curves, graph, true, err))) goto done;
    options.seen = write_run;
    options.seen_user = &file;
    options.linkteller.seen = cli_attack_roc_see;
    options.linkteller.seen_user = &curves;
    const double began = cli_clock();
    if ((status = hrr_chain(&rows, &n_rows, graph, &options, task->progress, err))) goto done;
    if ((status = close_csv(&file, err))) goto done;
    if ((status = cli_attack_roc_close(&curves, err))) goto done;
    cli_progress_erase();
    if (!task->json)
        show(rows, n_rows, options.runs, task->talk);
    else if (!(task->result = json_pack("{s:o, s:I, s:f}", "rows", rows_json(rows, n_rows), "runs",
                                        (json_int_t)options.runs, "seconds", cli_clock() - began)))
        status = hrr_fail(err, HRR_ENOMEM, "out of memory");
done:
    hrr_output_free(file.output);
    hrr_output_free(curves.output);
    hrr_free(rows);
    hrr_graph_free(graph);
    cli_attack_lists_clear(&l);
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
