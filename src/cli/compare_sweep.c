/* compare_sweep.c: see compare.h. */
#include "cli/compare.h"
#include "cli/json.h"
#include "cli/mechanism_names.h"
#include "cli/results_place.h"

#include <heterorr/experiment.h>

#include <string.h>

const cli_option cli_sweep_options[] = {
    {.name = "eps-edges",
     .kind = CLI_TEXT,
     .argument = "E,..",
     .at = offsetof(cli_sweep_args, eps_edges),
     .field = "eps_edges_nano edges.eps_nano",
     .help = "the budgets of one pair"},
    {.name = "private-fractions",
     .kind = CLI_TEXT,
     .argument = "R,..",
     .at = offsetof(cli_sweep_args, private_fractions),
     .field = "private_fractions",
     .help = "the shares of edges to mark as private, at random in each run; by default the marks "
             "of the graph"},
    {.name = "tree",
     .kind = CLI_CHOICE,
     .argument = "NAME",
     .choices = cli_edge_trees,
     .at = offsetof(cli_sweep_args, tree),
     .field = "tree edges.tree",
     .help = "the tree of edgerr"},
    {.name = "runs",
     .kind = CLI_U32,
     .argument = "N",
     .least = 1,
     .most = 100000,
     .at = offsetof(cli_sweep_args, runs),
     .field = "runs",
     .help = "how often each setting is run, with fresh draws"},
    CLI_RESULTS_OPTION(offsetof(cli_sweep_args, output)),
    {0},
};

const cli_option cli_sweep_seed_options[] = {
    {.name = "seed",
     .kind = CLI_U64,
     .argument = "N",
     .at = offsetof(cli_sweep_args, seed),
     .field = "seed",
     .help = "the seed of everything that is drawn; run i has seed N + i"},
    {0},
};

const cli_option cli_bins_options[] = {
    {.name = "bins",
     .kind = CLI_U32,
     .argument = "K",
     .most = 256,
     .field = "features.n_bins",
     .help = "the number of bins of FeatureRR; 0 chooses the best"},
    {0},
};

void cli_sweep_args_init(cli_sweep_args *args)
{
    hrr_structure_sweep_options usual;
    hrr_structure_sweep_options_init(&usual);
    *args = (cli_sweep_args){.output = "-", .seed = 1, .runs = usual.runs};
}

hrr_status cli_bins_check(uint32_t bins, hrr_error *err)
{
    if (bins != 1) return HRR_OK;
    return hrr_fail(err, HRR_EINVAL,
                    "--bins: must be 2 to 256; a single bin carries no information");
}

hrr_status cli_sweep_run(const cli_sweep_args *sweep, const hrr_read_options *read,
                         cli_sweep_job *job, const void *args, cli_task *task, hrr_error *err)
{
    const bool to_stdout = strcmp(sweep->output, "-") == 0;
    cli_results_place place;
    if (read->all_private && sweep->private_fractions)
        return hrr_fail(err, HRR_EINVAL,
                        "--all-private makes every edge private, so --private-fractions has no "
                        "effect; leave one of them out");
    hrr_shard shard;
    bool is_done = false;
    hrr_status status = cli_shard_read(&shard, &sweep->shard, to_stdout, task->ranks, err);
    if (!status) status = cli_results_open(&place, to_stdout ? NULL : sweep->output, err);
    if (status) return status;
    status = job(place.file, shard, args, task, err);
    if (!status && task->ranks) {
        status = cli_shard_wait(&shard, &is_done, task->ranks, err);
        if (!status && !is_done) status = job(place.file, shard, args, task, err);
    }
    if (!status && shard.number)
        status = cli_shard_tell(shard, sweep->output, task, err);
    else if (task->result)
        json_object_set_new(task->result, "results",
                            to_stdout ? json_null() : cli_json_text(sweep->output));
    else if (to_stdout && !task->json)
        cli_results_print(&place);
    else if (!status)
        fprintf(task->talk, "the runs are in %s\n", sweep->output);
    cli_results_close(&place);
    return status;
}
