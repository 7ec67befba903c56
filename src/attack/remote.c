/* remote.c: a prediction service behind an address, in the Open Inference Protocol (KServe and
 * Triton, version 2), asked as anybody would ask it. It need not be ours: the model must take
 * `nodes`, and `changed_node` with `changed_features` where an attack changes features, and tell
 * `logits`, `probabilities` or `labels`.
 *
 * A service that says "too many requests" is asked again when it says so. */
#include "attack/kept_answers.h"
#include "base/memory.h"
#include "base/options.h"
#include "graph/name_index.h"

#include <heterorr/attack.h>

#include <curl/curl.h>
#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct bytes {
    char *start;
    size_t size;
    bool failed;
} bytes;

struct hrr_remote {
    CURL *curl;
    struct curl_slist *headers;
    char *infer_url;
    const hrr_graph *graph;
    const char *output; /* a literal */
    hrr_returns returns;
    bool takes_changes;
    uint64_t n_features, most_asked;
    uint32_t n_classes;
    hrr_progress *progress;
    hrr_remote_count count;
    hrr_kept_answers *kept;         /* NULL: none are */
    uint8_t about[hrr_sha256_size]; /* hash of where it is, and how it describes itself */
};

/* Beyond it a refusal is final. */
enum { most_refusals = 1000 };
static const double longest_wait = 3600, usual_wait = 1;
/* Nodes of one request, if the service does not say. */
static const uint64_t usual_most_asked = 10000;
static const size_t most_answer = (size_t)1 << 30;

void hrr_remote_options_init_sized(hrr_remote_options *options, size_t size)
{
    const hrr_remote_options own = {.seconds = 120};
    hrr_options_init(options, size, &own, sizeof own);
}

/* ---- one request ----------------------------------------------------------------------------- */

static size_t take_bytes(char *from, size_t size, size_t count, void *user)
{
    bytes *to = user;
    const size_t more = size * count;
    char *start =
        more < most_answer - to->size ? hrr_resize(to->start, to->size + more + 1, 1) : NULL;
    if (!start) {
        to->failed = true;
        return 0;
    }
    memcpy(start + to->size, from, more);
    to->start = start;
    to->size += more;
    to->start[to->size] = '\0';
    return more;
}

static int look_for_cancel(void *user, curl_off_t a, curl_off_t b, curl_off_t c, curl_off_t d)
{
    (void)a, (void)b, (void)c, (void)d;
    return hrr_progress_cancelled(user);
}

static hrr_status wait_for(double seconds, const hrr_progress *progress, hrr_error *err)
{
    const double piece = 0.05;
    for (; seconds > 0; seconds -= piece) {
        const double now = seconds < piece ? seconds : piece;
        if (hrr_progress_cancelled(progress)) return hrr_fail(err, HRR_ECANCEL, "interrupted");
        nanosleep(&(struct timespec){.tv_nsec = (long)(1e9 * now)}, NULL);
    }
    return HRR_OK;
}

/* What the service says is wrong, for a message. */
static void error_text(char *out, size_t size, const bytes *answer)
{
    json_t *json = answer->start ? json_loadb(answer->start, answer->size, 0, NULL) : NULL;
    const char *said = json_string_value(json_object_get(json, "error"));
    snprintf(out, size, "%.300s", said ? said : "the service gave no reason");
    json_decref(json);
}

/* One try. *again: seconds to wait before the next one; negative: none is needed. */
static hrr_status try_once(bytes *answer, double *again, hrr_remote *remote, const char *url,
                           hrr_error *err)
{
    long code = 0;
    curl_off_t after = 0;
    char why[320];
    *again = -1;
    answer->size = 0;
    answer->failed = false;
    curl_easy_setopt(remote->curl, CURLOPT_WRITEDATA, answer);
    const CURLcode result = curl_easy_perform(remote->curl);
    remote->count.requests++;
    if (answer->failed) return hrr_no_memory(err);
    if (result == CURLE_ABORTED_BY_CALLBACK) return hrr_fail(err, HRR_ECANCEL, "interrupted");
    if (result != CURLE_OK)
        return hrr_fail(err, HRR_EIO, "%s cannot be reached: %s", url, curl_easy_strerror(result));
    curl_easy_getinfo(remote->curl, CURLINFO_RESPONSE_CODE, &code);
    if (code == 200) return HRR_OK;
    if (code == 429 || code == 503) {
        curl_easy_getinfo(remote->curl, CURLINFO_RETRY_AFTER, &after);
        *again = after > 0 ? (double)after : usual_wait;
        if (*again > longest_wait) *again = longest_wait;
        return HRR_OK;
    }
    error_text(why, sizeof why, answer);
    return hrr_fail(err, code == 401 || code == 403 ? HRR_ECHECK : HRR_EDATA, "%s answers %ld: %s",
                    url, code, why);
}

