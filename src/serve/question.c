/* question.c: see question.h. */
#include "serve/question.h"
#include "attack/service.h"
#include "base/memory.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *hrr_served_output_name(hrr_served_output output)
{
    static const char *const names[HRR_SERVED_OUTPUTS] = {"labels", "probabilities", "logits"};
    return names[output];
}

bool hrr_served_tells(const hrr_served *served, hrr_served_output output)
{
    switch (output) {
    case HRR_SERVED_LABELS:
        return true;
    case HRR_SERVED_PROBABILITIES:
        return served->returns != HRR_RETURNS_LABELS;
    case HRR_SERVED_LOGITS:
    case HRR_SERVED_OUTPUTS:
        break;
    }
    return served->returns == HRR_RETURNS_LOGITS;
}

void hrr_asking_clear(hrr_asking *asking)
{
    hrr_free(asking->nodes);
    hrr_free(asking->from);
    hrr_free(asking->to);
    *asking = (hrr_asking){0};
}

/* ---- names ----------------------------------------------------------------------------------- */

static hrr_status find_node(uint32_t *node, const hrr_served *served, const hrr_tensor *tensor,
                            uint64_t i, hrr_error *err)
{
    const bool found =
        tensor->integers ? hrr_served_find(served, tensor->integers[i], node)
        : tensor->text   ? hrr_served_find_text(served, tensor->text + tensor->text_start[i], node)
                         : false;
    if (found) return HRR_OK;
    if (tensor->type->kind == HRR_TENSOR_REALS)
        return hrr_fail(err, HRR_EINVAL,
                        "input '%s' names nodes: its datatype must be INT64 or BYTES, not %s",
                        tensor->name, tensor->type->name);
    return hrr_fail(err, HRR_EDATA,
                    "element %" PRIu64 " of input '%s' is not a node of the release", i,
                    tensor->name);
}

static hrr_status read_nodes(hrr_asking *out, const hrr_served *served, const hrr_tensor *nodes,
                             hrr_error *err)
{
    if (nodes->n_dims > 2 || (nodes->n_dims == 2 && nodes->shape[1] != 1) || !nodes->n)
        return hrr_fail(err, HRR_EINVAL,
                        "input '%s' must have one dimension and at least one element", nodes->name);
    if (nodes->n > served->most_nodes)
        return hrr_fail(err, HRR_EINVAL,
                        "a request may ask about at most %" PRIu64
                        " nodes, but this one asks about %" PRIu64,
                        served->most_nodes, nodes->n);
    if (!(out->nodes = hrr_alloc(nodes->n, sizeof *out->nodes))) return hrr_no_memory(err);
    out->n_asked = nodes->n;
    /* Large batches have numbers, which need no index. */
    const uint64_t n_known =
        nodes->integers && !served->has_names ? hrr_graph_n_nodes(served->graph) : 0;
    for (uint64_t i = 0; i < nodes->n; i++) {
        if (n_known && (uint64_t)nodes->integers[i] < n_known) {
            out->nodes[i] = (uint32_t)nodes->integers[i];
            continue;
        }
        const hrr_status status = find_node(&out->nodes[i], served, nodes, i, err);
        if (status) return status;
    }
    return HRR_OK;
}

/* ---- features -------------------------------------------------------------------------------- */

static hrr_status check_features(const hrr_served *served, const hrr_tensor *features,
                                 hrr_error *err)
{
    const uint64_t d = hrr_model_get_shape(served->model)->n_features;
    const bool ends_right = features->n_dims && features->shape[features->n_dims - 1] == d;
    if (!features->reals)
        return hrr_fail(err, HRR_EINVAL,
                        "input '%s' holds features: its datatype must be FP32 or FP64, not %s",
                        features->name, features->type->name);
    if (!ends_right || features->n_dims > 2 || !features->n)
        return hrr_fail(err, HRR_EINVAL,
                        "input '%s' must have %" PRIu64
                        " features for each node, in the shape [N, %" PRIu64 "]",
                        features->name, d, d);
    return HRR_OK;
}

