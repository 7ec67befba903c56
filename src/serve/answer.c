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
        refuse(x, 403, "this token has used up its limit of nodes");
        return;
    }
    refuse(x, 429, "too many requests; try again after the seconds in the header Retry-After");
    x->reply.retry_after = wait;
}

void hrr_exchange_admit(hrr_exchange *x, const hrr_request_headers *h)
{
    const hrr_route_row *row = hrr_route_describe(x->route);
    x->json_size = SIZE_MAX;
    if (h->fault)
        refuse(x, 400, h->fault);
    else if (!hrr_site_has_name(&x->server->site, h->host))
        refuse(x, 421,
               "the header Host does not name this service: use its numeric address; its operator "
               "can add names");
    else if (!hrr_site_is_origin(&x->server->site, h->origin, h->host))
        refuse(x, 403, "requests from pages of other sites are refused");
    else if (x->route == HRR_ROUTE_NONE)
        refuse(x, 404, "no such path");
    else if (!hrr_route_takes(x->route, x->method))
        refuse(x, 405, "this path does not accept that method");
    if (x->answered) return;
    x->caller = hrr_tokens_find(&x->catalogue->tokens, bearer(h->authorization));
    if (!row->open && !x->caller) {
        refuse(x, 401, "a token is required: send the header Authorization: Bearer TOKEN");
        return;
    }
    if (x->model[0] && !(x->served = hrr_catalogue_find(x->catalogue, x->model))) {
        refuse(x, 404, "no model has that name");
        return;
    }
    if (strcmp(row->method, "POST") != 0) return;
    if (h->json_size) {
        char *end;
        const unsigned long long size = strtoull(h->json_size, &end, 10);
        if (h->json_size[0] < '0' || h->json_size[0] > '9' || *end ||
            size > x->server->options.most_body)
            refuse(x, 400, "the header Inference-Header-Content-Length is not a valid size");
        x->json_size = (size_t)size;
    }
    if (!x->answered) check_rate(x);
}

/* ---- inferences ------------------------------------------------------------------------------ */

/* Counted before it is told: an answer that is lost on its way was told, too. */
static bool take(hrr_exchange *x, uint64_t n_nodes)
{
    if (hrr_caller_take(&x->catalogue->tokens, x->caller, n_nodes)) return true;
    hrr_reply_error(&x->reply, 403,
                    "this request asks about more nodes than the remaining limit of this token");
    return false;
}

static void infer_now(hrr_exchange *x)
{
    hrr_error err = {0};
    const size_t n_classes = hrr_served_n_classes(x->served);
    double *logits = NULL;
    hrr_status status = HRR_OK;
    if (hrr_asking_needs_rows(&x->asking, x->served)) {
        logits = hrr_alloc(x->asking.n_asked * n_classes, sizeof *logits);
        status =
            logits ? hrr_asking_answer(logits, &x->asking, x->served, &err) : hrr_no_memory(&err);
    }
    if (status) {
        hrr_reply_failure(&x->reply, &err);
    } else {
        hrr_reply_inference(&x->reply, x->served, &x->asking, x->request.id, logits);
        x->n_nodes = x->asking.n_asked;
        atomic_fetch_add(&x->server->counters.nodes, x->n_nodes);
    }
    hrr_free(logits);
}

/* False: there is an answer already, a refusal. */
static bool read_question(hrr_exchange *x)
{
    hrr_error err = {0};
    const size_t json_size = x->json_size == SIZE_MAX ? x->size : x->json_size;
    hrr_status status =
        hrr_infer_parse(&x->request, x->body ? x->body : "", x->size, json_size, &err);
    if (!status) status = hrr_asking_read(&x->asking, x->served, &x->request, &err);
    if (status) hrr_reply_failure(&x->reply, &err);
    return !status && take(x, x->asking.n_asked);
}

void hrr_exchange_compute(hrr_exchange *x)
{
    if (x->is_read || read_question(x)) infer_now(x);
    x->answered = true;
}

/* What a thread that looks after thousands of connections may do for one of them: about a
 * millisecond's work. */
enum { most_read_at_once = 256 << 10, most_told_at_once = 1 << 17 };

static bool infer(hrr_exchange *x)
{
    if (x->size <= most_read_at_once) {
        if (!read_question(x)) return true;
        x->is_read = true;
        if (!x->asking.computed &&
            x->asking.n_asked * hrr_served_n_classes(x->served) <= most_told_at_once) {
            infer_now(x);
            return true;
        }
    }
    if (hrr_queue_put(&x->server->queue, x, x->server->options.most_waiting)) return false;
    hrr_reply_error(&x->reply, 503, "too many requests are waiting; try again later");
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
    hrr_metrics_write(&x->reply.body, &x->server->counters, &x->catalogue->tokens, x->caller,
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

static void say_neighbours(hrr_exchange *x)
{
    enum { most_asked = 1 << 16 }; /* the name of one node: a larger request is not read at once */
    uint32_t node;
    if (x->size > most_asked) {
        hrr_reply_error(&x->reply, 413, "a request about neighbours has at most 65536 bytes");
        return;
    }
    if (!hrr_neighbours_parse(&node, &x->reply, x->served, x->body ? x->body : "", x->size) ||
        !take(x, 1))
        return;
    hrr_describe_neighbours(&x->reply, x->served, node);
    x->n_nodes = 1;
    atomic_fetch_add(&x->server->counters.nodes, 1);
}

bool hrr_exchange_answer(hrr_exchange *x)
{
    bool now = true;
    if (x->too_large) {
        refuse(x, 413, "the request is larger than this service accepts");
        return true;
    }
    if (x->no_room) {
        refuse(x, 503, "the memory for requests is in use by other requests; try again later");
        x->reply.retry_after = 1;
        return true;
    }
    switch (x->route) {
    case HRR_ROUTE_NONE:
    case HRR_ROUTES:
        hrr_reply_error(&x->reply, 404, "no such path");
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
        say_neighbours(x);
        break;
    }
    if (now) x->answered = true;
    if (now && x->reply.body.failed) refuse(x, 503, "out of memory");
    return now;
}
