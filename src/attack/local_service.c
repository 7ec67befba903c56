/* local_service.c: a model of our own, answering as a service would: the whole graph for each
 * question. What no question changes, the product of all features with the first weights, is kept
 * between them. */
#include "attack/f64_model.h"
#include "attack/local_service.h"
#include "base/memory.h"
#include "learn/count_model.h"
#include "learn/head.h"
#include "learn/model.h"

#include <heterorr/attack.h>

#include <math.h>
#include <string.h>

/* A network, and what it makes of all nodes. */
typedef struct network {
    hrr_f64_model f64;
    hrr_receptive_field field;
    hrr_dense first; /* as things are */
    double *kept;    /* a row of `first` while another stands in for it */
    double weight;   /* of its logits in the answer */
    bool relative;   /* they are taken relative to that of the first class */
} network;

enum { most_networks = 2 };

struct hrr_local_service {
    network networks[most_networks]; /* the model's, and one without edges */
    int n_networks;
    hrr_dense told; /* what no feature changes, F32: counts of neighbours and what is free without
                       features; empty: nothing */
    uint64_t n_features;
    hrr_returns returns;
    int decimals, threads;
    hrr_progress *progress;
};

/* Logits of a node become what the service says. */
static void disguise(double *row, const hrr_local_service *local)
{
    const uint32_t n = local->networks[0].f64.shape.n_classes;
    const hrr_output_kind output = local->networks[0].f64.shape.output;
    const double unit = pow(10, local->decimals);
    if (local->returns == HRR_RETURNS_LOGITS) return;
    hrr_output_apply(row, output, 1, n);
    if (local->returns == HRR_RETURNS_PROBABILITIES) return;
    uint32_t best = 0;
    for (uint32_t c = 1; c < n; c++)
        if (row[c] > row[best]) best = c;
    for (uint32_t c = 0; c < n; c++) {
        if (local->returns == HRR_RETURNS_ROUNDED)
            row[c] = round(row[c] * unit) / unit;
        else
            row[c] = output == HRR_OUTPUT_SOFTMAX ? c == best : row[c] > 0.5;
    }
}

/* out (n_asked x C) grows by what the network says. */
static hrr_status add_network(double *out, network *net, const hrr_question *question,
                              const hrr_local_service *local, hrr_error *err)
{
    const uint64_t width = net->first.cols, n_classes = net->f64.shape.n_classes;
    double *row = NULL;
    hrr_dense logits = {0};
    if (question->changed >= 0) {
        row = (double *)net->first.data + (uint64_t)question->changed * width;
        memcpy(net->kept, row, width * sizeof *row);
        hrr_f64_model_first(row, &net->f64, question->features);
        for (uint64_t k = 0; k < width; k++)
            row[k] -= net->f64.centre[k];
    }
    hrr_status status = hrr_f64_model_forward(&logits, NULL, &net->f64, &net->field, &net->first,
                                              local->threads, local->progress, err);
    if (row) memcpy(row, net->kept, width * sizeof *row);
    for (uint64_t i = 0; i < question->n_asked && !status; i++) {
        const double *says = (const double *)logits.data + question->asked[i] * n_classes;
        const double from = net->relative ? says[0] : 0;
        for (uint64_t c = 0; c < n_classes; c++)
            out[i * n_classes + c] += net->weight * (says[c] - from);
    }
    hrr_dense_clear(&logits);
    return status;
}

static void add_told(double *row, const hrr_local_service *local, uint32_t node)
{
    const uint64_t n_classes = local->told.cols;
    const float *says = (const float *)local->told.data + node * n_classes;
    for (uint64_t c = 0; c < n_classes; c++)
        row[c] += (double)says[c];
}

static hrr_status answer(void *user, double *out, const hrr_question *question, hrr_error *err)
{
    hrr_local_service *local = user;
    const uint64_t n_classes = local->networks[0].f64.shape.n_classes;
    hrr_status status = HRR_OK;
    memset(out, 0, question->n_asked * n_classes * sizeof *out);
    for (int k = 0; k < local->n_networks && !status; k++)
        status = add_network(out, &local->networks[k], question, local, err);
    for (uint64_t i = 0; i < question->n_asked && !status; i++) {
        if (local->told.data) add_told(out + i * n_classes, local, question->asked[i]);
        disguise(out + i * n_classes, local);
    }
    return status;
}

void hrr_serve_options_init(hrr_serve_options *options)
{
    *options = (hrr_serve_options){.decimals = 2};
}

static void clear_network(network *net)
{
    hrr_f64_model_clear(&net->f64);
    hrr_receptive_field_clear(&net->field);
    hrr_dense_clear(&net->first);
    hrr_free(net->kept);
}