static hrr_status read_change(hrr_asking *out, const hrr_served *served,
                              const hrr_infer_request *request, hrr_error *err)
{
    const hrr_tensor *node = hrr_infer_input(request, HRR_INPUT_CHANGED_NODE);
    const hrr_tensor *features = hrr_infer_input(request, HRR_INPUT_CHANGED_FEATURES);
    uint32_t changed;
    out->changed = -1;
    if (!node && !features) return HRR_OK;
    if (!node || !features || node->n != 1)
        return hrr_fail(err, HRR_EINVAL,
                        "inputs '%s' and '%s' must be given together and be about one node",
                        HRR_INPUT_CHANGED_NODE, HRR_INPUT_CHANGED_FEATURES);
    hrr_status status = find_node(&changed, served, node, 0, err);
    if (!status) status = check_features(served, features, err);
    if (status) return status;
    if (features->n != hrr_model_get_shape(served->model)->n_features)
        return hrr_fail(err, HRR_EINVAL, "input '%s' must be about one node",
                        HRR_INPUT_CHANGED_FEATURES);
    out->changed = changed;
    out->features = features->reals;
    out->computed = true;
    return HRR_OK;
}

/* An edge is an unseen node, by its place among `features`, and a node of the release. */
static hrr_status read_edge(hrr_asking *out, const hrr_served *served, const hrr_tensor *edges,
                            uint64_t e, hrr_error *err)
{
    int64_t from = -1;
    if (edges->integers) {
        from = edges->integers[2 * e];
    } else if (edges->text) {
        char again[hrr_decimal_size];
        const char *text = edges->text + edges->text_start[2 * e];
        from = strlen(text) < 10 ? atoll(text) : -1;
        hrr_decimal(again, from);
        if (strcmp(again, text) != 0) from = -1;
    }
    if (from < 0 || (uint64_t)from >= out->n_asked)
        return hrr_fail(err, HRR_EINVAL,
                        "edge %" PRIu64 " of input '%s' must begin at one of the %" PRIu64
                        " unseen nodes, which are numbered from 0",
                        e, edges->name, out->n_asked);
    out->from[e] = (uint32_t)from;
    return find_node(&out->to[e], served, edges, 2 * e + 1, err);
}

static hrr_status read_unseen(hrr_asking *out, const hrr_served *served, const hrr_tensor *features,
                              const hrr_tensor *edges, hrr_error *err)
{
    hrr_status status = check_features(served, features, err);
    if (status) return status;
    out->unseen = out->computed = true;
    out->features = features->reals;
    out->n_asked = features->n / hrr_model_get_shape(served->model)->n_features;
    if (out->n_asked > served->most_nodes)
        return hrr_fail(err, HRR_EINVAL, "a request may ask about at most %" PRIu64 " nodes",
                        served->most_nodes);
    if (!edges) return HRR_OK;
    if (edges->n_dims != 2 || edges->shape[1] != 2)
        return hrr_fail(
            err, HRR_EINVAL,
            "input '%s' must have the shape [E, 2]: an unseen node and a node of the release",
            edges->name);
    out->n_edges = edges->shape[0];
    out->from = hrr_alloc(out->n_edges, sizeof *out->from);
    out->to = hrr_alloc(out->n_edges, sizeof *out->to);
    if (!out->from || !out->to) return hrr_no_memory(err);
    for (uint64_t e = 0; e < out->n_edges && !status; e++)
        status = read_edge(out, served, edges, e, err);
    return status;
}

/* ---- the whole ------------------------------------------------------------------------------- */

/* Inputs that the model takes, and no other. */
static hrr_status check_inputs(const hrr_served *served, const hrr_infer_request *request,
                               hrr_error *err)
{
    for (uint32_t i = 0; i < request->n_inputs; i++) {
        const char *name = request->inputs[i].name;
        const bool change = strcmp(name, HRR_INPUT_CHANGED_NODE) == 0 ||
                            strcmp(name, HRR_INPUT_CHANGED_FEATURES) == 0;
        const bool unseen =
            strcmp(name, HRR_INPUT_FEATURES) == 0 || strcmp(name, HRR_INPUT_EDGES) == 0;
        if ((change && !served->local) || (unseen && !served->unseen))
            return hrr_fail(
                err, HRR_EINVAL,
                "model '%s' does not answer about %s: it does not accept the input '%s'",
                served->name, change ? "changed features" : "unseen nodes", name);
        if (!change && !unseen && strcmp(name, HRR_INPUT_NODES) != 0)
            return hrr_fail(err, HRR_EINVAL, "model '%s' has no input '%s'", served->name, name);
    }
    return HRR_OK;
}

