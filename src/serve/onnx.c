/* onnx.c: a network as a file of ONNX, so that others can serve it.
 *
 *     H_0 = X,   H_{l+1} = relu(A H_l W_l + b_l),   logits = A H_last W_last + b_last
 *
 * A is the normalised adjacency of the release: A H = diag H + a sum over edges, which is Gather,
 * Mul and ScatterND with the reduction "add". That takes the memory of the edges, where a matrix
 * would take n x n. X is the released features, or what whoever runs the file gives. The part
 * of one node leaves A out: it says what the network says of a node without neighbours, whose row
 * of A is 1 on the diagonal in every normalisation.
 *
 * Counts of neighbours and reports of a head join late (learn/fusion.h): the logits are weighed,
 * and what the release says is added, which is a constant for each node. So is what counts join
 * beside the network (learn/public_base.h), unless features are given by whoever runs the file.
 *
 * Operator set 16: the first in which ScatterND adds. */
#include "attack/f64_model.h"
#include "base/memory.h"
#include "base/options.h"
#include "graph/aggregator.h"
#include "learn/count_model.h"
#include "learn/model.h"
#include "certificate/release.h"
#include "matrix/csr.h"
#include "matrix/dense.h"
#include "serve/onnx_graph.h"
#include "serve/protobuf.h"

#include <heterorr/serve.h>

#include <inttypes.h>

enum { ir_version = 8, opset = HRR_ONNX_OPSET };

static const char in_nodes[] = "nodes", in_features[] = "features", free_length[] = "N";

void hrr_onnx_options_init_sized(hrr_onnx_options *options, size_t size)
{
    const hrr_onnx_options own = {0};
    hrr_options_init(options, size, &own, sizeof own);
}

/* ---- a product with the normalised adjacency ------------------------------------------------- */

/* Constants: whence and where each edge goes, its weight, and the diagonal. */
typedef struct adjacency {
    char from[HRR_ONNX_NAME], to[HRR_ONNX_NAME], weight[HRR_ONNX_NAME], diagonal[HRR_ONNX_NAME];
} adjacency;

static float entry(const hrr_aggregator *a, uint64_t row, uint64_t at)
{
    if (!a->scale) return a->pattern.value[at];
    return a->kind == HRR_NORMALISE_SYMMETRIC ? a->scale[row] * a->scale[a->pattern.col[at]]
                                              : a->scale[row];
}

static hrr_status put_adjacency(adjacency *out, hrr_onnx_graph *graph, const hrr_aggregator *a,
                                hrr_error *err)
{
    const uint64_t n = a->pattern.rows, n_entries = hrr_csr_n_entries(&a->pattern);
    int64_t *from = hrr_alloc(n_entries, sizeof *from), *to = hrr_alloc(n_entries, sizeof *to);
    float *weight = hrr_alloc(n_entries, sizeof *weight);
    float *diagonal = hrr_alloc_zero(n, sizeof *diagonal);
    const bool room = from && to && weight && diagonal;
    uint64_t n_edges = 0;
    for (uint64_t i = 0; room && i < n; i++)
        for (uint64_t at = a->pattern.row_start[i]; at < a->pattern.row_start[i + 1]; at++) {
            if (a->pattern.col[at] == i) {
                diagonal[i] = entry(a, i, at);
                continue;
            }
            from[n_edges] = a->pattern.col[at];
            to[n_edges] = (int64_t)i;
            weight[n_edges++] = entry(a, i, at);
        }
    if (room) {
        hrr_onnx_new_name(out->from, graph);
        hrr_onnx_new_name(out->to, graph);
        hrr_onnx_new_name(out->weight, graph);
        hrr_onnx_new_name(out->diagonal, graph);
        hrr_onnx_integers(graph, out->from, from, n_edges, 0);
        hrr_onnx_integers(graph, out->to, to, n_edges, 1);
        hrr_onnx_floats(graph, out->weight, weight, n_edges, 1);
        hrr_onnx_floats(graph, out->diagonal, diagonal, n, 1);
    }
    hrr_free(from);
    hrr_free(to);
    hrr_free(weight);
    hrr_free(diagonal);
    return room ? HRR_OK : hrr_no_memory(err);
}

