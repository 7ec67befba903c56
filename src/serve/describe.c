/* describe.c: see describe.h. */
#include "serve/describe.h"

#include <inttypes.h>
#include <string.h>

const char *hrr_privacy_word(bool is_private)
{
    return is_private ? "private" : "NOT PRIVATE";
}

static json_t *tensor_json(const char *name, const char *type, int n_dims, json_int_t columns)
{
    json_t *shape = n_dims == 1 ? json_pack("[i]", -1) : json_pack("[i, I]", -1, columns);
    return json_pack("{s:s, s:s, s:o}", "name", name, "datatype", type, "shape", shape);
}

/* ---- the server ------------------------------------------------------------------------------ */

json_t *hrr_describe_server(hrr_served *const *models, size_t n_models)
{
    bool is_private = true;
    json_t *names = json_array();
    for (size_t i = 0; i < n_models; i++) {
        is_private = is_private && models[i]->is_private;
        json_array_append_new(names, json_string(models[i]->name));
    }
    return json_pack("{s:s, s:s, s:[s], s:o, s:b, s:s}", "name", "heterorr", "version",
                     hrr_version(), "extensions", "binary_tensor_data", "models", names, "private",
                     is_private, "privacy", hrr_privacy_word(is_private));
}

/* ---- a model --------------------------------------------------------------------------------- */

static json_t *inputs_json(const hrr_served *served)
{
    const json_int_t d = (json_int_t)hrr_model_get_shape(served->model)->n_features;
    const char *names = served->texts ? "BYTES" : "INT64";
    json_t *list = json_array();
    json_array_append_new(list, tensor_json(HRR_INPUT_NODES, names, 1, 0));
    if (served->local) {
        json_array_append_new(list, tensor_json(HRR_INPUT_CHANGED_NODE, names, 1, 0));
        json_array_append_new(list, tensor_json(HRR_INPUT_CHANGED_FEATURES, "FP64", 2, d));
    }
    if (served->unseen) {
        json_array_append_new(list, tensor_json(HRR_INPUT_FEATURES, "FP64", 2, d));
        json_array_append_new(list, tensor_json(HRR_INPUT_EDGES, names, 2, 2));
    }
    return list;
}

static json_t *outputs_json(const hrr_served *served)
{
    const json_int_t n_classes = hrr_served_n_classes(served);
    json_t *list = json_array();
    for (int o = 0; o < HRR_SERVED_OUTPUTS; o++) {
        if (!hrr_served_tells(served, (hrr_served_output)o)) continue;
        const bool labels = o == HRR_SERVED_LABELS, several = hrr_served_is_multilabel(served);
        json_array_append_new(list, tensor_json(hrr_served_output_name((hrr_served_output)o),
                                                !labels   ? "FP64"
                                                : several ? "UINT8"
                                                          : "INT64",
                                                labels && !several ? 1 : 2, n_classes));
    }
    return list;
}

static json_t *class_names_json(const hrr_served *served)
{
    json_t *list = json_array();
    for (uint32_t c = 0; c < hrr_served_n_classes(served); c++) {
        const char *name =
            c < hrr_graph_n_classes(served->graph) ? hrr_graph_class_name(served->graph, c) : NULL;
        json_t *text = name ? json_string(name) : NULL; /* NULL too for what is no UTF-8 */
        json_array_append_new(list, text ? text : json_null());
    }
    return list;
}

/* Beside what the protocol asks for, under a name that it keeps for such things. */
static json_t *parameters_json(const hrr_served *served)
{
    const hrr_model_shape *shape = hrr_model_get_shape(served->model);
    return json_pack(
        "{s:b, s:s, s:s, s:I, s:o, s:I, s:I, s:b, s:I, s:o, s:o}", "private", served->is_private,
        "privacy", hrr_privacy_word(served->is_private), "statement",
        hrr_release_statement(served->release), "nodes",
        (json_int_t)hrr_graph_n_nodes(served->graph), "edges",
        served->is_private ? json_integer((json_int_t)hrr_graph_n_edges(served->graph))
                           : json_null(),
        "features", (json_int_t)shape->n_features, "classes",
        (json_int_t)hrr_served_n_classes(served), "multilabel", hrr_served_is_multilabel(served),
        "most_nodes", (json_int_t)served->most_nodes, "decimals",
        served->returns == HRR_RETURNS_ROUNDED ? json_integer(served->decimals) : json_null(),
        "class_names", class_names_json(served));
}

