/* prepared.c: see prepared.h. */
#include "learn/prepared.h"

static hrr_status prepare_inputs(hrr_prepared *out, const hrr_model *model, const hrr_graph *graph,
                                 const hrr_dense *features, int threads, hrr_progress *progress,
                                 hrr_error *err)
{
    const uint32_t steps = model->shape.n_propagate;
    const uint64_t n_out = model->layers[0].n_out;
    hrr_status status = HRR_OK;
    if (model->shape.node_rows) return hrr_inputs_init_rows(&out->inputs, graph, n_out, steps, err);
    if (model->standards) {
        status = hrr_model_standardise(&out->standardised, model, features, threads, err);
        if (status) return status;
        features = &out->standardised;
    }
    if (model->shape.arch == HRR_ARCH_SIGN)
        return hrr_inputs_init_hops(&out->inputs, features, graph, model->shape.normalisation,
                                    n_out, steps, threads, progress, err);
    if (steps) {
        status =
            hrr_graph_propagate(&out->propagated, graph, features, steps, threads, progress, err);
        if (status) return status;
        features = &out->propagated;
    }
    return hrr_inputs_init(&out->inputs, features, n_out, out->edges, threads, progress, err);
}

hrr_status hrr_prepare(hrr_prepared *out, const hrr_model *model, const hrr_graph *graph,
                       const hrr_dense *features, int threads, hrr_progress *progress,
                       hrr_error *err)
{
    hrr_status status = HRR_OK;
    *out = (hrr_prepared){0};
    if (model->shape.arch == HRR_ARCH_GCN) {
        status = hrr_aggregator_init(&out->aggregator, graph, model->shape.normalisation,
                                     HRR_DIAGONAL_ALL, err);
        out->edges = &out->aggregator;
    }
    if (!status) status = prepare_inputs(out, model, graph, features, threads, progress, err);
    if (status) hrr_prepared_clear(out);
    return status;
}

/* Rows of a matrix, which must outlive them. */
static hrr_dense rows_of(const hrr_dense *x, hrr_share share)
{
    const size_t at = share.begin * x->cols * hrr_dtype_size(x->dtype);
    return (hrr_dense){.dtype = x->dtype,
                       .rows = share.end - share.begin,
                       .cols = x->cols,
                       .data = (char *)x->data + at};
}

/* The widest of what is multiplied with the adjacency. */
static uint64_t widest_product(const hrr_model *model)
{
    uint64_t most = 0;
    for (uint32_t i = 0; i < model->shape.n_layers; i++)
        if (model->layers[i].n_out > most) most = model->layers[i].n_out;
    return most;
}

hrr_status hrr_prepare_share(hrr_prepared *out, hrr_halo *halo, const hrr_model *model,
                             const hrr_graph *graph, const hrr_dense *features, hrr_ranks *ranks,
                             int threads, hrr_progress *progress, hrr_error *err)
{
    const hrr_share own = hrr_ranks_own_share(ranks, hrr_graph_n_nodes(graph));
    const uint32_t steps = model->shape.n_propagate;
    hrr_status status = HRR_OK;
    *out = (hrr_prepared){0};
    *halo = (hrr_halo){0};
    if (model->shape.arch == HRR_ARCH_GCN) {
        status = hrr_halo_init(halo, graph, model->shape.normalisation, widest_product(model),
                               ranks, err);
        out->edges = &halo->edges;
    }
    if (!status && steps) {
        hrr_dense all = {0};
        if (model->standards) status = hrr_model_standardise(&all, model, features, threads, err);
        if (!status)
            status = hrr_graph_propagate(&out->propagated, graph, all.data ? &all : features, steps,
                                         threads, progress, err);
        hrr_dense_clear(&all);
        features = &out->propagated;
    }
    hrr_dense rows = status ? (hrr_dense){0} : rows_of(features, own);
    if (!status && !steps && model->standards) {
        status = hrr_model_standardise(&out->standardised, model, &rows, threads, err);
        rows = out->standardised;
        rows.storage = (hrr_region){0};
    }
    if (!status)
        status = hrr_inputs_init(&out->inputs, &rows, model->layers[0].n_out, NULL, threads,
                                 progress, err);
    if (status) {
        hrr_prepared_clear(out);
        hrr_halo_clear(halo);
    }
    return status;
}

void hrr_prepared_clear(hrr_prepared *prepared)
{
    hrr_aggregator_clear(&prepared->aggregator);
    hrr_dense_clear(&prepared->standardised);
    hrr_dense_clear(&prepared->propagated);
    hrr_inputs_clear(&prepared->inputs);
    *prepared = (hrr_prepared){0};
}
