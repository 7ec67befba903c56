/* serve_args.c: see serve_args.h. */
#include "cli/serve_args.h"
#include "cli/release_input.h"
#include "cli/message.h"
#include "cli/number.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- words ----------------------------------------------------------------------------------- */

static const char *const *returns(void)
{
    static const char *const names[] = {"auto",    "logits", "probabilities",
                                        "rounded", "labels", NULL};
    return names;
}

static const char *const *yes_no(void)
{
    static const char *const names[] = {"auto", "yes", "no", NULL};
    return names;
}

void cli_serve_init(void *args)
{
    cli_serve_args *a = args;
    hrr_server_options usual;
    hrr_server_options_init(&usual);
    a->listen = "127.0.0.1:8080";
    a->returns = returns()[0];
    a->what_if = yes_no()[0];
    a->decimals = usual.decimals;
    a->most_body = usual.most_body;
    a->most_nodes = usual.most_nodes;
    a->most_connections = usual.most_connections;
    a->idle = usual.idle_seconds;
    a->request_time = usual.request_seconds;
    a->stop_time = 10;
    a->log = "-";
}

/* ---- tables ---------------------------------------------------------------------------------- */

const cli_option cli_serve_operands[] = {
    {.argument = "MODEL",
     .kind = CLI_DIRECTORY,
     .required = true,
     .many = true,
     .at = offsetof(cli_serve_args, models),
     .help = "a directory made by train; several models are served under their names"},
    {0},
};

static const cli_option what_options[] = {
    {.name = "release",
     .kind = CLI_PATH,
     .argument = "BUNDLE",
     .at = offsetof(cli_serve_args, release),
     .help = "the release that the model was trained on; by default the path that train was given. "
             "Several models take one for all, or one for each, separated by commas"},
    {.name = "name",
     .kind = CLI_TEXT,
     .argument = "NAME",
     .at = offsetof(cli_serve_args, name),
     .help = "the name of the model in addresses; by default the name of its directory. Several "
             "models take several names, separated by commas"},
    {.name = "listen",
     .kind = CLI_TEXT,
     .argument = "HOST:PORT",
     .at = offsetof(cli_serve_args, listen),
     .field = "host port",
     .help = "the address to listen on; port 0 takes a free one"},
    {.name = "also-called",
     .kind = CLI_TEXT,
     .argument = "HOST,..",
     .at = offsetof(cli_serve_args, other_hosts),
     .field = "other_hosts",
     .help = "names of the service that clients may use in addition to its numeric address"},
    {0},
};

static const cli_option tell_options[] = {
    {.name = "return",
     .kind = CLI_CHOICE,
     .argument = "WHAT",
     .choices = returns,
     .at = offsetof(cli_serve_args, returns),
     .field = "returns",
     .help =
         "the most detailed answer; auto means probabilities, or only labels with --non-private"},
    {.name = "decimals",
     .kind = CLI_INT,
     .argument = "N",
     .most = 15,
     .at = offsetof(cli_serve_args, decimals),
     .field = "decimals",
     .help = "the number of decimals of probabilities"},
    {.name = "what-if",
     .kind = CLI_CHOICE,
     .argument = "HOW",
     .choices = yes_no,
     .at = offsetof(cli_serve_args, what_if),
     .field = "what_if",
     .help = "whether to answer about changed features and unseen nodes, which LinkTeller needs; "
             "auto means yes, or no with --non-private"},
    {.name = "non-private",
     .at = offsetof(cli_serve_args, non_private),
     .field = "non_private",
     .help = "also serve a model or graph that is not private; every answer then says so"},
    {0},
};