static void make_adjacency(hrr_status *status, adjacency *out, hrr_onnx_graph *graph,
                           const hrr_graph *of, hrr_normalisation kind, hrr_diagonal diagonal,
                           hrr_error *err)
{
    hrr_aggregator a = {0};
    if (*status) return;
    *status = hrr_aggregator_init(&a, of, kind, diagonal, err);
    if (!*status) *status = put_adjacency(out, graph, &a, err);
    hrr_aggregator_clear(&a);
}

/* name becomes that of A times what it was the name of. */
static void aggregate(char name[HRR_ONNX_NAME], hrr_onnx_graph *graph, const adjacency *a)
{
    static const hrr_onnx_attribute add[] = {{"reduction", "add", 0}, {0}};
    char own[HRR_ONNX_NAME], sent[HRR_ONNX_NAME], weighed[HRR_ONNX_NAME], sum[HRR_ONNX_NAME];
    hrr_onnx_new_name(own, graph);
    hrr_onnx_new_name(sent, graph);
    hrr_onnx_new_name(weighed, graph);
    hrr_onnx_new_name(sum, graph);
    hrr_onnx_operate(graph, "Mul", own, name, a->diagonal, NULL, NULL);
    hrr_onnx_operate(graph, "Gather", sent, name, a->from, NULL, NULL);
    hrr_onnx_operate(graph, "Mul", weighed, sent, a->weight, NULL, NULL);
    hrr_onnx_operate(graph, "ScatterND", sum, own, a->to, weighed, add);
    memcpy(name, sum, HRR_ONNX_NAME);
}

/* ---- the network ----------------------------------------------------------------------------- */

typedef struct network {
    hrr_onnx_graph *graph;
    const hrr_model *model;
    const hrr_release *release;     /* NULL: the part of one node */
    bool takes_features;            /* of all nodes */
    const hrr_block_counts *counts; /* that join late; NULL: none */
    const hrr_reports *reports;     /* likewise */
    adjacency layer, steps;         /* of the layers, and of averaging before them */
} network;

/* name becomes that of operator(name, constant). */
static void with_constant(char name[HRR_ONNX_NAME], hrr_onnx_graph *graph, const char *operator_,
                          hrr_dense constant, bool flat)
{
    char own[HRR_ONNX_NAME], result[HRR_ONNX_NAME];
    hrr_onnx_new_name(own, graph);
    hrr_onnx_new_name(result, graph);
    hrr_onnx_floats(graph, own, constant.data, flat ? constant.cols : constant.rows,
                    flat ? 0 : constant.cols);
    hrr_onnx_operate(graph, operator_, result, name, own, NULL, NULL);
    memcpy(name, result, HRR_ONNX_NAME);
}

static void standardise(char name[HRR_ONNX_NAME], const network *net)
{
    const hrr_dense both = hrr_model_standards(net->model);
    if (!both.data) return;
    hrr_dense row = hrr_f32_view(both.data, 1, both.cols);
    with_constant(name, net->graph, "Sub", row, true);
    row.data = (float *)both.data + both.cols;
    with_constant(name, net->graph, "Mul", row, true);
}

static void put_layer(char name[HRR_ONNX_NAME], const network *net, uint32_t i)
{
    const hrr_model_shape *shape = hrr_model_get_shape(net->model);
    const hrr_dense weight = hrr_model_weight(net->model, i), bias = hrr_model_bias(net->model, i);
    const bool edges = net->release && shape->arch == HRR_ARCH_GCN;
    const bool edges_first = i && weight.rows < weight.cols;
    if (edges && edges_first) aggregate(name, net->graph, &net->layer);
    if (i == 0 && shape->node_rows) {
        /* Features that are rows of I, averaged: so are the weights. */
        hrr_onnx_new_name(name, net->graph);
        hrr_onnx_floats(net->graph, name, weight.data, weight.rows, weight.cols);
        for (uint32_t k = 0; k < shape->n_propagate; k++)
            aggregate(name, net->graph, &net->steps);
    } else {
        with_constant(name, net->graph, "MatMul", weight, false);
    }
    if (edges && !edges_first) aggregate(name, net->graph, &net->layer);
    if (bias.data) with_constant(name, net->graph, "Add", bias, true);
    if (i + 1 == shape->n_layers) return;
    char positive[HRR_ONNX_NAME];
    hrr_onnx_new_name(positive, net->graph);
    hrr_onnx_operate(net->graph, "Relu", positive, name, NULL, NULL, NULL);
    memcpy(name, positive, HRR_ONNX_NAME);
}

