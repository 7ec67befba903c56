/* advise.h: what advise found, and how it is told. */
#ifndef CLI_ADVISE_H
#define CLI_ADVISE_H

#include "cli/lists.h"
#include "cli/printed_command.h"
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

/* Labels are what networks learn; without them the structure is what there is to keep. */
typedef enum cli_advice_blind {
    CLI_ADVICE_SEES = 0,
    CLI_ADVICE_NO_LABELS, /* they are to be protected, so nothing may be learnt from them */
    CLI_ADVICE_FEW_EDGES  /* too few public ones */
} cli_advice_blind;

typedef struct cli_advice {
    cli_advice_blind blind; /* about edges; then `edges` holds nothing */
    uint64_t n_public_edges;
    bool structural; /* about structure: the graph has no labels. Then `structure`, not `edges` */
    hrr_edge_advice edges;
    hrr_structure_advice structure;
    hrr_feature_advice features[cli_most_items];
    hrr_report_advice reports[cli_most_items]; /* at the same budgets */
    bool has_reports; /* otherwise nothing is known of what labels and public edges leave */
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

/* The graph as the user described it to advise, whatever options there are for that. */
void cli_advice_add_input(cli_command *to, const cli_advise_args *args);
/* What protect does with the features. */
void cli_advice_add_features(cli_command *to, const cli_advice *advice,
                             const cli_advise_args *args);
/* Ask protect itself, in a dry run. *refusal is empty if it would do it.
 * Errors: HRR_ENOMEM, HRR_ECANCEL. */
hrr_status cli_advice_try(hrr_error *refusal, const cli_command *command, cli_task *task,
                          hrr_error *err);
/* The part about structure, with a command for each mechanism that it names; JSON: more keys of
 * task->result, which is made. */
hrr_status cli_advice_tell_structure(const cli_advice *advice, const cli_advise_args *args,
                                     cli_task *task, hrr_error *err);
/* Whether labels and public edges leave a report of features at budget i anything worth paying for,
 * as far as is known. */
bool cli_advice_leaves(const cli_advice *advice, size_t i);
/* The part about features. */
void cli_advice_print_features(const cli_advice *advice, const cli_advise_args *args, FILE *to);
json_t *cli_advice_features_json(const cli_advice *advice);

#endif
