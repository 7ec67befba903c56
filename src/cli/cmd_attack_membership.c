/* cmd_attack_membership.c: heterorr attack membership: which nodes a model learnt from. */
#include "cli/attack.h"
#include "cli/figures.h"
#include "cli/graph_input.h"
#include "cli/message.h"
#include "cli/progress.h"

typedef struct membership_args {
    cli_attack_target target;
    cli_common common;
    hrr_read_options read;
    cli_attack_draws draws;
    cli_attack_remote remote;
} membership_args;

static void init(void *args)
{
    membership_args *a = args;
    hrr_read_options_init(&a->read);
    cli_attack_draws_init(&a->draws);
}

static const cli_option_set sets[] = {
    {"Split", cli_attack_seed_options, offsetof(membership_args, draws)},
    {"A service", cli_attack_remote_options, offsetof(membership_args, remote)},
    {"Reading the graph", cli_graph_options, offsetof(membership_args, read)},
    {"Options", cli_common_options, offsetof(membership_args, common)},
    {0},
};

static const cli_example examples[] = {
    {"heterorr attack membership model graph",
     "Is the model more certain about its training nodes? GRAPH must be the graph that it was "
     "trained on."},
    {0},
};

static hrr_status ask_remote(hrr_membership_result *out, hrr_remote **remote,
                             const membership_args *a, const hrr_release *served,
                             hrr_progress *progress, hrr_error *err)
{
    hrr_status status =
        cli_attack_remote_open(remote, &a->remote, a->target.model, HRR_RETURNS_PROBABILITIES,
                               hrr_release_graph(served), progress, err);
    if (status) return status;
    const hrr_service service = hrr_remote_service(*remote);
    return hrr_membership_ask(out, &service, hrr_remote_returns(*remote), served, progress, err);
}

static hrr_status tell(const hrr_membership_result *r, const hrr_remote *remote, double seconds,
                       cli_task *task, hrr_error *err)
{
    cli_progress_erase();
    if (!task->json) {
        printf("%s told from %s\n", cli_count(r->n_members, "training node", "training nodes").text,
               cli_count(r->n_others, "test node", "test nodes").text);
        printf("AUC %.4f by the probability of the true label, %.4f by the largest probability "
               "(0.5: a guess)\n",
               r->auc_label, r->auc_confidence);
        printf("advantage %.4f at the best threshold, chosen in hindsight\n", r->advantage);
        if (remote) cli_attack_remote_show(remote);
        return HRR_OK;
    }
    task->result = cli_attack_remote_json(
        json_pack("{s:f, s:f, s:f, s:I, s:I, s:f}", "auc_label", r->auc_label, "auc_confidence",
                  r->auc_confidence, "advantage", r->advantage, "members", (json_int_t)r->n_members,
                  "others", (json_int_t)r->n_others, "seconds", seconds),
        remote);
    return task->result ? HRR_OK : hrr_fail(err, HRR_ENOMEM, "out of memory");
}

static hrr_status run(const void *args, cli_task *task, hrr_error *err)
{
    const membership_args *a = args;
    hrr_membership_result r;
    hrr_predict_options how;
    hrr_model *model = NULL;
    cli_release served = {0};
    hrr_predict_options_init(&how);
    how.threads = a->read.threads;
    hrr_remote *remote = NULL;
    hrr_status status = a->remote.url ? HRR_OK : hrr_model_read(&model, a->target.model, err);
    if (!status) status = cli_release_read(&served, a->target.graph, &a->read, task->progress, err);
    const double began = cli_clock();
    if (!status && !hrr_graph_split(hrr_release_graph(served.release)))
        status =
            cli_release_draw_split(&served, HRR_TRAIN_SHARE, HRR_VALID_SHARE, a->draws.seed, err);
    if (!status && a->remote.url)
        status = ask_remote(&r, &remote, a, served.release, task->progress, err);
    else if (!status)
        status = hrr_membership(&r, model, served.release, &how, task->progress, err);
    if (!status) status = tell(&r, remote, cli_clock() - began, task, err);
    hrr_remote_free(remote);
    cli_release_clear(&served);
    hrr_model_free(model);
    return status;
}
const cli_verb cli_verb_attack_membership = {
    .name = "attack membership",
    .summary = "find which nodes a model was trained on",
    .description = "Distinguishes training nodes from test nodes by the confidence of the model "
                   "(Yeom et al. 2018). GRAPH must be the graph that the model was trained on. If "
                   "it has no split, it is split as train does with the same seed.",
    .examples = examples,
    .operands = cli_attack_target_operands,
    .sets = sets,
    .args_size = sizeof(membership_args),
    .init = init,
    .run = run,
};