/* What the release adds to a network that says nothing; of one class a node up to a constant that
 * its classes share. */
static hrr_status find_evidence(hrr_dense *out, const network *net, hrr_error *err)
{
    const hrr_graph *graph = hrr_release_graph(net->release);
    hrr_status status = hrr_dense_init(out, HRR_F32, hrr_graph_n_nodes(graph),
                                       hrr_model_get_shape(net->model)->n_classes, err);
    if (status) return status;
    memset(out->data, 0, out->rows * out->cols * sizeof(float));
    if (net->counts)
        status = hrr_public_base_apply(out, &net->model->base, graph, NULL, 0, NULL, err);
    if (!status && net->counts)
        status = hrr_count_model_apply(out, &net->model->counts, net->counts, graph, 0, err);
    if (!status && net->reports)
        status =
            hrr_report_model_apply(out, &net->model->reports, net->reports, graph, 0, NULL, err);
    return status;
}

/* name becomes that of the logits less those of the first class. */
static void take_relative(char name[HRR_ONNX_NAME], hrr_onnx_graph *graph)
{
    static const hrr_onnx_attribute columns[] = {{"axis", NULL, 1}, {0}};
    static const int64_t first[] = {0};
    char index[HRR_ONNX_NAME], column[HRR_ONNX_NAME], result[HRR_ONNX_NAME];
    hrr_onnx_new_name(index, graph);
    hrr_onnx_new_name(column, graph);
    hrr_onnx_new_name(result, graph);
    hrr_onnx_integers(graph, index, first, 1, 0);
    hrr_onnx_operate(graph, "Gather", column, name, index, NULL, columns);
    hrr_onnx_operate(graph, "Sub", result, name, column, NULL, NULL);
    memcpy(name, result, HRR_ONNX_NAME);
}

static hrr_status put_evidence(char name[HRR_ONNX_NAME], const network *net, hrr_error *err)
{
    static const hrr_onnx_attribute last[] = {{"axis", NULL, -1}, {0}};
    hrr_dense evidence = {0};
    if (!net->counts && !net->reports) return HRR_OK;
    float weight = net->counts ? (float)net->model->counts.weight_model : 1;
    if (net->reports) weight *= (float)net->model->reports.weight_model;
    const hrr_public_base *const base = &net->model->base;
    if (net->counts && hrr_public_base_is_more(base)) {
        weight *= (float)base->weight[HRR_BASE_EDGES];
        if (hrr_base_is_relative(base, HRR_BASE_EDGES)) take_relative(name, net->graph);
    }
    const hrr_status status = find_evidence(&evidence, net, err);
    if (!status) {
        with_constant(name, net->graph, "Mul", hrr_f32_view(&weight, 1, 1), true);
        with_constant(name, net->graph, "Add", evidence, false);
    }
    hrr_dense_clear(&evidence);
    if (net->reports && hrr_model_get_shape(net->model)->output == HRR_OUTPUT_SOFTMAX) {
        char normal[HRR_ONNX_NAME];
        hrr_onnx_new_name(normal, net->graph);
        hrr_onnx_operate(net->graph, "LogSoftmax", normal, name, NULL, NULL, last);
        memcpy(name, normal, HRR_ONNX_NAME);
    }
    return status;
}

