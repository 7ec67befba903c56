/* serve_args.h: the options of heterorr serve, and what they mean for the library. */
#ifndef CLI_SERVE_ARGS_H
#define CLI_SERVE_ARGS_H

#include "cli/lists.h"
#include "cli/verb.h"

#include <heterorr/serve.h>

typedef struct cli_serve_args {
    cli_list models; /* the operands come first */
    cli_common common;
    const char *release, *name, *listen, *other_hosts;
    const char *returns, *what_if;
    bool non_private;
    int decimals;
    const char *tokens;
    double rate;
    uint64_t most_body, most_bodies, most_nodes;
    uint32_t most_connections;
    double idle, request_time, stop_time;
    const char *tls_cert, *tls_key;
    const char *log;
    bool log_nodes;
    int threads;
} cli_serve_args;
extern const cli_option cli_serve_operands[];
extern const cli_option_set cli_serve_sets[];
void cli_serve_init(void *args);

/* What to serve, and how; clear even after a failure. */
typedef struct cli_serve_plan {
    hrr_served_model models[cli_most_items];
    size_t n_models;
    hrr_server_options options;
    char host[256];
    /* Texts behind the models. */
    cli_words releases, names;
    char *own[2 * cli_most_items];
    size_t n_own;
} cli_serve_plan;

/* Errors: HRR_EINVAL, HRR_EIO (the log cannot be opened), HRR_ENOMEM. */
hrr_status cli_serve_plan_read(cli_serve_plan *out, const cli_serve_args *args, hrr_error *err);
void cli_serve_plan_clear(cli_serve_plan *plan);

#endif
