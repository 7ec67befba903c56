/* answer.c: what a request is answered, whatever carried it: first whether it may be asked at all,
 * then the answer. */
#include "serve/describe.h"
#include "serve/pages.h"
#include "serve/server.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

static void refuse(hrr_exchange *x, unsigned status, const char *message)
{
    hrr_reply_error(&x->reply, status, message);
    x->answered = true;
}

/* ---- before the body ------------------------------------------------------------------------- */

/* A page of another site that gets its own name to lead here (DNS rebinding) asks under that name.
 */
static bool host_is_ours(const hrr_server *server, const char *host)
{
    static const char *const loopback[] = {"localhost", "[::1]"};
    if (!server->loopback || !host) return true;
    const char *port = strrchr(host, ':');
    if (!port || strchr(port, ']')) port = host + strlen(host);
    const size_t length = (size_t)(port - host);
    /* A number is no name that somebody could lead elsewhere. */
    if (strncmp(host, "127.", 4) == 0 && strspn(host, "0123456789.") == length) return true;
    for (size_t i = 0; i < sizeof loopback / sizeof loopback[0]; i++)
        if (strlen(loopback[i]) == length && strncasecmp(host, loopback[i], length) == 0)
            return true;
    for (const char *at = server->other_hosts; at && *at;) {
        const size_t other = strcspn(at, ",");
        if (other == length && strncasecmp(host, at, length) == 0) return true;
        at += other + (at[other] == ',');
    }
    return false;
}

static const char *bearer(const char *authorization)
{
    if (!authorization || strncasecmp(authorization, "Bearer ", 7) != 0) return NULL;
    return authorization + 7 + strspn(authorization + 7, " ");
}

static void check_rate(hrr_exchange *x)
{
    double wait;
    if (hrr_caller_may_ask(&x->catalogue->tokens, x->caller, hrr_server_clock(), &wait)) return;
    if (wait < 0) {
        refuse(x, 403, "this token has been told about as many nodes as it may");
        return;
    }
    refuse(x, 429, "too many requests; try again after the time that the header Retry-After says");
    x->reply.retry_after = wait;
}

void hrr_exchange_admit(hrr_exchange *x, const char *host, const char *authorization,
                        const char *json_size)
{
    const hrr_route_row *row = hrr_route_describe(x->route);
    x->json_size = SIZE_MAX;
    if (!host_is_ours(x->server, host))
        refuse(x, 421, "this service is not called that; ask it by its own address");
    else if (x->route == HRR_ROUTE_NONE)
        refuse(x, 404, "there is nothing at this address");
    else if (!hrr_route_takes(x->route, x->method))
        refuse(x, 405, "this address does not take that method");
    if (x->answered) return;
    x->caller = hrr_tokens_find(&x->catalogue->tokens, bearer(authorization));
    if (!row->open && !x->caller) {
        refuse(x, 401, "a token is needed: Authorization: Bearer TOKEN");
        return;
    }
    if (x->model[0] && !(x->served = hrr_catalogue_find(x->catalogue, x->model))) {
        refuse(x, 404, "there is no model of that name");
        return;
    }
    if (strcmp(row->method, "POST") != 0) return;
    if (json_size) {
        char *end;
        const unsigned long long size = strtoull(json_size, &end, 10);
        if (json_size[0] < '0' || json_size[0] > '9' || *end || size > x->server->options.most_body)
            refuse(x, 400, "the header Inference-Header-Content-Length is no size of a request");
        x->json_size = (size_t)size;
    }
    if (!x->answered) check_rate(x);
}

/* ---- inferences ------------------------------------------------------------------------------ */

/* Counted before it is told: an answer that is lost on its way was told, too. */
static bool take(hrr_exchange *x)
{
    if (hrr_caller_take(&x->catalogue->tokens, x->caller, x->asking.n_asked)) return true;
    hrr_reply_error(&x->reply, 403, "this token may not be told about so many more nodes");
    return false;
}