static void put_outputs(const network *net, const char *logits)
{
    static const hrr_onnx_attribute last[] = {{"axis", NULL, -1}, {0}};
    static const hrr_onnx_attribute flat[] = {{"axis", NULL, -1}, {"keepdims", NULL, 0}, {0}};
    static const hrr_onnx_attribute bytes[] = {{"to", NULL, HRR_ONNX_UINT8}, {0}};
    hrr_onnx_graph *graph = net->graph;
    const hrr_model_shape *shape = hrr_model_get_shape(net->model);
    const bool several = shape->output == HRR_OUTPUT_SIGMOID;
    if (net->release)
        hrr_onnx_operate(graph, "Gather", "logits", logits, in_nodes, NULL, NULL);
    else
        hrr_onnx_operate(graph, "Identity", "logits", logits, NULL, NULL, NULL);
    if (several) {
        static const float zero[] = {0};
        hrr_onnx_operate(graph, "Sigmoid", "probabilities", "logits", NULL, NULL, NULL);
        hrr_onnx_floats(graph, "zero", zero, 1, 0);
        hrr_onnx_operate(graph, "Greater", "above", "logits", "zero", NULL, NULL);
        hrr_onnx_operate(graph, "Cast", "labels", "above", NULL, NULL, bytes);
    } else {
        hrr_onnx_operate(graph, "Softmax", "probabilities", "logits", NULL, NULL, last);
        hrr_onnx_operate(graph, "ArgMax", "labels", "logits", NULL, NULL, flat);
    }
    const uint64_t n_classes = shape->n_classes;
    hrr_onnx_output(graph,
                    &(hrr_onnx_value){"logits", HRR_ONNX_FLOAT, 2, {0, n_classes}, free_length});
    hrr_onnx_output(
        graph, &(hrr_onnx_value){"probabilities", HRR_ONNX_FLOAT, 2, {0, n_classes}, free_length});
    hrr_onnx_output(graph, &(hrr_onnx_value){"labels",
                                             several ? HRR_ONNX_UINT8 : HRR_ONNX_INT64,
                                             several ? 2 : 1,
                                             {0, n_classes},
                                             free_length});
}

/* What goes in: of a whole network nodes, and features if they are not to be in the file. */
static hrr_status put_inputs(const network *net, hrr_error *err)
{
    const hrr_model_shape *shape = hrr_model_get_shape(net->model);
    const uint64_t d = shape->n_features;
    if (!net->release) {
        hrr_onnx_input(net->graph,
                       &(hrr_onnx_value){in_features, HRR_ONNX_FLOAT, 2, {0, d}, free_length});
        return HRR_OK;
    }
    hrr_onnx_input(net->graph, &(hrr_onnx_value){in_nodes, HRR_ONNX_INT64, 1, {0}, free_length});
    if (shape->node_rows) return HRR_OK;
    const hrr_dense *features = hrr_graph_features(hrr_release_graph(net->release));
    if (net->takes_features) {
        hrr_onnx_input(net->graph, &(hrr_onnx_value){
                                       in_features, HRR_ONNX_FLOAT, 2, {features->rows, d}, NULL});
        return HRR_OK;
    }
    hrr_dense released;
    hrr_status status = hrr_dense_convert(&released, features, HRR_F32, err);
    if (status) return status;
    hrr_onnx_floats(net->graph, in_features, released.data, released.rows, d);
    hrr_dense_clear(&released);
    return HRR_OK;
}

static hrr_status put_network(network *net, hrr_error *err)
{
    const hrr_model_shape *shape = hrr_model_get_shape(net->model);
    char name[HRR_ONNX_NAME] = "features";
    hrr_status status = put_inputs(net, err);
    if (!status && net->release) {
        const hrr_graph *graph = hrr_release_graph(net->release);
        if (shape->arch == HRR_ARCH_GCN)
            make_adjacency(&status, &net->layer, net->graph, graph, shape->normalisation,
                           HRR_DIAGONAL_ALL, err);
        if (shape->n_propagate)
            make_adjacency(&status, &net->steps, net->graph, graph, HRR_NORMALISE_SYMMETRIC,
                           HRR_DIAGONAL_LONELY, err);
    }
    if (status) return status;
    if (!shape->node_rows) {
        standardise(name, net);
        for (uint32_t k = 0; net->release && k < shape->n_propagate; k++)
            aggregate(name, net->graph, &net->steps);
    }
    for (uint32_t i = 0; i < shape->n_layers; i++)
        put_layer(name, net, i);
    status = put_evidence(name, net, err);
    put_outputs(net, name);
    return status;
}

/* ---- may it be written? ---------------------------------------------------------------------- */

