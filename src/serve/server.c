/* server.c: the service on top of libmicrohttpd: threads that each wait for many connections
 * (epoll), limits, TLS, reload and stop. */
#include "serve/server.h"
#include "serve/describe.h"
#include "base/memory.h"
#include "base/options.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

void hrr_server_options_init_sized(hrr_server_options *options, size_t size)
{
    const hrr_server_options own = {.host = "127.0.0.1",
                                    .returns = HRR_RETURNS_LABELS,
                                    .decimals = 2,
                                    .most_body = 16 << 20,
                                    .most_bodies = 256 << 20,
                                    .most_nodes = 100000,
                                    .most_connections = 10000,
                                    .most_waiting = 64,
                                    .idle_seconds = 15,
                                    .request_seconds = 30,
                                    .log = -1};
    hrr_options_init(options, size, &own, sizeof own);
}

uint32_t hrr_server_port(const hrr_server *server)
{
    return server->port;
}

bool hrr_server_is_private(const hrr_server *server)
{
    return server->catalogue->is_private;
}

bool hrr_server_is_matched(const hrr_server *server)
{
    const hrr_catalogue *all = server->catalogue;
    bool matched = true;
    for (size_t i = 0; i < all->n_models; i++)
        matched = matched && (all->models[i]->is_matched || !all->models[i]->is_private);
    return matched;
}

/* ---- one request ----------------------------------------------------------------------------- */

