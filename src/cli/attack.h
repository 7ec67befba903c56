/* attack.h: what heterorr attack was asked for, and the attacks it knows. */
#ifndef CLI_ATTACK_H
#define CLI_ATTACK_H

#include "cli/verb.h"

#include <heterorr/attack.h>
#include <heterorr/io.h>

typedef struct cli_attack_args {
    cli_common common;
    hrr_read_options read;
    const char *attack, *first, *second; /* one path: the graph; two: the model and the graph */
    const char *truth, *pool, *returns;
    uint64_t samples, seed;
    uint32_t runs, low_degree, high_degree;
    int decimals;
    double delta;
    bool all_edges, differences;
} cli_attack_args;

/* The model and the graphs of an attack on a model. */
typedef struct cli_attack_input {
    hrr_model *model;
    hrr_graph *served, *truth; /* the same graph without --truth */
} cli_attack_input;

hrr_status cli_attack_read(cli_attack_input *out, const cli_attack_args *args,
                           hrr_progress *progress, hrr_error *err);
void cli_attack_input_clear(cli_attack_input *input);
void cli_attack_linkteller_options(hrr_linkteller_options *out, const cli_attack_args *args);
/* Say that there were fewer nodes than asked for. */
void cli_attack_note_nodes(const cli_attack_args *args, uint64_t n_nodes);

typedef hrr_status cli_attack_run(const cli_attack_args *args, cli_task *task, hrr_error *err);
cli_attack_run cli_attack_linkteller;

#endif
