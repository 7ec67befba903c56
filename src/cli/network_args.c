/* network_args.c: see network_args.h. */
#include "cli/network_args.h"
#include "cli/number.h"

#include <string.h>

const char *const *cli_aggregations(void)
{
    static const char *const names[] = {"symmetric", "mean", "first-order", NULL};
    return names;
}

static const char *const *optimisers(void) /* in the order of hrr_optimiser */
{
    static const char *const names[] = {"adam", "sgd", NULL};
    return names;
}

const cli_option cli_network_options[] = {
    {.name = "hidden",
     .kind = CLI_U32,
     .argument = "H",
     .least = 1,
     .most = 65536,
     .at = offsetof(cli_network_args, hidden),
     .field = "n_hidden",
     .help = "the width of hidden layers"},
    {.name = "layers",
     .kind = CLI_U32,
     .argument = "L",
     .least = 1,
     .most = 64,
     .at = offsetof(cli_network_args, layers),
     .field = "n_layers",
     .help = "the number of layers"},
    {.name = "aggregation",
     .kind = CLI_CHOICE,
     .argument = "NAME",
     .choices = cli_aggregations,
     .at = offsetof(cli_network_args, aggregation),
     .field = "normalisation",
     .help = "how a gcn weights neighbours; each choice includes the node itself, and first-order "
             "gives it as much weight as all its neighbours together"},
    {.name = "no-bias",
     .at = offsetof(cli_network_args, no_bias),
     .field = "bias",
     .help = "layers without biases"},
    {.name = "epochs",
     .kind = CLI_U32,
     .argument = "N",
     .least = 1,
     .at = offsetof(cli_network_args, epochs),
     .field = "epochs",
     .help = "the largest number of epochs"},
    {.name = "patience",
     .kind = CLI_U32,
     .argument = "P",
     .at = offsetof(cli_network_args, patience),
     .field = "patience",
     .help = "stop after P epochs without a lower validation loss and keep the best weights; 0 "
             "runs all epochs and keeps the last weights"},
    {.name = "optimiser",
     .kind = CLI_CHOICE,
     .argument = "NAME",
     .choices = optimisers,
     .at = offsetof(cli_network_args, optimiser),
     .field = "optimiser",
     .help = "the optimiser"},
    {.name = "lr",
     .kind = CLI_REAL,
     .argument = "R",
     .low = 0,
     .high = 1000,
     .at = offsetof(cli_network_args, learning_rate),
     .field = "learning_rate",
     .help = "the learning rate"},
    {.name = "momentum",
     .kind = CLI_REAL,
     .argument = "M",
     .low = 0,
     .high = 1,
     .at = offsetof(cli_network_args, momentum),
     .field = "momentum",
     .help = "the momentum of sgd"},
    {.name = "weight-decay",
     .kind = CLI_REAL,
     .argument = "W",
     .low = 0,
     .high = 1000,
     .at = offsetof(cli_network_args, weight_decay),
     .field = "weight_decay",
     .help = "the weight decay (L2)"},
    {.name = "dropout",
     .kind = CLI_REAL,
     .argument = "D",
     .low = 0,
     .high = 1,
     .at = offsetof(cli_network_args, dropout),
     .field = "dropout",
     .help = "the share of hidden units that are dropped in an epoch"},
    {0},
};

void cli_network_args_init(cli_network_args *args, const hrr_train_options *usual)
{
    *args = (cli_network_args){.aggregation = cli_aggregations()[0],
                               .optimiser = optimisers()[usual->optimiser],
                               .hidden = usual->n_hidden,
                               .layers = usual->n_layers,
                               .epochs = usual->epochs,
                               .patience = usual->patience,
                               .learning_rate = usual->learning_rate,
                               .weight_decay = usual->weight_decay,
                               .dropout = usual->dropout};
}

hrr_normalisation cli_aggregation(const char *name)
{
    return (hrr_normalisation)(HRR_NORMALISE_SYMMETRIC + cli_index_of(cli_aggregations(), name));
}

void cli_network_args_read(hrr_train_options *out, const cli_network_args *args)
{
    out->normalisation = cli_aggregation(args->aggregation);
    out->optimiser = strcmp(args->optimiser, "sgd") == 0 ? HRR_SGD : HRR_ADAM;
    out->n_hidden = args->hidden;
    out->n_layers = args->layers;
    out->bias = !args->no_bias;
    out->epochs = args->epochs;
    out->patience = args->patience;
    out->learning_rate = args->learning_rate;
    out->momentum = args->momentum;
    out->weight_decay = args->weight_decay;
    out->dropout = args->dropout;
}

hrr_status cli_read_shares(double *train, double *valid, const char *text, hrr_error *err)
{
    char first[32];
    const char *comma = strchr(text, ',');
    const size_t length = comma ? (size_t)(comma - text) : sizeof first;
    bool good = length < sizeof first;
    if (good) {
        memcpy(first, text, length);
        first[length] = '\0';
        good = cli_read_real(first, train) && cli_read_real(comma + 1, valid);
    }
    if (good) return HRR_OK;
    return hrr_fail(
        err, HRR_EINVAL,
        "--split: '%.40s' is not two shares, such as 0.5,0.25 for training and validation", text);
}