static hrr_status add_model(hrr_local_service *local, const hrr_model *model,
                            const hrr_graph *graph, hrr_error *err)
{
    network *net = &local->networks[local->n_networks++];
    const hrr_dense *features = hrr_graph_features(graph);
    const uint64_t n = hrr_graph_n_nodes(graph);
    net->weight = 1;
    uint32_t *everybody = hrr_alloc(n, sizeof *everybody);
    if (!everybody) return hrr_no_memory(err);
    for (uint64_t v = 0; v < n; v++)
        everybody[v] = (uint32_t)v;
    hrr_status status = hrr_f64_model_init(&net->f64, model, err);
    if (!status)
        status = hrr_receptive_field_init(&net->field, &net->f64.shape, graph, everybody, n,
                                          local->progress, err);
    if (!status && !(net->kept = hrr_alloc(hrr_f64_model_width(&net->f64, 0), sizeof *net->kept)))
        status = hrr_no_memory(err);
    if (!status)
        status = hrr_f64_model_first_rows(&net->first, &net->f64, features, everybody, n,
                                          local->threads, local->progress, err);
    hrr_free(everybody);
    return status;
}

/* All that is free beside the network, as hrr_public_base_apply() puts it together. */
static hrr_status add_base(hrr_local_service *local, const hrr_public_base *base,
                           const hrr_graph *graph, hrr_error *err)
{
    float *told = local->told.data;
    const uint64_t n_classes = local->told.cols;
    const bool relative = hrr_base_is_relative(base, HRR_BASE_FREE);
    hrr_status status = hrr_public_base_check(base, graph, err);
    if (status || !hrr_public_base_is_more(base)) return status;
    local->networks[0].weight = base->weight[HRR_BASE_EDGES];
    local->networks[0].relative = hrr_base_is_relative(base, HRR_BASE_EDGES);
    for (uint64_t i = 0; base->free.data && i < base->free.rows; i++) {
        const float *says = (const float *)base->free.data + i * n_classes;
        for (uint64_t c = 0; c < n_classes; c++)
            told[i * n_classes + c] =
                (float)(base->weight[HRR_BASE_FREE] * (double)(says[c] - (relative ? says[0] : 0)));
    }
    if (!base->no_edges) return HRR_OK;
    status = add_model(local, base->no_edges, graph, err);
    local->networks[1].weight = base->weight[HRR_BASE_NO_EDGES];
    local->networks[1].relative = hrr_base_is_relative(base, HRR_BASE_NO_EDGES);
    return status;
}

/* Counts of neighbours, and what they join beside the network. */
static hrr_status add_counts(hrr_local_service *local, const hrr_model *model,
                             const hrr_block_counts *counts, const hrr_graph *graph, hrr_error *err)
{
    const hrr_count_model *how = hrr_model_counts(model);
    hrr_status status = hrr_dense_init(&local->told, HRR_F32, hrr_graph_n_nodes(graph),
                                       hrr_model_get_shape(model)->n_classes, err);
    if (!status) status = add_base(local, &model->base, graph, err);
    if (!status)
        status = hrr_count_model_apply(&local->told, how, counts, graph, local->threads, err);
    for (int k = 0; k < local->n_networks; k++)
        local->networks[k].weight *= how->weight_model;
    return status;
}

hrr_status hrr_local_service_new(hrr_local_service **out, const hrr_model *model,
                                 const hrr_release *served, const hrr_serve_options *options,
                                 hrr_progress *progress, hrr_error *err)
{
    const hrr_graph *graph = hrr_release_graph(served);
    const hrr_dense *features = hrr_graph_features(graph);
    const hrr_block_counts *counts = hrr_counts_in_use(model, served, options->ignore_counts);
    *out = NULL;
    hrr_status status = hrr_attack_check_shapes(model, graph, features, err);
    if (status) return status;
    hrr_local_service *local = hrr_alloc_zero(1, sizeof *local);
    if (!local) return hrr_no_memory(err);
    local->n_features = features->cols;
    local->returns = options->returns;
    local->decimals = options->decimals;
    local->threads = options->threads;
    local->progress = progress;
    status = add_model(local, model, graph, err);
    if (!status && counts) status = add_counts(local, model, counts, graph, err);
    if (status) {
        hrr_local_service_free(local);
        return status;
    }
    *out = local;
    return HRR_OK;
}

void hrr_local_service_free(hrr_local_service *local)
{
    if (!local) return;
    for (int k = 0; k < local->n_networks; k++)
        clear_network(&local->networks[k]);
    hrr_dense_clear(&local->told);
    hrr_free(local);
}

hrr_service hrr_local_service_view(hrr_local_service *local)
{
    return (hrr_service){.query = answer,
                         .user = local,
                         .n_nodes = local->networks[0].field.n_nodes[0],
                         .n_features = local->n_features,
                         .n_classes = local->networks[0].f64.shape.n_classes};
}

void hrr_local_service_forget_progress(hrr_local_service *local)
{
    local->progress = NULL;
}

const hrr_f64_model *hrr_local_service_model(const hrr_local_service *local)
{
    return &local->networks[0].f64;
}

const hrr_dense *hrr_local_service_first(const hrr_local_service *local)
{
    return &local->networks[0].first;
}
