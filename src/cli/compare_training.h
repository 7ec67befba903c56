/* compare_training.h: heterorr compare GRAPH --mechanisms ...: networks trained on what mechanisms
 * release, as rows of a results file. */
#ifndef CLI_COMPARE_TRAINING_H
#define CLI_COMPARE_TRAINING_H

#include "cli/compare_mechanisms.h"
#include "cli/network_args.h"
#include "cli/public_directions.h"

typedef struct cli_training_args {
    cli_network_args network;
    cli_directions_words directions;
    const char *eps_features, *propagate, *scale, *split, *metric, *bounds, *decode, *scores;
    double delta;
} cli_training_args;

void cli_training_args_init(cli_training_args *args);
/* `at` counts from a cli_training_args. */
extern const cli_option cli_training_options[];

/* Runs what is not in `results` yet, then says what the file holds. */
hrr_status cli_compare_training(const char *graph, const char *results,
                                const hrr_read_options *read, const cli_mechanisms_args *sweep,
                                const cli_training_args *args, uint32_t bins, uint64_t seed,
                                cli_task *task, hrr_error *err);

#endif