static hrr_exchange *begin(hrr_server *server, struct MHD_Connection *mhd, const char *path,
                           const char *method)
{
    hrr_exchange *x = hrr_alloc_zero(1, sizeof *x);
    if (!x) return NULL;
    x->server = server;
    x->mhd = mhd;
    x->began = hrr_server_clock();
    snprintf(x->method, sizeof x->method, "%s", method);
    x->route = hrr_route_find(x->model, path);
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(mhd, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    x->connection = info ? info->socket_context : NULL;
    hrr_watch_note(server, x->connection, HRR_ASKING);
    pthread_mutex_lock(&server->lock);
    x->catalogue = server->catalogue;
    hrr_catalogue_use(x->catalogue);
    pthread_mutex_unlock(&server->lock);
    atomic_fetch_add(&server->active, 1);
    return x;
}

/* Room for the bodies of all requests together; false: there is none now. */
static bool reserve(hrr_server *server, size_t more)
{
    const uint64_t most = server->options.most_bodies;
    const uint64_t before = atomic_fetch_add(&server->counters.body_bytes, more);
    if (before <= most && more <= most - before) return true;
    atomic_fetch_sub(&server->counters.body_bytes, more);
    return false;
}

static void drop_body(hrr_exchange *x)
{
    hrr_free(x->body);
    atomic_fetch_sub(&x->server->counters.body_bytes, x->room);
    x->body = NULL;
    x->room = 0;
}

static void end_exchange(void *user, struct MHD_Connection *mhd, void **state,
                         enum MHD_RequestTerminationCode code)
{
    hrr_server *server = user;
    hrr_exchange *x = *state;
    (void)mhd;
    (void)code;
    if (!x) return;
    const double seconds = hrr_server_clock() - x->began;
    if (!x->reply.status) x->reply.status = 499; /* gone before there was an answer */
    hrr_count_request(&server->counters, x->route, x->reply.status, seconds);
    hrr_access_log(server, x, seconds);
    hrr_watch_note(server, x->connection, HRR_IDLE);
    hrr_asking_clear(&x->asking);
    hrr_infer_request_clear(&x->request);
    hrr_text_clear(&x->reply.body);
    drop_body(x);
    hrr_catalogue_leave(x->catalogue);
    hrr_free(x);
    *state = NULL;
    atomic_fetch_sub(&server->active, 1);
}

static void add_headers(struct MHD_Response *response, const hrr_exchange *x)
{
    char number[32];
    MHD_add_response_header(response, "Content-Type", x->reply.type);
    MHD_add_response_header(
        response, HRR_PRIVACY_HEADER,
        hrr_privacy_word(x->served ? x->served->is_private : x->catalogue->is_private));
    MHD_add_response_header(response, "Cache-Control", "no-store");
    MHD_add_response_header(response, "X-Content-Type-Options", "nosniff");
    if (x->route == HRR_ROUTE_PAGE)
        MHD_add_response_header(response, "Content-Security-Policy",
                                "default-src 'none'; style-src 'unsafe-inline'; script-src "
                                "'unsafe-inline'; connect-src 'self'; frame-ancestors 'none'");
    if (x->reply.json_size) {
        snprintf(number, sizeof number, "%zu", x->reply.json_size);
        MHD_add_response_header(response, "Inference-Header-Content-Length", number);
    }
    if (x->reply.retry_after > 0) {
        snprintf(number, sizeof number, "%.0f", ceil(x->reply.retry_after));
        MHD_add_response_header(response, "Retry-After", number);
    }
    if (x->reply.status == 401)
        MHD_add_response_header(response, "WWW-Authenticate", "Bearer realm=\"heterorr\"");
    if (x->reply.status == 405)
        MHD_add_response_header(response, "Allow", hrr_route_describe(x->route)->method);
    if (atomic_load(&x->server->stopping)) MHD_add_response_header(response, "Connection", "close");
}

/* The bytes go to the response, which frees them; the size stays for the log. */
static enum MHD_Result send_reply(hrr_exchange *x)
{
    const size_t size = x->reply.body.size;
    struct MHD_Response *response =
        MHD_create_response_from_buffer_with_free_callback(size, x->reply.body.bytes, &hrr_free);
    if (!response) return MHD_NO;
    x->reply.body.bytes = NULL;
    add_headers(response, x);
    const enum MHD_Result result = MHD_queue_response(x->mhd, x->reply.status, response);
    MHD_destroy_response(response);
    return result;
}

static void keep_body(hrr_exchange *x, const char *bytes, size_t size)
{
    const uint64_t most = x->server->options.most_body;
    /* What is refused is read to its end, so that the client reads the answer. */
    if (x->answered || x->too_large || x->no_room) return;
    if (size > most - x->size) {
        x->too_large = true;
        drop_body(x);
        return;
    }
    if (size > x->room - x->size) {
        const size_t wanted = 2 * (x->size + size), room = wanted < most ? wanted : (size_t)most;
        const bool reserved = reserve(x->server, room - x->room);
        char *body = reserved ? hrr_resize(x->body, room, 1) : NULL;
        if (!body) {
            if (reserved) atomic_fetch_sub(&x->server->counters.body_bytes, room - x->room);
            x->no_room = true;
            drop_body(x);
            return;
        }
        x->body = body;
        x->room = room;
    }
    memcpy(x->body + x->size, bytes, size);
    x->size += size;
}

static enum MHD_Result take_header(void *user, enum MHD_ValueKind kind, const char *name,
                                   const char *value)
{
    (void)kind;
    hrr_request_headers_take(user, name, value);
    return MHD_YES;
}

/* Answered before the body: how long it is, is not clear, or is too long to wait for. The
 * connection is closed behind the answer. */
static bool answer_at_once(hrr_exchange *x, const hrr_request_headers *headers)
{
    if (headers->fault) return true;
    x->too_large = headers->content_length &&
                   strtoull(headers->content_length, NULL, 10) > x->server->options.most_body;
    return x->too_large && hrr_exchange_answer(x);
}

static enum MHD_Result handle(void *user, struct MHD_Connection *mhd, const char *path,
                              const char *method, const char *version, const char *upload,
                              size_t *upload_size, void **state)
{
    hrr_exchange *x = *state;
    if (!x) {
        if (!(x = *state = begin(user, mhd, path, method))) return MHD_NO;
        hrr_request_headers headers = {.is_http_1_0 = strcmp(version, "HTTP/1.0") == 0};
        MHD_get_connection_values(mhd, MHD_HEADER_KIND, take_header, &headers);
        hrr_exchange_admit(x, &headers);
        return answer_at_once(x, &headers) ? send_reply(x) : MHD_YES;
    }
    if (*upload_size) {
        keep_body(x, upload, *upload_size);
        *upload_size = 0;
        return MHD_YES;
    }
    if (!x->answered && !hrr_exchange_answer(x)) return MHD_YES;
    return send_reply(x);
}

static void connection_changed(void *user, struct MHD_Connection *mhd, void **context,
                               enum MHD_ConnectionNotificationCode code)
{
    hrr_server *server = user;
    if (code == MHD_CONNECTION_NOTIFY_STARTED) {
        const union MHD_ConnectionInfo *info =
            MHD_get_connection_info(mhd, MHD_CONNECTION_INFO_CONNECTION_FD);
        *context = info ? hrr_watch_add(server, info->connect_fd) : NULL;
        if (info && !*context) shutdown(info->connect_fd, SHUT_RDWR); /* nobody would watch it */
    } else {
        hrr_watch_remove(server, *context);
        *context = NULL;
    }
}

/* ---- start ----------------------------------------------------------------------------------- */

static hrr_status check(const hrr_server_options *o, hrr_error *err)
{
    if (o->port > 65535)
        return hrr_fail(err, HRR_EINVAL, "the port must be at most 65535 (`port`)");
    if (o->returns == HRR_RETURNS_ROUNDED && (o->decimals < 0 || o->decimals > 15))
        return hrr_fail(err, HRR_EINVAL,
                        "the number of decimals (`decimals`) must lie between 0 and 15");
    if (!o->most_connections || !o->most_body || !o->most_nodes || !o->most_waiting)
        return hrr_fail(err, HRR_EINVAL,
                        "each of these limits must be at least 1 (`most_connections`, `most_body`, "
                        "`most_nodes`, `most_waiting`)");
    if (!(o->idle_seconds >= 1) || !(o->request_seconds > 0) || o->idle_seconds > 1e6)
        return hrr_fail(err, HRR_EINVAL,
                        "the time limit for unused connections (`idle_seconds`) must lie between 1 "
                        "and 1000000 seconds, and that for a request must be above 0");
    if (o->most_bodies < o->most_body)
        return hrr_fail(err, HRR_EINVAL,
                        "the limit for all requests together (`most_bodies`) must not be below the "
                        "limit for one (`most_body`)");
    if (!(o->rate >= 0)) return hrr_fail(err, HRR_EINVAL, "`rate` must be at least 0");
    if (!o->tls_cert != !o->tls_key)
        return hrr_fail(err, HRR_EINVAL,
                        "a TLS certificate needs its key, and a key its certificate; give both "
                        "(`tls_cert`, `tls_key`)");
    return HRR_OK;
}

static hrr_status find_address(struct sockaddr_storage *out, bool *loopback, const char *host,
                               uint32_t port, hrr_error *err)
{
    const bool local = strcmp(host, "localhost") == 0;
    const struct addrinfo hints = {.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV,
                                   .ai_socktype = SOCK_STREAM};
    struct addrinfo *found;
    char service[16];
    snprintf(service, sizeof service, "%" PRIu32, port);
    if (getaddrinfo(local ? "127.0.0.1" : host, service, &hints, &found) != 0)
        return hrr_fail(err, HRR_EINVAL,
                        "'%s' is not a valid address; use a numeric address or localhost (`host`)",
                        host);
    memcpy(out, found->ai_addr, found->ai_addrlen);
    freeaddrinfo(found);
    if (out->ss_family == AF_INET6) {
        *loopback = IN6_IS_ADDR_LOOPBACK(&((const struct sockaddr_in6 *)out)->sin6_addr);
    } else {
        const uint32_t address = ntohl(((const struct sockaddr_in *)out)->sin_addr.s_addr);
        *loopback = address >> 24 == 127;
    }
    return HRR_OK;
}

/* Strangers find mistakes: none of theirs should be root's. */
static hrr_status refuse_root(const hrr_server *server, hrr_error *err)
{
    if (server->site.loopback || geteuid() != 0) return HRR_OK;
    return hrr_fail(err, HRR_EINVAL,
                    "the service runs as root, so it listens on loopback addresses only (`host`); "
                    "run it as another user, or listen on 127.0.0.1 behind a proxy");
}

static hrr_status read_pem(char **out, const char *path, hrr_error *err)
{
    enum { most = 1 << 20 };
    *out = NULL;
    FILE *file = fopen(path, "re");
    if (!file) return hrr_fail(err, HRR_EIO, "%s cannot be read: %s", path, strerror(errno));
    char *text = hrr_alloc_zero(most + 1, 1);
    const size_t size = text ? fread(text, 1, most, file) : 0;
    fclose(file);
    if (!text) return hrr_no_memory(err);
    if (size && size < most && strstr(text, "-----BEGIN ")) {
        *out = text;
        return HRR_OK;
    }
    hrr_free(text);
    return hrr_fail(err, HRR_EDATA, "%s is not a PEM file", path);
}

/* Paths are compared as they came: "%2F" is no "/", and "%00" ends nothing. */
static size_t leave_escapes(void *user, struct MHD_Connection *mhd, char *text)
{
    (void)user;
    (void)mhd;
    return strlen(text);
}

static hrr_status listen_plainly(hrr_server *server, const struct sockaddr *address,
                                 const char *cert, const char *key, hrr_error *err)
{
    const hrr_server_options *o = &server->options;
    const int threads = hrr_threads(o->threads);
    unsigned flags = MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME;
    static const char tls_versions[] = "NORMAL:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2";
    struct MHD_OptionItem more[5] = {{MHD_OPTION_END, 0, NULL}};
    int n_more = 0;
    if (address->sa_family == AF_INET6) flags |= MHD_USE_IPv6;
    if (cert) {
        flags |= MHD_USE_TLS;
        more[n_more++] =
            (struct MHD_OptionItem){MHD_OPTION_HTTPS_MEM_CERT, 0, (void *)(uintptr_t)cert};
        more[n_more++] =
            (struct MHD_OptionItem){MHD_OPTION_HTTPS_MEM_KEY, 0, (void *)(uintptr_t)key};
        more[n_more++] = (struct MHD_OptionItem){MHD_OPTION_HTTPS_PRIORITIES, 0,
                                                 (void *)(uintptr_t)tls_versions};
    }
    /* A pool of one is refused by the library. */
    if (threads > 1)
        more[n_more++] = (struct MHD_OptionItem){MHD_OPTION_THREAD_POOL_SIZE, threads, NULL};
    more[n_more] = (struct MHD_OptionItem){MHD_OPTION_END, 0, NULL};
    server->daemon = MHD_start_daemon(
        flags, 0, NULL, NULL, handle, server, MHD_OPTION_SOCK_ADDR, address,
        MHD_OPTION_CONNECTION_LIMIT, (unsigned)o->most_connections,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)16384, MHD_OPTION_LISTEN_BACKLOG_SIZE, 1024u,
        MHD_OPTION_NOTIFY_COMPLETED, end_exchange, server, MHD_OPTION_NOTIFY_CONNECTION,
        connection_changed, server, MHD_OPTION_UNESCAPE_CALLBACK, leave_escapes, NULL,
        MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_ARRAY, more, MHD_OPTION_END);
    if (!server->daemon)
        return hrr_fail(err, HRR_EIO, "cannot listen on %s, port %" PRIu32 ": %s", o->host, o->port,
                        errno ? strerror(errno) : "libmicrohttpd refused");
    const union MHD_DaemonInfo *info =
        MHD_get_daemon_info(server->daemon, MHD_DAEMON_INFO_BIND_PORT);
    server->port = info && info->port ? info->port : o->port;
    return HRR_OK;
}