static const cli_option limit_options[] = {
    {.name = "tokens",
     .kind = CLI_PATH,
     .argument = "FILE",
     .at = offsetof(cli_serve_args, tokens),
     .field = "tokens",
     .help =
         "who may ask: each line has a name, the SHA-256 of a token, and optionally rate=R, "
         "limit=N and metrics=all; without this file, everybody who can reach the address may ask"},
    {.name = "rate",
     .kind = CLI_REAL,
     .argument = "R",
     .low = 0,
     .high = 1e9,
     .at = offsetof(cli_serve_args, rate),
     .field = "rate",
     .help = "requests per second for each token, or for all clients if there are no tokens; 0 "
             "sets no limit"},
    {.name = "most-nodes",
     .kind = CLI_U64,
     .argument = "N",
     .least = 1,
     .most = 100000000,
     .at = offsetof(cli_serve_args, most_nodes),
     .field = "most_nodes",
     .help = "the largest number of nodes in one request"},
    {.name = "most-body",
     .kind = CLI_U64,
     .argument = "BYTES",
     .least = 1,
     .most = UINT64_C(1) << 40,
     .at = offsetof(cli_serve_args, most_body),
     .field = "most_body",
     .help = "the largest size of one request"},
    {.name = "most-bodies",
     .kind = CLI_U64,
     .argument = "BYTES",
     .most = UINT64_C(1) << 40,
     .at = offsetof(cli_serve_args, most_bodies),
     .field = "most_bodies",
     .help = "the largest size of all requests that are being received; 0 means 256 MiB, or "
             "--most-body if that is larger"},
    {.name = "most-connections",
     .kind = CLI_U32,
     .argument = "N",
     .least = 1,
     .most = 1000000,
     .at = offsetof(cli_serve_args, most_connections),
     .field = "most_connections",
     .help = "open connections"},
    {.name = "idle",
     .kind = CLI_REAL,
     .argument = "SECONDS",
     .low = 1,
     .high = 1e6,
     .at = offsetof(cli_serve_args, idle),
     .field = "idle_seconds",
     .help = "the time after which an unused connection is closed"},
    {.name = "request-time",
     .kind = CLI_REAL,
     .argument = "SECONDS",
     .low = 0.1,
     .high = 1e6,
     .at = offsetof(cli_serve_args, request_time),
     .field = "request_seconds",
     .help = "the time in which a client must send a request and read its answer"},
    {.name = "stop-time",
     .kind = CLI_REAL,
     .argument = "SECONDS",
     .low = 0,
     .high = 1e6,
     .at = offsetof(cli_serve_args, stop_time),
     .help = "the time to finish requests after SIGTERM or Ctrl-C"},
    {0},
};

static const cli_option run_options[] = {
    {.name = "tls-cert",
     .kind = CLI_PATH,
     .argument = "CERT.pem",
     .at = offsetof(cli_serve_args, tls_cert),
     .field = "tls_cert",
     .help = "serve HTTPS with this certificate and its chain"},
    {.name = "tls-key",
     .kind = CLI_PATH,
     .argument = "KEY.pem",
     .at = offsetof(cli_serve_args, tls_key),
     .field = "tls_key",
     .help = "the private key of the TLS certificate"},
    {.name = "log",
     .kind = CLI_PATH,
     .argument = "FILE",
     .at = offsetof(cli_serve_args, log),
     .help = "append one line of JSON per request to this file; - is standard error, none turns "
             "the log off"},
    {.name = "log-nodes",
     .at = offsetof(cli_serve_args, log_nodes),
     .field = "log_nodes",
     .help = "also log which nodes were asked about"},
    {.name = "threads",
     .kind = CLI_INT,
     .argument = "T",
     .most = 1024,
     .at = offsetof(cli_serve_args, threads),
     .field = "threads",
     .help = "the number of threads; 0 uses one per processor"},
    {0},
};

const cli_option_set cli_serve_sets[] = {
    {"What is served", what_options, 0},
    {"What answers reveal", tell_options, 0},
    {"Limits", limit_options, 0},
    {"Running", run_options, 0},
    {"Options", cli_common_options, offsetof(cli_serve_args, common)},
    {0},
};

/* ---- to the library's options ---------------------------------------------------------------- */

/* HOST:PORT, [HOST]:PORT, HOST. */
static hrr_status read_listen(cli_serve_plan *plan, const char *text, hrr_error *err)
{
    const char *colon = strrchr(text, ':');
    const bool bracket = text[0] == '[';
    const char *end = bracket ? strchr(text, ']') : colon ? colon : text + strlen(text);
    uint64_t port = 8080;
    const char *start = text + bracket;
    if (end && bracket) colon = end[1] == ':' ? end + 1 : NULL;
    const bool good = end && end > start && (size_t)(end - start) < sizeof plan->host &&
                      (!bracket || !end[1] || colon) &&
                      (!colon || (cli_read_count(colon + 1, &port) && port <= 65535));
    if (!good)
        return hrr_fail(err, HRR_EINVAL,
                        "--listen: '%.80s' is not HOST:PORT, such as 127.0.0.1:8080", text);
    memcpy(plan->host, start, (size_t)(end - start));
    plan->options.host = plan->host;
    plan->options.port = (uint32_t)port;
    return HRR_OK;
}

