/* network_args.h: the options of a network and of its training, for every verb that trains. */
#ifndef CLI_NETWORK_ARGS_H
#define CLI_NETWORK_ARGS_H

#include "cli/verb.h"

#include <heterorr/learn.h>

typedef struct cli_network_args {
    const char *aggregation, *optimiser;
    uint32_t hidden, layers, epochs, patience;
    double learning_rate, weight_decay, dropout, momentum;
    bool no_bias;
} cli_network_args;

void cli_network_args_init(cli_network_args *args, const hrr_train_options *usual);
/* `at` counts from a cli_network_args. */
extern const cli_option cli_network_options[];

/* The names that --aggregation takes, and what one means. */
const char *const *cli_aggregations(void);
hrr_normalisation cli_aggregation(const char *name);

/* Sets what the options are about, and nothing else. */
void cli_network_args_read(hrr_train_options *out, const cli_network_args *args);

/* What --split means: "0.5,0.25". Errors: HRR_EINVAL. */
hrr_status cli_read_shares(double *train, double *valid, const char *text, hrr_error *err);

#endif
