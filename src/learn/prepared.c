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

void hrr_prepared_clear(hrr_prepared *prepared)
{
    hrr_aggregator_clear(&prepared->aggregator);
    hrr_dense_clear(&prepared->standardised);
    hrr_dense_clear(&prepared->propagated);
    hrr_inputs_clear(&prepared->inputs);
    *prepared = (hrr_prepared){0};
}
