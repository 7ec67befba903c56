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
     .help = "budgets of one pair"},
    {.name = "private-fractions",
     .kind = CLI_TEXT,
     .argument = "R,..",
     .at = offsetof(cli_sweep_args, private_fractions),
     .field = "private_fractions",
     .help = "shares of edges to mark as private, at random in each run; otherwise as the graph "
             "marks them"},
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
     .help = "how often each is run, everything drawn afresh"},
    CLI_RESULTS_OPTION(offsetof(cli_sweep_args, output)),
    {0},
};

const cli_option cli_sweep_seed_options[] = {
    {.name = "seed",
     .kind = CLI_U64,
     .argument = "N",
     .at = offsetof(cli_sweep_args, seed),
     .field = "seed",
     .help = "of everything that is drawn; run i has seed N + i"},
    {0},
};

const cli_option cli_bins_options[] = {
    {.name = "bins",
     .kind = CLI_U32,
     .argument = "K",
     .most = 256,
     .field = "features.n_bins",
     .help = "how many bins FeatureRR has; 0 chooses the best"},
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
    return hrr_fail(err, HRR_EINVAL, "--bins: one bin tells nothing; 2 to 256");
}

hrr_status cli_sweep_run(const cli_sweep_args *sweep, const hrr_read_options *read,
                         cli_sweep_job *job, const void *args, cli_task *task, hrr_error *err)
{
    const bool to_stdout = strcmp(sweep->output, "-") == 0;
    cli_results_place place;
    if (read->all_private && sweep->private_fractions)
        return hrr_fail(err, HRR_EINVAL,
                        "--all-private takes every edge for private, so --private-fractions says "
                        "nothing more; leave one of them out");
    hrr_status status = cli_results_open(&place, to_stdout ? NULL : sweep->output, err);
    if (status) return status;
    status = job(place.file, args, task, err);
    if (task->result)
        json_object_set_new(task->result, "results",
                            to_stdout ? json_null() : cli_json_text(sweep->output));
    else if (to_stdout && !task->json)
        cli_results_print(&place);
    else if (!status)
        fprintf(task->talk, "the runs are in %s\n", sweep->output);
    cli_results_close(&place);
    return status;
}
