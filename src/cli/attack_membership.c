/* attack_membership.c: heterorr attack membership: which nodes a model learnt from. */
#include "cli/attack.h"
#include "cli/figures.h"
#include "cli/message.h"
#include "cli/progress.h"

hrr_status cli_attack_membership(const cli_attack_args *a, cli_task *task, hrr_error *err)
{
    hrr_membership_result r;
    cli_attack_input input;
    hrr_status status = cli_attack_read(&input, a, task->progress, err);
    if (status) return status;
    const double began = cli_clock();
    if (!hrr_graph_split(hrr_release_graph(input.served.release)))
        status = cli_release_draw_split(&input.served, 0.5, 0.25, a->seed, err);
    hrr_predict_options options;
    hrr_predict_options_init(&options);
    options.ignore_counts = cli_ignores_counts(a->counts);
    options.threads = a->read.threads;
    if (!status)
        status =
            hrr_membership(&r, input.model, input.served.release, &options, task->progress, err);
    cli_attack_input_clear(&input);
    if (status) return status;
    cli_progress_erase();
    if (!task->json) {
        printf("%s told from %s\n", cli_count(r.n_members, "training node", "training nodes").text,
               cli_count(r.n_others, "test node", "test nodes").text);
        printf(
            "AUC %.4f by the probability of the true label, %.4f by the largest (0.5: a guess)\n",
            r.auc_label, r.auc_confidence);
        printf("advantage %.4f at the best threshold in hindsight\n", r.advantage);
        return HRR_OK;
    }
    task->result =
        json_pack("{s:f, s:f, s:f, s:I, s:I, s:f}", "auc_label", r.auc_label, "auc_confidence",
                  r.auc_confidence, "advantage", r.advantage, "members", (json_int_t)r.n_members,
                  "others", (json_int_t)r.n_others, "seconds", cli_clock() - began);
    return task->result ? HRR_OK : hrr_fail(err, HRR_ENOMEM, "out of memory");
}
