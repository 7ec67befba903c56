/* attack.h: what the subcommands of heterorr attack share: options, reading, the verdict, curves.
 */
#ifndef CLI_ATTACK_H
#define CLI_ATTACK_H

#include "cli/lists.h"
#include "cli/release_input.h"
#include "cli/verb.h"

#include <heterorr/attack.h>
#include <heterorr/io.h>

#include <jansson.h>

/* ---- options --------------------------------------------------------------------------------- */

/* The nodes whose pairs are attacked: linkteller, links and chain. */
typedef struct cli_attack_pairs {
    uint64_t samples;
    uint32_t low_degree, high_degree;
    const char *pool;
    bool all_edges;
} cli_attack_pairs;
extern const cli_option cli_attack_pairs_options[];

/* What the service tells them. */
typedef struct cli_attack_service {
    const char *returns;
    int decimals;
    double delta;
    bool differences;
} cli_attack_service;
extern const cli_option cli_attack_service_options[];

/* Where it is, if it is not the model itself. */
typedef struct cli_attack_remote {
    const char *url, *token, *ca, *answers;
} cli_attack_remote;
extern const cli_option cli_attack_remote_options[];

typedef struct cli_attack_draws {
    uint64_t seed;
    uint32_t runs;
} cli_attack_draws;
extern const cli_option cli_attack_seed_options[];
extern const cli_option cli_attack_runs_options[]; /* repeated samples; release means pairs by it */

/* The share of nodes whose features are known, a double: attributes and chain. */
extern const cli_option cli_attack_known_options[];

/* Mechanisms whose releases are attacked: chain and release. */
typedef struct cli_attack_releases {
    const char *mechanisms, *eps_edges, *tree;
} cli_attack_releases;
extern const cli_option cli_attack_releases_options[];

/* Pictures to guess, and public ones to learn from: reconstruct and chain. */
typedef struct cli_attack_pictures {
    const char *public_graph, *public_pictures;
    uint32_t side;
} cli_attack_pictures;
extern const cli_option cli_attack_pictures_options[];

/* The pictures of the nodes of `graph`, which was read from `path`. */
hrr_status cli_attack_pictures_read(hrr_thumbnails *out, const hrr_graph *graph, const char *path,
                                    const char *pictures, const cli_attack_pictures *args,
                                    int threads, hrr_progress *progress, hrr_error *err);
/* --public and --public-pictures; nothing is read if neither is given. */
hrr_status cli_attack_public_read(hrr_graph **graph, hrr_thumbnails *pictures,
                                  const cli_attack_pictures *args, const hrr_read_options *read,
                                  hrr_progress *progress, hrr_error *err);

/* --roc, and --force for it: linkteller, links and chain. */
typedef struct cli_attack_curves {
    const char *roc;
    bool force;
} cli_attack_curves;
extern const cli_option cli_attack_roc_options[];

/* The arguments of attacks through a model begin with this; the operands are MODEL and GRAPH. */
typedef struct cli_attack_target {
    const char *model, *graph;
} cli_attack_target;
extern const cli_option cli_attack_target_operands[];

/* Those of attacks without one, with this: the operand is GRAPH. */
typedef struct cli_attack_subject {
    const char *graph;
} cli_attack_subject;
extern const cli_option cli_attack_subject_operands[];

void cli_attack_pairs_init(cli_attack_pairs *pairs);
void cli_attack_service_init(cli_attack_service *service);
void cli_attack_draws_init(cli_attack_draws *draws);
void cli_attack_releases_init(cli_attack_releases *releases);

/* Sets what these options are about, and nothing else. */
void cli_attack_pairs_read(hrr_linkteller_options *out, const cli_attack_pairs *pairs,
                           const cli_attack_service *service);

/* --mechanisms and --eps-edges, taken apart. */
typedef struct cli_attack_lists {
    cli_words mechanisms;
    uint64_t eps[cli_most_items];
    size_t n_eps;
} cli_attack_lists;

hrr_status cli_attack_lists_read(cli_attack_lists *out, const cli_attack_releases *releases,
                                 hrr_error *err);
void cli_attack_lists_clear(cli_attack_lists *lists);

/* ---- attacks on the edges behind a model: linkteller and links ------------------------------- */

typedef struct cli_attack_links_args {
    cli_attack_target target;
    cli_common common;
    hrr_read_options read;
    const char *truth, *counts;
    cli_attack_pairs pairs;
    cli_attack_service service;
    cli_attack_remote remote;
    cli_attack_draws draws;
    cli_attack_curves curves;
} cli_attack_links_args;
extern const cli_option_set cli_attack_links_sets[];
void cli_attack_links_init(void *args);

/* Open the service of --url, whose model is called `model`, asking for `most`.
 * Errors: those of hrr_remote_open(); HRR_EIO for a token that cannot be read. */
hrr_status cli_attack_remote_open(hrr_remote **out, const cli_attack_remote *args,
                                  const char *model, hrr_returns most, const hrr_graph *graph,
                                  hrr_progress *progress, hrr_error *err);
/* How many questions it took, as a sentence; and as fields of `result`, which is taken over and
 * returned. Nothing without a service. */
void cli_attack_remote_show(const hrr_remote *remote);
json_t *cli_attack_remote_json(json_t *result, const hrr_remote *remote);
/* The word that --returns has for it. */
const char *cli_attack_returns_word(hrr_returns returns);

/* The model and the graphs. */
typedef struct cli_attack_input {
    hrr_model *model;   /* NULL: a service is asked */
    hrr_remote *remote; /* NULL: the model is */
    hrr_service service;
    cli_release served;
    const hrr_graph *truth; /* without --truth the served one */
    hrr_graph *own_truth;   /* of --truth */
} cli_attack_input;

/* Read them, and say in `options` what was asked for. */
hrr_status cli_attack_links_read(cli_attack_input *out, hrr_linkteller_options *options,
                                 const cli_attack_links_args *args, hrr_progress *progress,
                                 hrr_error *err);
void cli_attack_input_clear(cli_attack_input *input);

/* Say that there were fewer nodes than asked for. */
void cli_attack_note_nodes(uint64_t asked, uint64_t n_nodes);

/* A graph without a split is split as train does it with this seed. */
hrr_status cli_attack_need_split(hrr_graph *graph, uint64_t seed, hrr_error *err);

/* What the attack has shown, as a sentence; and as fields of `result`, which is taken over and
 * returned, NULL for lack of memory. */
void cli_attack_verdict_show(const hrr_link_verdict *verdict);
json_t *cli_attack_verdict_json(json_t *result, const hrr_link_verdict *verdict);

/* ---- the file of --roc ----------------------------------------------------------------------- */

typedef struct cli_attack_roc {
    hrr_output *output; /* NULL: nobody asked; hrr_output_free() */
    char graph[64];
    hrr_error err; /* of the first curve that could not be written */
} cli_attack_roc;

/* Before anything is read: may the file be written? */
hrr_status cli_attack_roc_check(const cli_attack_curves *curves, hrr_error *err);
/* Attacks on one model; the curves of chain are those of its sweep. */
hrr_status cli_attack_roc_open(cli_attack_roc *out, const cli_attack_curves *curves,
                               const hrr_graph *graph, hrr_error *err);
hrr_links_seen cli_attack_roc_see; /* user: the cli_attack_roc */
hrr_status cli_attack_roc_close(cli_attack_roc *roc, hrr_error *err);

#endif
