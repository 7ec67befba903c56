/* attack_chain.c: heterorr attack chain: the threat chain in worlds with different protection, as a
 * table, as JSON, and run by run as CSV. */
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

/* ---- words to options ------------------------------------------------------------------------ */

static void read_words(hrr_chain_options *o, const cli_attack_args *a)
{
    hrr_chain_options_init(o);
    cli_attack_linkteller_options(&o->linkteller, a);
    o->tree = a->tree;
    o->runs = a->runs;
    o->known_fraction = a->known;
    o->seed = a->seed;
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
    hrr_output_printf(self->output, &self->err, "%s,%s,%s,%u", self->graph, mechanism,
                      eps_text(eps_nano).text, run);
    for (int f = 0; f < HRR_CHAIN_FIGURES; f++)
        if (isnan(figures[f]))
            hrr_output_printf(self->output, &self->err, ",");
        else
            hrr_output_printf(self->output, &self->err, ",%.6f", figures[f]);
    hrr_output_printf(self->output, &self->err, "\n");
}

static hrr_status open_csv(csv *out, const cli_attack_args *a, const hrr_graph *graph,
                           hrr_error *err)
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

static void show(const hrr_chain_row *rows, size_t n_rows, const cli_attack_args *a, FILE *to)
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
    if (a->runs > 1)
        fprintf(to, "Means of %u runs; in brackets the half-width of 95 %% intervals.\n", a->runs);
}

static json_t *rows_json(const hrr_chain_row *rows, size_t n_rows)
{
    json_t *list = json_array();
    for (size_t r = 0; r < n_rows; r++)
        json_array_append_new(list, row_json(&rows[r]));
    return list;
}

hrr_status cli_attack_chain(const cli_attack_args *a, cli_task *task, hrr_error *err)
{
    hrr_chain_options options;
    hrr_chain_row *rows = NULL;
    size_t n_rows;
    hrr_graph *graph = NULL;
    cli_attack_lists l = {0};
    csv file = {0};
    cli_attack_roc curves = {0};
    read_words(&options, a);
    hrr_status status = cli_attack_lists_read(&l, a, err);
    if (status) goto done;
    options.mechanisms = l.mechanisms.items;
    options.eps_nano = l.eps;
    options.n_eps = l.n_eps;
    if (a->output && (status = cli_refuse_existing(a->output, a->force, err))) goto done;
    if ((status = cli_attack_read_graph(&graph, a, task->progress, err))) goto done;
    if ((status = cli_attack_need_split(graph, a->seed, err))) goto done;
    if ((status = open_csv(&file, a, graph, err))) goto done;
    if ((status = cli_attack_roc_open(&curves, a, graph, err))) goto done;
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
        show(rows, n_rows, a, task->talk);
    else if (!(task->result = json_pack("{s:o, s:I, s:f}", "rows", rows_json(rows, n_rows), "runs",
                                        (json_int_t)a->runs, "seconds", cli_clock() - began)))
        status = hrr_fail(err, HRR_ENOMEM, "out of memory");
done:
    hrr_output_free(file.output);
    hrr_output_free(curves.output);
    hrr_free(rows);
    hrr_graph_free(graph);
    cli_attack_lists_clear(&l);
    return status;
}
