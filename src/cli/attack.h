/* attack.h: what heterorr attack was asked for, and the attacks it knows. */
#ifndef CLI_ATTACK_H
#define CLI_ATTACK_H

#include "cli/lists.h"
#include "cli/release_input.h"
#include "cli/verb.h"

#include <heterorr/attack.h>
#include <heterorr/io.h>

#include <jansson.h>

typedef struct cli_attack_args {
    cli_common common;
    hrr_read_options read;
    const char *attack, *first, *second; /* one path: the graph; two: the model and the graph */
    const char *truth, *pool, *returns;
    uint64_t samples, seed, trials;
    uint32_t runs, low_degree, high_degree;
    int decimals;
    double delta, known;
    bool all_edges, differences;
    const char *mechanisms, *eps_edges, *tree, *output, *aggregation;
    uint32_t hidden, epochs;
    bool standardise, force;
    const char *roc, *counts;
} cli_attack_args;

/* The model and the graphs of an attack on a model. */
typedef struct cli_attack_input {
    hrr_model *model;
    cli_release served;
    const hrr_graph *truth; /* without --truth the served one */
    hrr_graph *own_truth;   /* of --truth */
} cli_attack_input;

hrr_status cli_attack_read(cli_attack_input *out, const cli_attack_args *args,
                           hrr_progress *progress, hrr_error *err);
void cli_attack_input_clear(cli_attack_input *input);
void cli_attack_linkteller_options(hrr_linkteller_options *out, const cli_attack_args *args);
/* Say that there were fewer nodes than asked for. */
void cli_attack_note_nodes(const cli_attack_args *args, uint64_t n_nodes);

typedef hrr_status cli_attack_run(const cli_attack_args *args, cli_task *task, hrr_error *err);
cli_attack_run cli_attack_linkteller;
cli_attack_run cli_attack_links;
cli_attack_run cli_attack_membership;
cli_attack_run cli_attack_release;
cli_attack_run cli_attack_attributes;
cli_attack_run cli_attack_chain;

/* What the attack has shown, as a sentence; and as fields of `result`, which is taken over and
 * returned, NULL for lack of memory. */
void cli_attack_verdict_show(const hrr_link_verdict *verdict);
json_t *cli_attack_verdict_json(json_t *result, const hrr_link_verdict *verdict);

/* The file of --roc. */
typedef struct cli_attack_roc {
    hrr_output *output; /* NULL: nobody asked; hrr_output_free() */
    char graph[64];
    bool of_releases;
    hrr_error err; /* of the first curve that could not be written */
} cli_attack_roc;

/* Before anything is read: may the file be written? */
hrr_status cli_attack_roc_check(const cli_attack_args *args, hrr_error *err);
hrr_status cli_attack_roc_open(cli_attack_roc *out, const cli_attack_args *args,
                               const hrr_graph *graph, hrr_error *err);
hrr_links_seen cli_attack_roc_see; /* user: the cli_attack_roc */
hrr_status cli_attack_roc_close(cli_attack_roc *roc, hrr_error *err);

/* --mechanisms and --eps-edges, taken apart. */
typedef struct cli_attack_lists {
    cli_words mechanisms;
    uint64_t eps[cli_most_items];
    size_t n_eps;
} cli_attack_lists;

hrr_status cli_attack_lists_read(cli_attack_lists *out, const cli_attack_args *args,
                                 hrr_error *err);
void cli_attack_lists_clear(cli_attack_lists *lists);

/* The graph of an attack that needs no model. */
hrr_status cli_attack_read_graph(hrr_graph **out, const cli_attack_args *args,
                                 hrr_progress *progress, hrr_error *err);
/* A graph without a split is split as train does it with this seed. */
hrr_status cli_attack_need_split(hrr_graph *graph, uint64_t seed, hrr_error *err);

#endif
