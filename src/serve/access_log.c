/* access_log.c: one line of JSON for each request. It says how many nodes were asked about, not
 * which, unless the owner of the service wants to know: a log of that would tell who is interested
 * in whom. Logging never holds up an answer: a line that cannot be written at once is lost, and
 * counted. */
#include "serve/server.h"

#include <inttypes.h>
#include <poll.h>
#include <time.h>
#include <unistd.h>

enum { most_logged = 100 };

static void put_nodes(hrr_text *line, const hrr_exchange *x)
{
    char decimal[hrr_decimal_size];
    const uint64_t n = x->asking.n_asked < most_logged ? x->asking.n_asked : most_logged;
    if (!x->asking.nodes) return;
    hrr_text_put(line, ",\"node_ids\":[");
    for (uint64_t i = 0; i < n; i++) {
        const hrr_node_ids *ids = hrr_graph_node_ids(x->served->graph);
        if (i) hrr_text_put(line, ",");
        hrr_text_json(line, hrr_node_name(decimal, ids, x->asking.nodes[i]), true);
    }
    hrr_text_put(line, "]");
}

static void write_line(hrr_server *server, const hrr_text *line)
{
    struct pollfd ready = {.fd = server->options.log, .events = POLLOUT};
    const bool can = !line->failed && poll(&ready, 1, 0) == 1 && (ready.revents & POLLOUT);
    if (!can || write(server->options.log, line->bytes, line->size) != (ssize_t)line->size)
        atomic_fetch_add(&server->counters.log_lost, 1);
}

void hrr_access_log(hrr_server *server, const hrr_exchange *x, double seconds)
{
    char when[32];
    struct timespec now;
    struct tm parts;
    hrr_text line = {0};
    if (server->options.log < 0) return;
    clock_gettime(CLOCK_REALTIME, &now);
    gmtime_r(&now.tv_sec, &parts);
    strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%S", &parts);
    hrr_text_printf(&line, "{\"time\":\"%s.%03ldZ\",\"method\":", when, now.tv_nsec / 1000000);
    hrr_text_json(&line, x->method, true);
    hrr_text_printf(&line, ",\"path\":\"%s\"", hrr_route_describe(x->route)->path);
    if (x->served) hrr_text_printf(&line, ",\"model\":\"%s\"", x->served->name);
    if (x->caller && !x->catalogue->tokens.open)
        hrr_text_printf(&line, ",\"token\":\"%s\"", x->caller->name);
    hrr_text_printf(&line,
                    ",\"status\":%u,\"nodes\":%" PRIu64 ",\"bytes_in\":%zu,\"bytes_out\":%zu"
                    ",\"seconds\":%.6f",
                    x->reply.status, x->n_nodes, x->size, x->reply.body.size, seconds);
    if (server->options.log_nodes) put_nodes(&line, x);
    hrr_text_put(&line, "}\n");
    write_line(server, &line);
    hrr_text_clear(&line);
}