static hrr_status read_wanted(hrr_asking *out, const hrr_served *served,
                              const hrr_infer_request *request, hrr_error *err)
{
    for (int o = 0; o < HRR_SERVED_OUTPUTS && !request->n_outputs; o++) {
        out->wanted[o] = hrr_served_tells(served, (hrr_served_output)o);
        out->binary[o] = request->binary;
    }
    for (uint32_t i = 0; i < request->n_outputs; i++) {
        int o = 0;
        while (o < HRR_SERVED_OUTPUTS &&
               strcmp(request->outputs[i].name, hrr_served_output_name((hrr_served_output)o)) != 0)
            o++;
        if (o == HRR_SERVED_OUTPUTS || !hrr_served_tells(served, (hrr_served_output)o))
            return hrr_fail(err, HRR_EINVAL, "model '%s' has no output '%s'", served->name,
                            request->outputs[i].name);
        out->wanted[o] = true;
        out->binary[o] = request->outputs[i].binary;
    }
    return HRR_OK;
}

hrr_status hrr_asking_read(hrr_asking *out, const hrr_served *served,
                           const hrr_infer_request *request, hrr_error *err)
{
    const hrr_tensor *nodes = hrr_infer_input(request, HRR_INPUT_NODES);
    const hrr_tensor *features = hrr_infer_input(request, HRR_INPUT_FEATURES);
    *out = (hrr_asking){.changed = -1};
    hrr_status status = check_inputs(served, request, err);
    if (!status) status = read_wanted(out, served, request, err);
    if (!status && !nodes == !features)
        status = hrr_fail(err, HRR_EINVAL, "a request needs %s",
                          served->unseen ? "either the input '" HRR_INPUT_NODES
                                           "' or, for unseen nodes, '" HRR_INPUT_FEATURES "'"
                                         : "the input '" HRR_INPUT_NODES "'");
    if (!status && features && request->n_inputs > 1 + !!hrr_infer_input(request, HRR_INPUT_EDGES))
        status = hrr_fail(err, HRR_EINVAL,
                          "a request about unseen nodes takes only the inputs '%s' and '%s'",
                          HRR_INPUT_FEATURES, HRR_INPUT_EDGES);
    if (!status && nodes && hrr_infer_input(request, HRR_INPUT_EDGES))
        status =
            hrr_fail(err, HRR_EINVAL, "input '%s' needs '%s'", HRR_INPUT_EDGES, HRR_INPUT_FEATURES);
    if (!status && nodes) status = read_change(out, served, request, err);
    if (!status && nodes) status = read_nodes(out, served, nodes, err);
    if (!status && features)
        status = read_unseen(out, served, features, hrr_infer_input(request, HRR_INPUT_EDGES), err);
    if (status) hrr_asking_clear(out);
    return status;
}

bool hrr_asking_needs_rows(const hrr_asking *asking, const hrr_served *served)
{
    return asking->computed ||
           (asking->wanted[HRR_SERVED_PROBABILITIES] && !served->has_probabilities);
}

hrr_status hrr_asking_answer(double *logits, const hrr_asking *asking, const hrr_served *served,
                             hrr_error *err)
{
    const uint64_t n_classes = served->table.cols;
    if (!asking->computed) {
        for (uint64_t i = 0; i < asking->n_asked; i++)
            memcpy(logits + i * n_classes,
                   (const double *)served->table.data + asking->nodes[i] * n_classes,
                   n_classes * sizeof *logits);
        return HRR_OK;
    }
    hrr_status status;
    if (asking->unseen) {
        status = hrr_unseen_answer(logits, asking, served, err);
    } else {
        const hrr_service service = hrr_local_service_view(served->local);
        const hrr_question question = {.asked = asking->nodes,
                                       .n_asked = asking->n_asked,
                                       .changed = asking->changed,
                                       .features = asking->features};
        status = service.query(service.user, logits, &question, err);
    }
    for (uint64_t i = 0; i < asking->n_asked * n_classes && !status; i++)
        if (!isfinite(logits[i]))
            status = hrr_fail(err, HRR_EINVAL,
                              "the features are too large: the answer is not a finite number");
    return status;
}