static hrr_status check(const hrr_model *model, const hrr_release *release,
                        const hrr_onnx_options *o, hrr_error *err)
{
    const hrr_provenance trained_on = hrr_model_provenance(model);
    const hrr_model_shape *shape = hrr_model_get_shape(model);
    const bool is_private = trained_on.is_private && (!release || hrr_release_is_private(release));
    if (!is_private && !o->non_private)
        return hrr_fail(err, HRR_ECHECK,
                        "no privacy guarantee covers this network: the model was not trained on a "
                        "private release%s; train a model on one and export that, or allow it "
                        "explicitly (`non_private`)",
                        release ? ", or the graph is not a private release" : "");
    if (is_private && release && hrr_model_match(model, release) == HRR_TRAINED_ELSEWHERE)
        return hrr_fail(err, HRR_ECHECK,
                        "the model was trained on another release, and the budgets of the two add "
                        "up; use the release that the model was trained on");
    if (shape->arch == HRR_ARCH_SIGN)
        return hrr_fail(
            err, HRR_EINVAL,
            "the model is a sign network, which cannot be written as ONNX; train a gcn or an mlp");
    if (!release && shape->node_rows)
        return hrr_fail(err, HRR_EINVAL,
                        "the network has one row of weights per node and takes no features, so it "
                        "cannot be exported per node");
    if (release && o->takes_features && model->base.no_edges &&
        hrr_counts_in_use(model, release, o->ignore_counts))
        return hrr_fail(
            err, HRR_EINVAL,
            "the counts of this model are combined with a second network on the features, whose "
            "answers the file stores for the released features only; keep the features inside the "
            "file (`takes_features`), or leave the counts out (`ignore_counts`)");
    if (!release || shape->node_rows) return HRR_OK;
    return hrr_attack_check_shapes(model, hrr_release_graph(release),
                                   hrr_graph_features(hrr_release_graph(release)), err);
}

/* ---- the file -------------------------------------------------------------------------------- */

static void put_metadata(hrr_text *out, const char *key, const char *value)
{
    hrr_text pair = {0};
    hrr_pb_text(&pair, 1, key);
    hrr_pb_text(&pair, 2, value);
    hrr_pb_message(out, 14, &pair);
}

static void put_file(hrr_text *out, hrr_onnx_graph *graph, const hrr_model *model,
                     const hrr_release *release)
{
    const hrr_provenance trained_on = hrr_model_provenance(model);
    const bool is_private = trained_on.is_private && (!release || hrr_release_is_private(release));
    hrr_text operators = {0};
    hrr_pb_number(out, 1, ir_version);
    hrr_pb_text(out, 2, "heterorr");
    hrr_pb_text(out, 3, hrr_version());
    hrr_pb_message(out, 7, &graph->out);
    hrr_pb_text(&operators, 1, "");
    hrr_pb_number(&operators, 2, opset);
    hrr_pb_message(out, 8, &operators);
    put_metadata(out, "heterorr.privacy", is_private ? "private" : "NOT PRIVATE");
    put_metadata(
        out, "heterorr.statement",
        is_private
            ? trained_on.statement
            : "Nothing is guaranteed: the network, or the graph in this file, was not protected.");
    if (model->release_id[0]) put_metadata(out, "heterorr.release_sha256", model->release_id);
}

static hrr_status write_file(const hrr_text *text, const char *path, hrr_error *err)
{
    hrr_output *output = NULL;
    if (text->failed) return hrr_no_memory(err);
    if (text->size > INT32_MAX)
        return hrr_fail(err, HRR_EDATA,
                        "the file would have %zu bytes, but an ONNX file can have at most 2 GiB",
                        text->size);
    hrr_status status = hrr_output_open(&output, path, err);
    if (!status) status = hrr_output_write(output, text->bytes, text->size, err);
    if (!status) status = hrr_output_commit(output, err);
    hrr_output_free(output);
    return status;
}

hrr_status hrr_onnx_write(const hrr_model *model, const hrr_release *release,
                          const hrr_onnx_options *options, const char *path, hrr_error *err)
{
    hrr_onnx_options own;
    hrr_onnx_graph graph = {0};
    hrr_text text = {0};
    hrr_status status = HRR_ADOPT(hrr_onnx_options, &own, options, err);
    if (!status) status = check(model, release, &own, err);
    if (status) return status;
    network net = {.graph = &graph, .model = model, .release = release};
    net.takes_features = own.takes_features;
    if (release) net.counts = hrr_counts_in_use(model, release, own.ignore_counts);
    if (release && !own.ignore_reports && model->reports.confusion.data)
        net.reports = hrr_release_reports(release);
    hrr_pb_text(&graph.out, 2, "heterorr");
    status = put_network(&net, err);
    if (!status) put_file(&text, &graph, model, release);
    if (!status) status = write_file(&text, path, err);
    hrr_text_clear(&graph.out);
    hrr_text_clear(&text);
    return status;
}