static void infer_now(hrr_exchange *x)
{
    hrr_error err = {0};
    const size_t n_classes = hrr_served_n_classes(x->served);
    double *logits = hrr_alloc(x->asking.n_asked * n_classes, sizeof *logits);
    hrr_status status =
        logits ? hrr_asking_answer(logits, &x->asking, x->served, &err) : hrr_no_memory(&err);
    if (status) {
        hrr_reply_failure(&x->reply, &err);
    } else {
        hrr_reply_inference(&x->reply, x->served, &x->asking, x->request.id, logits);
        x->n_nodes = x->asking.n_asked;
        atomic_fetch_add(&x->server->counters.nodes, x->n_nodes);
    }
    hrr_free(logits);
}

void hrr_exchange_compute(hrr_exchange *x)
{
    infer_now(x);
    x->answered = true;
}

static bool infer(hrr_exchange *x)
{
    hrr_error err = {0};
    const size_t json_size = x->json_size == SIZE_MAX ? x->size : x->json_size;
    hrr_status status =
        hrr_infer_parse(&x->request, x->body ? x->body : "", x->size, json_size, &err);
    if (!status) status = hrr_asking_read(&x->asking, x->served, &x->request, &err);
    if (status) {
        hrr_reply_failure(&x->reply, &err);
        return true;
    }
    if (!take(x)) return true;
    if (!x->asking.computed) {
        infer_now(x);
        return true;
    }
    if (hrr_queue_put(&x->server->queue, x, x->server->options.most_waiting)) return false;
    hrr_reply_error(&x->reply, 503, "too many questions wait to be computed; try again");
    x->reply.retry_after = 1;
    return true;
}

/* ---- the rest -------------------------------------------------------------------------------- */

static void say_privacy(hrr_exchange *x)
{
    x->reply.status = 200;
    x->reply.type = "text/plain; charset=utf-8";
    hrr_describe_privacy(&x->reply.body, x->catalogue->models, x->catalogue->n_models);
}

static void say_metrics(hrr_exchange *x)
{
    x->reply.status = 200;
    x->reply.type = "text/plain; version=0.0.4";
    hrr_metrics_write(&x->reply.body, &x->server->counters, &x->catalogue->tokens,
                      x->catalogue->is_private);
}

static void say_ready(hrr_exchange *x)
{
    const bool ready = !atomic_load(&x->server->stopping);
    if (ready)
        hrr_reply_json(&x->reply, 200,
                       x->served ? json_pack("{s:s, s:b}", "name", x->served->name, "ready", true)
                                 : json_pack("{s:b}", "ready", true));
    else
        hrr_reply_error(&x->reply, 503, "the service is stopping");
}

bool hrr_exchange_answer(hrr_exchange *x)
{
    bool now = true;
    if (x->too_large) {
        refuse(x, 413, "the request is larger than this service takes");
        return true;
    }
    switch (x->route) {
    case HRR_ROUTE_NONE:
    case HRR_ROUTES:
        hrr_reply_error(&x->reply, 404, "there is nothing at this address");
        break;
    case HRR_ROUTE_PAGE:
        hrr_reply_text(&x->reply, "text/html; charset=utf-8", hrr_serve_page);
        break;
    case HRR_ROUTE_PRIVACY:
        say_privacy(x);
        break;
    case HRR_ROUTE_OPENAPI:
        hrr_reply_text(&x->reply, "application/json", hrr_serve_openapi);
        break;
    case HRR_ROUTE_METRICS:
        say_metrics(x);
        break;
    case HRR_ROUTE_SERVER:
        hrr_reply_json(&x->reply, 200,
                       hrr_describe_server(x->catalogue->models, x->catalogue->n_models));
        break;
    case HRR_ROUTE_LIVE:
        hrr_reply_json(&x->reply, 200, json_pack("{s:b}", "live", true));
        break;
    case HRR_ROUTE_READY:
    case HRR_ROUTE_MODEL_READY:
        say_ready(x);
        break;
    case HRR_ROUTE_MODEL:
        hrr_reply_json(&x->reply, 200, hrr_describe_model(x->served));
        break;
    case HRR_ROUTE_INFER:
        now = infer(x);
        break;
    case HRR_ROUTE_NEIGHBOURS:
        hrr_describe_neighbours(&x->reply, x->served, x->body ? x->body : "", x->size);
        break;
    }
    if (now) x->answered = true;
    if (now && x->reply.body.failed) refuse(x, 503, "out of memory");
    return now;
}
