/* cmd_attack_links.c: heterorr attack links: LinkTeller beside other attacks on the same pairs. */
#include "cli/attack.h"
#include "cli/figures.h"
#include "cli/json.h"
#include "cli/message.h"
#include "cli/progress.h"

#include <math.h>

static json_t *rows_json(const hrr_link_quality *mean, const hrr_link_quality *deviation)
{
    json_t *list = json_array();
    for (int i = 0; i < HRR_LINK_ATTACKS; i++)
        json_array_append_new(list, json_pack("{s:s, s:o, s:o, s:o}", "attack",
                                              hrr_link_attack_name((hrr_link_attack)i), "auc",
                                              cli_json_real(mean[i].auc), "auc_deviation",
                                              cli_json_real(deviation[i].auc), "average_precision",
                                              cli_json_real(mean[i].average_precision)));
    return list;
}

static void show(const hrr_link_quality *mean, const hrr_link_quality *deviation,
                 const hrr_link_verdict *verdict)
{
    printf("%-12s %9s %9s %18s\n", "attack", "AUC", "deviation", "average precision");
    for (int i = 0; i < HRR_LINK_ATTACKS; i++)
        printf("%-12s %9s %9s %18s\n", hrr_link_attack_name((hrr_link_attack)i),
               cli_real(mean[i].auc).text, cli_real(deviation[i].auc).text,
               cli_real(mean[i].average_precision).text);
    printf("%s, %s with a private edge, in one sample\n",
           cli_count((uint64_t)mean->n_pairs, "pair", "pairs").text,
           cli_grouped((uint64_t)mean->n_positive).text);
    printf("lsa2-attr, public-walks and public-both guess from public knowledge, without the "
           "model.\n");
    cli_attack_verdict_show(verdict);
}

static hrr_status run(const void *args, cli_task *task, hrr_error *err)
{
    const cli_attack_links_args *a = args;
    hrr_link_quality mean[HRR_LINK_ATTACKS], deviation[HRR_LINK_ATTACKS];
    hrr_linkteller_options options;
    cli_attack_input input;
    hrr_link_verdict verdict;
    cli_attack_roc curves = {0};
    uint64_t n_nodes = 0;
    hrr_status status = cli_attack_roc_check(&a->curves, err);
    if (!status) status = cli_attack_links_read(&input, &options, a, task->progress, err);
    if (status) return status;
    const double began = cli_clock();
    status = cli_attack_roc_open(&curves, &a->curves, input.truth, err);
    options.seen = cli_attack_roc_see;
    options.seen_user = &curves;
    if (!status)
        status = hrr_links(mean, deviation, &verdict, &n_nodes, input.model, input.served.release,
                           input.truth, &options, task->progress, err);
    if (!status) status = cli_attack_roc_close(&curves, err);
    if (!status) {
        cli_progress_erase();
        cli_attack_note_nodes(a->pairs.samples, n_nodes);
        if (isnan(mean[HRR_LINKS_TRAINED].auc))
            cli_note("there are too few public edges to train an attack on");
        if (!task->json)
            show(mean, deviation, &verdict);
        else if (!(task->result = cli_attack_remote_json(
                       cli_attack_verdict_json(
                           json_pack("{s:o, s:f, s:f, s:I, s:I, s:f}", "rows",
                                     rows_json(mean, deviation), "pairs", mean->n_pairs,
                                     "positives", mean->n_positive, "nodes", (json_int_t)n_nodes,
                                     "runs", (json_int_t)options.runs, "seconds",
                                     cli_clock() - began),
                           &verdict),
                       input.remote)))
            status = hrr_fail(err, HRR_ENOMEM, "out of memory");
        if (!task->json && input.remote) cli_attack_remote_show(input.remote);
    }
    hrr_output_free(curves.output);
    cli_attack_input_clear(&input);
    return status;
}

static const cli_example examples[] = {
    {"heterorr attack links model graph", "Every attack on the same pairs; which one finds most?"},
    {"heterorr attack links model bundle --truth graph --counts ignore",
     "On a release, without the counts of neighbours that the model could use."},
    {0},
};

const cli_verb cli_verb_attack_links = {
    .name = "attack links",
    .summary = "find private edges, by several attacks side by side",
    .description = "Runs LinkTeller and other attacks on the same pairs: the correlation of "
                   "predictions (LSA2-post) and of features (LSA2-attr), a network trained on "
                   "public edges, and short walks over public edges. The last line says whether "
                   "LinkTeller finds more in the model than public edges and features reveal.",
    .examples = examples,
    .operands = cli_attack_target_operands,
    .sets = cli_attack_links_sets,
    .args_size = sizeof(cli_attack_links_args),
    .init = cli_attack_links_init,
    .run = run,
};