/* GET, or POST if there is a body. answer: hrr_free() its start. */
static hrr_status fetch(bytes *answer, hrr_remote *remote, const char *url, const char *body,
                        hrr_error *err)
{
    *answer = (bytes){0};
    curl_easy_setopt(remote->curl, CURLOPT_URL, url);
    if (body) {
        curl_easy_setopt(remote->curl, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)strlen(body));
        curl_easy_setopt(remote->curl, CURLOPT_POSTFIELDS, body);
    } else {
        curl_easy_setopt(remote->curl, CURLOPT_HTTPGET, 1L);
    }
    for (uint32_t refused = 0;; refused++) {
        double again;
        hrr_status status = try_once(answer, &again, remote, url, err);
        if (status || again < 0) return status;
        remote->count.refused++;
        if (refused >= most_refusals)
            return hrr_fail(err, HRR_EDATA, "%s refused the same request %d times; try again later",
                            url, most_refusals);
        remote->count.seconds_waited += again;
        if ((status = wait_for(again, remote->progress, err))) return status;
    }
}

/* ---- the question ---------------------------------------------------------------------------- */

/* As the graph calls them. */
static json_t *nodes_json(const char *name, const hrr_graph *graph, const uint32_t *nodes,
                          uint64_t n)
{
    const hrr_node_ids *ids = hrr_graph_node_ids(graph);
    const bool texts = ids && ids->text;
    json_t *data = json_array();
    for (uint64_t i = 0; i < n; i++) {
        char decimal[hrr_decimal_size];
        json_t *item = texts ? json_string(hrr_node_name(decimal, ids, nodes[i]))
                             : json_integer(ids && ids->integer ? (json_int_t)ids->integer[nodes[i]]
                                                                : (json_int_t)nodes[i]);
        if (json_array_append_new(data, item) != 0) break; /* a name that is no UTF-8 */
    }
    if (json_array_size(data) != n) {
        json_decref(data);
        return NULL;
    }
    return json_pack("{s:s, s:s, s:[I], s:o}", "name", name, "datatype", texts ? "BYTES" : "INT64",
                     "shape", (json_int_t)n, "data", data);
}

static json_t *features_json(const double *features, uint64_t d)
{
    json_t *data = json_array();
    for (uint64_t k = 0; k < d; k++)
        json_array_append_new(data, json_real(features[k]));
    return json_pack("{s:s, s:s, s:[i, I], s:o}", "name", "changed_features", "datatype", "FP64",
                     "shape", 1, (json_int_t)d, "data", data);
}

static char *question_text(const hrr_remote *remote, const hrr_question *question, uint64_t from,
                           uint64_t count)
{
    json_t *inputs = json_array();
    bool all = json_array_append_new(
                   inputs, nodes_json("nodes", remote->graph, question->asked + from, count)) == 0;
    if (question->changed >= 0) {
        const uint32_t changed = (uint32_t)question->changed;
        all = all && json_array_append_new(
                         inputs, nodes_json("changed_node", remote->graph, &changed, 1)) == 0;
        all = all && json_array_append_new(
                         inputs, features_json(question->features, remote->n_features)) == 0;
    }
    json_t *json =
        json_pack("{s:o, s:[{s:s}]}", "inputs", inputs, "outputs", "name", remote->output);
    char *text = all ? json_dumps(json, JSON_COMPACT | JSON_REAL_PRECISION(17)) : NULL;
    json_decref(json);
    return text;
}

