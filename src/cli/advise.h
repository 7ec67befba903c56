/* advise.h: what advise found, and how it is told. */
#ifndef CLI_ADVISE_H
#define CLI_ADVISE_H

#include "cli/lists.h"
#include "cli/verb.h"

#include <heterorr/experiment.h>
#include <heterorr/io.h>

typedef struct cli_advise_args {
    cli_common common;
    hrr_read_options read;
    const char *graph, *output, *eps_edges, *eps_features;
    const char *declared, *bounds, *eps_labels; /* as protect takes them; NULL: not given */
    const char *head, *label_rate, *metric;     /* of a rehearsal of a head */
    double private_share, head_right;
    bool public_features;
    uint32_t runs;
    uint64_t seed;
} cli_advise_args;

extern const cli_option cli_advise_passed_on[]; /* options that protect has under the same name */

typedef enum cli_advice_blind {
    CLI_ADVICE_SEES = 0,
    CLI_ADVICE_NO_LABELS, /* they are to be protected, so nothing may be learnt from them */
    CLI_ADVICE_FEW_EDGES  /* too few public ones */
} cli_advice_blind;

typedef struct cli_advice {
    cli_advice_blind blind; /* about edges; then `edges` holds nothing */
    uint64_t n_public_edges;
    hrr_edge_advice edges;
    hrr_feature_advice features[cli_most_items];
    size_t n_features_rows;
    uint64_t n_features;
    bool features_are_public, has_labels, is_multilabel;
    const hrr_feature_advice *feature_choice; /* NULL: spend nothing on features */
    hrr_edge_advice head; /* what the rehearsal of a head found; no rows: there was none */
} cli_advice;

/* Print the advice, or make it the task's result. It ends with a command that carries the whole
 * input as it was given: the protect that follows from it, or, if it is blind, the compare with
 * which the owner can look. Whether protect would refuse its command is found out and said.
 * Errors: HRR_ENOMEM, HRR_ECANCEL. */
hrr_status cli_advice_tell(const cli_advice *advice, const cli_advise_args *args, cli_task *task,
                           hrr_error *err);

#endif