json_t *hrr_describe_model(const hrr_served *served)
{
    return json_pack("{s:s, s:[s], s:s, s:o, s:o, s:o}", "name", served->name, "versions", "1",
                     "platform", "heterorr_graph_network", "inputs", inputs_json(served), "outputs",
                     outputs_json(served), "parameters", parameters_json(served));
}

/* ---- the promise ----------------------------------------------------------------------------- */

void hrr_describe_privacy(hrr_text *out, hrr_served *const *models, size_t n_models)
{
    for (size_t i = 0; i < n_models; i++) {
        const hrr_served *served = models[i];
        hrr_text_printf(out, "%s: %s\n\n", served->name, hrr_privacy_word(served->is_private));
        if (served->is_private)
            hrr_text_printf(
                out,
                "%s\n\nThe model was trained on a release with this guarantee, and its answers are "
                "computed from that release alone. However many requests are made, the answers "
                "reveal no more about the private data than the release does.%s\n\n",
                hrr_release_statement(served->release),
                served->is_matched
                    ? ""
                    : " The model does not say which release it was trained on, so only the "
                      "guarantees were compared. If the owner trained on one release and serves "
                      "another one of the same people, the budgets of the two add up.");
        else
            hrr_text_put(out, "Nothing is guaranteed. The model or its graph was not protected. "
                              "Answers reveal information about private edges and features; more "
                              "detailed answers and more requests reveal more.\n\n");
    }
}

/* ---- neighbours ------------------------------------------------------------------------------ */

enum { most_neighbours = 200 };

static json_t *name_json(const hrr_served *served, uint32_t node)
{
    char decimal[hrr_decimal_size];
    const hrr_node_ids *ids = hrr_graph_node_ids(served->graph);
    if (!served->has_names) return json_integer(node);
    if (ids->integer) return json_integer((json_int_t)ids->integer[node]);
    json_t *text = json_string(hrr_node_name(decimal, ids, node));
    return text ? text : json_null();
}

static bool find(const hrr_served *served, const json_t *name, uint32_t *node)
{
    if (json_is_integer(name)) return hrr_served_find(served, json_integer_value(name), node);
    return json_is_string(name) && hrr_served_find_text(served, json_string_value(name), node);
}

static bool joined(const hrr_csr *neighbours, uint32_t u, uint32_t v)
{
    uint64_t low = neighbours->row_start[u], high = neighbours->row_start[u + 1];
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        if (neighbours->col[middle] == v) return true;
        if (neighbours->col[middle] < v)
            low = middle + 1;
        else
            high = middle;
    }
    return false;
}

static json_t *neighbours_json(const hrr_served *served, uint32_t node)
{
    const hrr_csr *all = &served->neighbours;
    const uint32_t *near = all->col + all->row_start[node];
    const uint64_t degree = all->row_start[node + 1] - all->row_start[node];
    const uint64_t shown = degree < most_neighbours ? degree : most_neighbours;
    json_t *names = json_array(), *edges = json_array();
    for (uint64_t i = 0; i < shown; i++) {
        json_array_append_new(names, name_json(served, near[i]));
        for (uint64_t j = i + 1; j < shown; j++)
            if (joined(all, near[i], near[j]))
                json_array_append_new(edges, json_pack("[I, I]", (json_int_t)i, (json_int_t)j));
    }
    return json_pack("{s:o, s:I, s:o, s:o}", "node", name_json(served, node), "degree",
                     (json_int_t)degree, "neighbours", names, "edges_between", edges);
}

bool hrr_neighbours_parse(uint32_t *node, hrr_reply *refusal, const hrr_served *served,
                          const void *body, size_t size)
{
    if (!served->is_private) {
        hrr_reply_error(refusal, 403, "the edges of this model's graph are not public");
        return false;
    }
    json_t *asked = json_loadb(body, size, JSON_REJECT_DUPLICATES, NULL);
    const json_t *name = json_object_get(asked, "node");
    const bool found = find(served, name, node);
    if (!name)
        hrr_reply_error(refusal, 400, "the request must be a JSON object with the key 'node'");
    else if (!found)
        hrr_reply_error(refusal, 400, "'node' is not a node of the release");
    json_decref(asked);
    return found;
}

void hrr_describe_neighbours(hrr_reply *out, const hrr_served *served, uint32_t node)
{
    hrr_reply_json(out, 200, neighbours_json(served, node));
}
