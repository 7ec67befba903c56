/* protect_args.h: what `heterorr protect` can be told, as it was typed. */
#ifndef HRR_CLI_PROTECT_ARGS_H
#define HRR_CLI_PROTECT_ARGS_H

#include "cli/public_directions.h"
#include "cli/verb.h"

#include <heterorr/io.h>

typedef struct protect_args {
    cli_common common;
    hrr_read_options read;
    const char *graph, *output;
    const char *eps_features, *eps_edges, *eps_labels;
    const char *mode, *use, *feature_mechanism, *edge_mechanism, *decode;
    const char *tree, *ledger, *limit, *account, *blocks, *node_edges;
    const char *scores, *bins, *bounds, *insecure_seed, *declared, *issuer, *kept, *sign;
    const char *propagate, *head, *scratch;
    cli_directions_words directions;
    double gamma; /* negative: as the scores have it */
    double delta;
    double tree_share; /* negative: as the tree has it */
    const char *shares;
    uint64_t steps, most_edges;
    uint32_t sampled;
    const char *count_ends;
    bool force, dry_run, not_private, again;
} protect_args;

extern const cli_option cli_protect_operands[];
extern const cli_option_set cli_protect_sets[];
/* Defaults; args is a protect_args. */
void cli_protect_args_init(void *args);
/* The names of the ways to decode, in the order of hrr_decoding. */
const char *const *cli_protect_decodings(void);

#endif