static hrr_status start_listening(hrr_server *server, hrr_error *err)
{
    const hrr_server_options *o = &server->options;
    struct sockaddr_storage address = {0};
    char *cert = NULL, *key = NULL;
    hrr_status status = find_address(&address, &server->site.loopback, o->host, o->port, err);
    if (!status) status = refuse_root(server, err);
    if (!status && o->tls_cert && MHD_is_feature_supported(MHD_FEATURE_TLS) != MHD_YES)
        status = hrr_fail(err, HRR_EINVAL,
                          "this libmicrohttpd was built without TLS (`tls_cert`); put a proxy in "
                          "front of the service");
    if (!status && o->tls_cert) status = read_pem(&cert, o->tls_cert, err);
    if (!status && o->tls_key) status = read_pem(&key, o->tls_key, err);
    errno = 0;
    if (!status) status = listen_plainly(server, (const struct sockaddr *)&address, cert, key, err);
    hrr_free(cert);
    hrr_free(key);
    return status;
}

/* Paths and names are needed again by a reload. */
static hrr_status keep_texts(hrr_server *server, const hrr_served_model *models, size_t n_models,
                             hrr_error *err)
{
    hrr_server_options *o = &server->options;
    const char **texts[] = {&o->host, &o->other_hosts, &o->tokens, &o->tls_cert, &o->tls_key};
    bool all = true;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        if (!*texts[i]) continue;
        *texts[i] = hrr_copy_text(*texts[i]);
        all = all && *texts[i];
    }
    server->site = (hrr_site){.tls = o->tls_cert, .other_hosts = o->other_hosts};
    if (!(server->models = hrr_alloc_zero(n_models, sizeof *server->models)))
        return hrr_no_memory(err);
    for (; server->n_models < n_models; server->n_models++) {
        const hrr_served_model *from = &models[server->n_models];
        hrr_served_model *to = &server->models[server->n_models];
        to->name = hrr_copy_text(from->name);
        to->model = hrr_copy_text(from->model);
        to->release = hrr_copy_text(from->release);
        all = all && to->name && to->model && to->release;
    }
    return all ? HRR_OK : hrr_no_memory(err);
}

