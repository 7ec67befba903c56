/* predict.c: a trained model on a graph: a forward pass, and what else it has learnt: all that is
 * free and counts of neighbours, reports of a head. */
#include "learn/fit.h"
#include "learn/count_model.h"
#include "learn/cross_entropy.h"
#include "learn/denormals.h"
#include "learn/head.h"
#include "learn/pass.h"
#include "learn/prepared.h"
#include "base/options.h"

#include <inttypes.h>

static hrr_status check(const hrr_model *model, const hrr_graph *graph, const hrr_dense *features,
                        hrr_error *err)
{
    if (!features)
        return hrr_fail(err, HRR_EDATA, "the graph has no features, but the model takes %" PRIu64,
                        model->shape.n_features);
    if (features->cols != model->shape.n_features)
        return hrr_fail(err, HRR_EDATA,
                        "there %s %" PRIu64 " %s, but the model was trained on %" PRIu64
                        "; use a graph like the one that the model was trained on",
                        hrr_plural(features->cols, "is", "are"), features->cols,
                        hrr_plural(features->cols, "feature", "features"), model->shape.n_features);
    if (features->rows != hrr_graph_n_nodes(graph))
        return hrr_fail(
            err, HRR_EDATA, "there are features for %" PRIu64 " %s, but the graph has %" PRIu64,
            features->rows, hrr_plural(features->rows, "node", "nodes"), hrr_graph_n_nodes(graph));
    return hrr_check_finite(features, "features", err);
}

/* A row of weights for every node: the nodes must be the same ones. */
static hrr_status check_nodes(const hrr_model *model, const hrr_graph *graph, hrr_error *err)
{
    if (hrr_graph_n_nodes(graph) == model->shape.n_features) return HRR_OK;
    return hrr_fail(err, HRR_EDATA,
                    "the model knows %" PRIu64
                    " nodes by their numbers only, but the graph has %" PRIu64
                    " nodes; use the graph that the model was trained on",
                    model->shape.n_features, hrr_graph_n_nodes(graph));
}

hrr_status hrr_forward(hrr_dense *out, const hrr_model *model, const hrr_graph *graph,
                       const hrr_dense *features, int threads, hrr_progress *progress,
                       hrr_error *err)
{
    hrr_prepared prepared = {0};
    hrr_pass pass = {0};
    *out = (hrr_dense){0};
    if (!features) features = hrr_graph_features(graph);
    hrr_status status = model->shape.node_rows ? check_nodes(model, graph, err)
                                               : check(model, graph, features, err);
    if (status) return status;
    if ((status = hrr_prepare(&prepared, model, graph, features, threads, progress, err)))
        goto done;
    if ((status =
             hrr_pass_init(&pass, model, &prepared.inputs, prepared.edges, threads, progress, err)))
        goto done;
    hrr_progress_begin(progress, "predicting", 1);
    const unsigned before = hrr_denormals_flush(pass.threads);
    hrr_pass_forward(&pass, model->parameters, 0, 0, 0);
    hrr_denormals_restore(before, pass.threads);
    if ((status = hrr_progress_advance(progress, 1, err))) goto done;
    hrr_dense *logits = hrr_pass_logits(&pass);
    *out = *logits;
    *logits = (hrr_dense){0};
done:
    hrr_pass_clear(&pass);
    hrr_prepared_clear(&prepared);
    return status;
}

void hrr_predict_options_init_sized(hrr_predict_options *options, size_t size)
{
    const hrr_predict_options own = {0};
    hrr_options_init(options, size, &own, sizeof own);
}

hrr_status hrr_model_predict(hrr_dense *out, const hrr_model *model, const hrr_release *release,
                             const hrr_predict_options *options, hrr_progress *progress,
                             hrr_error *err)
{
    hrr_predict_options own;
    *out = (hrr_dense){0};
    hrr_status status = HRR_ADOPT(hrr_predict_options, &own, options, err);
    if (status) return status;
    const hrr_predict_options *o = &own;
    const hrr_graph *graph = hrr_release_graph(release);
    const hrr_block_counts *counts = hrr_counts_in_use(model, release, o->ignore_counts);
    status = hrr_forward(out, model, graph, o->features, o->threads, progress, err);
    if (!status && counts)
        status =
            hrr_public_base_apply(out, &model->base, graph, o->features, o->threads, progress, err);
    if (!status && counts)
        status = hrr_count_model_apply(out, &model->counts, counts, graph, o->threads, err);
    const hrr_reports *reports = o->ignore_reports ? NULL : hrr_release_reports(release);
    if (!status && reports && model->reports.confusion.data)
        status =
            hrr_report_model_apply(out, &model->reports, reports, graph, o->threads, progress, err);
    if (!status && !o->logits)
        hrr_to_probabilities(out->data, out->rows, out->cols, model->shape.output, o->threads);
    if (status) hrr_dense_clear(out);
    return status;
}

void hrr_likely_classes(uint32_t *out, const hrr_dense *scores, const int32_t *classes,
                        const uint8_t *split)
{
    for (uint64_t i = 0; i < scores->rows; i++) {
        const float *row = (const float *)scores->data + i * scores->cols;
        out[i] = 0;
        for (uint32_t c = 1; c < scores->cols; c++)
            if (row[c] > row[out[i]]) out[i] = c;
        if (classes && split && split[i] != HRR_TEST && classes[i] >= 0)
            out[i] = (uint32_t)classes[i];
    }
}
