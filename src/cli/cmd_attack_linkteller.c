/* cmd_attack_linkteller.c: heterorr attack linkteller: private edges through a model. */
#include "cli/attack.h"
#include "cli/figures.h"
#include "cli/json.h"
#include "cli/message.h"
#include "cli/progress.h"

#include <stdlib.h>

enum { at_k = 2 }; /* k-hat = k among hrr_k_hat() */

static json_t *thresholds_json(const hrr_linkteller_result *r)
{
    json_t *list = json_array();
    for (int k = 0; k < HRR_K_HATS; k++)
        json_array_append_new(list,
                              json_pack("{s:f, s:f, s:f, s:f, s:f}", "k_hat", hrr_k_hat(k),
                                        "precision", r->mean.precision[k], "precision_deviation",
                                        r->deviation.precision[k], "recall", r->mean.recall[k],
                                        "recall_deviation", r->deviation.recall[k]));
    return list;
}

static json_t *samples_json(const hrr_link_quality *samples, uint32_t runs)
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < runs; i++)
        json_array_append_new(list,
                              json_pack("{s:f, s:f, s:f, s:f, s:f}", "auc", samples[i].auc,
                                        "average_precision", samples[i].average_precision,
                                        "precision_at_k", samples[i].precision[at_k], "pairs",
                                        samples[i].n_pairs, "positives", samples[i].n_positive));
    return list;
}

static json_t *result_json(const hrr_linkteller_result *r, const hrr_link_quality *samples,
                           hrr_returns returns, const cli_attack_links_args *a, double seconds)
{
    json_t *json = json_pack(
        "{s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:I, s:I, s:s, s:s, s:b, s:o, s:o, s:o, s:f}",
        "auc", r->mean.auc, "auc_deviation", r->deviation.auc, "average_precision",
        r->mean.average_precision, "average_precision_deviation", r->deviation.average_precision,
        "precision_at_k", r->mean.precision[at_k], "recall_at_k", r->mean.recall[at_k], "pairs",
        r->mean.n_pairs, "positives", r->mean.n_positive, "nodes", (json_int_t)r->n_nodes, "runs",
        (json_int_t)r->runs, "pool", a->pairs.pool, "returns", cli_attack_returns_word(returns),
        "exact", r->exact, "delta", r->exact ? json_null() : json_real(r->delta), "at_k_hat",
        thresholds_json(r), "samples", samples_json(samples, r->runs), "seconds", seconds);
    return cli_attack_verdict_json(json, &r->verdict);
}

static void show(const hrr_linkteller_result *r, const cli_attack_links_args *a)
{
    printf("LinkTeller on %s, %s of %s: mean and standard deviation\n", a->target.graph,
           cli_count(r->runs, "sample", "samples").text,
           cli_count(r->n_nodes, "node", "nodes").text);
    printf("AUC               %.4f  %.4f   (0.5: a guess)\n", r->mean.auc, r->deviation.auc);
    printf("average precision %.4f  %.4f   (%.4f: a guess)\n", r->mean.average_precision,
           r->deviation.average_precision, r->mean.n_positive / r->mean.n_pairs);
    printf("%18s %10s %10s\n", "k-hat", "precision", "recall");
    for (int k = 0; k < HRR_K_HATS; k++)
        printf("%16g k %10.3f %10.3f\n", hrr_k_hat(k), r->mean.precision[k], r->mean.recall[k]);
    printf("%s, %s with a private edge, in one sample; ",
           cli_count((uint64_t)r->mean.n_pairs, "pair", "pairs").text,
           cli_grouped((uint64_t)r->mean.n_positive).text);
    if (r->exact)
        printf("exact derivatives\n");
    else
        printf("differences of %g\n", r->delta);
    cli_attack_verdict_show(&r->verdict);
}

static hrr_status run(const void *args, cli_task *task, hrr_error *err)
{
    const cli_attack_links_args *a = args;
    cli_attack_input input;
    hrr_linkteller_options options;
    hrr_linkteller_result result;
    cli_attack_roc curves = {0};
    hrr_status status = cli_attack_roc_check(&a->curves, err);
    if (!status) status = cli_attack_links_read(&input, &options, a, task->progress, err);
    if (status) return status;
    hrr_link_quality *samples = calloc(options.runs, sizeof *samples);
    const double began = cli_clock();
    if (!samples) status = hrr_fail(err, HRR_ENOMEM, "out of memory");
    if (!status) status = cli_attack_roc_open(&curves, &a->curves, input.truth, err);
    options.seen = cli_attack_roc_see;
    options.seen_user = &curves;
    if (!status)
        status = hrr_linkteller(&result, samples, input.model, input.served.release, input.truth,
                                &options, task->progress, err);
    if (!status) status = cli_attack_roc_close(&curves, err);
    if (!status) {
        cli_progress_erase();
        cli_attack_note_nodes(a->pairs.samples, result.n_nodes);
        if (!a->truth && input.model && hrr_model_provenance(input.model).released)
            cli_note("the model was trained without private edges, but here its predictions use "
                     "them, so the leak comes from this graph and not from the model. Attack the "
                     "model on the bundle, and give the original with --truth");
        if (!task->json)
            show(&result, a);
        else if (!(task->result = cli_attack_remote_json(
                       result_json(&result, samples, options.returns, a, cli_clock() - began),
                       input.remote)))
            status = hrr_fail(err, HRR_ENOMEM, "out of memory");
        if (!task->json && input.remote) cli_attack_remote_show(input.remote);
    }
    free(samples);
    hrr_output_free(curves.output);
    cli_attack_input_clear(&input);
    return status;
}

static const cli_example examples[] = {
    {"heterorr attack linkteller model graph",
     "Does the model reveal private edges of its graph? An AUC of 0.5 is a guess, 1 is perfect."},
    {"heterorr attack linkteller model bundle --truth graph", "And after protect?"},
    {"heterorr attack linkteller model graph --returns labels",
     "What if the model returns only labels?"},
    {"heterorr attack linkteller model bundle --truth graph --url http://127.0.0.1:8080",
     "The same attack through the service that heterorr serve runs."},
    {0},
};

const cli_verb cli_verb_attack_linkteller = {
    .name = "attack linkteller",
    .summary = "find private edges, through a model's predictions",
    .description =
        "Changes the features of one node at a time and observes which predictions move: those "
        "belong to its neighbours (Wu et al. 2022). The positives are private edges among the "
        "drawn nodes, the negatives are pairs without an edge; public edges are left out. The "
        "attack is compared with guesses from public edges and features alone, and the last line "
        "says whether the model reveals more than they do.",
    .examples = examples,
    .operands = cli_attack_target_operands,
    .sets = cli_attack_links_sets,
    .args_size = sizeof(cli_attack_links_args),
    .init = cli_attack_links_init,
    .run = run,
};