/* ---- the answer ------------------------------------------------------------------------------ */

static bool take_numbers(double *out, uint64_t *at, uint64_t most, const json_t *data)
{
    size_t i;
    const json_t *item;
    json_array_foreach(data, i, item)
    {
        if (json_is_array(item)) {
            if (!take_numbers(out, at, most, item)) return false;
        } else {
            if (!json_is_number(item) || *at >= most) return false;
            out[(*at)++] = json_number_value(item);
        }
    }
    return json_is_array(data);
}

static const json_t *find_named(const json_t *list, const char *name)
{
    size_t i;
    const json_t *item;
    json_array_foreach(list, i, item)
    {
        const char *own = json_string_value(json_object_get(item, "name"));
        if (own && strcmp(own, name) == 0) return item;
    }
    return NULL;
}

/* One label a node becomes C numbers, 1 for the label. */
static bool spread_labels(double *out, uint64_t n, uint32_t n_classes)
{
    for (uint64_t i = n; i-- > 0;) {
        const double label = out[i];
        if (!(label >= 0 && label < n_classes) || label != floor(label)) return false;
        for (uint32_t c = 0; c < n_classes; c++)
            out[i * n_classes + c] = c == (uint32_t)label;
    }
    return true;
}

static hrr_status read_answer(double *out, const hrr_remote *remote, const bytes *answer,
                              uint64_t n, hrr_error *err)
{
    json_t *json = json_loadb(answer->start ? answer->start : "", answer->size, 0, NULL);
    const json_t *tensor = find_named(json_object_get(json, "outputs"), remote->output);
    const uint64_t most = n * remote->n_classes;
    uint64_t found = 0;
    bool good = tensor && take_numbers(out, &found, most, json_object_get(tensor, "data"));
    if (good && found == n && remote->returns == HRR_RETURNS_LABELS && remote->n_classes > 1)
        good = spread_labels(out, n, remote->n_classes);
    else
        good = good && found == most;
    json_decref(json);
    if (good) return HRR_OK;
    return hrr_fail(err, HRR_EDATA,
                    "the answer of the service for %" PRIu64
                    " nodes must have %u numbers of '%s' for each node",
                    n, remote->n_classes, remote->output);
}

/* A question about other nodes than it has, at another service, or of a model that describes itself
 * in another way, has another hash. */
static hrr_status hash_question(uint8_t out[hrr_sha256_size], const hrr_remote *remote,
                                const char *text, hrr_error *err)
{
    hrr_hash hash;
    hrr_hash_init(&hash);
    hrr_hash_add(&hash, remote->about, sizeof remote->about);
    hrr_hash_text(&hash, text);
    return hrr_hash_finish(out, &hash, err);
}

/* About so many nodes: from the file of answers, or from the service. */
static hrr_status ask(double *answer, hrr_remote *remote, const char *text, uint64_t count,
                      hrr_error *err)
{
    const uint64_t n = count * remote->n_classes;
    uint8_t question[hrr_sha256_size];
    bytes said = {0};
    hrr_status status = remote->kept ? hash_question(question, remote, text, err) : HRR_OK;
    if (!status && remote->kept && hrr_kept_answers_find(remote->kept, question, answer, n)) {
        remote->count.remembered++;
        return HRR_OK;
    }
    if (!status) status = fetch(&said, remote, remote->infer_url, text, err);
    if (!status) status = read_answer(answer, remote, &said, count, err);
    if (!status && remote->kept)
        status = hrr_kept_answers_add(remote->kept, question, answer, n, err);
    hrr_free(said.start);
    return status;
}

static hrr_status query(void *user, double *answer, const hrr_question *question, hrr_error *err)
{
    hrr_remote *remote = user;
    hrr_status status = HRR_OK;
    if (question->changed >= 0 && !remote->takes_changes)
        return hrr_fail(err, HRR_EDATA,
                        "the service does not accept changed features: its model has no inputs "
                        "changed_node and changed_features");
    remote->count.questions++;
    for (uint64_t from = 0; from < question->n_asked && !status; from += remote->most_asked) {
        const uint64_t left = question->n_asked - from;
        const uint64_t count = left < remote->most_asked ? left : remote->most_asked;
        char *text = question_text(remote, question, from, count);
        status = text ? ask(answer + from * remote->n_classes, remote, text, count, err)
                      : hrr_no_memory(err);
        free(text);
    }
    return status;
}