static void free_text(const char *text)
{
    hrr_free((void *)(uintptr_t)text);
}

hrr_status hrr_server_start(hrr_server **out, const hrr_served_model *models, size_t n_models,
                            const hrr_server_options *options, hrr_progress *progress,
                            hrr_error *err)
{
    hrr_server_options own;
    *out = NULL;
    hrr_status status = HRR_ADOPT(hrr_server_options, &own, options, err);
    if (!status) status = check(&own, err);
    if (status) return status;
    hrr_server *made = hrr_alloc_zero(1, sizeof *made);
    if (!made) return hrr_no_memory(err);
    made->options = own;
    pthread_mutex_init(&made->lock, NULL);
    hrr_accounts_init(&made->accounts);
    status = keep_texts(made, models, n_models, err);
    if (!status)
        status = hrr_catalogue_open(&made->catalogue, made->models, n_models, &made->options,
                                    &made->accounts, progress, err);
    if (!status) status = hrr_queue_start(&made->queue, err);
    if (!status) status = hrr_watch_start(made, err);
    if (!status) status = start_listening(made, err);
    if (status) {
        hrr_server_free(made, 0);
        return status;
    }
    *out = made;
    return HRR_OK;
}

/* ---- reload and stop ------------------------------------------------------------------------- */

hrr_status hrr_server_reload(hrr_server *server, hrr_progress *progress, hrr_error *err)
{
    hrr_catalogue *fresh;
    hrr_status status = hrr_catalogue_open(&fresh, server->models, server->n_models,
                                           &server->options, &server->accounts, progress, err);
    if (status) {
        atomic_fetch_add(&server->counters.reloads_failed, 1);
        return status;
    }
    pthread_mutex_lock(&server->lock);
    hrr_catalogue *old = server->catalogue;
    server->catalogue = fresh;
    pthread_mutex_unlock(&server->lock);
    hrr_catalogue_leave(old);
    atomic_fetch_add(&server->counters.reloads, 1);
    return HRR_OK;
}

