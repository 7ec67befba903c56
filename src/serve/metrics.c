/* metrics.c: see metrics.h. */
#include "serve/metrics.h"

#include <inttypes.h>

static const double bin_ends[HRR_TIME_BINS] = {1e-5, 3e-5, 1e-4, 3e-4, 1e-3,
                                               3e-3, 1e-2, 1e-1, 1,    10};

void hrr_count_request(hrr_counters *counters, hrr_route route, unsigned status, double seconds)
{
    const unsigned class = status / 100 < HRR_STATUS_CLASSES ? status / 100 : 0;
    atomic_fetch_add(&counters->requests[route][class], 1);
    if (route != HRR_ROUTE_INFER) return;
    int bin = 0;
    while (bin < HRR_TIME_BINS && seconds > bin_ends[bin])
        bin++;
    atomic_fetch_add(&counters->infer_bins[bin], 1);
    atomic_fetch_add(&counters->infer_nanoseconds, (uint64_t)(1e9 * seconds));
}

static void head(hrr_text *out, const char *name, const char *kind, const char *help)
{
    hrr_text_printf(out, "# HELP heterorr_%s %s\n# TYPE heterorr_%s %s\n", name, help, name, kind);
}

static void one(hrr_text *out, const char *name, const char *kind, const char *help,
                const atomic_uint_fast64_t *value)
{
    head(out, name, kind, help);
    hrr_text_printf(out, "heterorr_%s %" PRIu64 "\n", name, (uint64_t)atomic_load(value));
}

static void put_requests(hrr_text *out, const hrr_counters *c)
{
    head(out, "requests_total", "counter", "Requests answered, by path and class of status.");
    for (int r = 0; r < HRR_ROUTES; r++)
        for (int s = 0; s < HRR_STATUS_CLASSES; s++) {
            const uint64_t n = atomic_load(&c->requests[r][s]);
            if (n)
                hrr_text_printf(
                    out, "heterorr_requests_total{path=\"%s\",status=\"%dxx\"} %" PRIu64 "\n",
                    hrr_route_describe((hrr_route)r)->path, s, n);
        }
}

static void put_times(hrr_text *out, const hrr_counters *c)
{
    uint64_t sum = 0;
    head(out, "infer_seconds", "histogram", "Time from an inference request to its answer.");
    for (int b = 0; b < HRR_TIME_BINS; b++) {
        sum += atomic_load(&c->infer_bins[b]);
        hrr_text_printf(out, "heterorr_infer_seconds_bucket{le=\"%g\"} %" PRIu64 "\n", bin_ends[b],
                        sum);
    }
    sum += atomic_load(&c->infer_bins[HRR_TIME_BINS]);
    hrr_text_printf(out,
                    "heterorr_infer_seconds_bucket{le=\"+Inf\"} %" PRIu64
                    "\nheterorr_infer_seconds_sum %.9g\nheterorr_infer_seconds_count %" PRIu64 "\n",
                    sum, 1e-9 * (double)atomic_load(&c->infer_nanoseconds), sum);
}

static void put_callers(hrr_text *out, const hrr_tokens *tokens, const hrr_caller *viewer)
{
    static const char *const names[] = {"caller_requests_total", "caller_nodes_total",
                                        "caller_refused_total"};
    static const char *const help[] = {"Inference requests, by the name of the token.",
                                       "Nodes that answers were about, by the name of the token.",
                                       "Requests refused for a limit, by the name of the token."};
    pthread_mutex_lock(&tokens->accounts->lock);
    for (int k = 0; k < 3; k++) {
        head(out, names[k], "counter", help[k]);
        for (size_t i = 0; i < tokens->n_callers; i++) {
            const hrr_account *used = tokens->callers[i].account;
            if (!viewer->sees_all && used != viewer->account) continue;
            hrr_text_printf(out, "heterorr_%s{token=\"%s\"} %" PRIu64 "\n", names[k], used->name,
                            k == 0   ? used->requests
                            : k == 1 ? used->nodes
                                     : used->refused);
        }
    }
    pthread_mutex_unlock(&tokens->accounts->lock);
}

void hrr_metrics_write(hrr_text *out, const hrr_counters *c, const hrr_tokens *tokens,
                       const hrr_caller *viewer, bool is_private)
{
    put_requests(out, c);
    put_times(out, c);
    put_callers(out, tokens, viewer);
    one(out, "nodes_total", "counter", "Nodes that answers were about.", &c->nodes);
    one(out, "computed_total", "counter", "Answers that took a forward pass.", &c->computed);
    one(out, "waiting", "gauge", "Questions that wait for a forward pass.", &c->waiting);
    one(out, "connections", "gauge", "Open connections.", &c->connections);
    one(out, "body_bytes", "gauge", "Memory that the bodies of requests use.", &c->body_bytes);
    one(out, "slow_closed_total", "counter", "Connections closed because a request took too long.",
        &c->slow_closed);
    one(out, "log_lost_total", "counter", "Lines of the access log that could not be written.",
        &c->log_lost);
    one(out, "reloads_total", "counter", "Models read again.", &c->reloads);
    one(out, "reloads_failed_total", "counter", "Reloads that failed; the old models stayed.",
        &c->reloads_failed);
    head(out, "private", "gauge", "1 if a privacy guarantee covers everything that is served.");
    hrr_text_printf(out, "heterorr_private %d\n", is_private);
}
