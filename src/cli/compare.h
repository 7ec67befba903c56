/* compare.h: what the subcommands of heterorr compare share: sweeps over mechanisms, budgets and
 * runs, whose rows a results file keeps. */
#ifndef CLI_COMPARE_H
#define CLI_COMPARE_H

#include "cli/shard_args.h"
#include "cli/verb.h"

#include <heterorr/io.h>

/* learning and structure. */
typedef struct cli_sweep_args {
    const char *eps_edges, *private_fractions, *tree, *output;
    uint64_t seed;
    uint32_t runs;
    cli_shard_args shard;
} cli_sweep_args;
extern const cli_option cli_sweep_options[];      /* budgets, runs and the file */
extern const cli_option cli_sweep_seed_options[]; /* --seed alone */
void cli_sweep_args_init(cli_sweep_args *args);

/* learning and errors: a uint32_t. */
extern const cli_option cli_bins_options[];
hrr_status cli_bins_check(uint32_t bins, hrr_error *err);

/* Runs what is not in the file `results` yet, then says what the file holds, unless it is a shard
 * that was run. */
typedef hrr_status cli_sweep_job(const char *results, hrr_shard shard, const void *args,
                                 cli_task *task, hrr_error *err);

/* Do the job with the file of `sweep`; rows that nobody keeps are printed. A sweep that is stopped
 * leaves the rows it has finished, on standard output as in a file. */
hrr_status cli_sweep_run(const cli_sweep_args *sweep, const hrr_read_options *read,
                         cli_sweep_job *job, const void *args, cli_task *task, hrr_error *err);

#endif
