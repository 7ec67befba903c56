/* cmd_serve.c: heterorr serve: predictions over HTTP. */
#include "cli/json.h"
#include "cli/message.h"
#include "cli/progress.h"
#include "cli/serve_args.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

static const cli_example examples[] = {
    {"heterorr serve model --release bundle",
     "Serve predictions on http://127.0.0.1:8080, which is also a page to try them."},
    {"heterorr attack linkteller model bundle --truth graph --url http://127.0.0.1:8080",
     "Attack your own service."},
    {"heterorr serve model --release bundle --tokens tokens.txt --rate 10",
     "Only clients with a token, ten requests per second each."},
    {0},
};

/* ---- what the process may do ----------------------------------------------------------------- */

/* A connection takes a file descriptor. */
static void make_room_for(hrr_server_options *o)
{
    enum { others = 64 };
    struct rlimit files;
    if (getrlimit(RLIMIT_NOFILE, &files) != 0) return;
    files.rlim_cur = files.rlim_max;
    setrlimit(RLIMIT_NOFILE, &files);
    getrlimit(RLIMIT_NOFILE, &files);
    if (files.rlim_cur == RLIM_INFINITY || files.rlim_cur >= o->most_connections + others) return;
    o->most_connections = files.rlim_cur > 2 * others ? (uint32_t)files.rlim_cur - others : others;
    cli_note("the system allows only %u connections at a time", o->most_connections);
}

/* The directory that holds it, so that one that takes its place can be read, too. */
static char *place_of(const char *path)
{
    char *place = strdup(path);
    size_t length = place ? strlen(place) : 0;
    while (length > 1 && place[length - 1] == '/')
        place[--length] = '\0';
    char *slash = place ? strrchr(place, '/') : NULL;
    if (!slash && place) {
        free(place);
        return strdup(".");
    }
    if (slash) slash[slash == place] = '\0';
    return place;
}

static hrr_status confine(const cli_serve_plan *plan, hrr_error *err)
{
    enum { most = 2 * cli_most_items + 3 };
    const hrr_server_options *o = &plan->options;
    const char *paths[most];
    char *places[most];
    size_t n = 0;
    hrr_confinement found;
    bool all = true;
    for (size_t i = 0; i < plan->n_models; i++) {
        paths[n++] = plan->models[i].model;
        paths[n++] = plan->models[i].release;
    }
    if (o->tokens) paths[n++] = o->tokens;
    if (o->tls_cert) paths[n++] = o->tls_cert;
    if (o->tls_key) paths[n++] = o->tls_key;
    for (size_t i = 0; i < n; i++)
        all = (places[i] = place_of(paths[i])) && all;
    if (all) hrr_confine(&found, (const char *const *)places, n);
    for (size_t i = 0; i < n; i++)
        free(places[i]);
    if (!all) return hrr_fail(err, HRR_ENOMEM, "out of memory");
    if (!found.files)
        cli_note("this system has no Landlock: the service can open every file that its user can");
    if (!found.no_new_privileges)
        cli_note("this system has no seccomp: the service could start other programs");
    return HRR_OK;
}

/* ---- what is said ---------------------------------------------------------------------------- */

static hrr_status tell(const hrr_server *server, const cli_serve_plan *plan, cli_task *task,
                       hrr_error *err)
{
    const hrr_server_options *o = &plan->options;
    const bool bracket = strchr(o->host, ':') != NULL;
    char url[320];
    snprintf(url, sizeof url, "%s://%s%s%s:%u", o->tls_cert ? "https" : "http", bracket ? "[" : "",
             o->host, bracket ? "]" : "", hrr_server_port(server));
    json_t *names = json_array();
    for (size_t i = 0; i < plan->n_models; i++)
        json_array_append_new(names, json_string(plan->models[i].name));
    json_t *said =
        json_pack("{s:s, s:I, s:o, s:b}", "url", url, "port", (json_int_t)hrr_server_port(server),
                  "models", names, "private", hrr_server_is_private(server));
    if (!said) return hrr_fail(err, HRR_ENOMEM, "out of memory");
    cli_progress_erase();
    if (task->json) {
        json_dumpf(said, stdout, JSON_COMPACT);
        putchar('\n');
    } else {
        for (size_t i = 0; i < plan->n_models; i++)
            printf("%s/v2/models/%s/infer  %s\n", url, plan->models[i].name,
                   hrr_server_is_private(server) ? "private" : "NOT PRIVATE");
        printf("listening on %s; Ctrl-C stops the service, SIGHUP reads the models again\n", url);
    }
    json_decref(said);
    fflush(stdout); /* whoever waits for the address reads it now */
    if (!hrr_server_is_matched(server))
        cli_note(
            "a model does not say which release it was trained on: the program checked only that "
            "the guarantees of model and release agree; train the model again to be sure");
    if (o->non_private)
        cli_note("the served model or graph is NOT PRIVATE: answers reveal information about "
                 "private edges and features");
    return HRR_OK;
}

/* SIGHUP has a handler and is not blocked: the threads of OpenBLAS are older than main(), so a mask
 * that is set here does not reach them, and one of them would get the signal. */
static atomic_bool reload_wanted;

static void want_reload(int signal_number)
{
    (void)signal_number;
    atomic_store(&reload_wanted, true);
}

/* Until Ctrl-C or SIGTERM. */
static void run_until_stopped(hrr_server *server, cli_task *task)
{
    const struct timespec a_while = {.tv_nsec = 100000000};
    while (!hrr_progress_cancelled(task->progress)) {
        hrr_error err = {0};
        if (!atomic_exchange(&reload_wanted, false)) {
            nanosleep(&a_while, NULL);
            continue;
        }
        const hrr_status status = hrr_server_reload(server, task->progress, &err);
        cli_progress_erase();
        if (status)
            cli_note("not reloaded, the old models stay in use: %s", err.message);
        else
            cli_note("reloaded");
    }
}

static hrr_status run(const void *args, cli_task *task, hrr_error *err)
{
    const cli_serve_args *a = args;
    cli_serve_plan plan;
    hrr_server *server = NULL;
    struct sigaction reload = {.sa_handler = want_reload, .sa_flags = SA_RESTART}, before;
    sigemptyset(&reload.sa_mask);
    sigaction(SIGHUP, &reload, &before);
    hrr_status status = cli_serve_plan_read(&plan, a, err);
    if (!status) {
        make_room_for(&plan.options);
        json_object_seed(0); /* from /dev/urandom, which cannot be read any more when confined */
        status = confine(&plan, err);
    }
    if (!status)
        status = hrr_server_start(&server, plan.models, plan.n_models, &plan.options,
                                  task->progress, err);
    if (status == HRR_ECHECK) cli_add_advice(err, " (heterorr verify says more about a bundle)");
    if (!status) status = tell(server, &plan, task, err);
    if (!status) run_until_stopped(server, task);
    hrr_server_free(server, a->stop_time);
    cli_serve_plan_clear(&plan);
    sigaction(SIGHUP, &before, NULL);
    return status;
}

const cli_verb cli_verb_serve = {
    .name = "serve",
    .summary = "serve predictions about nodes over HTTP",
    .description =
        "Serves the predictions of trained models in the Open Inference Protocol of KServe and "
        "Triton, with a page to try them. A model is served with the private release that it was "
        "trained on, so its answers reveal no more than the release does. Anything else is refused "
        "without --non-private. docs/serve.md describes the protocol, the limits and the threats.",
    .examples = examples,
    .operands = cli_serve_operands,
    .sets = cli_serve_sets,
    .args_size = sizeof(cli_serve_args),
    .init = cli_serve_init,
    .run = run,
};