/* ---- opening --------------------------------------------------------------------------------- */

/* The most telling output that the model has, not above `most`. */
static bool choose_output(hrr_remote *remote, const json_t *model, hrr_returns most)
{
    static const struct {
        const char *name;
        hrr_returns returns;
    } kinds[] = {{"logits", HRR_RETURNS_LOGITS},
                 {"probabilities", HRR_RETURNS_PROBABILITIES},
                 {"labels", HRR_RETURNS_LABELS}};
    if (most == HRR_RETURNS_ROUNDED) most = HRR_RETURNS_PROBABILITIES;
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        const json_t *tensor = find_named(json_object_get(model, "outputs"), kinds[k].name);
        if (!tensor || kinds[k].returns < most) continue;
        const json_t *shape = json_object_get(tensor, "shape");
        const json_int_t last =
            json_integer_value(json_array_get(shape, json_array_size(shape) - 1));
        remote->output = kinds[k].name;
        remote->returns = kinds[k].returns;
        remote->n_classes = json_array_size(shape) == 2 && last > 0 && last < INT32_MAX
                                ? (uint32_t)last
                                : hrr_graph_n_classes(remote->graph);
        return true;
    }
    return false;
}

static hrr_status read_model(hrr_remote *remote, const char *url, hrr_returns most, hrr_error *err)
{
    bytes said;
    hrr_status status = fetch(&said, remote, url, NULL, err);
    if (!status) {
        hrr_hash hash;
        hrr_hash_init(&hash);
        hrr_hash_text(&hash, url);
        hrr_hash_part(&hash, said.start, said.size);
        status = hrr_hash_finish(remote->about, &hash, err);
    }
    json_t *model = status ? NULL : json_loadb(said.start ? said.start : "", said.size, 0, NULL);
    const json_t *inputs = json_object_get(model, "inputs"),
                 *more = json_object_get(model, "parameters");
    const json_t *changes = find_named(inputs, "changed_features");
    hrr_free(said.start);
    if (!status && (!find_named(inputs, "nodes") || !choose_output(remote, model, most)))
        status = hrr_fail(err, HRR_EDATA,
                          "%s does not describe a model with the input 'nodes' and an output "
                          "logits, probabilities or labels",
                          url);
    remote->takes_changes = changes && find_named(inputs, "changed_node");
    remote->n_features = hrr_graph_features(remote->graph)->cols;
    if (!status && changes) {
        const json_int_t d =
            json_integer_value(json_array_get(json_object_get(changes, "shape"), 1));
        if (d > 0 && (uint64_t)d != remote->n_features)
            status = hrr_fail(err, HRR_EDATA,
                              "the model of the service takes %" PRIu64
                              " features, but the nodes of the graph have %" PRIu64,
                              (uint64_t)d, remote->n_features);
    }
    const json_int_t asked = json_integer_value(json_object_get(more, "most_nodes"));
    remote->most_asked =
        asked > 0 && (uint64_t)asked < usual_most_asked ? (uint64_t)asked : usual_most_asked;
    if (remote->returns == HRR_RETURNS_PROBABILITIES &&
        json_is_integer(json_object_get(more, "decimals")))
        remote->returns = HRR_RETURNS_ROUNDED;
    json_decref(model);
    return status;
}