static void read_told(hrr_server_options *o, const cli_serve_args *a)
{
    const int wanted = cli_index_of(returns(), a->returns);
    const int how = cli_index_of(yes_no(), a->what_if);
    o->returns = wanted           ? (hrr_returns)(wanted - 1)
                 : a->non_private ? HRR_RETURNS_LABELS
                                  : HRR_RETURNS_PROBABILITIES;
    o->what_if = how ? how == 1 : !a->non_private;
}

static hrr_status open_log(hrr_server_options *o, const char *path, hrr_error *err)
{
    if (strcmp(path, "none") == 0) return HRR_OK;
    o->log = strcmp(path, "-") == 0 ? dup(STDERR_FILENO)
                                    : open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
    if (o->log >= 0) return HRR_OK;
    return hrr_fail(err, HRR_EIO, "%s cannot be written: %s", path, strerror(errno));
}

static hrr_status keep(const char **out, cli_serve_plan *plan, const char *text, size_t length,
                       hrr_error *err)
{
    char *copy = strndup(text, length);
    if (!copy) return hrr_fail(err, HRR_ENOMEM, "out of memory");
    plan->own[plan->n_own++] = copy;
    *out = copy;
    return HRR_OK;
}

/* The last part of the path. */
static hrr_status name_of(const char **out, cli_serve_plan *plan, const char *path, hrr_error *err)
{
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/')
        length--;
    size_t start = length;
    while (start && path[start - 1] != '/')
        start--;
    return keep(out, plan, path + start, length - start, err);
}

static hrr_status read_models(cli_serve_plan *plan, const cli_serve_args *a, hrr_error *err)
{
    const size_t n = a->models.n;
    hrr_status status = cli_words_read(&plan->releases, a->release, "release", err);
    if (!status) status = cli_words_read(&plan->names, a->name, "name", err);
    if (status) return status;
    if (n > cli_most_items)
        return hrr_fail(err, HRR_EINVAL, "at most %d models are served at once", cli_most_items);
    if (plan->names.n && plan->names.n != n)
        return hrr_fail(err, HRR_EINVAL, "--name: there are %zu names for %zu models",
                        plan->names.n, n);
    if (plan->releases.n > 1 && plan->releases.n != n)
        return hrr_fail(err, HRR_EINVAL, "--release: there are %zu releases for %zu models",
                        plan->releases.n, n);
    for (size_t i = 0; i < n && !status; i++) {
        hrr_served_model *model = &plan->models[plan->n_models++];
        model->model = a->models.items[i];
        if (plan->names.n)
            model->name = plan->names.items[i];
        else
            status = name_of(&model->name, plan, model->model, err);
        if (status) break;
        if (plan->releases.n)
            model->release = plan->releases.items[plan->releases.n > 1 ? i : 0];
        else if (!(status = cli_release_recorded(&plan->own[plan->n_own], model->model, err)))
            model->release = plan->own[plan->n_own++];
    }
    return status;
}

hrr_status cli_serve_plan_read(cli_serve_plan *out, const cli_serve_args *a, hrr_error *err)
{
    *out = (cli_serve_plan){0};
    hrr_server_options *o = &out->options;
    hrr_server_options_init(o);
    o->other_hosts = a->other_hosts;
    o->non_private = a->non_private;
    o->decimals = a->decimals;
    o->tokens = a->tokens;
    o->rate = a->rate;
    o->most_body = a->most_body;
    if (a->most_bodies || o->most_bodies < a->most_body)
        o->most_bodies = a->most_bodies ? a->most_bodies : a->most_body;
    o->most_nodes = a->most_nodes;
    o->most_connections = a->most_connections;
    o->idle_seconds = a->idle;
    o->request_seconds = a->request_time;
    o->tls_cert = a->tls_cert;
    o->tls_key = a->tls_key;
    o->log_nodes = a->log_nodes;
    o->threads = a->threads;
    read_told(o, a);
    hrr_status status = read_listen(out, a->listen, err);
    if (!status) status = read_models(out, a, err);
    if (!status) status = open_log(o, a->log, err);
    return status;
}

void cli_serve_plan_clear(cli_serve_plan *plan)
{
    if (plan->options.log >= 0) close(plan->options.log);
    for (size_t i = 0; i < plan->n_own; i++)
        free(plan->own[i]);
    cli_words_clear(&plan->releases);
    cli_words_clear(&plan->names);
    *plan = (cli_serve_plan){.options.log = -1};
}