static void wait_for_answers(hrr_server *server, double seconds)
{
    const double until = hrr_server_clock() + seconds;
    while (atomic_load(&server->active) && hrr_server_clock() < until)
        nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
}

void hrr_server_free(hrr_server *server, double seconds)
{
    if (!server) return;
    atomic_store(&server->stopping, true);
    if (server->daemon) {
        const MHD_socket listening = MHD_quiesce_daemon(server->daemon);
        if (listening != MHD_INVALID_SOCKET) close(listening);
        wait_for_answers(server, seconds);
    }
    hrr_queue_stop(&server->queue);
    if (server->daemon) MHD_stop_daemon(server->daemon);
    hrr_queue_clear(&server->queue); /* until here connections may have asked it */
    hrr_watch_stop(server);
    hrr_catalogue_leave(server->catalogue);
    hrr_accounts_clear(&server->accounts);
    for (size_t i = 0; i < server->n_models; i++) {
        free_text(server->models[i].name);
        free_text(server->models[i].model);
        free_text(server->models[i].release);
    }
    hrr_free(server->models);
    const hrr_server_options *o = &server->options;
    free_text(o->host);
    free_text(o->other_hosts);
    free_text(o->tokens);
    free_text(o->tls_cert);
    free_text(o->tls_key);
    pthread_mutex_destroy(&server->lock);
    hrr_free(server);
}