static hrr_status set_up(hrr_remote *remote, const hrr_remote_options *o, hrr_error *err)
{
    if (!(remote->curl = curl_easy_init())) return hrr_no_memory(err);
    remote->headers = curl_slist_append(NULL, "Content-Type: application/json");
    if (o->token) {
        char *line = hrr_format_text("Authorization: Bearer %s", o->token);
        struct curl_slist *longer = line ? curl_slist_append(remote->headers, line) : NULL;
        hrr_free(line);
        if (!longer) return hrr_no_memory(err);
        remote->headers = longer;
    }
    if (!remote->headers) return hrr_no_memory(err);
    curl_easy_setopt(remote->curl, CURLOPT_HTTPHEADER, remote->headers);
    curl_easy_setopt(remote->curl, CURLOPT_NOPROXY, "localhost,127.0.0.1,::1");
    curl_easy_setopt(remote->curl, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(remote->curl, CURLOPT_TIMEOUT_MS, (long)(1000 * o->seconds));
    curl_easy_setopt(remote->curl, CURLOPT_WRITEFUNCTION, take_bytes);
    curl_easy_setopt(remote->curl, CURLOPT_NOPROGRESS, 0L);
    curl_easy_setopt(remote->curl, CURLOPT_XFERINFOFUNCTION, look_for_cancel);
    curl_easy_setopt(remote->curl, CURLOPT_XFERINFODATA, remote->progress);
    if (o->ca) curl_easy_setopt(remote->curl, CURLOPT_CAINFO, o->ca);
    return HRR_OK;
}

static hrr_status check(const hrr_graph *graph, const hrr_remote_options *o, hrr_error *err)
{
    if (!o->url || !o->model || (strncmp(o->url, "http://", 7) && strncmp(o->url, "https://", 8)))
        return hrr_fail(err, HRR_EINVAL,
                        "the address of a service must begin with http:// or https:// (`url`), and "
                        "the model needs a name");
    if (o->model[strcspn(o->model, "/?#% ")])
        return hrr_fail(err, HRR_EINVAL,
                        "'%s' is not a valid name of a model at the service; without a service it "
                        "is a directory (`url`)",
                        o->model);
    if (o->token && o->token[strcspn(o->token, "\r\n")])
        return hrr_fail(err, HRR_EINVAL, "a token must be one line of text (`token`)");
    if (!(o->seconds > 0 && o->seconds < 1e6))
        return hrr_fail(err, HRR_EINVAL,
                        "the time limit for an answer (`seconds`) must be above 0");
    if (!hrr_graph_features(graph))
        return hrr_fail(err, HRR_EDATA, "the graph has no features to send to the service");
    return HRR_OK;
}

hrr_status hrr_remote_open(hrr_remote **out, const hrr_graph *graph,
                           const hrr_remote_options *options, hrr_progress *progress,
                           hrr_error *err)
{
    hrr_remote_options o;
    char *url = NULL;
    *out = NULL;
    hrr_status status = HRR_ADOPT(hrr_remote_options, &o, options, err);
    if (!status) status = check(graph, &o, err);
    if (status) return status;
    hrr_remote *made = hrr_alloc_zero(1, sizeof *made);
    if (!made) return hrr_no_memory(err);
    made->graph = graph;
    made->progress = progress;
    size_t length = strlen(o.url);
    while (length && o.url[length - 1] == '/')
        length--;
    url = hrr_format_text("%.*s/v2/models/%s", (int)length, o.url, o.model);
    made->infer_url = url ? hrr_format_text("%s/infer", url) : NULL;
    status = made->infer_url ? set_up(made, &o, err) : hrr_no_memory(err);
    if (!status) status = read_model(made, url, o.most, err);
    if (!status && o.answers) status = hrr_kept_answers_open(&made->kept, o.answers, err);
    hrr_free(url);
    if (status) {
        hrr_remote_free(made);
        return status;
    }
    made->count = (hrr_remote_count){0};
    *out = made;
    return HRR_OK;
}

void hrr_remote_free(hrr_remote *remote)
{
    if (!remote) return;
    if (remote->curl) curl_easy_cleanup(remote->curl);
    curl_slist_free_all(remote->headers);
    hrr_kept_answers_close(remote->kept);
    hrr_free(remote->infer_url);
    hrr_free(remote);
}

hrr_service hrr_remote_service(hrr_remote *remote)
{
    return (hrr_service){.query = query,
                         .user = remote,
                         .n_nodes = hrr_graph_n_nodes(remote->graph),
                         .n_features = remote->n_features,
                         .n_classes = remote->n_classes,
                         .retries = 5,
                         .wait = .2};
}

hrr_returns hrr_remote_returns(const hrr_remote *remote)
{
    return remote->returns;
}

hrr_remote_count hrr_remote_asked(const hrr_remote *remote)
{
    return remote->count;
}
